/** The explorer of chapter 7's softmax: four scores, the shares they become, and what moves which. */

import { entropy, plainPowers, stablePowers } from "../mathematics/activations.js";
import { linear } from "../drawing/axis.js";
import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { decimals, significant } from "../words/format.js";
import { power, unbroken } from "../drawing/formula.js";
import { markAt, seriesClass } from "../drawing/series.js";
import { LETTERS, SATURATED, describe, scoresOf, sharesOf } from "../words/softmax.js";
import { toTenths } from "../drawing/pixels.js";

/** @typedef {import("../words/softmax.js").State} State */
/** @typedef {import("../drawing/dom.js").Shape} Shape */

/** The farthest that a score can be from 0, the shift added. */
const REACH = 25;
const TOP = 24;
const ROW = 36;
const BAR = 22;
const FOOT = TOP + 4 * ROW;
const STRIP = FOOT + 46;
const GAUGE = STRIP + 58;
const HEIGHT = GAUGE + 30;
const HINT = "Click a row to work out its share below.";

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-softmax");
  const drawing = { axes: shapes(), bars: shapes() };
  const picture = svg(
    "svg",
    { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT },
    ...Object.values(drawing).map(({ group }) => group),
  );
  const label = "Four scores, and beside them the shares that they become";
  const plot = html("div", { class: "tb-softmax", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = html("p", { class: "tb-pointed" }, HINT);
  const formula = formulas();
  const exact = exactValues(["score", "value", "shift added", "divided by the temperature", "share"]);
  /** @param {State} now @param {number} width */
  function draw(now, width) {
    const scale = scales(width);
    setAttributes(picture, { width });
    drawing.axes.draw(axes(now, scale));
    drawing.bars.draw(bars(now, scale));
    formula.show(now);
    exact.show("All scores and shares", () => exactRows(now));
  }

  /** @param {PointerEvent} event */
  function click(event) {
    const row = Math.floor((event.clientY - plot.getBoundingClientRect().top - TOP) / ROW);
    if (row >= 0 && row < LETTERS.length) choose({ letter_index: row });
  }

  const { choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [plot, hint, formula.element, exact.element],
    plot,
    draw,
    describe,
  });
  plot.addEventListener("pointerdown", click, { signal });
  return stop;
}

/** @typedef {ReturnType<typeof scales>} Scales */

/** @param {number} width CSS pixels */
function scales(width) {
  const free = width - 160;
  const score = { left: 44, right: 44 + 0.42 * free };
  const share = { left: score.right + 60, right: width - 56 };
  return {
    width,
    score,
    share,
    scoreX: linear(-REACH, REACH, score.left, score.right),
    shareX: linear(0, 1, share.left, share.right),
    /** Along the whole width. */
    wholeX: linear(0, 1, 1, width - 1),
  };
}

/** @param {State} now @param {Scales} scale @returns {Shape[]} */
function axes({ letter_index, shift }, { width, score, share, scoreX, shareX, wholeX }) {
  const names = [shift ? "score + shift" : "score", "share"];
  /** @type {Shape[]} */
  const list = [
    ["rect", { class: "tb-softmax-chosen", x: 0, y: TOP + letter_index * ROW + 1, width, height: ROW - 2 }],
    ["text", { class: "tb-axis", x: score.left, y: 14 }, names[0]],
    ["text", { class: "tb-axis", x: share.left, y: 14 }, names[1]],
    ["line", { class: "tb-grid", x1: share.left, x2: share.right, y1: FOOT, y2: FOOT }],
  ];
  for (const value of [-20, 0, 20]) {
    list.push(["line", { class: value ? "tb-grid" : "tb-grid tb-zero", x1: scoreX(value), x2: scoreX(value), y1: TOP, y2: FOOT + 4 }]);
    list.push(["text", { class: "tb-tick", x: scoreX(value), y: FOOT + 17, "text-anchor": "middle" }, String(value)]);
  }
  for (const value of [0, 0.5, 1]) {
    list.push(["line", { class: value ? "tb-grid" : "tb-grid tb-zero", x1: shareX(value), x2: shareX(value), y1: TOP, y2: FOOT + 4 }]);
    list.push(["text", { class: "tb-tick", x: shareX(value), y: FOOT + 17, "text-anchor": "middle" }, String(value)]);
  }
  for (const [value, text, anchor] of /** @type {const} */ ([[0, "0: one has all", "start"], [1, "2: all alike", "end"]])) {
    list.push(["text", { class: "tb-tick", x: wholeX(value), y: GAUGE + 24, "text-anchor": anchor }, text]);
  }
  list.push(["text", { class: "tb-axis", x: 0, y: STRIP - 8 }, "all shares side by side: always 1"]);
  list.push(["rect", { class: "tb-softmax-track", x: 0.5, y: GAUGE, width: width - 1, height: 10 }]);
  return list;
}

/** @param {State} now @param {Scales} scale @returns {Shape[]} */
function bars(now, { width, score, scoreX, shareX, wholeX }) {
  const scores = scoresOf(now);
  const shares = sharesOf(now);
  const spread = entropy(shares);
  let before = 0;
  const saturated = Math.max(...shares) >= SATURATED ? " (saturated)" : "";
  return [
    ...LETTERS.flatMap((letter, at) => {
      const y = TOP + (at + 0.5) * ROW;
      const name = seriesClass(at);
      const from = before;
      before += shares[at];
      const inside = wholeX(before) - wholeX(from) > 14 ? letter : "";
      const middle = (wholeX(from) + wholeX(before)) / 2;
      return /** @type {Shape[]} */ ([
        ["path", { class: name, d: markAt(at, 10, y) }],
        ["text", { class: "tb-axis tb-bold", x: 21, y, dy: "0.35em" }, letter],
        ["line", { class: `tb-softmax-stem ${name}`, x1: scoreX(0), x2: scoreX(scores[at]), y1: y, y2: y }],
        ["path", { class: name, d: markAt(at, scoreX(scores[at]), y) }],
        ["text", { class: "tb-axis", x: score.right + 44, y, dy: "0.35em", "text-anchor": "end" }, tenths(scores[at])],
        ["rect", { class: `tb-softmax-bar ${name}`, x: shareX(0), y: y - BAR / 2, width: toTenths(shareX(shares[at]) - shareX(0)), height: BAR }],
        ["text", { class: "tb-axis tb-bold", x: width - 4, y, dy: "0.35em", "text-anchor": "end" }, decimals(shares[at])],
        ["rect", { class: `tb-softmax-bar ${name}`, x: wholeX(from), y: STRIP, width: toTenths(wholeX(before) - wholeX(from)), height: 18 }],
        ["text", { class: `tb-softmax-inside tb-softmax-inside-${at}`, x: middle, y: STRIP + 9, dy: "0.35em", "text-anchor": "middle" }, inside],
      ]);
    }),
    ["text", { class: "tb-axis", x: 0, y: GAUGE - 8 }, `entropy ${decimals(spread)} of at most 2 bits${saturated}`],
    ["rect", { class: "tb-softmax-spread", x: 0.5, y: GAUGE, width: toTenths((spread / 2) * (width - 1)), height: 10 }],
  ];
}

/** A score with the one decimal that a slider gives it. @param {number} value */
const tenths = (value) => (Math.round(value * 10) / 10 + 0).toFixed(1);

/** A power of e, or what float32 has left of it. @param {number} value */
const left = (value) => (Number.isNaN(value) ? "nan" : Number.isFinite(value) ? significant(value, 4) : "inf");

/** The chosen share worked out twice: as the formula stands, in float32, and with the largest score taken off first. */
function formulas() {
  const name = document.createTextNode("");
  const lines = ["plain, float32: ", "stable: "].map((title) => {
    const exponents = [...LETTERS, "sum"].map(() => document.createTextNode(""));
    const [fraction, value] = [document.createTextNode(""), document.createTextNode("")];
    const powers = exponents.map(power);
    const sum = powers.slice(1).flatMap((parts, at) => (at ? [" + ", ...parts] : parts));
    const element = html(
      "span",
      { class: "tb-formula-line" },
      html("span", { class: "tb-formula-name" }, title),
      unbroken(...powers[0], " / (", ...sum, ")"),
      " ",
      unbroken(fraction),
      " ",
      unbroken("= ", html("strong", {}, value)),
    );
    return { element, exponents, fraction, value };
  });
  return {
    element: html("p", { class: "tb-formula tb-formula-softmax" }, html("strong", {}, name), ...lines.map(({ element }) => element)),
    /** @param {State} now */
    show(now) {
      const scores = scoresOf(now);
      const top = Math.max(...scores);
      const plain = plainPowers(scores, now.temperature);
      const stable = stablePowers(scores, now.temperature);
      const at = now.letter_index;
      name.data = `the share of ${LETTERS[at]}`;
      [plain, stable].forEach(({ powers, sum, shares }, which) => {
        const { exponents, fraction, value } = lines[which];
        const filled = scores.map((score) => significant((score - which * top) / now.temperature, 3));
        [filled[at], ...filled].forEach((text, place) => (exponents[place].data = text));
        fraction.data = `= ${left(powers[at])} / ${left(sum)}`;
        value.data = Number.isNaN(shares[at]) ? "nan" : decimals(shares[at]);
      });
    },
  };
}

/** @param {State} now @returns {(string | number)[][]} */
function exactRows(now) {
  const shares = sharesOf(now);
  const scores = scoresOf(now);
  return LETTERS.map((letter, at) => [letter, now[letter], scores[at], scores[at] / now.temperature, shares[at]]);
}

export default { render };
