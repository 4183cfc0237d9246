/** The explorer of chapter 7's ReLU: one unit, where it bends, and what its gradients are. */

import { neuron } from "../mathematics/activations.js";
import { footAxis, linear, nearestTenth, sideAxis } from "../drawing/axis.js";
import { description, html, setAttributes, shapes, svg, uniqueId } from "../drawing/dom.js";
import { explorer } from "../drawing/explorer.js";
import { bracket, significant } from "../words/format.js";
import { LAST, TRAITS, cornerOf, describe, flat, told, unitOf } from "../words/relu.js";
import { seriesClass } from "../drawing/series.js";

/** @typedef {import("../words/relu.js").State} State */
/** @typedef {ReturnType<typeof neuron>} Unit */
/** @typedef {import("../drawing/dom.js").Shape} Shape */

const MARGIN = { left: 46, right: 14, top: 8, bottom: 40 };
const HEIGHT = 340;
const FLOOR = HEIGHT - MARGIN.bottom;
const LOWEST = -10;
const HIGHEST = 25;
const HINT = "Click into the picture to move x there.";
const TILES = ["w x + b", "output", "gradient to x", "to weight", "to bias"];

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-relu");
  const drawing = { axes: shapes(), hinge: shapes(), marks: shapes() };
  const area = svg("rect", { x: MARGIN.left, y: MARGIN.top, height: FLOOR - MARGIN.top });
  const clip = uniqueId("tb-relu-clip");
  drawing.hinge.group.setAttribute("clip-path", `url(#${clip})`);
  const picture = svg(
    "svg",
    { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT },
    svg("clipPath", { id: clip }, area),
    ...Object.values(drawing).map(({ group }) => group),
  );
  const label = "The output of the unit over its input, and the line that it bends";
  const plot = html("div", { class: "tb-relu", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = html("p", { class: "tb-pointed" }, HINT);
  const tiles = numbers();
  const formula = formulas();
  /** @param {State} now @param {number} width */
  function draw(now, width) {
    const scale = scales(width);
    setAttributes(picture, { width });
    setAttributes(area, { width: scale.right - scale.left });
    drawing.axes.draw(axes(now, scale));
    drawing.hinge.draw(hinge(now, scale));
    drawing.marks.draw(marks(now, scale));
    tiles.show(unitOf(now));
    formula.show(now);
  }

  /** @param {PointerEvent} event */
  function click(event) {
    if (event.type === "pointermove" && event.buttons !== 1) return;
    choose({ x: nearestTenth(event.clientX - plot.getBoundingClientRect().left, scales(width()), LAST) });
  }

  const { width, choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [plot, hint, tiles.element, formula.element],
    plot,
    draw,
    describe,
  });
  plot.addEventListener("pointermove", click, { signal });
  plot.addEventListener("pointerdown", click, { signal });
  return stop;
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
    y: linear(LOWEST, HIGHEST, FLOOR, MARGIN.top),
  };
}

/** @param {State} now @param {Scales} scale @returns {Shape[]} */
function axes(now, scale) {
  const { left, x } = scale;
  const zero = flat(now);
  const [from, to] = zero ? zero.map(x) : [left, left];
  const flatName = to - from > 92 ? "flat: gradient 0" : "";
  return [
    ["rect", { class: "tb-relu-flat", x: from, y: MARGIN.top, width: to - from, height: FLOOR - MARGIN.top }],
    ["text", { class: "tb-tick", x: (from + to) / 2, y: MARGIN.top + 16, "text-anchor": "middle" }, flatName],
    ...sideAxis([-10, 0, 10, 20], [-10, 0, 10, 20], "output", scale),
    ...footAxis([-10, -5, 0, 5, 10], "x", scale),
    ["line", { class: "tb-grid tb-zero", x1: x(0), x2: x(0), y1: MARGIN.top, y2: FLOOR }],
  ];
}

/** @param {State} now @param {Scales} scale @returns {Shape[]} */
function hinge(now, { x, y }) {
  const corner = cornerOf(now);
  const bend = corner === undefined || Math.abs(corner) > LAST ? [] : [corner];
  /** @param {number} at @param {"sum" | "output"} which */
  const point = (at, which) => `${x(at)} ${y(neuron(now.weight, now.bias, at)[which])}`;
  return [
    ["path", { class: `tb-relu-line ${seriesClass(1)}`, d: `M${point(-LAST, "sum")}L${point(LAST, "sum")}` }],
    ["path", { class: `tb-relu-hinge ${seriesClass(0)}`, d: `M${[-LAST, ...bend, LAST].map((at) => point(at, "output")).join("L")}` }],
  ];
}

/** The corner, where x stands, and what is cut off there. @param {State} now @param {Scales} scale @returns {Shape[]} */
function marks(now, { x, y, right }) {
  const { sum, output } = unitOf(now);
  const corner = cornerOf(now);
  const inside = corner !== undefined && Math.abs(corner) <= LAST;
  const place = inside ? x(corner) : 0;
  const name = inside ? `corner ${significant(corner, 4)}` : "";
  const anchor = place > right - 40 ? "end" : "middle";
  return [
    ["line", { class: "tb-plumb", x1: x(now.x), x2: x(now.x), y1: y(Math.max(LOWEST, Math.min(sum, 0))), y2: y(output) }],
    ["path", { class: "tb-relu-corner", d: inside ? `M${place - 5} ${y(0) - 5}h10v10h-10z` : "" }],
    ["text", { class: "tb-axis tb-map-name", x: place, y: y(0) + 22, "text-anchor": anchor }, name],
    ["circle", { class: "tb-relu-here", cx: x(now.x), cy: y(output), r: 6 }],
    ["path", { class: "tb-pointer", d: `M${x(now.x)} ${FLOOR + 1}l-5 7h10z` }],
  ];
}

/** What comes out, and how much each of three numbers could change it. */
function numbers() {
  const texts = TILES.map(() => document.createTextNode(""));
  const tiles = TILES.map((name, at) => html("span", { class: "tb-tile" }, html("span", {}, name), html("strong", {}, texts[at])));
  return {
    element: html("p", { class: "tb-tiles" }, ...tiles),
    /** @param {Unit} unit */
    show({ sum, output, gradients }) {
      [sum, output, gradients.x, gradients.weight, gradients.bias].forEach((value, at) => (texts[at].data = told(value)));
    },
  };
}

/** The output and its gradients, the numbers filled in. */
function formulas() {
  const [output, slope] = [document.createTextNode(""), document.createTextNode("")];
  const products = TRAITS.map(() => document.createTextNode(""));
  const steps = products.map((text) => [" ", html("span", { class: "tb-formula-step" }, text)]).flat();
  return {
    element: html(
      "p",
      { class: "tb-formula tb-formula-relu" },
      html("span", { class: "tb-formula-line" }, output),
      html("span", { class: "tb-formula-line" }, html("span", { class: "tb-formula-step" }, slope), ...steps),
    ),
    /** @param {State} now */
    show(now) {
      const { weight, bias, x } = now;
      const unit = unitOf(now);
      const inner = told(unit.sum);
      const sum = `${told(weight)} × ${bracket(x, told(x))} ${bias < 0 ? "-" : "+"} ${told(Math.abs(bias))}`;
      output.data = `relu(${sum}) = relu(${inner}) = ${told(unit.output)}`;
      slope.data = `slope ${unit.slope} at ${inner}:`;
      [["x", weight, unit.gradients.x], ["weight", x, unit.gradients.weight], ["bias", 1, unit.gradients.bias]].forEach(([name, by, value], at) => {
        products[at].data = `to ${name} ${unit.slope} × ${bracket(Number(by), told(Number(by)))} = ${told(Number(value))}${at < 2 ? "," : "."}`;
      });
    },
  };
}

export default { render };
