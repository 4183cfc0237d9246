/** The explorer of chapter 11: a sentence written word by word, with lines to where each word looked in the source. */

import { linear } from "./lib/axis.js";
import { description, html, setAttributes, shapes, svg } from "./lib/dom.js";
import { exactValues } from "./lib/exact.js";
import { decimals } from "./lib/format.js";
import { written } from "./lib/formula.js";
import { ofHeads, top } from "./lib/generation.js";
import { describe, explain } from "./lib/generation_words.js";
import { past, room, round, watch } from "./lib/view.js";

/** @typedef {import("./lib/attention.js").Matrix} Matrix */
/** @typedef {import("./lib/dom.js").Shape} Shape */
/** @typedef {import("./lib/generation.js").Shown} Shown */

/**
 * @typedef {object} State
 * @property {string[][]} sources
 * @property {string[][]} outputs
 * @property {Matrix[][]} cross_weights
 * @property {Matrix[][]} self_weights
 * @property {import("./lib/generation.js").Candidates[][]} candidates
 * @property {number} sentence_index
 * @property {string[]} heads "mean" and the numbers of the heads
 * @property {number} head_index
 * @property {number} step
 * @property {number} last_step
 */

const TOP = 20;
const ROW = 30;
const CHIP = 24;
const BAR = 26;
const CANDIDATES = 5;
/** Room for candidates: their title, their bars, and all others together. */
const LIST = 28 + (CANDIDATES + 1) * BAR;
/** Narrower than this, the candidates stand below the words. */
const NARROW = 560;
const START = "<start>";
const HINT = "Point at a source word to work out its share; click a place on the right to go to its step.";
const LEGEND =
  "Coloured are the shares of the source, grey those of what is written, pale the lines of the steps before. " +
  "Shares say what is mixed in from where, not why a word is chosen.";

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const words = description("tb-description tb-description-generation");
  const places = 1 + Math.max(...[...model.get("sources"), ...model.get("outputs")].map((list) => list.length));
  const drawing = { lines: shapes(), chips: shapes(), bars: shapes() };
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true" }, ...Object.values(drawing).map(({ group }) => group));
  const label = "The source, the words written so far with lines between them, and the candidates for the next word";
  const plot = html("div", { class: "tb-generation", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = html("p", { class: "tb-pointed" }, HINT);
  const formula = html("p", { class: "tb-formula tb-formula-generation" });
  const heads = model.get("heads").slice(1).map((number) => `head ${number}`);
  const exact = exactValues(["of", "word", heads.length > 1 ? "on screen" : "share", ...(heads.length > 1 ? heads : [])]);
  const legend = html("p", { class: "tb-pointed" }, LEGEND);
  el.replaceChildren(html("div", { class: "tb-explorer" }, words.elements[0], plot, legend, hint, formula, exact.element, words.elements[1]));

  const earlier = /** @type {ReturnType<typeof past<Shown>>} */ (past());
  let now = read(model);
  /** The source word under the pointer. @type {number | undefined} */
  let pointed;

  function draw() {
    const last = model.get("outputs")[model.get("sentence_index")].length - 1;
    if (model.get("last_step") !== last) {
      model.set("last_step", last);
      model.set("step", Math.min(model.get("step"), last));
      model.save_changes();
    }
    now = read(model);
    pointed = undefined;
    layout();
    words.say(describe(now, earlier.before()));
    exact.show(`All numbers of step ${now.step}`, () => exactRows(now, model));
    earlier.keep(now);
  }

  function layout() {
    const at = pointed ?? top(now.cross[now.step]);
    formula.replaceChildren(...written(explain(now, at)));
    const width = space.width();
    if (!width) return;
    const scale = scales(width, places);
    setAttributes(picture, { width, height: scale.height });
    plot.style.height = `${scale.height}px`;
    drawing.lines.draw(lines(now, scale));
    drawing.chips.draw([...sourceChips(now, at, scale), ...outputChips(now, scale)]);
    drawing.bars.draw(bars(now, scale));
  }

  /** @param {PointerEvent} event */
  function under(event) {
    const { left, top: above } = plot.getBoundingClientRect();
    const scale = scales(space.width(), places);
    const [x, row] = [event.clientX - left, Math.floor((event.clientY - above - TOP) / ROW)];
    if (x <= scale.chip) return { source: now.source[row - 1] === undefined ? undefined : row - 1 };
    return x >= scale.right && x <= scale.end && now.output[row - 1] !== undefined ? { step: row - 1 } : {};
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const { source } = under(event);
    if (source === undefined || source === pointed) return;
    pointed = source;
    layout();
  }

  /** @param {PointerEvent} event */
  function choose(event) {
    point(event);
    const { step } = under(event);
    if (step === undefined) return;
    model.set("step", step);
    model.save_changes();
  }

  const space = room(plot, layout);
  const stops = [watch(model, ["sentence_index", "step", "head_index"], draw), space.stop, earlier.stop, words.stop];
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", choose);
  draw();
  return () => stops.forEach((stop) => stop());
}

/** @param {import("@anywidget/types").AnyModel<State>} model @returns {Shown} */
function read(model) {
  const at = model.get("sentence_index");
  const head = model.get("head_index");
  const output = model.get("outputs")[at];
  const heads = model.get("cross_weights")[at];
  return {
    source: model.get("sources")[at],
    output,
    step: Math.min(model.get("step"), output.length - 1),
    head,
    heads,
    cross: ofHeads(heads, head),
    self: ofHeads(model.get("self_weights")[at], head),
    candidates: model.get("candidates")[at],
  };
}

/** @typedef {ReturnType<typeof scales>} Scales */

/** Where things stand, in CSS pixels. @param {number} width @param {number} places */
function scales(width, places) {
  const stacked = width < NARROW;
  const end = stacked ? width - 1 : Math.round(0.58 * width);
  const chip = Math.round(Math.min(150, 0.33 * end));
  const foot = TOP + places * ROW;
  const list = { left: stacked ? 0 : end + 40, top: stacked ? foot + 8 : 0 };
  return {
    chip,
    end,
    right: end - chip,
    list,
    bar: linear(0, 1, list.left + 90, width - 58),
    width,
    height: stacked ? foot + 8 + LIST : Math.max(foot, LIST),
  };
}

/** The middle of a row. @param {number} row */
const middle = (row) => TOP + (row + 0.5) * ROW;

/** From each word of the source to each written so far, as thick as its share. @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function lines({ cross, step }, { chip, right }) {
  return cross.slice(0, step + 1).flatMap((shares, at) =>
    shares.map((share, from) => {
      const name = at === step ? "tb-generation-line tb-now" : "tb-generation-line";
      const ends = { x1: chip + 2, y1: middle(from + 1), x2: right - 2, y2: middle(at + 1) };
      return /** @type {Shape} */ (["line", { class: name, ...ends, "stroke-width": share < 0.005 ? 0 : round(9 * share) }]);
    }),
  );
}

/**
 * A word, its share as number and as the part of its box that is filled.
 * @param {number} x @param {number} row @param {number} width
 * @param {{ word: string, share?: number | undefined, kind: string }} what
 * @returns {Shape[]}
 */
function chip(x, row, width, { word, share, kind }) {
  const y = middle(row);
  const box = { x: x + 1, y: y - CHIP / 2, height: CHIP, rx: 3 };
  return [
    ["rect", { class: `tb-generation-share ${kind}`, ...box, width: round((share ?? 0) * (width - 2)) }],
    ["rect", { class: `tb-generation-chip ${kind}`, ...box, width: width - 2 }],
    ["text", { class: `tb-generation-word ${kind}`, x: x + 8, y, dy: "0.35em" }, cut(word, width - (share === undefined ? 16 : 50))],
    ["text", { class: "tb-axis", x: x + width - 7, y, dy: "0.35em", "text-anchor": "end" }, share === undefined ? "" : share.toFixed(2)],
  ];
}

/** @param {Shown} now @param {number} chosen @param {Scales} scale @returns {Shape[]} */
function sourceChips({ source, cross, step }, chosen, { chip: width }) {
  return [
    ["text", { class: "tb-axis", x: 1, y: middle(0), dy: "0.35em" }, "source"],
    ...source.flatMap((word, at) => chip(0, at + 1, width, { word, share: cross[step][at], kind: at === chosen ? "tb-source-chosen" : "tb-from" })),
  ];
}

/** @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function outputChips({ output, self, step }, { chip: width, right }) {
  return [
    ["text", { class: "tb-axis", x: right + 1, y: 12 }, "written so far"],
    ...[START, ...output].flatMap((word, at) => {
      if (at <= step) return chip(right, at, width, { word, share: self[step][at], kind: "tb-seen" });
      return chip(right, at, width, at === step + 1 ? { word, kind: "tb-writing" } : { word: "to come", kind: "tb-hidden" });
    }),
  ];
}

/** The candidates for the next word. @param {Shown} now @param {Scales} scale @returns {Shape[]} */
function bars({ candidates, output, step }, { list, bar, width }) {
  const rest = 1 - candidates[step].reduce((sum, [, probability]) => sum + probability, 0);
  const y = (/** @type {number} */ row) => list.top + 28 + (row + 0.5) * BAR;
  return [
    ["text", { class: "tb-axis", x: list.left, y: list.top + 12 }, "candidates, and their probability"],
    ...candidates[step].flatMap(([word, probability], row) => {
      const kind = word === output[step] ? "tb-now" : "";
      return /** @type {Shape[]} */ ([
        ["path", { class: "tb-generation-check", d: kind ? `M${list.left} ${y(row)}l4 4l7 -9` : "" }],
        ["text", { class: `tb-generation-word ${kind}`, x: list.left + 16, y: y(row), dy: "0.35em" }, cut(word, 70)],
        ["rect", { class: "tb-generation-track", x: bar(0), y: y(row) - 8, width: round(bar(1) - bar(0)), height: 16 }],
        ["rect", { class: `tb-generation-bar ${kind}`, x: bar(0), y: y(row) - 8, width: round(bar(probability) - bar(0)), height: 16 }],
        ["text", { class: "tb-axis", x: width - 4, y: y(row), dy: "0.35em", "text-anchor": "end" }, decimals(probability)],
      ]);
    }),
    ["text", { x: list.left + 16, y: y(CANDIDATES), dy: "0.35em" }, "all other words"],
    ["text", { x: width - 4, y: y(CANDIDATES), dy: "0.35em", "text-anchor": "end" }, decimals(Math.max(0, rest))],
  ];
}

/** What fits into so many pixels of a word. @param {string} word @param {number} pixels */
function cut(word, pixels) {
  const most = Math.floor(pixels / 7.4);
  return word.length <= most ? word : `${word.slice(0, most - 1)}…`;
}

/** @param {Shown} now @param {import("@anywidget/types").AnyModel<State>} model */
function exactRows({ source, output, step, cross, self, heads, candidates }, model) {
  const selves = model.get("self_weights")[model.get("sentence_index")];
  /** @param {string} of @param {string[]} words @param {Matrix} rows @param {Matrix[]} each */
  const table = (of, words, rows, each) =>
    words.map((word, at) => [of, word, exactly(rows[step][at]), ...(each.length > 1 ? each.map((weights) => weights[step][at]) : [])]);
  return [
    ...table("source", source, cross, heads),
    ...table("written", [START, ...output].slice(0, step + 1), self, selves),
    ...candidates[step].map(([word, probability]) => ["candidate", word, probability]),
  ];
}

/** A mean without the noise of its division. @param {number} value */
const exactly = (value) => Number(value.toFixed(9));

export default { render };
