/** The explorer of chapter 9: the weights of all heads side by side, and one query followed through all of them. */

import { headWeights, maskNamed } from "../mathematics/attention.js";
import { description, html } from "../drawing/dom.js";
import { explorer } from "../drawing/explorer.js";
import { decimals } from "../words/format.js";
import { elementsOf } from "../drawing/formula.js";
import { lights, move, numberCell, tabStops, tint } from "../drawing/grid.js";
import { describe, explain, isMasked, say, top } from "../words/multi_head.js";
import { tokenize } from "../mathematics/one_hot.js";
import { parsePalette } from "../drawing/palette.js";

/** @typedef {import("../mathematics/attention.js").Matrix} Matrix */
/** @typedef {{ head: number, row: number, column: number }} Place */
/** @typedef {import("../words/multi_head.js").Shown} Shown */

/**
 * @typedef {object} State
 * @property {Matrix[]} inputs
 * @property {Matrix} w_q
 * @property {Matrix} w_k
 * @property {number[]} b_q
 * @property {number[]} b_k
 * @property {string} palette
 */

/** With more words than FEW there is room for two decimals only, with more than SOME not for a 0 before them. */
const FEW = 5;
const SOME = 8;

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const palette = parsePalette(model.get("palette"));
  const words = description("tb-description tb-description-multi-head");
  const formula = html("p", { class: "tb-formula tb-formula-multi-head" });
  const panels = html("div", {
    class: "tb-heads",
    role: "group",
    "aria-label": "The weights of each head",
    "aria-describedby": words.id,
  });
  /** @type {Shown} */
  let now;
  /** @type {Map<string, HTMLElement>} */
  let cells = new Map();
  const cellAt = (/** @type {Place} */ place) => /** @type {HTMLElement} */ (cells.get(key(place)));
  const highlight = lights();
  let stopAt = tabStops();
  /** @type {{ show: () => void }[]} */
  let tables = [];
  let built = "";
  /** @type {Place} */
  let chosen = { head: 0, row: -1, column: 0 };

  /** @param {Record<string, any>} state @returns {Shown} */
  function derive({ sentence, sentence_index, query, n_heads, mask }) {
    const tokens = tokenize(sentence);
    const [q, k] = [{ weight: model.get("w_q"), bias: model.get("b_q") }, { weight: model.get("w_k"), bias: model.get("b_k") }];
    const heads = headWeights(model.get("inputs")[sentence_index], q, k, n_heads, maskNamed(mask, tokens.length));
    return { tokens, query, mask, heads };
  }

  /** @param {Shown} next @param {number} _ @param {Shown} [drawn] */
  function draw(next, _, drawn) {
    now = next;
    const shape = `${now.heads.length} ${now.tokens.join(" ")}`;
    if (built !== shape) build();
    built = shape;
    for (const table of tables) table.show();
    const head = Math.min(chosen.head, now.heads.length - 1);
    const row = now.heads[head].weights[now.query];
    const kept = chosen.row === now.query && chosen.column < now.tokens.length && drawn;
    arrive({ head, row: now.query, column: kept ? chosen.column : top(row) });
  }

  function build() {
    const focused = el.contains(document.activeElement) && document.activeElement?.matches("td");
    cells = new Map();
    stopAt = tabStops();
    const drawn = now.heads.map((_, head) => drawHead(head));
    tables = drawn;
    const count = now.tokens.length;
    panels.classList.toggle("tb-wide", count > SOME || (count > FEW && now.tokens.some((token) => token.length > 5)));
    panels.classList.toggle("tb-small", count > SOME);
    panels.replaceChildren(...drawn.map(({ element }) => element));
    if (focused) cellAt({ head: 0, row: now.query, column: 0 }).focus();
  }

  /** One head's weights, and its row of the query in words. @param {number} head */
  function drawHead(head) {
    const { tokens } = now;
    const numbers = tokens.map((_, row) => tokens.map((_, column) => drawNumber({ head, row, column })));
    const names = tokens.map((token) => html("th", { scope: "row", title: token }, token));
    const titles = tokens.map((token) => html("th", { scope: "col", title: token, class: "tb-entry" }, html("span", {}, token)));
    const rows = numbers.map((row, at) => html("tr", {}, names[at], ...row.map(({ cell }) => cell)));
    const title = now.heads.length === 1 ? `one head of size ${now.heads[0].q[0].length}` : `head ${head + 1}`;
    const table = html("table", { class: "tb-matrix", role: "grid" }, html("caption", {}, title));
    table.append(html("thead", {}, html("tr", {}, html("td", {}), ...titles)), html("tbody", {}, ...rows));
    const says = html("p", { class: "tb-head-says" });
    return {
      element: html("div", { class: "tb-head" }, table, says),
      show() {
        rows.forEach((row, at) => row.classList.toggle("tb-asking", at === now.query));
        for (const number of numbers.flat()) number.show();
        says.textContent = say(now, head);
      },
    };
  }

  /** @param {Place} place */
  function drawNumber(place) {
    const text = document.createTextNode("");
    /** @param {string} name */
    const walk = (name) => {
      const to = move(name, place, now.tokens.length, now.tokens.length);
      return to && cellAt({ ...place, ...to });
    };
    const cell = numberCell(text, { point: () => light(place), choose: () => ask(place), walk });
    cells.set(key(place), cell);
    return {
      cell,
      show() {
        const value = now.heads[place.head].weights[place.row][place.column];
        const masked = isMasked(place, now);
        text.data = masked ? "0" : brief(value, now.tokens.length);
        cell.classList.toggle("tb-masked", masked);
        if (masked) cell.style.cssText = "";
        else tint(cell, value, palette);
      },
    };
  }

  /** Whoever is chosen asks, in all heads. @param {Place} place */
  function ask(place) {
    arrive(place);
    choose({ query: place.row });
    words.tell(formula.textContent ?? "");
  }

  /** Light a number and that of the same two words in the other heads, and write its formula. @param {Place} place */
  function light(place) {
    const { row, column } = place;
    const others = now.heads.map((_, head) => /** @type {[HTMLElement, string]} */ ([cellAt({ head, row, column }), "tb-source"]));
    highlight(new Map([...others, [cellAt(place), "tb-lit"]]));
    formula.replaceChildren(...elementsOf(explain(place, now)));
  }

  /** Choose a number, from which the Tab key and the pointer come back to it. @param {Place} place */
  function arrive(place) {
    chosen = place;
    now.heads.forEach((_, head) => stopAt(head, cellAt(head === place.head ? place : { head, row: now.query, column: 0 })));
    light(place);
  }

  const { choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [formula, panels],
    counts: { length: ({ sentence }) => tokenize(sentence).length },
    derive,
    draw,
    describe,
  });
  panels.addEventListener("pointerleave", () => light(chosen), { signal });
  return stop;
}

/** @param {Place} place */
const key = ({ head, row, column }) => `${head} ${row} ${column}`;

/** A weight in as many digits as there is room for. @param {number} value @param {number} count of words */
function brief(value, count) {
  if (count <= FEW) return decimals(value);
  return count <= SOME ? value.toFixed(2) : value.toFixed(2).replace(/^0/, "");
}

export default { render };
