/** The explorer of chapter 11: a sentence written word by word, with lines to where each word looked in the source. */

import { description, html, setAttributes, shapes, svg } from "./lib/dom.js";
import { exactValues } from "./lib/exact.js";
import { written } from "./lib/formula.js";
import { ofHeads, top } from "./lib/generation.js";
import { bars, lines, outputChips, place, scales, sourceChips, START } from "./lib/generation_shapes.js";
import { describe, explain } from "./lib/generation_words.js";
import { past, readTraits, room, same, watch } from "./lib/view.js";

/** @typedef {import("./lib/attention.js").Matrix} Matrix */
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

const HINT = "Point at a source word to work out its share; click a place on the right to go to its step.";
const LEGEND =
  "Coloured are the shares of the source, grey those of what is written, pale the lines of the steps before. " +
  "Shares say what is mixed in from where, not why a word is chosen.";

/** @type {("sentence_index" | "step" | "head_index")[]} */
const CHOSEN = ["sentence_index", "step", "head_index"];
/** @param {import("@anywidget/types").AnyModel<State>} model */
const chosen = (model) => /** @type {Pick<State, "sentence_index" | "step" | "head_index">} */ (readTraits(model, CHOSEN));

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

  /** @type {ReturnType<typeof chosen> | undefined} */
  let shown;

  function draw() {
    const state = chosen(model);
    if (same(state, shown)) return;
    shown = state;
    now = read(model);
    pointed = undefined;
    layout();
    words.say(describe(now, earlier.before()));
    exact.show(`All numbers of step ${now.step}`, () => exactRows(now, model));
    earlier.keep(now);
  }

  function limit() {
    const last = model.get("outputs")[model.get("sentence_index")].length - 1;
    model.set("step", Math.min(model.get("step"), last));
    model.set("last_step", last);
    model.save_changes();
  }

  /** Another sentence begins with its first word. */
  function restart() {
    model.set("step", 0);
    limit();
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
    return place(now, scales(space.width(), places), event.clientX - left, event.clientY - above);
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
  // `restart` first: what `draw` tells apart is the state before and the one with the first step.
  const stops = [watch(model, ["sentence_index"], restart), watch(model, CHOSEN, draw), space.stop, earlier.stop, words.stop];
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", choose);
  if (model.get("last_step") !== now.output.length - 1) limit();
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
