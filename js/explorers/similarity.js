/** The explorer of chapter 6's last third: one position compared with every other. */

import { ticks } from "../drawing/axis.js";
import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { decimals, plural } from "../words/format.js";
import { denominator } from "../mathematics/positional_encoding.js";
import { envelope, rivals, similarities } from "../mathematics/similarity.js";
import { clamp, toTenths } from "../drawing/pixels.js";

/**
 * @typedef {object} Shown
 * @property {number} d_model
 * @property {number} position
 * @property {number} last the last position of the window
 * @property {number} base
 * @property {ReturnType<typeof similarities>} curve
 * @property {Rivals} found
 */
/** @typedef {import("../drawing/dom.js").Shape} Shape */

const MARGIN = { left: 40, right: 18, top: 12, bottom: 40 };
const HEIGHT = 300;
const FLOOR = HEIGHT - MARGIN.bottom;
/** With less room than this between positions, the curve is drawn as the band that it fills. */
const CLOSEST = 2;
/** Positions to either side that a point of the band takes in: the fastest wave is 6.28 long. */
const REACH = 4;
const HINT = "Point at the curve to read a value; click to choose that position.";

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-similarity");
  const drawing = { axes: shapes(), curve: shapes(), marks: shapes() };
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT }, ...Object.values(drawing).map(({ group }) => group));
  const label = "Similarity of the chosen position with every other";
  const plot = html("div", { class: "tb-similarity", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = document.createTextNode(HINT);
  const legend = key();
  const formula = formulas();
  const exact = exactValues(["other position", "offset", "similarity"]);
  /** @param {Shown} now @param {number} width */
  function draw(now, width) {
    setAttributes(picture, { width });
    const scale = scales(width, now.last);
    drawing.axes.draw(axes(now, scale));
    drawing.curve.draw(now.last * CLOSEST <= scale.right - scale.left ? line(now, now.curve, scale) : band(now, now.curve, scale));
    drawing.marks.draw(marks(now, now.found, now.curve, scale));
    legend.show(now.position, now.found);
    formula.show(now, now.found, now.curve);
    exact.show(`All ${now.last + 1} values for position ${now.position}`, () => exactRows(now, now.curve));
    hint.data = HINT;
  }

  /** The position under the pointer. @param {PointerEvent} event */
  function under(event) {
    const { last } = now();
    const { left, right } = scales(width(), last);
    const share = (event.clientX - picture.getBoundingClientRect().left - left) / (right - left);
    return clamp(Math.round(share * last), 0, last);
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const { position, curve } = now();
    const other = under(event);
    hint.data = `Position ${other}, offset ${other - position}: similarity ${decimals(curve[Math.abs(other - position)])}. Click to choose it.`;
    if (event.buttons === 1) click(event);
  }

  /** @param {PointerEvent} event */
  const click = (event) => choose({ position: under(event) });

  const { now, width, choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [legend.element, plot, html("p", { class: "tb-pointed" }, hint), formula.element, exact.element],
    plot,
    counts: { positions: ({ window }) => window + 1 },
    derive,
    draw,
    describe: (now, before) => describe(now, now.found, now.curve, before),
  });
  plot.addEventListener("pointermove", point, { signal });
  plot.addEventListener("pointerdown", click, { signal });
  plot.addEventListener("pointerleave", () => (hint.data = HINT), { signal });
  return stop;
}

/** @param {Record<string, any>} state @param {Shown} [before] @returns {Shown} */
function derive({ d_model, position, window: last, base }, before) {
  const known = before && before.d_model === d_model && before.last === last;
  const curve = known ? before.curve : similarities(last, d_model, base);
  return { d_model, position, last, base, curve, found: rivals(curve, position, last) };
}

/** @typedef {ReturnType<typeof scales>} Scales */

/** @param {number} width CSS pixels @param {number} last */
function scales(width, last) {
  const left = MARGIN.left;
  const right = width - MARGIN.right;
  return {
    left,
    right,
    /** @param {number} position */
    x: (position) => toTenths(left + (position / last) * (right - left)),
    /** @param {number} value */
    y: (value) => toTenths(MARGIN.top + ((1 - value) / 2) * (FLOOR - MARGIN.top)),
  };
}

/** @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function axes({ last }, { left, right, x, y }) {
  /** @type {Shape[]} */
  const list = [
    ["text", { class: "tb-axis", x: (left + right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "other position"],
    ["text", { class: "tb-axis", transform: `translate(10 ${y(0)}) rotate(-90)`, "text-anchor": "middle" }, "similarity"],
  ];
  for (const value of [-1, -0.5, 0, 0.5, 1]) {
    list.push(["line", { class: value === 0 ? "tb-grid tb-zero" : "tb-grid", x1: left, x2: right, y1: y(value), y2: y(value) }]);
    if (Number.isInteger(value)) list.push(["text", { class: "tb-tick", x: left - 8, y: y(value), dy: "0.35em", "text-anchor": "end" }, String(value)]);
  }
  for (const position of ticks(last + 1, Math.max(3, Math.floor((right - left) / 48)), [10, 20, 50, 200, 500, 1000])) {
    list.push(["line", { class: "tb-grid", x1: x(position), x2: x(position), y1: FLOOR, y2: FLOOR + 4 }]);
    list.push(["text", { class: "tb-tick", x: x(position), y: FLOOR + 17, "text-anchor": "middle" }, String(position)]);
  }
  return list;
}

/** A thin line, and a dot at every whole position. @param {Shown} now @param {ArrayLike<number>} curve @param {Scales} scale @returns {Shape[]} */
function line({ position, last }, curve, { x, y }) {
  const points = Array.from({ length: last + 1 }, (_, at) => `${x(at)} ${y(curve[Math.abs(at - position)])}`);
  return [
    ["path", { class: "tb-similarity-line", d: `M${points.join("L")}` }],
    ["path", { class: "tb-similarity-dots", d: points.map((dot) => `M${dot}h0`).join("") }],
  ];
}

/** @param {Shown} now @param {ArrayLike<number>} curve @param {Scales} scale @returns {Shape[]} */
function band({ position, last }, curve, { left, right, x, y }) {
  const step = Math.max(1, Math.floor(last / (right - left)));
  const middle = envelope(curve, position, last, REACH, step);
  const upper = middle.map((at) => `${x(at.position)} ${y(at.high)}`);
  const lower = middle.map((at) => `${x(at.position)} ${y(at.low)}`).reverse();
  return [["path", { class: "tb-similarity-band", d: `M${[...upper, ...lower].join("L")}Z` }]];
}

/** @typedef {ReturnType<typeof rivals>} Rivals */

/**
 * @param {Shown} now @param {Rivals} found @param {ArrayLike<number>} curve @param {Scales} scale
 * @returns {Shape[]}
 */
function marks({ position }, { neighbour, best }, curve, { x, y }) {
  /** @param {number} at */
  const height = (at) => y(curve[Math.abs(at - position)]);
  return [
    ["line", { class: "tb-plumb", x1: x(position), x2: x(position), y1: y(1), y2: FLOOR }],
    ["path", { class: "tb-similarity-here", d: dot(x(position), y(1)) }],
    ["path", { class: "tb-similarity-best", d: diamond(x(best), height(best)) }],
    ["path", { class: "tb-similarity-neighbour", d: square(x(neighbour), height(neighbour)) }],
  ];
}

/** @param {number} x @param {number} y */
const dot = (x, y) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z`;
/** @param {number} x @param {number} y */
const square = (x, y) => `M${x - 4.5} ${y - 4.5}h9v9h-9z`;
/** @param {number} x @param {number} y */
const diamond = (x, y) => `M${x} ${y - 7}l7 7l-7 7l-7 -7z`;

/** What the marks mean. */
function key() {
  const signs = [
    ["tb-similarity-here", dot(8, 8)],
    ["tb-similarity-neighbour", square(8, 8)],
    ["tb-similarity-best", diamond(8, 8)],
  ];
  const texts = signs.map(() => document.createTextNode(""));
  const items = signs.map(([name, d], at) =>
    html("span", { class: "tb-similarity-key" }, svg("svg", { width: 16, height: 16 }, svg("path", { class: name, d })), texts[at]),
  );
  return {
    element: html("p", { class: "tb-similarity-legend", "aria-hidden": "true" }, ...items),
    /** @param {number} position @param {Rivals} found */
    show(position, { neighbour, best }) {
      [texts[0].data, texts[1].data, texts[2].data] = [`position ${position}`, `its neighbour, ${neighbour}`, `most alike of the others, ${best}`];
    },
  };
}

/** An angle to four significant digits. @param {number} angle */
const brief = (angle) => String(Number(angle.toPrecision(4)));

/** The formula for the neighbour and for the most alike of the others, their numbers filled in. */
function formulas() {
  const lines = Array.from({ length: 2 }, () => {
    const [product, cosines] = [document.createTextNode(""), document.createTextNode("")];
    const value = document.createTextNode("");
    const element = html(
      "span",
      { class: "tb-similarity-formula" },
      html("span", { class: "tb-formula-step" }, product),
      " ",
      html("span", { class: "tb-formula-step" }, cosines),
      " ",
      html("span", { class: "tb-formula-step" }, "= ", html("strong", {}, value)),
    );
    return { element, product, cosines, value };
  });
  return {
    element: html("p", { class: "tb-formula tb-formula-similarity" }, ...lines.map(({ element }) => element)),
    /** @param {Shown} now @param {Rivals} found @param {ArrayLike<number>} curve */
    show({ d_model, position, base }, { neighbour, best }, curve) {
      const pairs = d_model / 2;
      const shownPairs = pairs > 3 ? [0, 1, undefined, pairs - 1] : Array.from({ length: pairs }, (_, pair) => pair);
      [neighbour, best].forEach((other, at) => {
        const offset = Math.abs(other - position);
        const cosines = shownPairs.map((pair) => (pair === undefined ? "..." : `cos ${brief(offset / denominator(pair, d_model, base))}`));
        const { product, cosines: sum, value } = lines[at];
        product.data = `PE(${position}) · PE(${other})${pairs > 1 ? ` / ${pairs}` : ""}`;
        sum.data = pairs > 1 ? `= (${cosines.join(" + ")}) / ${pairs}` : `= ${cosines[0]}`;
        value.data = decimals(curve[offset]);
      });
    },
  };
}

/**
 * What the picture shows in words: the state, the comparison worth making, what changed and what stayed as it was.
 * @param {Shown} now @param {Rivals} found @param {ArrayLike<number>} curve @param {Shown} [before]
 */
function describe(now, { neighbour, nearest, best, ahead }, curve, before) {
  const { d_model, position, last } = now;
  /** @param {number} at */
  const value = (at) => decimals(curve[Math.abs(at - position)]);
  const state = `d_model ${d_model}: position ${position} compared with the positions 0 to ${last}. Its neighbour ${neighbour} has similarity ${value(neighbour)}.`;
  const far = `${best}, ${Math.abs(best - position)} steps away, with ${value(best)}`;
  const first = nearest === undefined || nearest === best ? "" : `the nearest is ${nearest} with ${value(nearest)}, the most alike `;
  const verdict =
    ahead > 0
      ? `${plural(ahead, "position")} farther away ${ahead === 1 ? "looks" : "look"} more alike: ${first}${far}.`
      : `No other position looks as much alike; the next is ${far}.`;
  return `${state} ${verdict} ${change(now, before)}`;
}

/** @param {Shown} now @param {Shown} [before] */
function change({ d_model, position, last }, before) {
  if (before && before.d_model !== d_model) return `The curve is the mean of ${plural(d_model / 2, "wave")} now, it was the mean of ${before.d_model / 2}.`;
  if (before && before.last !== last) return "The same curve in another window.";
  if (before && before.position !== position) return `The same curve, ${plural(Math.abs(position - before.position), "step")} further ${position > before.position ? "right" : "left"}: it depends on the offset alone, and cannot tell before from after.`;
  return "Move the position, and compare the two sides of the curve.";
}

/** Every value of the curve. @param {Shown} now @param {ArrayLike<number>} curve */
function exactRows({ position, last }, curve) {
  return Array.from({ length: last + 1 }, (_, other) => [other, other - position, curve[Math.abs(other - position)]]);
}

export default { render };
