/** The explorer of chapter 7's ReLU: one unit, where it bends, and what its gradients are. */

import { neuron } from "./lib/activations.js";
import { description, html, setAttributes, shapes, svg, uniqueId } from "./lib/dom.js";
import { significant } from "./lib/format.js";
import { seriesClass } from "./lib/series.js";
import { room, round, same, watch } from "./lib/view.js";

/** @typedef {{ weight: number, bias: number, x: number }} State */
/** @typedef {ReturnType<typeof neuron>} Unit */
/** @typedef {import("./lib/dom.js").Shape} Shape */

/** @type {(keyof State)[]} */
const TRAITS = ["weight", "bias", "x"];
const MARGIN = { left: 46, right: 14, top: 8, bottom: 40 };
const HEIGHT = 340;
const FLOOR = HEIGHT - MARGIN.bottom;
const LAST = 10;
const LOWEST = -10;
const HIGHEST = 25;
const HINT = "Click into the picture to move x there.";
const TILES = ["w x + b", "output", "gradient to x", "to weight", "to bias"];

/** @type {import("@anywidget/types").Render<State>} */
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
  const tiles = numbers();
  const formula = formulas();
  el.replaceChildren(
    html("div", { class: "tb-explorer" }, words.elements[0], plot, html("p", { class: "tb-pointed" }, HINT), tiles.element, formula.element, words.elements[1]),
  );

  /** @type {State | undefined} */
  let shown;

  function draw() {
    const now = read(model);
    if (same(now, shown)) return;
    layout(now);
    words.say(describe(now, shown));
    tiles.show(unitOf(now));
    formula.show(now);
    shown = now;
  }

  /** @param {State} now */
  function layout(now) {
    const width = space.width();
    if (!width) return;
    const scale = scales(width);
    setAttributes(picture, { width });
    setAttributes(area, { width: scale.right - scale.left });
    drawing.axes.draw(axes(now, scale));
    drawing.hinge.draw(hinge(now, scale));
    drawing.marks.draw(marks(now, scale));
  }

  /** @param {PointerEvent} event */
  function choose(event) {
    if (event.type === "pointermove" && event.buttons !== 1) return;
    const { left, right } = scales(space.width());
    const share = (event.clientX - plot.getBoundingClientRect().left - left) / (right - left);
    model.set("x", Math.min(LAST, Math.max(-LAST, Math.round((share * 2 - 1) * 10 * LAST) / 10)) + 0);
    model.save_changes();
  }

  const space = room(plot, () => layout(read(model)));
  const stops = [watch(model, TRAITS, draw), space.stop, words.stop];
  plot.addEventListener("pointermove", choose);
  plot.addEventListener("pointerdown", choose);
  draw();
  return () => stops.forEach((stop) => stop());
}

/** @param {import("@anywidget/types").AnyModel<State>} model */
function read(model) {
  return /** @type {State} */ (Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])));
}

/** @param {State} now */
const unitOf = ({ weight, bias, x }) => neuron(weight, bias, x);

/** Where the unit bends, if it does. @param {State} now */
const cornerOf = ({ weight, bias }) => (weight === 0 ? undefined : -bias / weight + 0);

/** The part of the axis where the output is 0, from one x to another. @param {State} now @returns {[number, number] | undefined} */
function flat(now) {
  const corner = cornerOf(now);
  if (corner === undefined) return now.bias <= 0 ? [-LAST, LAST] : undefined;
  /** @type {[number, number]} */
  const part = now.weight > 0 ? [-LAST, Math.min(corner, LAST)] : [Math.max(corner, -LAST), LAST];
  return part[0] < part[1] ? part : undefined;
}

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
    /** @param {number} y */
    y: (y) => round(FLOOR - ((y - LOWEST) / (HIGHEST - LOWEST)) * (FLOOR - MARGIN.top)),
  };
}

/** @param {State} now @param {Scales} scale @returns {Shape[]} */
function axes(now, { left, right, x, y }) {
  const zero = flat(now);
  const [from, to] = zero ? zero.map(x) : [left, left];
  /** @type {Shape[]} */
  const list = [
    ["rect", { class: "tb-relu-flat", x: from, y: MARGIN.top, width: to - from, height: FLOOR - MARGIN.top }],
    ["text", { class: "tb-axis", x: (left + right) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "x"],
    ["text", { class: "tb-axis", transform: `translate(10 ${y(7.5)}) rotate(-90)`, "text-anchor": "middle" }, "output"],
    ["text", { class: "tb-tick", x: (from + to) / 2, y: MARGIN.top + 16, "text-anchor": "middle" }, to - from > 92 ? "flat: gradient 0" : ""],
  ];
  for (const value of [-10, 0, 10, 20]) {
    list.push(["line", { class: value ? "tb-grid" : "tb-grid tb-zero", x1: left, x2: right, y1: y(value), y2: y(value) }]);
    list.push(["text", { class: "tb-tick", x: left - 6, y: y(value), dy: "0.35em", "text-anchor": "end" }, String(value)]);
  }
  for (const value of [-10, -5, 0, 5, 10]) {
    list.push(["line", { class: value ? "tb-grid" : "tb-grid tb-zero", x1: x(value), x2: x(value), y1: value ? FLOOR : MARGIN.top, y2: FLOOR + 4 }]);
    list.push(["text", { class: "tb-tick", x: x(value), y: FLOOR + 20, "text-anchor": "middle" }, String(value)]);
  }
  return list;
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
  const anchor = place > right - 40 ? "end" : "middle";
  return [
    ["line", { class: "tb-similarity-self", x1: x(now.x), x2: x(now.x), y1: y(Math.max(LOWEST, Math.min(sum, 0))), y2: y(Math.max(output, 0)) }],
    ["path", { class: "tb-relu-corner", d: inside ? `M${place - 5} ${y(0) - 5}h10v10h-10z` : "" }],
    ["text", { class: "tb-axis tb-map-name", x: place, y: y(0) + 22, "text-anchor": anchor }, inside ? `corner ${significant(corner, 4)}` : ""],
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
      [sum, output, gradients.x, gradients.weight, gradients.bias].forEach((value, at) => (texts[at].data = significant(value, 6)));
    },
  };
}

/** @param {number} value */
const bracketed = (value) => (value < 0 ? `(${significant(value, 6)})` : significant(value, 6));

/** The output and its gradients, the numbers filled in. */
function formulas() {
  const [output, slope] = [document.createTextNode(""), document.createTextNode("")];
  const products = TRAITS.map(() => document.createTextNode(""));
  const steps = products.map((text) => [" ", html("span", { class: "tb-formula-step" }, text)]).flat();
  return {
    element: html(
      "p",
      { class: "tb-formula tb-formula-relu" },
      html("span", { class: "tb-softmax-formula" }, output),
      html("span", { class: "tb-softmax-formula" }, html("span", { class: "tb-formula-step" }, slope), ...steps),
    ),
    /** @param {State} now */
    show(now) {
      const { weight, bias, x } = now;
      const unit = unitOf(now);
      const inner = significant(unit.sum, 6);
      output.data = `relu(${significant(weight, 6)} × ${bracketed(x)} ${bias < 0 ? "-" : "+"} ${significant(Math.abs(bias), 6)}) = relu(${inner}) = ${significant(unit.output, 6)}`;
      slope.data = `slope ${unit.slope} at ${inner}:`;
      [["x", weight, unit.gradients.x], ["weight", x, unit.gradients.weight], ["bias", 1, unit.gradients.bias]].forEach(([name, by, value], at) => {
        products[at].data = `to ${name} ${unit.slope} × ${bracketed(Number(by))} = ${significant(Number(value), 6)}${at < 2 ? "," : "."}`;
      });
    },
  };
}

/** The state, what changed, and where nothing can change. @param {State} now @param {State} [before] */
function describe(now, before) {
  const { sum, output } = unitOf(now);
  const numbers = `Weight ${significant(now.weight, 6)}, bias ${significant(now.bias, 6)}, x = ${significant(now.x, 6)}`;
  const side =
    sum > 0
      ? `w x + b is positive and goes through as it is: ${significant(output, 6)}.`
      : sum < 0
        ? `w x + b is ${significant(sum, 6)}, below 0, so the output is 0.`
        : "w x + b is exactly 0. There any slope from 0 to 1 would do for a gradient; torch takes 0.";
  return [`${numbers}: ${side}`, change(now, before), whereabouts(now)].join(" ");
}

/** @param {State} now @param {State} [before] */
function change(now, before) {
  if (!before) return "Move x: what becomes of the output, and of its gradients?";
  const moved = TRAITS.filter((trait) => now[trait] !== before[trait]);
  if (moved.length > 1) return "";
  const [to, from] = [now, before].map((state) => unitOf(state).output);
  const what = `${moved[0] === "x" ? "x" : `The ${moved[0]}`} went from ${significant(before[moved[0]], 6)} to ${significant(now[moved[0]], 6)}`;
  if (to === from) return `${what} and the output stayed ${significant(to, 6)}${to === 0 ? ": here nothing is felt" : ""}.`;
  return `${what}, the output from ${significant(from, 6)} to ${significant(to, 6)}.`;
}

/** Where the corner is, and whether the unit is dead. @param {State} now */
function whereabouts(now) {
  const corner = cornerOf(now);
  const zero = flat(now);
  const dead = zero && zero[1] - zero[0] === 2 * LAST ? " Dead here: no x from -10 to 10 gets through." : "";
  if (corner === undefined) return `At weight 0 there is no corner.${dead}`;
  const outside = Math.abs(corner) > LAST ? ", outside the picture" : "";
  return `The corner is at ${significant(corner, 4)}${outside}; the hinge opens to the ${now.weight > 0 ? "right" : "left"}.${dead}`;
}

export default { render };
