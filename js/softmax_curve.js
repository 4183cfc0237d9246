/** The explorer of chapter 7 for one score that moves: its share and those of its rivals, as curves over that score. */

import { logsumexp, sigmoid, softmax } from "./lib/activations.js";
import { description, html, setAttributes, shapes, svg } from "./lib/dom.js";
import { exactValues } from "./lib/exact.js";
import { decimals, significant } from "./lib/format.js";
import { legendMark, markAt, seriesClass } from "./lib/series.js";
import { room, round, same, watch } from "./lib/view.js";

/**
 * @typedef {object} State
 * @property {number} x the score that moves
 * @property {number} b
 * @property {number} c
 * @property {number} d
 * @property {boolean} means whether each rival's mean is drawn too
 */
/** @typedef {import("./lib/dom.js").Shape} Shape */

/** @type {(keyof State)[]} */
const TRAITS = ["x", "b", "c", "d", "means"];
const NAMES = ["x", "b", "c", "d"];
const MARGIN = { left: 46, right: 14, top: 10, bottom: 40 };
const HEIGHT = 300;
const FLOOR = HEIGHT - MARGIN.bottom;
const LAST = 10;
/** Where the curves are computed, in tenths from end to end. */
const GRID = Array.from({ length: 20 * LAST + 1 }, (_, at) => (at - 10 * LAST) / 10);
/** Where each curve has a mark, so that it is known without its colour. */
const MARKED = [-8, -4, 8];
const HINT = "Point at the curves to read them; click to move x there.";

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const words = description("tb-description tb-description-softmax-curve");
  const drawing = { axes: shapes(), curves: shapes(), marks: shapes() };
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT }, ...Object.values(drawing).map(({ group }) => group));
  const label = "The shares of x and of its three rivals, as x goes from -10 to 10";
  const plot = html("div", { class: "tb-softmax-curve", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = document.createTextNode(HINT);
  const legend = key();
  const formula = formulas();
  const exact = exactValues(["x", "share of x", "share of b", "share of c", "share of d"]);
  el.replaceChildren(
    html("div", { class: "tb-explorer" }, words.elements[0], legend.element, plot, html("p", { class: "tb-pointed tb-pointed-softmax-curve" }, hint), formula.element, exact.element, words.elements[1]),
  );

  /** @type {State | undefined} */
  let shown;
  /** @type {number[][]} */
  let curves = [];

  function draw() {
    const now = read(model);
    if (same(now, shown)) return;
    const anew = !shown || rivalsOf(now).some((rival, at) => rival !== rivalsOf(/** @type {State} */ (shown))[at]);
    if (anew) curves = GRID.map((x) => sharesAt(x, now));
    layout(now);
    words.say(describe(now, curves, shown));
    legend.show(now);
    formula.show(now);
    if (anew) exact.show(`All ${GRID.length} points of the curves`, () => curves.map((shares, at) => [GRID[at], ...shares]));
    hint.data = HINT;
    shown = now;
  }

  /** @param {State} now */
  function layout(now) {
    const width = space.width();
    if (!width) return;
    const scale = scales(width);
    setAttributes(picture, { width });
    drawing.axes.draw(axes(scale));
    drawing.curves.draw(lines(now, curves, scale));
    drawing.marks.draw(marks(now, scale));
  }

  /** The tenth nearest to the pointer. @param {PointerEvent} event */
  function under(event) {
    const { left, right } = scales(space.width());
    const share = (event.clientX - plot.getBoundingClientRect().left - left) / (right - left);
    return Math.min(LAST, Math.max(-LAST, Math.round((share * 2 - 1) * 10 * LAST) / 10)) + 0;
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const x = under(event);
    const shares = sharesAt(x, read(model)).map((share, at) => `${NAMES[at]} ${decimals(share)}`);
    hint.data = `At ${x}: ${shares.join(", ")}.`;
    if (event.buttons === 1) choose(event);
  }

  /** @param {PointerEvent} event */
  function choose(event) {
    model.set("x", under(event));
    model.save_changes();
  }

  const space = room(plot, () => layout(read(model)));
  const stops = [watch(model, TRAITS, draw), space.stop, words.stop];
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", choose);
  plot.addEventListener("pointerleave", () => (hint.data = HINT));
  draw();
  return () => stops.forEach((stop) => stop());
}

/** @param {import("@anywidget/types").AnyModel<State>} model */
function read(model) {
  return /** @type {State} */ (Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])));
}

/** @param {State} now */
const rivalsOf = ({ b, c, d }) => [b, c, d];

/** The shares of x and of its rivals. @param {number} x @param {State} now */
const sharesAt = (x, now) => softmax([x, ...rivalsOf(now)]);

/** The mean of each rival's curve. @param {number[][]} curves */
const meansOf = (curves) => [1, 2, 3].map((at) => curves.reduce((sum, shares) => sum + shares[at], 0) / curves.length);

/** @typedef {ReturnType<typeof scales>} Scales */

/** @param {number} width CSS pixels */
function scales(width) {
  const { left } = MARGIN;
  const right = width - MARGIN.right;
  return {
    left,
    right,
    /** @param {number} x */
    x: (x) => round(left + ((x + LAST) / (2 * LAST)) * (right - left)),
    /** @param {number} share */
    y: (share) => round(FLOOR - share * (FLOOR - MARGIN.top)),
  };
}

/** @param {Scales} scale @returns {Shape[]} */
function axes({ left, right, x, y }) {
  /** @type {Shape[]} */
  const list = [
    ["text", { class: "tb-axis", x: (left + right) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "x"],
    ["text", { class: "tb-axis", transform: `translate(10 ${y(0.5)}) rotate(-90)`, "text-anchor": "middle" }, "share"],
  ];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    list.push(["line", { class: share ? "tb-grid" : "tb-grid tb-zero", x1: left, x2: right, y1: y(share), y2: y(share) }]);
    if (Number.isInteger(2 * share)) list.push(["text", { class: "tb-tick", x: left - 6, y: y(share), dy: "0.35em", "text-anchor": "end" }, String(share)]);
  }
  for (const value of [-10, -5, 0, 5, 10]) {
    list.push(["line", { class: "tb-grid", x1: x(value), x2: x(value), y1: FLOOR, y2: FLOOR + 4 }]);
    list.push(["text", { class: "tb-tick", x: x(value), y: FLOOR + 20, "text-anchor": "middle" }, String(value)]);
  }
  return list;
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
    ["line", { class: "tb-similarity-self", x1: x(now.x), x2: x(now.x), y1: y(1), y2: FLOOR }],
    ["path", { class: "tb-pointer", d: `M${x(now.x)} ${FLOOR + 1}l-5 7h10z` }],
    ...[3, 2, 1, 0].map((at) => /** @type {Shape} */ (["path", { class: `tb-series-chosen ${seriesClass(at)}`, d: markAt(at, x(now.x), y(shares[at])) }])),
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
  const [power, ...sum] = exponents.map((text) => ["e", html("sup", {}, text)]);
  const distance = document.createTextNode("");
  const values = [document.createTextNode(""), document.createTextNode("")];
  /** @param {...(Node | string)} parts */
  const step = (...parts) => html("span", { class: "tb-formula-step" }, ...parts);
  const results = values.map((text) => step("= ", html("strong", {}, text)));
  return {
    element: html(
      "p",
      { class: "tb-formula tb-formula-softmax-curve" },
      html("span", { class: "tb-softmax-formula" }, html("span", { class: "tb-formula-name" }, "share of x: "), step(...power, " / (", ...sum.flatMap((parts, at) => (at ? [" + ", ...parts] : parts)), ")"), " ", results[0]),
      html("span", { class: "tb-softmax-formula" }, html("span", { class: "tb-formula-name" }, "the same as a sigmoid: "), step("1 / (1 + e", html("sup", {}, distance), ")"), " ", results[1]),
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

/**
 * The state, what moved and what did not, and what the mean lines would come to.
 * @param {State} now @param {number[][]} curves @param {State} [before]
 */
function describe(now, curves, before) {
  const shares = sharesAt(now.x, now);
  const rivals = rivalsOf(now).map((rival) => significant(rival, 4));
  const tied = NAMES.filter((_, at) => at && Math.abs(shares[at] - shares[0]) < 1e-12);
  const tie = tied.length ? `, a tie with ${tied.join(" and ")}` : "";
  const state = `x = ${significant(now.x, 4)} against ${rivals.slice(0, 2).join(", ")} and ${rivals[2]}: x has ${decimals(shares[0])}${tie}.`;
  const sum = shares[0] + meansOf(curves).reduce((all, mean) => all + mean, 0);
  const means = now.means ? `With every rival at its dashed mean the four would sum to ${decimals(sum)} here.` : "";
  return [state, change(now, shares, before), means].filter(Boolean).join(" ");
}

/** @param {State} now @param {number[]} shares @param {State} [before] */
function change(now, shares, before) {
  if (!before) return "Move x, and watch the three rivals.";
  const moved = TRAITS.filter((trait) => now[trait] !== before[trait]);
  if (moved.length > 1) return "";
  const [middle, was] = [now, before].map((state) => logsumexp(rivalsOf(state)));
  if (moved[0] === "means") return now.means ? "The dashed lines are new; no curve moved." : "The dashed lines are gone; no curve moved.";
  if (moved[0] === "x") {
    const up = now.x > before.x;
    const factor = significant(shares[1] / sharesAt(before.x, before)[1], 4);
    return `Its share ${up ? "rose" : "fell"}, and every rival ${up ? "fell" : "rose"}: all three have ${factor} times what they had, and keep their ratios. The curves stay; that of x is a sigmoid with its middle at ${decimals(middle)}, the logsumexp of the rivals.`;
  }
  return `The curve of x has kept its shape, a sigmoid, and moved ${middle > was ? "right" : "left"}: x needs ${decimals(middle)} for one half, the logsumexp of the rivals. Before it was ${decimals(was)}.`;
}

export default { render };
