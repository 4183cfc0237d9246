/** The explorer of chapter 11: a sentence written word by word, with lines to where each word looked in the source. */

import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { elementsOf } from "../drawing/formula.js";
import * as generation from "../drawing/generation_shapes.js";
import { argmax } from "../mathematics/attention.js";
import { meanOrHead } from "../mathematics/generation.js";
import { HINT, LEGEND, describe, explain } from "../words/generation.js";

/** @typedef {import("../mathematics/attention.js").Matrix} Matrix */
/**
 * What the picture shows, and each head's shares of what is written.
 * @typedef {import("../mathematics/generation.js").Shown & { selfHeads: Matrix[] }} Shown
 */

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

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const words = description("tb-description tb-description-generation");
  const places = 1 + Math.max(...[...model.get("sources"), ...model.get("outputs")].map((list) => list.length));
  const drawing = { lines: shapes(), words: shapes(), candidates: shapes() };
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true" }, ...Object.values(drawing).map(({ group }) => group));
  const label = "The source, the words written so far with lines between them, and the candidates for the next word";
  const plot = html("div", { class: "tb-generation", role: "img", "aria-label": label, "aria-describedby": words.id }, picture);
  const hint = html("p", { class: "tb-pointed" }, HINT);
  const formula = html("p", { class: "tb-formula tb-formula-generation" });
  const heads = model.get("heads").slice(1).map((number) => `head ${number}`);
  const exact = exactValues(heads.length > 1 ? ["of", "word", "on screen", ...heads] : ["of", "word", "share"]);
  const legend = html("p", { class: "tb-pointed" }, LEGEND);
  /** The source word that the pointer was last over, and the state at that time. @type {{ now?: Shown, at: number }} */
  let pointed = { at: 0 };

  /** @param {Shown} now @param {number} width */
  function draw(now, width) {
    layout(now, width);
    exact.show(`All numbers of step ${now.step}`, () => exactRows(now));
  }

  /** @param {Shown} now @param {number} width */
  function layout(now, width) {
    const at = pointed.now === now ? pointed.at : argmax(now.cross[now.step]);
    formula.replaceChildren(...elementsOf(explain(now, at)));
    const scale = generation.scales(width, places);
    setAttributes(picture, { width, height: scale.height });
    plot.style.height = `${scale.height}px`;
    drawing.lines.draw(generation.lineShapes(now, scale));
    drawing.words.draw([...generation.sourceShapes(now, at, scale), ...generation.outputShapes(now, scale)]);
    drawing.candidates.draw(generation.candidateShapes(now, scale));
  }

  /** @param {PointerEvent} event */
  function elementUnder(event) {
    const { left, top } = plot.getBoundingClientRect();
    return generation.elementAt(now(), generation.scales(width(), places), event.clientX - left, event.clientY - top);
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const { source } = elementUnder(event);
    if (source === undefined || (pointed.now === now() && pointed.at === source)) return;
    pointed = { now: now(), at: source };
    layout(now(), width());
  }

  /** @param {PointerEvent} event */
  function click(event) {
    point(event);
    const { step } = elementUnder(event);
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
  const [heads, selfHeads] = [cross_weights[at], self_weights[at]];
  const [cross, self] = [meanOrHead(heads, head), meanOrHead(selfHeads, head)];
  return { source: sources[at], output: outputs[at], step, head, heads, selfHeads, cross, self, candidates: candidates[at] };
}

/** @param {Shown} now */
function exactRows({ source, output, step, cross, self, heads, selfHeads, candidates }) {
  /** @param {string} of @param {string[]} words @param {Matrix} rows @param {Matrix[]} each */
  function table(of, words, rows, each) {
    const ofHeads = (/** @type {number} */ at) => (each.length > 1 ? each.map((weights) => weights[step][at]) : []);
    return words.map((word, at) => [of, word, withoutNoise(rows[step][at]), ...ofHeads(at)]);
  }
  return [
    ...table("source", source, cross, heads),
    ...table("written", [generation.START, ...output].slice(0, step + 1), self, selfHeads),
    ...candidates[step].map(([word, probability]) => ["candidate", word, probability]),
  ];
}

/** A mean without the rounding error of its division. @param {number} value */
const withoutNoise = (value) => Number(value.toFixed(9));

export default { render };
