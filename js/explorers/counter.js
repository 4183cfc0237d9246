/** The explorer of chapter 3: a position as binary digits that flip, and below as waves that move on. */

import { ticks } from "../drawing/axis.js";
import { binaryDigits, step } from "../mathematics/counter.js";
import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { decimals, plural, short } from "../words/format.js";
import { denominator, encodingValue } from "../mathematics/positional_encoding.js";
import { clamp, toTenths } from "../drawing/pixels.js";

/** @typedef {{ digits: number, position: number, base: number }} Shown `digits` is how many there are, and how many pairs of waves */
/** @typedef {import("../drawing/dom.js").Shape} Shape */

const MARGIN = { left: 56, right: 64 };
const DIGITS = { top: 26, height: 180, most: 26 };
const WAVES = { top: DIGITS.top + DIGITS.height + 34, height: 300, most: 60 };
const HEIGHT = WAVES.top + WAVES.height + 40;
/** Points of each curve. */
const FINE = 400;
const HINT = "Point at the picture to read a position; click to choose it.";

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-counter");
  const drawing = { axes: shapes(), waves: shapes(), chosen: shapes() };
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT }, ...Object.values(drawing).map(({ group }) => group));
  const label = "The digits of each position as square waves, and its pairs of waves as sines and cosines";
  const plot = html("div", { class: "tb-counter", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = document.createTextNode(HINT);
  const formula = formulas();
  const exact = exactValues(["number", "value"]);
  /** @param {Shown} now @param {number} width @param {Shown} [drawn] */
  function draw(now, width, drawn) {
    const scale = scales(now, width);
    if (drawn?.digits !== now.digits) {
      setAttributes(picture, { width });
      drawing.axes.draw(axes(now, scale));
      drawing.waves.draw(waves(now, scale));
    }
    drawing.chosen.draw(chosen(now, scale));
    formula.show(now);
    exact.show(`All ${3 * now.digits} numbers of position ${now.position}`, () => exactRows(now));
    hint.data = HINT;
  }

  /** The position nearest to the pointer. @param {PointerEvent} event */
  function under(event) {
    const { digits } = now();
    const share = (event.clientX - plot.getBoundingClientRect().left - MARGIN.left) / (width() - MARGIN.left - MARGIN.right);
    return clamp(Math.round(share * 2 ** digits), 0, 2 ** digits - 1);
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const position = under(event);
    hint.data = `Position ${position} is ${binary(position, now().digits)} in binary. Click to choose it.`;
    if (event.buttons === 1) click(event);
  }

  /** @param {PointerEvent} event */
  const click = (event) => choose({ position: under(event) });

  const { now, width, choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [plot, html("p", { class: "tb-pointed" }, hint), formula.element, exact.element],
    plot,
    counts: { positions: ({ digits }) => 2 ** digits },
    draw,
    describe,
  });
  plot.addEventListener("pointermove", point, { signal });
  plot.addEventListener("pointerdown", click, { signal });
  plot.addEventListener("pointerleave", () => (hint.data = HINT), { signal });
  return stop;
}

/** A position as it is written in binary, the fastest digit last. @param {number} position @param {number} count */
const binary = (position, count) => binaryDigits(position, count).reverse().join("");

/** @typedef {ReturnType<typeof scales>} Scales */

/** @param {Shown} now @param {number} width CSS pixels */
function scales({ digits }, width) {
  const right = width - MARGIN.right;
  /** @param {typeof DIGITS} block @param {number} low the value at the foot of a lane; 1 is at its head */
  const lanes = (block, low) => {
    const pitch = block.height / digits;
    const tall = Math.min(block.most, 0.76 * pitch);
    /** @param {number} lane @param {number} value */
    return (lane, value) => toTenths(block.top + (lane + 0.5) * pitch + (0.5 - (value - low) / (1 - low)) * tall);
  };
  return {
    right,
    /** The first position stands at the left; the right end is the one after the last, where its step ends. @param {number} position */
    x: (position) => toTenths(MARGIN.left + (position / 2 ** digits) * (right - MARGIN.left)),
    digit: lanes(DIGITS, 0),
    wave: lanes(WAVES, -1),
  };
}

/** @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function axes({ digits }, { x, right, digit, wave }) {
  const foot = WAVES.top + WAVES.height;
  /** @type {Shape[]} */
  const list = [
    ["text", { class: "tb-axis tb-bold", x: 0, y: 14 }, "digits flip"],
    ["text", { class: "tb-axis tb-bold", x: 0, y: WAVES.top - 8 }, "waves move on"],
    ["text", { class: "tb-sine-name tb-bold", x: 112, y: WAVES.top - 8 }, "sine"],
    ["text", { class: "tb-cosine-name tb-bold", x: 148, y: WAVES.top - 8 }, "cosine (dashed)"],
    ["text", { class: "tb-axis", x: (MARGIN.left + right) / 2, y: foot + 34, "text-anchor": "middle" }, "position"],
  ];
  for (let lane = 0; lane < digits; lane += 1) {
    list.push(["text", { class: "tb-tick", x: 0, y: digit(lane, 0.5), dy: "0.35em" }, `digit ${lane}`]);
    list.push(["text", { class: "tb-tick", x: 0, y: wave(lane, 0), dy: "0.35em" }, `pair ${lane}`]);
    list.push(["line", { class: "tb-grid", x1: MARGIN.left, x2: right, y1: wave(lane, 0), y2: wave(lane, 0) }]);
  }
  for (const position of ticks(2 ** digits, Math.max(4, Math.floor((right - MARGIN.left) / 30)), [1, 2, 4, 8, 16, 32])) {
    list.push(["text", { class: "tb-tick", x: x(position), y: foot + 16, "text-anchor": "middle" }, String(position)]);
  }
  return list;
}

/** @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function waves({ digits, base }, { x, digit, wave }) {
  const last = 2 ** digits - 1;
  /** @type {Shape[]} */
  const list = [];
  for (let lane = 0; lane < digits; lane += 1) {
    const square = Array.from({ length: last + 1 }, (_, position) => {
      const y = digit(lane, binaryDigits(position, digits)[lane]);
      return `${x(position)} ${y}H${x(position + 1)}`;
    });
    list.push(["path", { class: "tb-counter-line tb-counter-digit", d: `M${square.join("L")}` }]);
  }
  for (let column = 0; column < 2 * digits; column += 1) {
    const kind = column % 2 ? "tb-cosine" : "tb-sine";
    list.push(["path", { class: `tb-counter-line ${kind}`, d: curve(column, 0, last + 1, FINE, { digits, base }, { x, wave }) }]);
  }
  return list;
}

/**
 * A column's wave between two positions.
 * @param {number} column @param {number} from @param {number} to @param {number} pieces
 * @param {Pick<Shown, "digits" | "base">} now @param {Pick<Scales, "x" | "wave">} scale
 */
function curve(column, from, to, pieces, { digits, base }, { x, wave }) {
  const lane = Math.floor(column / 2);
  const points = Array.from({ length: pieces + 1 }, (_, at) => {
    const position = from + ((to - from) * at) / pieces;
    return `${x(position)} ${wave(lane, encodingValue(position, column, 2 * digits, base))}`;
  });
  return `M${points.join("L")}`;
}

/** The chosen position in every lane, its values at the right, and the step that leads to the next one. @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function chosen({ digits, position, base }, { x, right, digit, wave }) {
  const middle = x(position);
  const mine = binaryDigits(position, digits);
  const { flipped } = step(position, digits, base);
  /** @type {Shape[]} */
  const list = [DIGITS, WAVES].map(({ top, height }) => ["line", { class: "tb-counter-here", x1: middle, x2: middle, y1: top, y2: top + height }]);
  for (let lane = 0; lane < digits; lane += 1) {
    const edge = `M${x(position + 1)} ${digit(lane, 0)}V${digit(lane, 1)}`;
    list.push(["path", { class: "tb-counter-step tb-counter-digit", d: flipped.includes(lane) ? edge : "" }]);
    list.push(["circle", { class: mine[lane] ? "tb-counter-on" : "tb-counter-off", cx: middle, cy: digit(lane, mine[lane]), r: 4.5 }]);
    list.push(["text", { class: `tb-axis${mine[lane] ? " tb-bold" : ""}`, x: right + 10, y: digit(lane, 0.5), dy: "0.35em" }, String(mine[lane])]);
  }
  for (let column = 0; column < 2 * digits; column += 1) {
    const [lane, cosine] = [Math.floor(column / 2), column % 2];
    const kind = cosine ? "tb-cosine" : "tb-sine";
    const value = encodingValue(position, column, 2 * digits, base);
    list.push(["path", { class: `tb-counter-step ${kind}`, d: curve(column, position, position + 1, 8, { digits, base }, { x, wave }) }]);
    list.push(["circle", { class: `tb-counter-dot ${kind}`, cx: middle, cy: wave(lane, value), r: 3.5 }]);
    list.push(["text", { class: `${kind}-name`, x: right + 10, y: wave(lane, 0) + (cosine ? 8 : -8), dy: "0.35em" }, decimals(value)]);
  }
  return list;
}

/** The position out of its digits, and the second pair's two numbers, with the numbers filled in. */
function formulas() {
  const [sum, exponent, rest, values] = Array.from({ length: 4 }, () => document.createTextNode(""));
  return {
    element: html(
      "p",
      { class: "tb-formula tb-formula-counter" },
      html("span", { class: "tb-counter-formula" }, sum),
      html("span", { class: "tb-counter-formula" }, html("span", { class: "tb-formula-step" }, rest, html("sup", {}, exponent), "), "), " ", html("span", { class: "tb-formula-step" }, values)),
    ),
    /** @param {Shown} now */
    show({ digits, position, base }) {
      const parts = binaryDigits(position, digits).map((value, digit) => `${value} · ${2 ** digit}`);
      sum.data = `digits: ${parts.join(" + ")} = ${position}`;
      const divisor = denominator(1, 2 * digits, base);
      const [sine, cosine] = [2, 3].map((column) => decimals(encodingValue(position, column, 2 * digits, base)));
      rest.data = `pair 1: sin and cos of ${position} / (${short(base)}`;
      exponent.data = `2/${2 * digits}`;
      values.data = `that is of ${position} / ${short(divisor)}: ${sine} and ${cosine}`;
    },
  };
}

/** @param {Shown} now @returns {(string | number)[][]} */
function exactRows({ digits, position, base }) {
  const names = ["sine", "cosine"];
  return [
    ...binaryDigits(position, digits).map((value, digit) => [`digit ${digit}`, value]),
    ...Array.from({ length: 2 * digits }, (_, column) => [
      `${names[column % 2]} of pair ${Math.floor(column / 2)}`,
      encodingValue(position, column, 2 * digits, base),
    ]),
  ];
}

/**
 * What the picture shows in words: the state, what the next step does to digits and to waves, and, after a move, what stayed as it was.
 * @param {Shown} now @param {Shown} [before]
 */
function describe(now, before) {
  const { digits, position, base } = now;
  const next = step(position, digits, base);
  const state = `${digits} digits and ${digits} pairs of waves: position ${position} is ${binary(position, digits)} in binary.`;
  const last = position === 2 ** digits - 1;
  const flips = `${next.flipped.length === digits ? `all ${digits} digits flip` : `${plural(next.flipped.length, "digit")} ${next.flipped.length === 1 ? "flips" : "flip"}`}, a jump of ${decimals(next.digits)}`;
  const wrap = last ? ", back to the digits of position 0" : "";
  return `${state} From ${position} to ${position + 1}, ${flips}${wrap}; the waves, ${2 * digits} columns, move on a distance of ${decimals(next.waves)}.${change(now, before)}`;
}

/** @param {Shown} now @param {Shown} [before] */
function change({ digits, base }, before) {
  const ratio = short(denominator(1, 2 * digits, base));
  if (before && before.digits !== digits) {
    return ` ${digits} digits tell ${2 ** digits} positions apart. Digit 0 and pair 0 are as before; each other pair is now ${ratio} times slower than the one above it, each digit still 2 times.`;
  }
  return before ? " That distance is the same at every position; the jump is not." : "";
}

export default { render };
