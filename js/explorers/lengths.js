/** The explorer of chapter 12's lengths: accuracies at the length of the training, at twice and at four times it. */

import { linear, yTitle } from "../drawing/axis.js";
import { description, html, setAttributes } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { formula } from "../drawing/formula.js";
import { picture, pointerReading } from "../drawing/picture.js";
import { clamp, toTenths } from "../drawing/pixels.js";
import { widthOf } from "../drawing/plot.js";
import { seriesClass } from "../drawing/series.js";
import { summary } from "../mathematics/lengths.js";
import { HINT, LENGTHS, describe, exactRows, explain, meansOf, nameOf, percent, shownLengths } from "../words/lengths.js";

/** @typedef {import("../words/lengths.js").Shown} Shown */
/** @typedef {import("../drawing/dom.js").Shape} Shape */

const MARGIN = { left: 50, right: 6, top: 24, bottom: 44 };
const HEIGHT = 320;
const FLOOR = HEIGHT - MARGIN.bottom;
/** The pictures of single encodings, in pixels. */
const SMALL = { width: 92, height: 64, top: 8, floor: 58 };

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-lengths");
  const { svg, layers } = picture(HEIGHT, "axes", "dots", "guess");
  const label = "Accuracy at each length, a dot for each seed";
  const plot = html("div", { class: "tb-lengths", role: "img", "aria-label": label, "aria-describedby": words.id }, svg);
  const pointed = pointerReading(HINT);
  /** @type {string[]} */
  const encodings = model.get("encodings");
  const small = encodings.map((name) => {
    const { svg, layers } = picture(SMALL.height, "lines");
    const means = html("span", { class: "tb-lengths-means" });
    setAttributes(svg, { width: SMALL.width });
    const element = html("div", { class: "tb-lengths-small" }, html("span", {}, nameOf(name)), svg, means);
    return { element, lines: layers.lines, means };
  });
  const all = html("div", { class: "tb-lengths-all", "aria-hidden": "true" }, ...small.map(({ element }) => element));
  const formulas = formula("tb-formula-lengths");
  const exact = exactValues(["seed or mean", ...LENGTHS.map((length) => `${length}, in %`)], { rowHeaders: true });

  /** @param {Shown} now @param {number} width */
  function draw(now, width) {
    const scale = scales(width);
    setAttributes(svg, { width });
    layers.axes.draw(axes(now, scale));
    layers.dots.draw(dots(now, scale));
    layers.guess.draw(guess(now, scale));
    small.forEach(({ element, lines, means }, at) => {
      element.classList.toggle("tb-lengths-chosen", at === now.encoding_index);
      lines.draw(smallLines(now, at));
      means.textContent = meansOf(now, at).map((mean) => Math.round(mean)).join(", ");
    });
    formulas.show(explain(now));
    exact.show(`The accuracies of all ${now.dots[0].length} seeds, and the mean of each encoding`, () => exactRows(now));
    pointed.clear();
  }

  const content = [plot, pointed.element, all, formulas.element, exact.element];
  const { width, choose, signal, stop } = explorer({ model, el, words, content, plot: widthOf(plot), derive: deriveFrom(model), draw, describe });
  exact.follow(model, signal);
  /** The accuracy under the pointer, in percent. @param {PointerEvent} event */
  function find(event) {
    const share = (FLOOR - (event.clientY - plot.getBoundingClientRect().top)) / (FLOOR - MARGIN.top);
    return width() ? clamp(Math.round(100 * share), 0, 100) : undefined;
  }
  const read = (/** @type {number} */ value) => `${value}%. Click to make it your guess.`;
  pointed.follow(plot, { find, read, choose: (value) => choose({ guess: value }), drags: true }, signal);
  small.forEach(({ element }, at) => element.addEventListener("click", () => choose({ encoding_index: at }), { signal }));
  return stop;
}

/** @param {import("@anywidget/types").AnyModel<any>} model */
const deriveFrom = (model) => (/** @type {Record<string, any>} */ state) => {
  const { task_index, n_layers_index, encoding_index, accuracies } = state;
  /** @type {number[][][]} */
  const all = accuracies[task_index].map((/** @type {number[][][]} */ layers) => layers[n_layers_index]);
  return /** @type {Shown} */ ({ ...state, names: model.get("encodings"), all, dots: all[encoding_index] });
};

/** @typedef {ReturnType<typeof scales>} Scales */

/** @param {number} width CSS pixels */
function scales(width) {
  const { left } = MARGIN;
  const right = width - MARGIN.right;
  const column = (right - left) / LENGTHS.length;
  return { left, right, column, x: (/** @type {number} */ at) => left + (at + 0.5) * column, y: linear(0, 100, FLOOR, MARGIN.top) };
}

/** Lines across, the names of the columns, and what guessing gives. @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function axes(now, { left, right, column, x, y }) {
  const chance = 100 * now.chance;
  const names = LENGTHS.flatMap((length, at) => {
    const hidden = at >= shownLengths(now);
    const area = { x: x(at) - column / 2 + 4, y: MARGIN.top, width: column - 8, height: FLOOR - MARGIN.top };
    return /** @type {Shape[]} */ ([
      ["rect", { class: hidden ? "tb-lengths-hidden" : "tb-lengths-column", ...area }],
      ["text", { class: "tb-lengths-question", x: x(at), y: y(86), "text-anchor": "middle" }, hidden ? "?" : ""],
      ["text", { class: "tb-axis tb-bold", x: x(at), y: FLOOR + 18, "text-anchor": "middle" }, length],
      ["text", { class: "tb-tick", x: x(at), y: FLOOR + 36, "text-anchor": "middle" }, now.spans[at]],
    ]);
  });
  return [
    yTitle("accuracy, %", 10, y(50)),
    ...names,
    ...[0, 25, 50, 75, 100].flatMap((value) => /** @type {Shape[]} */ ([
      ["line", { class: value ? "tb-grid" : "tb-grid tb-zero", x1: left, x2: right, y1: y(value), y2: y(value) }],
      ["text", { class: "tb-tick", x: left - 6, y: y(value), dy: "0.35em", "text-anchor": "end" }, String(value)],
    ])),
    ["line", { class: "tb-lengths-chance", x1: left, x2: right, y1: y(chance), y2: y(chance) }],
    ["text", { class: "tb-tick", x: left + 8, y: y(chance) - 5 }, `guessing ${chance}%`],
  ];
}

/** A dot for each seed, the means, and the line between them. @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function dots(now, { column, x, y }) {
  const means = meansOf(now, now.encoding_index);
  const half = Math.min(40, 0.36 * column);
  const points = now.dots.slice(0, means.length).flatMap((hundredths, at) =>
    hundredths.map((value, seed) => `M${place(x(at), half, seed, hundredths.length)} ${y(value / 100)}h0`),
  );
  return [
    ["path", { class: `tb-lengths-line ${seriesClass(0)}`, d: `M${means.map((mean, at) => `${x(at)} ${y(mean)}`).join("L")}` }],
    ["path", { class: `tb-lengths-dots ${seriesClass(0)}`, d: points.join("") }],
    ["path", { class: "tb-lengths-mean", d: means.map((mean, at) => `M${x(at) - half - 6} ${y(mean)}h${2 * half + 12}`).join("") }],
    ...means.map((mean, at) => {
      const { least, most } = summary(now.dots[at]);
      const where = { x: x(at), y: mean > 50 ? y(least) + 19 : y(most) - 9, "text-anchor": "middle" };
      return /** @type {Shape} */ (["text", { class: "tb-axis tb-bold tb-lengths-name", ...where }, percent(mean)]);
    }),
  ];
}

/**
 * Seeds side by side, so that equal ones do not hide each other.
 * @param {number} middle @param {number} half @param {number} seed @param {number} count
 */
const place = (middle, half, seed, count) => toTenths(middle - half + (2 * half * (seed + 0.5)) / count);

/** The reader's guess, in the second column. @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function guess(now, { column, x, y }) {
  const [from, to] = [x(1) - column / 2 + 4, x(1) + column / 2 - 4];
  return [
    ["line", { class: `tb-lengths-guess ${seriesClass(1)}`, x1: from, x2: to, y1: y(now.guess), y2: y(now.guess) }],
    ["text", { class: now.longer ? "tb-axis tb-lengths-name" : "tb-axis", x: from + 4, y: y(now.guess) - 6 }, "your guess"],
  ];
}

/** @param {Shown} now @param {number} encoding @returns {Shape[]} */
function smallLines(now, encoding) {
  const y = linear(0, 100, SMALL.floor, SMALL.top);
  const means = meansOf(now, encoding);
  const points = means.map((mean, at) => `${14 + 32 * at} ${y(mean)}`);
  const chance = y(100 * now.chance);
  const name = encoding === now.encoding_index ? seriesClass(0) : "tb-lengths-other";
  return [
    ["line", { class: "tb-grid", x1: 6, x2: 86, y1: y(100), y2: y(100) }],
    ["line", { class: "tb-grid", x1: 6, x2: 86, y1: y(0), y2: y(0) }],
    ["line", { class: "tb-lengths-chance", x1: 6, x2: 86, y1: chance, y2: chance }],
    ["path", { class: `tb-lengths-line ${name}`, d: `M${points.join("L")}` }],
    ["path", { class: `tb-lengths-dots ${name}`, d: points.map((point) => `M${point}h0`).join("") }],
  ];
}

export default { render };
