/** The explorer of chapter 8: one head of attention over the worked example, every number, and where each is from. */

import { description, html } from "../drawing/dom.js";
import { explorer } from "../drawing/explorer.js";
import { decimals } from "../words/format.js";
import { elementsOf } from "../drawing/formula.js";
import { lights, move, numberCell, tabStops, tint } from "../drawing/grid.js";
import { PAIRS, STAGES, columnsOf, compute, isMasked, keySize, placeKey, sources } from "../mathematics/attention_stages.js";
import { describe, explain, title } from "../words/attention.js";
import { tokenize } from "../mathematics/one_hot.js";
import { parsePalette } from "../drawing/palette.js";

/** @typedef {import("../mathematics/attention_stages.js").Part} Part */
/** @typedef {import("../mathematics/attention_stages.js").Place} Place */
/** @typedef {import("../mathematics/attention_stages.js").Matrices} Matrices */
/** @typedef {import("../mathematics/attention_stages.js").Shown & { stage: string, matrices: Matrices, weights: number[] }} Shown `weights` are the query's */

/**
 * @typedef {object} State
 * @property {string[]} words
 * @property {import("../mathematics/worked_example.js").Embeddings} embeddings
 * @property {import("../mathematics/attention_stages.js").Head} head
 * @property {number} base
 * @property {string} palette
 */

/** Each matrix, in the order of the walk, and the value of the palette's ends. @type {[Part, number][]} */
const PARTS = [["input", 2], ["Q", 2], ["K", 8], ["scores", 10], ["scaled", 10], ["weights", 1], ["V", 2], ["output", 2]];
/** The matrices with a row for each query. @type {Part[]} */
const ASKING = ["input", "Q", "scores", "scaled", "weights", "output"];

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const palette = parsePalette(model.get("palette"));
  const head = model.get("head");
  const count = model.get("words").length;
  const words = description("tb-description tb-description-attention");
  const formula = html("p", { class: "tb-formula tb-formula-attention" });
  const bars = drawBars(count);
  /** @type {Map<string, HTMLElement>} */
  const cells = new Map();
  const cellAt = (/** @type {Place} */ place) => /** @type {HTMLElement} */ (cells.get(placeKey(place)));
  const highlight = lights();
  const stopAt = tabStops();
  const tables = PARTS.map(([part]) => drawTable(part));
  const panels = html(
    "div",
    { class: "tb-attention", role: "group", "aria-label": "The matrices of this stage", "aria-describedby": words.id },
    ...tables.map(({ element }) => element),
    bars.element,
  );
  /** @type {Shown} */
  let now;
  /** @type {Place} */
  let chosen = { part: "weights", row: 0, column: 0 };

  /** @param {Record<string, any>} state @returns {Shown} */
  function derive({ sentence, query, scale, mask, positions, stage }) {
    const tokens = tokenize(sentence);
    const shown = { tokens, asking: tokens.indexOf(query), scale, mask, positions };
    const matrices = compute(shown, model.get("embeddings"), model.get("base"), head);
    return { ...shown, stage, matrices, weights: matrices.weights[shown.asking] };
  }

  /** @param {Shown} next @param {number} _ @param {Shown} [drawn] */
  function draw(next, _, drawn) {
    now = next;
    if (drawn?.stage !== now.stage || drawn.asking !== now.asking) {
      const result = STAGES[now.stage][STAGES[now.stage].length - 1];
      chosen = { part: result, row: now.asking, column: PAIRS.includes(result) ? now.weights.indexOf(Math.max(...now.weights)) : 0 };
    }
    for (const table of tables) table.show();
    bars.show(now.tokens, now.weights, now);
    arrive(chosen);
  }

  /** A matrix, made once; the state fills it. @param {Part} part */
  function drawTable(part) {
    const caption = html("caption", {});
    const columns = Array.from({ length: columnsOf(part, head, count) }, (_, column) => column);
    const numbers = Array.from({ length: count }, (_, row) => columns.map((column) => drawNumber({ part, row, column })));
    const names = numbers.map(() => html("th", { scope: "row" }));
    const titles = columns.map((column) => html("th", { scope: "col" }, String(column)));
    const rows = numbers.map((row, at) => html("tr", {}, names[at], ...row.map(({ cell }) => cell)));
    const table = html("table", { class: "tb-matrix", role: "grid" }, caption);
    table.append(html("thead", {}, html("tr", {}, html("td", {}), ...titles)), html("tbody", {}, ...rows));
    const element = html("div", { class: "tb-sentence" }, table);
    return {
      element,
      show() {
        element.hidden = !STAGES[now.stage].includes(part);
        const texts = title(part, now, keySize(head)).split(/_(.)/);
        caption.replaceChildren(...texts.map((text, at) => (at % 2 ? html("sub", {}, text) : text)));
        now.tokens.forEach((token, at) => {
          names[at].textContent = token;
          if (PAIRS.includes(part)) titles[at].textContent = token;
          rows[at].classList.toggle("tb-asking", ASKING.includes(part) && at === now.asking);
        });
        for (const number of numbers.flat()) number.show();
      },
    };
  }

  /** @param {Place} place */
  function drawNumber(place) {
    const text = document.createTextNode("");
    /** @param {string} name */
    const walk = (name) => {
      const to = move(name, place, count, columnsOf(place.part, head, count));
      return to && cellAt({ ...place, ...to });
    };
    const cell = numberCell(text, { point: () => light(place), choose: () => tell(place), walk });
    const limit = PARTS.find(([part]) => part === place.part)?.[1];
    cells.set(placeKey(place), cell);
    return {
      cell,
      show() {
        const value = now.matrices[place.part][place.row][place.column];
        const masked = isMasked(place, now);
        text.data = !masked ? decimals(value) : place.part === "scaled" ? "masked" : "0";
        cell.classList.toggle("tb-masked", masked);
        if (masked) cell.style.cssText = "";
        else tint(cell, value, palette, limit);
      },
    };
  }

  /** Light a number and tell its formula to those who walk there. @param {Place} place */
  function tell(place) {
    arrive(place);
    words.tell(formula.textContent ?? "");
  }

  /** Light a number and those it came from, and write its formula. @param {Place} place */
  function light(place) {
    const from = sources(place, now, head).map((source) => /** @type {[HTMLElement, string]} */ ([cellAt(source), "tb-source"]));
    highlight(new Map([...from, [cellAt(place), "tb-lit"]]));
    formula.replaceChildren(...elementsOf(explain(place, now, now.matrices, head)));
  }

  /** Choose a number, from which the Tab key and the pointer come back to it. @param {Place} place */
  function arrive(place) {
    chosen = place;
    for (const [part] of PARTS) stopAt(part, cellAt(part === place.part ? place : { part, row: 0, column: 0 }));
    light(place);
  }

  const { signal, stop } = explorer({
    model,
    el,
    words,
    content: [formula, panels],
    derive,
    draw,
    describe: (now, before) => describe(now, now.matrices, before),
  });
  panels.addEventListener("pointerleave", () => light(chosen), { signal });
  return stop;
}

/** The weights of the query as bars, one for each key. @param {number} count */
function drawBars(count) {
  const title = html("p", { class: "tb-shares-title" });
  const rows = Array.from({ length: count }, () => {
    const [name, bar, value] = [html("span", {}), html("span", { class: "tb-share" }), html("span", { class: "tb-share-value" })];
    const track = html("span", { class: "tb-share-track" }, bar);
    return { name, bar, value, element: html("div", { class: "tb-shares-row" }, name, track, value) };
  });
  return {
    element: html("div", { class: "tb-shares" }, title, ...rows.map(({ element }) => element)),
    /** @param {string[]} tokens @param {number[]} weights @param {Shown} shown */
    show(tokens, weights, shown) {
      title.textContent = `How much "${tokens[shown.asking]}" listens to`;
      rows.forEach(({ name, bar, value }, at) => {
        name.textContent = tokens[at];
        bar.style.width = `${100 * weights[at]}%`;
        value.textContent = isMasked({ part: "weights", row: shown.asking, column: at }, shown) ? "0" : decimals(weights[at]);
      });
    },
  };
}

export default { render };
