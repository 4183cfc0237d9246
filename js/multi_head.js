/** The explorer of chapter 9: the weights of all heads side by side, and one query followed through all of them. */

import { causalMask, headWeights } from "./lib/attention.js";
import { description, html } from "./lib/dom.js";
import { decimals } from "./lib/format.js";
import { move, numberCell, tint } from "./lib/grid.js";
import { tokenize } from "./lib/one_hot.js";
import { parsePalette } from "./lib/palette.js";
import { watch } from "./lib/view.js";

/** @typedef {import("./lib/attention.js").Matrix} Matrix */
/** @typedef {import("./lib/attention.js").Head} Head */
/** @typedef {{ head: number, row: number, column: number }} Place */
/** @typedef {{ tokens: string[], query: number, causal: boolean, heads: Head[] }} Shown */

/**
 * @typedef {object} State
 * @property {string[]} sentences
 * @property {number} sentence_index
 * @property {Matrix[]} inputs
 * @property {Matrix} w_q
 * @property {Matrix} w_k
 * @property {number[]} b_q
 * @property {number[]} b_k
 * @property {number[]} head_counts
 * @property {number} n_heads_index
 * @property {number} query
 * @property {number} last_query
 * @property {string[]} masks
 * @property {number} mask_index
 * @property {string} palette
 */

/** With more words than FEW there is room for two decimals only, with more than SOME not for a 0 before them. */
const FEW = 5;
const SOME = 8;
/** A longer vector is not written out. */
const SHORT = 4;

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const palette = parsePalette(model.get("palette"));
  const words = description("tb-description tb-description-multi-head");
  const formula = html("p", { class: "tb-formula tb-formula-multi-head" });
  const panels = html("div", { class: "tb-heads", "aria-describedby": words.id });
  el.replaceChildren(html("div", { class: "tb-explorer" }, words.elements[0], formula, panels, words.elements[1]));

  let now = read(model);
  /** @type {Map<string, HTMLElement>} */
  let cells = new Map();
  /** @type {{ show: () => void }[]} */
  let tables = [];
  let built = "";
  /** @type {Shown | undefined} */
  let shown;
  /** @type {Place} */
  let chosen = { head: 0, row: now.query, column: 0 };

  function draw() {
    const last = tokenize(model.get("sentences")[model.get("sentence_index")]).length - 1;
    if (model.get("last_query") !== last) {
      model.set("last_query", last);
      model.set("query", Math.min(model.get("query"), last));
      model.save_changes();
    }
    now = read(model);
    const shape = `${now.heads.length} ${now.tokens.join(" ")}`;
    if (built !== shape) build();
    built = shape;
    for (const table of tables) table.show();
    const head = Math.min(chosen.head, now.heads.length - 1);
    const row = now.heads[head].weights[now.query];
    const kept = chosen.row === now.query && chosen.column <= last && shown;
    chosen = { head, row: now.query, column: kept ? chosen.column : top(row) };
    light(chosen);
    words.say(describe(now, shown));
    shown = now;
  }

  function build() {
    const focused = el.contains(document.activeElement) && document.activeElement?.matches("td");
    cells = new Map();
    const drawn = now.heads.map((_, head) => drawHead(head));
    tables = drawn;
    panels.classList.toggle("tb-wide", now.tokens.length > SOME || (now.tokens.length > FEW && now.tokens.some((token) => token.length > 5)));
    panels.classList.toggle("tb-small", now.tokens.length > SOME);
    panels.replaceChildren(...drawn.map(({ element }) => element));
    if (focused) cells.get(key({ ...chosen, head: 0, row: now.query, column: 0 }))?.focus();
  }

  /** One head's weights, and its row of the query in words. @param {number} head */
  function drawHead(head) {
    const { tokens } = now;
    const numbers = tokens.map((_, row) => tokens.map((_, column) => drawNumber({ head, row, column })));
    const names = tokens.map((token) => html("th", { scope: "row", title: token }, token));
    const titles = tokens.map((token) => html("th", { scope: "col", title: token, class: "tb-entry" }, html("span", {}, token)));
    const rows = numbers.map((row, at) => html("tr", {}, names[at], ...row.map(({ cell }) => cell)));
    const title = now.heads.length === 1 ? `one head of size ${now.heads[0].q[0].length}` : `head ${head + 1}`;
    const table = html("table", { class: "tb-matrix", role: "grid", "aria-label": title }, html("caption", {}, title));
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
      return to && cells.get(key({ ...place, ...to }));
    };
    const cell = numberCell(text, { point: () => light(place), choose: () => choose(place), walk });
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
  function choose(place) {
    chosen = place;
    if (model.get("query") !== place.row) {
      model.set("query", place.row);
      model.save_changes();
    }
    light(place);
    words.tell(formula.textContent ?? "");
  }

  /** Light a number and that of the same two words in the other heads, and write its formula. @param {Place} place */
  function light(place) {
    const { row, column } = place;
    const others = new Set(now.heads.map((_, head) => key({ head, row, column })));
    for (const [name, cell] of cells) {
      cell.classList.toggle("tb-lit", name === key(place));
      cell.classList.toggle("tb-source", name !== key(place) && others.has(name));
      cell.tabIndex = -1;
    }
    now.heads.forEach((_, head) => {
      const entry = cells.get(key(head === chosen.head ? chosen : { head, row: now.query, column: 0 }));
      if (entry) entry.tabIndex = 0;
    });
    formula.replaceChildren(...explain(place, now));
  }

  const stops = [watch(model, ["sentence_index", "query", "n_heads_index", "mask_index"], draw), words.stop];
  panels.addEventListener("pointerleave", () => light(chosen));
  draw();
  return () => stops.forEach((stop) => stop());
}

/** @param {import("@anywidget/types").AnyModel<State>} model @returns {Shown} */
function read(model) {
  const at = model.get("sentence_index");
  const tokens = tokenize(model.get("sentences")[at]);
  const causal = model.get("masks")[model.get("mask_index")] === "causal";
  const count = model.get("head_counts")[model.get("n_heads_index")];
  const [q, k] = [{ weight: model.get("w_q"), bias: model.get("b_q") }, { weight: model.get("w_k"), bias: model.get("b_k") }];
  const heads = headWeights(model.get("inputs")[at], q, k, count, causal ? causalMask(tokens.length) : undefined);
  return { tokens, query: Math.min(model.get("query"), tokens.length - 1), causal, heads };
}

/** @param {Place} place */
const key = ({ head, row, column }) => `${head} ${row} ${column}`;

/** @param {{ row: number, column: number }} place @param {Shown} shown */
const isMasked = ({ row, column }, { causal }) => causal && column > row;

/** The query's row of a head in words: whom it gives most, and next. @param {Shown} shown @param {number} head */
function say({ tokens, query, causal, heads }, head) {
  const weights = heads[head].weights[query];
  const order = tokens.map((_, at) => at).filter((at) => !causal || at <= query);
  order.sort((left, right) => weights[right] - weights[left]);
  const [most, next] = order.map((at) => `"${tokens[at]}" ${decimals(weights[at])}`);
  return `"${tokens[query]}" gives ${most}${next === undefined ? "" : `, next ${next}`}.`;
}

/** A weight with its formula filled in. @param {Place} place @param {Shown} shown */
function explain({ head, row, column }, shown) {
  const { tokens, heads, causal } = shown;
  const { q, k, scores, scaled, weights } = heads[head];
  const lead = heads.length === 1 ? "one head" : `head ${head + 1}`;
  const name = html("span", { class: "tb-formula-name" }, `${lead}, query "${tokens[row]}", key "${tokens[column]}": `);
  if (isMasked({ row, column }, shown)) return [name, `"${tokens[column]}" stands after "${tokens[row]}", so its weight is `, html("strong", {}, "0"), "."];
  const size = q[row].length;
  const products = q[row].map((factor, at) => `${bracket(factor)} · ${bracket(k[column][at])}`).join(" + ");
  const product = size > SHORT ? "q · k" : `(${products})`;
  const own = scaled[row][column];
  const sum = scaled[row].reduce((total, score, at) => total + (causal && at > row ? 0 : Math.exp(score)), 0);
  const power = html("span", { class: "tb-formula-step" }, "e", html("sup", {}, decimals(own)));
  const score = size > SHORT ? `${product} / √${size} = ${decimals(scores[row][column])} / √${size} = ` : `${product} / √${size} = `;
  return [name, `${score}${decimals(own)}; softmax: `, power, ` / ${decimals(sum)} = `, html("strong", {}, decimals(weights[row][column])), "."];
}

/** In brackets if negative. @param {number} value */
const bracket = (value) => (value < 0 ? `(${decimals(value)})` : decimals(value));

/** What is on screen, and for each head what all words do alike. @param {Shown} shown @param {Shown} [before] */
function describe(shown, before) {
  const { tokens, query, causal, heads } = shown;
  const size = heads[0].q[0].length;
  const split = heads.length === 1 ? `one head of size ${size}` : `${heads.length} heads of size ${size}`;
  const state = `"${tokens.join(" ")}", ${split}, ${causal ? "causal mask" : "no mask"}. "${tokens[query]}" at position ${query} asks.`;
  const same = before?.heads.length === heads.length ? before : undefined;
  const found = heads.map((_, head) => {
    const text = habit(shown, head, same);
    return text && (heads.length === 1 ? text : `head ${head + 1}: ${text}`);
  });
  const habits = found.filter(Boolean).join("; ");
  return [state, habits && `Who gets most? ${habits[0].toUpperCase()}${habits.slice(1)}.`, heads.length === 1 && spread(shown)].filter(Boolean).join(" ");
}

/** What most words of a head do alike, if anything. @param {Shown} shown @param {number} head @param {Shown} [before] */
function habit(shown, head, before) {
  const { tokens, heads } = shown;
  const place = favourite(shown, head);
  if (place !== undefined) return `${whom(place, tokens, before, before && favourite(before, head))}, for every word`;
  const tops = heads[head].weights.map(top);
  const counts = tokens.map((_, at) => tops.filter((other) => other === at).length);
  const common = top(counts);
  const previous = tops.filter((at, row) => at === row - 1).length;
  const others = tokens.length - 1;
  if (previous === others) return "the word before, for every word after the first";
  if (previous > 0.6 * others && previous >= counts[common]) return `the word before, for ${previous} of the ${others} words after the first`;
  return counts[common] > 0.6 * tokens.length ? `"${tokens[common]}" at position ${common}, for ${counts[common]} of the ${tokens.length} words` : "";
}

/** A word and its place, and what of the two is as it was. @param {number} place @param {string[]} tokens @param {Shown} [before] @param {number} [was] */
function whom(place, tokens, before, was) {
  const token = tokens[place];
  if (before && was !== undefined && was !== place && before.tokens[was] === token) return `still "${token}", now at position ${place}`;
  if (before && was === place && before.tokens[was] !== token) return `still position ${place}, now "${token}"`;
  return `"${token}" at position ${place}`;
}

/** Where the largest of some numbers stands. @param {number[]} numbers */
const top = (numbers) => numbers.indexOf(Math.max(...numbers));

/** The place to which every query of a head gives most. @param {Shown} shown @param {number} head */
function favourite({ heads }, head) {
  const places = heads[head].weights.map(top);
  return places.every((place) => place === places[0]) ? places[0] : undefined;
}

/** How far apart the shares of the query are. @param {Shown} shown */
function spread({ tokens, query, causal, heads }) {
  const shares = heads.flatMap(({ weights }) => weights[query].filter((_, at) => !causal || at <= query));
  return `The shares of "${tokens[query]}" lie between ${decimals(Math.min(...shares))} and ${decimals(Math.max(...shares))}.`;
}

/** A weight in as many digits as there is room for. @param {number} value @param {number} count of words */
function brief(value, count) {
  if (count <= FEW) return decimals(value);
  return count <= SOME ? value.toFixed(2) : value.toFixed(2).replace(/^0/, "");
}

export default { render };
