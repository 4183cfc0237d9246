/** The explorer of chapter 11: a sentence written word by word, with lines to where each word looked in the source. */

import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { elementsOf } from "../drawing/formula.js";
import { ofHeads, top } from "../mathematics/generation.js";
import { bars, lines, outputChips, place, scales, sourceChips, START } from "../drawing/generation_shapes.js";
import { describe, explain } from "../words/generation.js";

/** @typedef {import("../mathematics/attention.js").Matrix} Matrix */
/** @typedef {import("../mathematics/generation.js").Shown & { selves: Matrix[] }} Shown and each head's shares of what is written */

/**
 * @typedef {object} State
 * @property {string[][]} sources
 * @property {string[][]} outputs
 * @property {Matrix[][]} cross_weights
 * @property {Matrix[][]} self_weights
 * @property {import("../mathematics/generation.js").Candidates[][]} candidates
 * @property {number} sentence_index
 * @property {string[]} heads "mean" and the numbers of the heads
 * @property {number} head_index
 * @property {number} step
 */

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
  /** The source word under the pointer. @type {{ now?: Shown, at: number }} */
  let pointed = { at: 0 };

  /** @param {Shown} now @param {number} width */
  function draw(now, width) {
    layout(now, width);
    exact.show(`All numbers of step ${now.step}`, () => exactRows(now));
  }

  /** @param {Shown} now @param {number} width */
  function layout(now, width) {
    const at = pointed.now === now ? pointed.at : top(now.cross[now.step]);
    formula.replaceChildren(...elementsOf(explain(now, at)));
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
    return place(now(), scales(width(), places), event.clientX - left, event.clientY - above);
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const { source } = under(event);
    if (source === undefined || (pointed.now === now() && pointed.at === source)) return;
    pointed = { now: now(), at: source };
    layout(now(), width());
  }

  /** @param {PointerEvent} event */
  function click(event) {
    point(event);
    const { step } = under(event);
    if (step !== undefined) choose({ step });
  }

  const counts = { steps: (/** @type {any} */ { outputs, sentence_index }) => outputs[sentence_index].length };
  const content = [plot, legend, hint, formula, exact.element];
  const { now, width, choose, signal, stop } = explorer({ model, el, words, content, plot, counts, derive, draw, describe });
  plot.addEventListener("pointermove", point, { signal });
  plot.addEventListener("pointerdown", click, { signal });
  return stop;
}

/** @param {State} state @returns {Shown} */
function derive({ sources, outputs, cross_weights, self_weights, candidates, sentence_index: at, head_index: head, step }) {
  const [heads, selves] = [cross_weights[at], self_weights[at]];
  const [cross, self] = [ofHeads(heads, head), ofHeads(selves, head)];
  return { source: sources[at], output: outputs[at], step, head, heads, selves, cross, self, candidates: candidates[at] };
}

/** @param {Shown} now */
function exactRows({ source, output, step, cross, self, heads, selves, candidates }) {
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
