/** The explorer of chapter 7 for one score that moves: its share and those of its rivals, as curves over that score. */

import { logsumexp, sigmoid, softmax } from "../mathematics/activations.js";
import { footAxis, linear, nearestTenth, sideAxis } from "../drawing/axis.js";
import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { decimals, significant } from "../words/format.js";
import { power, unbroken } from "../drawing/formula.js";
import { legendMark, markAt, seriesClass } from "../drawing/series.js";
import { NAMES, describe, meansOf, rivalsOf, sharesAt } from "../words/softmax_curve.js";

/** @typedef {import("../words/softmax_curve.js").State} State */
/** @typedef {State & { curves: number[][] }} Shown the shares at each x of the grid */
/** @typedef {import("../drawing/dom.js").Shape} Shape */

const MARGIN = { left: 46, right: 14, top: 10, bottom: 40 };
const HEIGHT = 300;
const FLOOR = HEIGHT - MARGIN.bottom;
const LAST = 10;
/** Where the curves are computed, in tenths from end to end. */
const GRID = Array.from({ length: 20 * LAST + 1 }, (_, at) => (at - 10 * LAST) / 10);
/** Where each curve has a mark, so that it is known without its colour. */
const MARKED = [-8, -4, 8];
const HINT = "Point at the curves to read them; click to move x there.";

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-softmax-curve");
  const drawing = { axes: shapes(), curves: shapes(), marks: shapes() };
  const picture = svg(
    "svg",
    { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT },
    ...Object.values(drawing).map(({ group }) => group),
  );
  const label = "The shares of x and of its three rivals, as x goes from -10 to 10";
  const plot = html("div", { class: "tb-softmax-curve", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = document.createTextNode(HINT);
  const pointed = html("p", { class: "tb-pointed tb-pointed-softmax-curve" }, hint);
  const legend = key();
  const formula = formulas();
  const exact = exactValues(["x", "share of x", "share of b", "share of c", "share of d"]);
  /** @param {Shown} now @param {number} width @param {Shown} [drawn] */
  function draw(now, width, drawn) {
    const { curves } = now;
    const scale = scales(width);
    setAttributes(picture, { width });
    const side = sideAxis([0, 0.25, 0.5, 0.75, 1], [0, 0.5, 1], "share", scale);
    drawing.axes.draw([...side, ...footAxis([-10, -5, 0, 5, 10], "x", scale)]);
    drawing.curves.draw(lines(now, curves, scale));
    drawing.marks.draw(marks(now, scale));
    legend.show(now);
    formula.show(now);
    if (curves !== drawn?.curves) exact.show(`All ${GRID.length} points of the curves`, () => curves.map((shares, at) => [GRID[at], ...shares]));
    hint.data = HINT;
  }

  /** The tenth nearest to the pointer. @param {PointerEvent} event */
  function under(event) {
    return nearestTenth(event.clientX - plot.getBoundingClientRect().left, scales(width()), LAST);
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const x = under(event);
    const shares = sharesAt(x, now()).map((share, at) => `${NAMES[at]} ${decimals(share)}`);
    hint.data = `At ${x}: ${shares.join(", ")}.`;
    if (event.buttons === 1) click(event);
  }

  /** @param {PointerEvent} event */
  const click = (event) => choose({ x: under(event) });

  const { now, width, choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [legend.element, plot, pointed, formula.element, exact.element],
    plot,
    derive,
    draw,
    describe: (now, before) => describe(now, now.curves, before),
  });
  plot.addEventListener("pointermove", point, { signal });
  plot.addEventListener("pointerdown", click, { signal });
  plot.addEventListener("pointerleave", () => (hint.data = HINT), { signal });
  return stop;
}

/** @param {State} state @param {Shown} [before] @returns {Shown} */
function derive(state, before) {
  const known = before && rivalsOf(state).every((rival, at) => rival === rivalsOf(before)[at]);
  return { ...state, curves: known ? before.curves : GRID.map((x) => sharesAt(x, state)) };
}

/** @typedef {ReturnType<typeof scales>} Scales */

/** @param {number} width CSS pixels */
function scales(width) {
  const { left } = MARGIN;
  const right = width - MARGIN.right;
  return {
    left,
    right,
    floor: FLOOR,
    x: linear(-LAST, LAST, left, right),
    y: linear(0, 1, FLOOR, MARGIN.top),
  };
}

/** @param {State} now @param {number[][]} curves @param {Scales} scale @returns {Shape[]} */
function lines(now, curves, { left, right, x, y }) {
  const means = meansOf(curves);
  return NAMES.flatMap((_, at) => {
    const name = seriesClass(at);
    const path = curves.map((shares, place) => `${x(GRID[place])} ${y(shares[at])}`).join("L");
    const dots = MARKED.map((place) => markAt(at, x(place), y(sharesAt(place, now)[at]))).join("");
    /** @type {Shape[]} */
    const list = [["path", { class: `tb-series-line ${name}`, d: `M${path}` }], ["path", { class: `tb-series-small ${name}`, d: dots }]];
    if (now.means && at) list.push(["line", { class: `tb-series-mean ${name}`, x1: left, x2: right, y1: y(means[at - 1]), y2: y(means[at - 1]) }]);
    return list;
  });
}

/** Where x stands. @param {State} now @param {Scales} scale @returns {Shape[]} */
function marks(now, { x, y }) {
  const shares = sharesAt(now.x, now);
  return [
    ["line", { class: "tb-plumb", x1: x(now.x), x2: x(now.x), y1: y(1), y2: FLOOR }],
    ["path", { class: "tb-pointer", d: `M${x(now.x)} ${FLOOR + 1}l-5 7h10z` }],
    ...[3, 2, 1, 0].map((at) => /** @type {Shape} */ (
      ["path", { class: `tb-series-chosen ${seriesClass(at)}`, d: markAt(at, x(now.x), y(shares[at])) }]
    )),
  ];
}

/** The share of each where x stands. */
function key() {
  const texts = NAMES.map(() => [document.createTextNode(""), document.createTextNode("")]);
  const items = texts.map(([name, share], at) => html("span", { class: "tb-series-item" }, legendMark(at), name, html("strong", {}, share)));
  return {
    element: html("p", { class: "tb-series-legend", "aria-hidden": "true" }, ...items),
    /** @param {State} now */
    show(now) {
      sharesAt(now.x, now).forEach((share, at) => {
        const score = [now.x, ...rivalsOf(now)][at];
        texts[at][0].data = at ? `${NAMES[at]} at ${significant(score, 4)} ` : `x = ${significant(score, 4)} `;
        texts[at][1].data = decimals(share);
      });
    },
  };
}

/** The share of x in two ways, its numbers filled in. */
function formulas() {
  const exponents = [...NAMES, "sum"].map(() => document.createTextNode(""));
  const [own, ...sum] = exponents.map(power);
  const distance = document.createTextNode("");
  const values = [document.createTextNode(""), document.createTextNode("")];
  const all = sum.flatMap((parts, at) => (at ? [" + ", ...parts] : parts));
  /** @param {string} name @param {HTMLElement} quotient @param {HTMLElement} result */
  const line = (name, quotient, result) =>
    html("span", { class: "tb-formula-line" }, html("span", { class: "tb-formula-name" }, name), quotient, " ", result);
  const results = values.map((text) => unbroken("= ", html("strong", {}, text)));
  return {
    element: html(
      "p",
      { class: "tb-formula tb-formula-softmax-curve" },
      line("share of x: ", unbroken(...own, " / (", ...all, ")"), results[0]),
      line("the same as a sigmoid: ", unbroken("1 / (1 + ", ...power(distance), ")"), results[1]),
    ),
    /** @param {State} now */
    show(now) {
      const scores = [now.x, ...rivalsOf(now)];
      const middle = logsumexp(rivalsOf(now));
      [now.x, ...scores].forEach((score, at) => (exponents[at].data = significant(score, 4)));
      distance.data = `-(${significant(now.x, 4)} ${middle < 0 ? "+" : "-"} ${decimals(Math.abs(middle))})`;
      values[0].data = decimals(softmax(scores)[0]);
      values[1].data = decimals(sigmoid(now.x - middle));
    },
  };
}

export default { render };
