/** The explorer of chapter 6's waves: one pair of columns over the positions, and where a position stands in its turn. */

import { roundStep } from "../drawing/axis.js";
import { face, hand, slice, tip } from "../drawing/clock.js";
import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { clamp } from "../drawing/pixels.js";
import { decimals, plural, short } from "../words/format.js";
import { pairAt, wavelength } from "../mathematics/geometry.js";
import { denominator } from "../mathematics/positional_encoding.js";

/**
 * @typedef {object} Shown
 * @property {number} d_model
 * @property {number} pair
 * @property {number} position
 * @property {boolean} one_wavelength whether the axis ends after one turn of the pair
 * @property {number} base
 * @property {number} wave positions per turn
 * @property {number} end where the axis ends, in positions
 * @property {number} step from one dot to the next, in positions
 */
/** @typedef {import("../drawing/dom.js").Shape} Shape */
/** @typedef {(position: number) => number} Scale */

const MARGIN = { left: 28, right: 14, top: 40, bottom: 50 };
const CURVE_HEIGHT = 190;
const HEIGHT = MARGIN.top + CURVE_HEIGHT + MARGIN.bottom;
const DIAL = { x: 90, y: 84, radius: 64 };
const HINT = "Point at the curves to read a position; click to choose it.";

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-waves");
  const drawing = { axes: shapes(), curves: shapes(), chosen: shapes() };
  const picture = svg("svg", { class: "tb-overlay", height: HEIGHT, "aria-hidden": "true" }, ...Object.values(drawing).map(({ group }) => group));
  const label = "Sine and cosine of the chosen pair at each position";
  const plot = html("div", { class: "tb-wave-plot", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const clock = shapes();
  const share = document.createTextNode("");
  const rest = document.createTextNode("");
  const dial = html(
    "div",
    { class: "tb-wave-clock", "aria-hidden": "true" },
    svg("svg", { class: "tb-overlay", width: 2 * DIAL.x, height: 2 * DIAL.y }, clock.group),
    html("p", {}, html("strong", {}, share), rest),
  );
  const hint = document.createTextNode(HINT);
  const formula = filledFormula();
  const exact = exactValues(["position", "turns", "sin", "cos"]);
  /** @param {Shown} now @param {number} width */
  function draw(now, width) {
    const scale = scaleOf(now, width);
    setAttributes(picture, { width });
    drawing.axes.draw(axes(now, scale));
    drawing.curves.draw(curves(now, scale));
    drawing.chosen.draw(chosen(now, scale));
    clock.draw(turn(now));
    const turns = now.position / now.wave;
    share.data = `${decimals(turns % 1)} of a turn`;
    rest.data = turns < 1 ? "" : `after ${plural(Math.floor(turns), "whole turn")}`;
    formula.show(now);
    const count = Math.floor(now.end / now.step) + 1;
    exact.show(`The ${plural(count, "dot")} of each curve`, () => exactRows(now, count));
  }

  /** @param {Shown} now @param {number} width @returns {Scale} */
  function scaleOf(now, width) {
    return (position) => MARGIN.left + (position / now.end) * (width - MARGIN.left - MARGIN.right);
  }

  /** The whole position nearest to the pointer. @param {PointerEvent} event */
  function under(event) {
    const { end } = now();
    const inside = width() - MARGIN.left - MARGIN.right;
    const place = ((event.clientX - plot.getBoundingClientRect().left - MARGIN.left) / inside) * end;
    return clamp(Math.round(place), 0, Math.floor(end));
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const { pair, d_model, base } = now();
    const position = under(event);
    const [sin, cos] = pairAt(position, pair, d_model, base);
    hint.data = `Position ${position}: sin ${decimals(sin)}, cos ${decimals(cos)}. Click to choose it.`;
    if (event.buttons === 1) click(event);
  }

  /** @param {PointerEvent} event */
  const click = (event) => choose({ position: under(event) });

  const { now, width, choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [html("div", { class: "tb-waves" }, plot, dial), html("p", { class: "tb-pointed" }, hint), formula.element, exact.element],
    plot,
    counts: { pairs: ({ d_model }) => d_model / 2, positions: (state) => Math.floor(axis(state).end) + 1 },
    derive,
    draw,
    describe,
  });
  plot.addEventListener("pointermove", point, { signal });
  plot.addEventListener("pointerdown", click, { signal });
  plot.addEventListener("pointerleave", () => (hint.data = HINT), { signal });
  return stop;
}

/** How long a turn of the pair is, and where the axis ends. @param {Record<string, any>} state */
function axis({ d_model, pair, one_wavelength, base, window }) {
  const wave = wavelength(pair, d_model, base);
  return { wave, end: one_wavelength ? wave : window };
}

/** @param {Record<string, any>} state @returns {Shown} */
function derive(state) {
  const { d_model, pair, position, one_wavelength, base, most_dots } = state;
  const { wave, end } = axis(state);
  return { d_model, pair, position, one_wavelength, base, wave, end, step: roundStep(end, most_dots) };
}

/** The height of a value. @param {number} value */
const heightOf = (value) => MARGIN.top + ((1 - value) / 2) * CURVE_HEIGHT;

/** @param {Shown} now @param {Scale} scale @returns {Shape[]} */
function axes({ pair, wave, end, step }, scale) {
  const [left, right, bottom] = [scale(0), scale(end), MARGIN.top + CURVE_HEIGHT];
  /** @type {Shape[]} */
  const list = [];
  // Every second turn is shaded.
  for (let start = wave; start < end; start += 2 * wave) {
    const stop = Math.min(start + wave, end);
    list.push(["rect", { class: "tb-turn", x: scale(start), y: MARGIN.top, width: scale(stop) - scale(start), height: CURVE_HEIGHT }]);
  }
  for (const value of [-1, 0, 1]) {
    const y = heightOf(value);
    list.push(["line", { class: "tb-grid", x1: left, x2: right, y1: y, y2: y }]);
    list.push(["text", { class: "tb-tick", x: left - 10, y, dy: "0.35em", "text-anchor": "end" }, String(value)]);
  }
  const tick = roundStep(end, Math.max(2, Math.floor((right - left) / 62)));
  for (let position = 0; position <= end; position += tick) {
    const x = scale(position);
    list.push(["line", { class: "tb-grid", x1: x, x2: x, y1: bottom, y2: bottom + 5 }]);
    list.push(["text", { class: "tb-tick", x, y: bottom + 22, "text-anchor": "middle" }, String(position)]);
  }
  const dots = step === 1 ? "a dot at each" : `a dot at every ${step === 2 ? "2nd" : `${step}th`}`;
  list.push(["text", { class: "tb-axis", x: left, y: bottom + 43 }, `position (${dots})`]);
  list.push(["text", { class: "tb-sine-name tb-bold", x: right - 50, y: bottom + 43, "text-anchor": "end" }, "sine"]);
  list.push(["text", { class: "tb-cosine-name tb-bold", x: right, y: bottom + 43, "text-anchor": "end" }, "cosine"]);
  // One turn as a measure above the curves, open where it goes on beyond the axis.
  const whole = wave <= end;
  const stop = scale(Math.min(wave, end));
  const close = whole ? `M${stop} 18v12` : `M${stop - 6} 19l6 5l-6 5`;
  list.push(["path", { class: "tb-measure", d: `M${left} 18v12M${left} 24H${stop}${close}` }]);
  const label = `one turn of pair ${pair}: ${short(Number(wave.toFixed(2)))} positions`;
  const inside = stop - left > 240 ? (left + stop) / 2 : left;
  list.push(["text", { class: "tb-axis", x: inside, y: 11, "text-anchor": inside === left ? "start" : "middle" }, label]);
  return list;
}

/** Thin curves, exact between the positions too, and dots at whole positions. @param {Shown} now @param {Scale} scale @returns {Shape[]} */
function curves({ pair, d_model, base, end, step }, scale) {
  // In whole tenths of a pixel, as the style of curves and dots expects.
  const tenths = { transform: "scale(0.1)" };
  /** @param {number} position @param {0 | 1} which */
  const point = (position, which) => `${Math.round(scale(position) * 10)} ${Math.round(heightOf(pairAt(position, pair, d_model, base)[which]) * 10)}`;
  const room = scale(end) - scale(0);
  const samples = Math.ceil(room / 2);
  const dot = Math.min(70, Math.round((8 * room * step) / end));
  return ["tb-sine", "tb-cosine"].flatMap((name, at) => {
    const which = /** @type {0 | 1} */ (at);
    const line = Array.from({ length: samples + 1 }, (_, sample) => point((end * sample) / samples, which));
    const dots = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => `M${point(index * step, which)}h0`);
    return /** @type {Shape[]} */ ([
      ["path", { ...tenths, class: `tb-curve ${name}`, d: `M${line.join("L")}` }],
      ["path", { ...tenths, class: `tb-dots ${name}`, style: `stroke-width:${dot}`, d: dots.join("") }],
    ]);
  });
}

/** @param {Shown} now @param {Scale} scale @returns {Shape[]} */
function chosen({ position, pair, d_model, base }, scale) {
  const x = scale(position);
  const bottom = MARGIN.top + CURVE_HEIGHT;
  const rings = pairAt(position, pair, d_model, base).map(
    (value, at) => /** @type {Shape} */ (["circle", { class: `tb-ring ${at ? "tb-cosine" : "tb-sine"}`, cx: x, cy: heightOf(value), r: 6 }]),
  );
  return [["line", { class: "tb-here", x1: x, x2: x, y1: MARGIN.top - 4, y2: bottom + 4 }], ["path", { class: "tb-pointer", d: `M${x} ${bottom + 3}l-5 7h10z` }], ...rings];
}

/** The turn as a clock shows it: the hand, and its way right and up, which are sine and cosine. @param {Shown} now @returns {Shape[]} */
function turn({ position, wave }) {
  const angle = ((position / wave) % 1) * 2 * Math.PI;
  const end = tip(DIAL, angle);
  return [
    ["path", { class: "tb-slice", d: slice(DIAL, angle, 1) }],
    ...face(DIAL, wave, 1.14),
    ["line", { class: "tb-leg tb-cosine", x1: DIAL.x, y1: DIAL.y, x2: DIAL.x, y2: end.y }],
    ["line", { class: "tb-leg tb-sine", x1: DIAL.x, y1: end.y, x2: end.x, y2: end.y }],
    ...hand(DIAL, angle, "tb-from"),
  ];
}

/** Angle, turn, sine and cosine of the chosen position with their numbers filled in. */
function filledFormula() {
  const [name, general, exponent, angle, turns, sine, cosine] = Array.from({ length: 7 }, () => document.createTextNode(""));
  /** @param {...(Node | string)} parts */
  const step = (...parts) => html("span", { class: "tb-formula-step" }, ...parts);
  const element = html(
    "p",
    { class: "tb-formula tb-formula-waves" },
    html("span", { class: "tb-formula-name" }, name),
    step(general, html("sup", {}, exponent), " = ", angle),
    " ",
    step(turns),
    " ",
    step("sin = ", html("strong", {}, sine), ", cos = ", html("strong", {}, cosine)),
  );
  return {
    element,
    /** @param {Shown} now */
    show({ d_model, pair, position, base, wave }) {
      const divisor = denominator(pair, d_model, base);
      const [sin, cos] = pairAt(position, pair, d_model, base);
      name.data = `position ${position}, pair i = ${pair}: `;
      general.data = `angle ${position} / ${short(base)}`;
      exponent.data = `${2 * pair}/${d_model}`;
      angle.data = `${position} / ${short(divisor)} = ${short(position / divisor)} rad,`;
      turns.data = `${position} / ${short(wave)} = ${decimals(position / wave)} turns,`;
      sine.data = decimals(sin);
      cosine.data = decimals(cos);
    },
  };
}

/** @param {Shown} now @param {number} count */
function exactRows({ d_model, pair, base, wave, step }, count) {
  return Array.from({ length: count }, (_, at) => [at * step, (at * step) / wave, ...pairAt(at * step, pair, d_model, base)]);
}

/** The state, what changed and what did not. @param {Shown} now @param {Shown} [before] */
function describe(now, before) {
  const { d_model, pair, position, wave } = now;
  const state = `d_model ${d_model}, pair ${pair}: one turn takes ${decimals(wave)} positions. Position ${position} stands after ${decimals(position / wave)} turns.`;
  return `${state} ${comparison(now, before)}`;
}

/** @param {Shown} now @param {Shown} [before] */
function comparison(now, before) {
  const { d_model, pair, position, base, wave, one_wavelength } = now;
  if (before && before.one_wavelength !== one_wavelength) {
    if (!one_wavelength) return `The axis ends at position ${now.end} again, for every pair. No value has changed.`;
    return "The axis now ends after one turn. No value has changed, and in this frame every pair is the same curve: only the numbers below differ.";
  }
  if (before && before.d_model !== d_model) {
    if (pair === 0) return "Pair 0 is the same at every d_model: one turn takes 2 pi positions.";
    return `At d_model ${before.d_model}, pair ${before.pair} took ${decimals(before.wave)} positions; pair 0 still takes 2 pi.`;
  }
  if (before && before.pair !== pair) {
    const [slow, fast] = [Math.max(pair, before.pair), Math.min(pair, before.pair)];
    const factor = short(Number((denominator(slow, d_model, base) / denominator(fast, d_model, base)).toPrecision(5)));
    const same = one_wavelength ? "In the frame of one turn the curve is the same." : `Position ${position} is the same, another part of its turn.`;
    return `Pair ${slow} is ${factor} times slower than pair ${fast}. ${same}`;
  }
  const past = position % wave;
  const missing = wave - past;
  if (position > 0 && Math.min(missing, past) < wave / 16) return `${near(now, past, missing)}, so its two numbers are nearly those of position 0. ${others(now)}`;
  return others(now);
}

/** In words, that a position is close to 12 o'clock. @param {Shown} now @param {number} past @param {number} missing positions */
function near({ position }, past, missing) {
  if (position === past && past < missing) return "It has hardly left 12 o'clock";
  return past < missing ? `Just past home: ${decimals(past)} positions after 12 o'clock` : `Almost home: ${decimals(missing)} positions short of 12 o'clock`;
}

/** How the same position stands in the slowest pair, or in the fastest. @param {Shown} now */
function others({ d_model, pair, position, base, wave }) {
  const slowest = d_model / 2 - 1;
  if (slowest === 0) return "There is no other pair.";
  const [other, name] = pair === slowest ? [0, "fastest"] : [slowest, "slowest"];
  const theirs = wavelength(other, d_model, base);
  const [times, comparative] = theirs > wave ? [theirs / wave, "slower"] : [wave / theirs, "faster"];
  return `Pair ${other}, the ${name}, is ${short(Number(times.toPrecision(5)))} times ${comparative}: there position ${position} stands after ${decimals(position / theirs)} turns.`;
}

export default { render };
