/** The explorer of chapters 5 and 10: two sentences through every stage, and where each of their numbers is from. */

import { description, html, setAttributes } from "../drawing/dom.js";
import { explorer } from "../drawing/explorer.js";
import { decimals } from "../words/format.js";
import { elementsOf } from "../drawing/formula.js";
import { lights, move, numberCell, tabStops, tint } from "../drawing/grid.js";
import { tokenize } from "../mathematics/one_hot.js";
import { parsePalette } from "../drawing/palette.js";
import { explain, isRounded, label, legend, nameLines, recipe, shared, title } from "../words/robot_formula.js";
import { drawTable, isWide, layOut, lowered } from "../drawing/robot_matrix.js";
import { describe } from "../words/robot.js";
import { sentenceField } from "../drawing/sentence_field.js";
import { RECIPES, SPLIT, counterpart, differs, everyStage, isStage, readSentence, sources } from "../mathematics/worked_example.js";

/** @typedef {import("../mathematics/worked_example.js").Stage} Stage */
/** @typedef {import("../mathematics/worked_example.js").Part} Part */
/** @typedef {import("../mathematics/worked_example.js").Followed} Followed */
/** @typedef {import("../mathematics/attention.js").Matrix} Matrix */
/** @typedef {import("../mathematics/worked_example.js").Place & { side: 0 | 1 }} Chosen side 0 is the reference, side 1 the reader's sentence */

/**
 * @typedef {object} State
 * @property {string} text what the reader typed
 * @property {string} sentence the last of it that could be followed
 * @property {string} reference
 * @property {Stage[]} stages
 * @property {import("../mathematics/worked_example.js").Embeddings} embeddings
 * @property {import("../mathematics/worked_example.js").Layer["weights"]} weights
 * @property {number} n_heads
 * @property {number} eps
 * @property {Record<string, number>} limits
 * @property {number} most_words
 * @property {number} base
 * @property {string} palette
 */

/** @typedef {{ both: Followed[], stage: Stage, at: number }} Shown `at` is the place of the stage in the walk */

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const palette = parsePalette(model.get("palette"));
  const [embeddings, limits, base] = [model.get("embeddings"), model.get("limits"), model.get("base")];
  const layer = { weights: model.get("weights"), heads: model.get("n_heads"), eps: model.get("eps") };
  const machine = { base, embeddings, layer };
  const words = description("tb-description tb-description-robot");
  const parts = layOut();
  const { formula, panels } = parts;

  /** @type {Followed[]} */
  let both = [];
  /** @type {Map<string, HTMLElement>} */
  let cells = new Map();
  let highlight = lights();
  let stopAt = tabStops();
  /** @type {Chosen} */
  let chosen = { side: 1, part: "input", head: 0, row: 1, column: 0 };

  /** @param {{ sentence: string, stage: Stage, stage_index: number }} state @returns {Shown} */
  function derive({ sentence, stage, stage_index: at }) {
    const followed = [model.get("reference"), sentence].map((each) => {
      const tokens = tokenize(each);
      return { tokens, stages: everyStage(tokens, embeddings, base, layer) };
    });
    return { both: followed, stage, at };
  }

  /** @param {Shown} now */
  function draw({ both: followed, stage, at }) {
    const stages = model.get("stages");
    both = followed;
    const focused = panels.contains(document.activeElement) && document.activeElement?.matches("td");
    [cells, highlight, stopAt] = [new Map(), lights(), tabStops()];
    const { from } = RECIPES[stage];
    const own = [...from.filter(isStage), stage];
    parts.common.replaceChildren(...from.filter((part) => !isStage(part)).flatMap((part) => drawShared(part, stage)));
    panels.replaceChildren(...both.map((_, side) => drawSentence(/** @type {0 | 1} */ (side), own)));
    panels.classList.toggle("tb-wide", both.some((each) => own.some((part) => isWide(each.stages[part][0][0].length))));
    parts.scale.replaceChildren(...lowered(legend([...from, stage], limits)));
    parts.count.textContent = `stage ${at + 1} of ${stages.length}: ${stage}`;
    setAttributes(parts.back, { "aria-disabled": at === 0 && "true" });
    setAttributes(parts.next, { "aria-disabled": at === stages.length - 1 && "true" });
    const matrices = both[chosen.side].stages[stage];
    const head = Math.min(chosen.head, matrices.length - 1);
    const within = (/** @type {number} */ place, /** @type {number} */ length) => Math.min(place, length - 1);
    chosen = { ...chosen, part: stage, head, row: within(chosen.row, matrices[0].length), column: within(chosen.column, matrices[0][0].length) };
    arrive(chosen);
    if (focused) cells.get(key(chosen))?.focus();
  }

  /** @param {0 | 1} side @param {Stage[]} parts */
  function drawSentence(side, parts) {
    const name = side === 0 ? "the book's sentence" : "your sentence";
    const { tokens, stages } = both[side];
    const heading = html("p", { class: "tb-sentence-title" }, html("span", {}, name), html("strong", {}, tokens.join(" ")));
    const matrices = parts.flatMap((part) => stages[part].map((matrix, head) => drawMatrix(matrix, { side, part, head }, parts[parts.length - 1])));
    return html("section", { class: "tb-sentence", "aria-label": name }, heading, ...matrices);
  }

  /** A matrix of weights, once for both sentences, and what is done with it. @param {Part} part @param {Stage} stage */
  const drawShared = (part, stage) => [
    drawMatrix(shared(part, machine), { side: 1, part, head: 0 }, stage),
    html("p", { class: "tb-quiet" }, ...lowered(recipe(stage))),
  ];

  /** @param {Matrix} matrix @param {Pick<Chosen, "side" | "part" | "head">} whose @param {Stage} stage the one on screen */
  function drawMatrix(matrix, whose, stage) {
    const { side, part, head } = whose;
    const { tokens } = both[side];
    const names = nameLines(part, matrix, tokens, machine);
    const shown = { title: title(part, stage, head, machine), label: label(part, head, tokens), names, heads: SPLIT.includes(part) ? layer.heads : 0 };
    return drawTable(matrix, shown, (value, row, column) => drawNumber(value, { ...whose, row, column }, matrix));
  }

  /** @param {number} value @param {Chosen} place @param {Matrix} matrix around it */
  function drawNumber(value, place, matrix) {
    /** @param {string} name */
    const walkTo = (name) => {
      const to = move(name, place, matrix.length, matrix[0].length);
      return to && cells.get(key({ ...place, ...to }));
    };
    const whole = !isStage(place.part) || place.part === "one_hot";
    const cell = numberCell(whole ? String(value) : decimals(value), { point: () => light(place), choose: () => tell(place), walk: walkTo });
    tint(cell, value, palette, limits[place.part]);
    if (place.side === 1 && isStage(place.part) && differs(value, counterpart({ ...place, part: place.part }, both[1], both[0]))) {
      cell.classList.add("tb-changed");
      cell.append(html("span", { class: "tb-spoken" }, " changed"));
    }
    if (place.row === 0 && place.column === 0) stopAt(matrixKey(place), cell);
    cells.set(key(place), cell);
    return cell;
  }

  /** Light a number and tell its formula to those who walk there. @param {Chosen} place */
  function tell(place) {
    arrive(place);
    words.tell(formula.textContent ?? "");
  }

  /** Choose a number, from which the Tab key and the pointer come back to it. @param {Chosen} place */
  function arrive(place) {
    const left = cells.get(key({ ...chosen, row: 0, column: 0 }));
    if (left && matrixKey(chosen) !== matrixKey(place)) stopAt(matrixKey(chosen), left);
    chosen = place;
    stopAt(matrixKey(place), /** @type {HTMLElement} */ (cells.get(key(place))));
    light(place);
  }

  /** Light a number and those it came from, and write its formula. @param {Chosen} place */
  function light(place) {
    const from = sources(place, both[place.side].stages, layer.heads).map((source) => cells.get(key({ ...place, ...source })));
    const shown = from.flatMap((cell) => (cell ? [/** @type {[HTMLElement, string]} */ ([cell, "tb-source"])] : []));
    highlight(new Map([...shown, [/** @type {HTMLElement} */ (cells.get(key(place))), "tb-lit"]]));
    formula.replaceChildren(...elementsOf(explain(place, both[place.side], both[1 - place.side], machine)));
    parts.rounding.classList.toggle("tb-needless", !isRounded(place.part));
  }

  const field = sentenceField(
    model,
    (text) => readSentence(text, embeddings, model.get("most_words")),
    (text) => {
      parts.problem.textContent = text && `${text} Below stands the last sentence that could be followed.`;
      parts.work.classList.toggle("tb-stale", text !== "");
    },
  );

  /** @param {number} step */
  function go(step) {
    const to = now().at + step;
    if (to in model.get("stages")) choose({ stage_index: to });
  }

  field.typed();
  const { now, choose, signal, stop } = explorer({
    model,
    el,
    words,
    above: [parts.bar, parts.problem],
    content: [parts.work],
    on: { text: field.typed, sentence: field.followed },
    derive,
    draw,
    describe: ({ both: [theirs, mine], stage }) => describe(theirs, mine, stage, machine),
  });
  parts.shuffle.addEventListener("click", field.mix, { signal });
  parts.back.addEventListener("click", () => go(-1), { signal });
  parts.next.addEventListener("click", () => go(1), { signal });
  parts.walk.addEventListener("pointerleave", () => light(chosen), { signal });
  setAttributes(panels, { "aria-describedby": words.id });
  return stop;
}

/** What the sentences share is there once. @param {Pick<Chosen, "side" | "part" | "head">} place */
const matrixKey = ({ side, part, head }) => `${isStage(part) ? side : ""} ${part} ${head}`;

/** @param {Chosen} place */
const key = (place) => `${matrixKey(place)} ${place.row} ${place.column}`;

export default { render };
