/** The explorer of chapter 7's softmax: four scores, the shares they become, and what moves which. */

import { entropy, plainPowers, softmax, stablePowers } from "./lib/activations.js";
import { description, html, setAttributes, shapes, svg } from "./lib/dom.js";
import { exactValues } from "./lib/exact.js";
import { decimals, significant } from "./lib/format.js";
import { markAt, seriesClass } from "./lib/series.js";
import { room, round, same, watch } from "./lib/view.js";

/** @typedef {"a" | "b" | "c" | "d"} Letter */
/** @typedef {Record<Letter, number> & { temperature: number, shift: number, letter_index: number }} State */
/** @typedef {import("./lib/dom.js").Shape} Shape */

/** @type {Letter[]} */
const LETTERS = ["a", "b", "c", "d"];
/** @type {(keyof State)[]} */
const TRAITS = [...LETTERS, "temperature", "shift", "letter_index"];
/** The farthest that a score can be from 0, the shift added. */
const REACH = 25;
const TOP = 24;
const ROW = 36;
const BAR = 22;
const FOOT = TOP + 4 * ROW;
const STRIP = FOOT + 46;
const GAUGE = STRIP + 58;
const HEIGHT = GAUGE + 30;
/** What a share above this is called. */
const SATURATED = 0.99;

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const words = description("tb-description tb-description-softmax");
  const drawing = { axes: shapes(), bars: shapes() };
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT }, ...Object.values(drawing).map(({ group }) => group));
  const label = "Four scores, and beside them the shares that they become";
  const plot = html("div", { class: "tb-softmax", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const formula = formulas();
  const exact = exactValues(["score", "value", "shift added", "divided by the temperature", "share"]);
  el.replaceChildren(
    html("div", { class: "tb-explorer" }, words.elements[0], plot, formula.element, exact.element, words.elements[1]),
  );

  /** @type {State | undefined} */
  let shown;

  function draw() {
    const now = read(model);
    if (same(now, shown)) return;
    layout(now);
    words.say(describe(now, shown));
    formula.show(now);
    exact.show("All scores and shares", () => exactRows(now));
    shown = now;
  }

  /** @param {State} now */
  function layout(now) {
    const width = space.width();
    if (!width) return;
    const scale = scales(width);
    setAttributes(picture, { width });
    drawing.axes.draw(axes(now, scale));
    drawing.bars.draw(bars(now, scale));
  }

  /** @param {PointerEvent} event */
  function choose(event) {
    const row = Math.floor((event.clientY - plot.getBoundingClientRect().top - TOP) / ROW);
    if (row < 0 || row >= LETTERS.length) return;
    model.set("letter_index", row);
    model.save_changes();
  }

  const space = room(plot, () => layout(read(model)));
  const stops = [watch(model, TRAITS, draw), space.stop, words.stop];
  plot.addEventListener("pointerdown", choose);
  draw();
  return () => stops.forEach((stop) => stop());
}

/** @param {import("@anywidget/types").AnyModel<State>} model @returns {State} */
function read(model) {
  return /** @type {State} */ (Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])));
}

/** The four scores, the shift added. @param {State} now */
const scoresOf = (now) => LETTERS.map((letter) => now[letter] + now.shift);

/** @param {State} now */
const sharesOf = (now) => softmax(scoresOf(now), now.temperature);

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
    /** @param {number} value */
    scoreX: (value) => round(score.left + ((value + REACH) / (2 * REACH)) * (score.right - score.left)),
    /** @param {number} value */
    shareX: (value) => round(share.left + value * (share.right - share.left)),
    /** Along the whole width. @param {number} value from 0 to 1 */
    wholeX: (value) => round(1 + value * (width - 2)),
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
      const middle = (wholeX(from) + wholeX(before)) / 2;
      return /** @type {Shape[]} */ ([
        ["path", { class: name, d: markAt(at, 10, y) }],
        ["text", { class: "tb-axis tb-bold", x: 21, y, dy: "0.35em" }, letter],
        ["line", { class: `tb-softmax-stem ${name}`, x1: scoreX(0), x2: scoreX(scores[at]), y1: y, y2: y }],
        ["path", { class: name, d: markAt(at, scoreX(scores[at]), y) }],
        ["text", { class: "tb-axis", x: score.right + 44, y, dy: "0.35em", "text-anchor": "end" }, tenths(scores[at])],
        ["rect", { class: `tb-softmax-bar ${name}`, x: shareX(0), y: y - BAR / 2, width: round(shareX(shares[at]) - shareX(0)), height: BAR }],
        ["text", { class: "tb-axis tb-bold", x: width - 4, y, dy: "0.35em", "text-anchor": "end" }, decimals(shares[at])],
        ["rect", { class: `tb-softmax-bar ${name}`, x: wholeX(from), y: STRIP, width: round(wholeX(before) - wholeX(from)), height: 18 }],
        ["text", { class: `tb-softmax-inside tb-softmax-inside-${at}`, x: middle, y: STRIP + 9, dy: "0.35em", "text-anchor": "middle" }, wholeX(before) - wholeX(from) > 14 ? letter : ""],
      ]);
    }),
    ["text", { class: "tb-axis", x: 0, y: GAUGE - 8 }, `entropy ${decimals(spread)} of at most 2 bits${saturated}`],
    ["rect", { class: "tb-softmax-spread", x: 0.5, y: GAUGE, width: round((spread / 2) * (width - 1)), height: 10 }],
  ];
}

/** A score with the one decimal that a slider gives it. @param {number} value */
const tenths = (value) => (Math.round(value * 10) / 10 + 0).toFixed(1);

/** A power of e, or what float32 has left of it. @param {number} value */
const power = (value) => (Number.isNaN(value) ? "nan" : Number.isFinite(value) ? significant(value, 4) : "inf");

/** The chosen share worked out twice: as the formula stands, in float32, and with the largest score taken off first. */
function formulas() {
  const name = document.createTextNode("");
  const lines = ["plain, float32: ", "stable: "].map((title) => {
    const exponents = [...LETTERS, "sum"].map(() => document.createTextNode(""));
    const [fraction, value] = [document.createTextNode(""), document.createTextNode("")];
    const powers = exponents.map((text) => ["e", html("sup", {}, text)]);
    const sum = powers.slice(1).flatMap((parts, at) => (at ? [" + ", ...parts] : parts));
    const element = html(
      "span",
      { class: "tb-softmax-formula" },
      html("span", { class: "tb-formula-name" }, title),
      html("span", { class: "tb-formula-step" }, ...powers[0], " / (", ...sum, ")"),
      " ",
      html("span", { class: "tb-formula-step" }, fraction),
      " ",
      html("span", { class: "tb-formula-step" }, "= ", html("strong", {}, value)),
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
      [plain, stable].forEach(({ powers, sum }, which) => {
        const { exponents, fraction, value } = lines[which];
        const filled = scores.map((score) => significant((score - which * top) / now.temperature, 3));
        [filled[at], ...filled].forEach((text, place) => (exponents[place].data = text));
        fraction.data = `= ${power(powers[at])} / ${power(sum)}`;
        const share = powers[at] / sum;
        value.data = Number.isNaN(share) ? "nan" : decimals(share);
      });
    },
  };
}

/** @param {State} now @returns {(string | number)[][]} */
function exactRows(now) {
  const shares = sharesOf(now);
  return LETTERS.map((letter, at) => [letter, now[letter], now[letter] + now.shift, (now[letter] + now.shift) / now.temperature, shares[at]]);
}

/** Names in a row: "a", "a and b", "a, b and c". @param {string[]} names */
const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/**
 * The state, what changed and what stayed as it was, and where the plain formula fails.
 * @param {State} now @param {State} [before]
 */
function describe(now, before) {
  const { shift, temperature } = now;
  const shares = sharesOf(now);
  const top = Math.max(...shares);
  const best = LETTERS.filter((_, at) => top - shares[at] < 1e-12);
  const scores = LETTERS.map((letter) => significant(now[letter], 4)).join(", ");
  const added = shift ? ` ${shift < 0 ? "minus" : "plus"} ${significant(Math.abs(shift), 4)}` : "";
  const leader = best.length === 1 ? `${best[0]} has the largest share` : `${listed(best)} have the same largest share`;
  const state = `Scores ${scores}${added}, temperature ${significant(temperature, 4)}: ${leader}, ${decimals(top)}.`;
  return [state, change(now, shares, before), limits(shares), precision(now)].filter(Boolean).join(" ");
}

/** What moved and what did not. @param {State} now @param {number[]} shares @param {State} [before] */
function change(now, shares, before) {
  if (!before) return "Move a slider: which shares move, and which stay?";
  const was = sharesOf(before);
  const moved = TRAITS.filter((trait) => now[trait] !== before[trait]);
  if (moved.length > 1) return "";
  if (moved[0] === "letter_index") return `No share moved; below is the one of ${LETTERS[now.letter_index]}.`;
  if (moved[0] === "shift") {
    const still = shares.every((share, at) => Math.abs(share - was[at]) < 5e-5);
    const added = now.shift ? `Shift ${significant(now.shift, 4)} added to every score` : "Nothing is added any more";
    return `${added}: ${still ? "no share moved" : "the shares moved"}.`;
  }
  if (moved[0] === "temperature") {
    const times = significant(before.temperature / now.temperature, 4);
    return `Differences between scores count ${times} times as much: the order is the same, the entropy went from ${decimals(entropy(was))} to ${decimals(entropy(shares))} bits.`;
  }
  const at = LETTERS.findIndex((letter) => letter === moved[0]);
  const other = at === 0 ? 1 : 0;
  const factor = significant(shares[other] / was[other], 4);
  const others = factor === "1" ? "The other three hardly moved" : `The other three, all multiplied by ${factor}, keep their ratios`;
  return `Only score ${moved[0]} moved: its share went from ${told(was[at])} to ${told(shares[at])}. ${others}.`;
}

/** A share, even one that four decimals would not show. @param {number} share */
const told = (share) => (share < 5e-5 ? significant(share, 2) : decimals(share));

/** At the ends of what shares can be. @param {number[]} shares */
function limits(shares) {
  const top = Math.max(...shares);
  if (top - Math.min(...shares) < 1e-12) return "All are alike: the entropy is at its maximum.";
  if (top < SATURATED) return "";
  const rest = shares.reduce((sum, share) => sum + (share === top ? 0 : share), 0);
  return `Saturated: the other three have ${significant(rest, 2)} together.`;
}

/** Whether float32 can hold the plain formula. @param {State} now */
function precision(now) {
  const { powers, sum } = plainPowers(scoresOf(now), now.temperature);
  const highest = significant(Math.max(...scoresOf(now)) / now.temperature, 3);
  if (sum === Infinity && !powers.includes(sum)) return "The plain formula fails in float32: the sum of the powers is inf, and every share 0.";
  if (sum === Infinity) return `The plain formula fails in float32: e^${highest} is inf, and inf / inf is nan.`;
  return sum === 0 ? `The plain formula fails in float32: even e^${highest} is 0, and 0 / 0 is nan.` : "";
}

export default { render };
