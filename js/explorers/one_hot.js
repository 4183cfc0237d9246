/** The explorer of chapter 1: a sentence as tokens, ids, the one-hot matrix, and the rows of a table that it picks. */

import { description, html } from "../drawing/dom.js";
import { explorer } from "../drawing/explorer.js";
import { plural } from "../words/format.js";
import { move, numberCell, tint } from "../drawing/grid.js";
import { encode, readText, tokenize } from "../mathematics/one_hot.js";
import { parsePalette } from "../drawing/palette.js";
import { sentenceField } from "../drawing/sentence_field.js";

/** @typedef {import("../mathematics/one_hot.js").Encoded} Encoded */
/** @typedef {import("../mathematics/one_hot.js").Order} Order */
/** @typedef {"matrix" | "table" | "picked"} Part */
/** @typedef {{ part: Part, row: number, column: number }} Place column ID of the matrix holds the ids */

/**
 * @typedef {object} State
 * @property {string} text what the reader typed
 * @property {string} sentence the last of it that could be shown
 * @property {import("../mathematics/one_hot.js").Rows} embeddings the rows that the book chose
 * @property {number} most_words
 * @property {number} longest_word
 * @property {string} palette
 */
/** @typedef {Encoded & { order: Order }} Shown */

const ID = -1;
/** A header is no number: it is never pointed at, only lit. */
const HEADER = { row: -2, column: -2 };
const TITLES = { matrix: "one-hot: one row a word", table: "× table: one row an entry", picked: "= the rows picked" };
const NOTE = "The rows of I, a, am and robot in the table were chosen by hand; any other word gets four digits computed from its letters. None of them means anything.";

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const palette = parsePalette(model.get("palette"));
  const words = description("tb-description tb-description-one-hot");
  const problem = html("p", { class: "tb-problem", role: "alert" });
  const panels = html("div", { class: "tb-one-hot", "aria-describedby": words.id });
  const formula = html("p", { class: "tb-formula tb-formula-one-hot" });
  const note = html("p", { class: "tb-pointed" }, NOTE);
  /** @type {Shown} */
  let shown;
  /** @type {Map<string, HTMLElement>} */
  let cells = new Map();
  /** @type {Place} */
  let chosen = { part: "matrix", row: 0, column: ID };

  /** @param {Shown} now */
  function draw(now) {
    const focused = el.contains(document.activeElement) && document.activeElement?.matches("td");
    shown = now;
    cells = new Map();
    panels.replaceChildren(drawMatrix(), drawNumbers("table", shown.entries.map((entry, id) => `${id} ${entry}`)), drawNumbers("picked", shown.tokens));
    panels.classList.toggle("tb-wide", shown.entries.length > 5 || shown.entries.some((entry) => entry.length > 7));
    const row = Math.min(chosen.row, rows(chosen.part).length - 1);
    chosen = { ...chosen, row, column: chosen.part === "matrix" ? shown.ids[row] : chosen.column };
    light(chosen);
    if (focused) cells.get(key(chosen))?.focus();
  }

  /** @param {Part} part */
  function rows(part) {
    return shown[part];
  }

  function drawMatrix() {
    const ids = shown.entries.map((_, column) => header("col", String(column), { part: "matrix", ...HEADER, column }));
    const names = shown.entries.map((entry) => html("th", { scope: "col", title: entry, class: "tb-entry" }, html("span", {}, entry)));
    const head = html("thead", {}, html("tr", {}, html("td", {}), html("th", { scope: "col" }, "id"), ...ids), html("tr", {}, html("td", {}), html("td", {}), ...names));
    const body = shown.matrix.map((row, at) => {
      const id = number(String(shown.ids[at]), { part: "matrix", row: at, column: ID });
      id.classList.add("tb-id");
      const ones = row.map((value, column) => number(String(value), { part: "matrix", row: at, column }, value));
      return html("tr", {}, header("row", shown.tokens[at], { part: "matrix", ...HEADER, row: at }), id, ...ones);
    });
    return section("matrix", head, body);
  }

  /** The table or what was picked from it. @param {"table" | "picked"} part @param {string[]} names */
  function drawNumbers(part, names) {
    const columns = rows(part)[0].map((_, column) => html("th", { scope: "col" }, String(column)));
    const head = html("thead", {}, html("tr", {}, html("td", {}), ...columns));
    const body = rows(part).map((row, at) => {
      const numbers = row.map((value, column) => number(value.toFixed(1), { part, row: at, column }, value));
      return html("tr", {}, header("row", names[at], { part, ...HEADER, row: at }), ...numbers);
    });
    return section(part, head, body);
  }

  /** @param {Part} part @param {HTMLElement} head @param {HTMLElement[]} body */
  function section(part, head, body) {
    const table = html("table", { class: `tb-matrix tb-matrix-${part}`, role: "grid", "aria-label": `${TITLES[part].replace(/^\W+/, "")} of ${shown.tokens.join(" ")}` });
    table.append(html("caption", {}, TITLES[part]), head, html("tbody", {}, ...body));
    return html("div", { class: "tb-sentence" }, table);
  }

  /** @param {"row" | "col"} scope @param {string} text @param {Place} place */
  function header(scope, text, place) {
    const cell = html("th", { scope, title: text }, html("span", {}, text));
    cells.set(key(place), cell);
    if (scope === "row") cell.addEventListener("pointerenter", () => light(ofRow(place)));
    return cell;
  }

  /** What a row of a matrix is about: its 1, or its first number. @param {Place} place @returns {Place} */
  function ofRow({ part, row }) {
    return { part, row, column: part === "matrix" ? shown.ids[row] : 0 };
  }

  /** @param {string} text @param {Place} place @param {number} [value] the number behind the colour */
  function number(text, place, value) {
    const first = place.part === "matrix" ? ID : 0;
    /** @param {string} name */
    const walk = (name) => {
      const numbers = rows(place.part);
      const to = move(name, { row: place.row, column: place.column - first }, numbers.length, numbers[0].length - first);
      return to && cells.get(key({ part: place.part, row: to.row, column: to.column + first }));
    };
    const cell = numberCell(text, { point: () => light(place), choose: () => choose(place), walk });
    const zero = place.part === "matrix" && value === 0;
    cell.classList.toggle("tb-zero", zero);
    if (value !== undefined && !zero) tint(cell, value, palette);
    cells.set(key(place), cell);
    return cell;
  }

  /** Light a number and tell what it is to those who walk there. @param {Place} place */
  function choose(place) {
    light((chosen = place));
    words.tell(formula.textContent ?? "");
  }

  /** Light a number and what it belongs to, and say in words what it is. @param {Place} place */
  function light(place) {
    for (const cell of cells.values()) cell.classList.remove("tb-lit", "tb-source");
    for (const part of /** @type {Part[]} */ (["matrix", "table", "picked"])) {
      const entry = chosen.part === part ? chosen : ofRow({ part, row: 0, column: 0 });
      for (const [name, cell] of cells) if (name.startsWith(part) && cell.matches("td")) cell.tabIndex = name === key(entry) ? 0 : -1;
    }
    for (const source of related(place, shown)) cells.get(key(source))?.classList.add("tb-source");
    const cell = cells.get(key(place));
    cell?.classList.remove("tb-source");
    cell?.classList.add("tb-lit");
    formula.replaceChildren(...explain(place, shown, shown.order));
  }

  const field = sentenceField(
    model,
    (text) => readText(text, model.get("most_words"), model.get("longest_word")),
    (text) => {
      problem.textContent = text && `${text} Below stands the last sentence that could be shown.`;
      panels.classList.toggle("tb-stale", text !== "");
    },
  );
  field.typed();
  const { signal, stop } = explorer({
    model,
    el,
    words,
    above: [problem],
    content: [formula, panels, note],
    on: { text: field.typed, sentence: field.followed },
    derive: ({ sentence, order }) => ({ order, ...encode(tokenize(sentence), order, model.get("embeddings")) }),
    draw,
    describe,
  });
  panels.addEventListener("pointerleave", () => light(chosen), { signal });
  return stop;
}

/** @param {Place} place */
function key({ part, row, column }) {
  return `${part} ${row} ${column}`;
}

/**
 * What a number came from, and for a row of the table where it goes.
 * @param {Place} place @param {Encoded} shown
 * @returns {Place[]}
 */
function related({ part, row, column }, { ids, entries, matrix, table }) {
  const name = { part, ...HEADER, row };
  /** @param {Part} other @param {number} at @returns {Place[]} */
  const whole = (other, at) => [{ part: other, ...HEADER, row: at }, ...table[0].map((_, index) => ({ part: other, row: at, column: index }))];
  if (part === "matrix") {
    const id = ids[row];
    /** @type {Place[]} */
    const about = [name, { part, row, column: ID }, { part, ...HEADER, column: column === ID ? id : column }];
    return id === column || column === ID ? [...about, { part, row, column: id }, ...whole("table", id), ...whole("picked", row)] : about;
  }
  if (part === "table") {
    const at = matrix.flatMap((_, index) => (ids[index] === row ? [index] : []));
    return [name, ...at.flatMap((index) => /** @type {Place[]} */ ([{ part: "matrix", row: index, column: row }, { part: "picked", row: index, column }]))];
  }
  return [name, ...entries.flatMap((_, entry) => /** @type {Place[]} */ ([{ part: "matrix", row, column: entry }, { part: "table", row: entry, column }]))];
}

/** A number in words, with its numbers filled in. @param {Place} place @param {Encoded} shown @param {Order} order */
function explain({ part, row, column }, { tokens, entries, ids, table, picked }, order) {
  /** @param {string} text */
  const lead = (text) => html("span", { class: "tb-formula-name" }, text);
  /** @param {string | number} value */
  const result = (value) => html("strong", {}, String(value));
  const id = ids[row];
  if (part === "table") {
    const times = ids.filter((other) => other === row).length;
    return [lead(`table, row ${row} ("${entries[row]}"), column ${column}: `), result(table[row][column].toFixed(1)), `. Every "${entries[row]}" of the sentence picks this row: here ${plural(times, "time")}.`];
  }
  if (part === "picked") {
    const terms = entries.map((_, entry) => `${Number(entry === id)} × ${table[entry][column].toFixed(1)}`);
    return [lead(`word ${row} ("${tokens[row]}"), column ${column}: `), `${terms.join(" + ")} = `, result(picked[row][column].toFixed(1)), `. All terms but one are 0: it is row ${id} of the table.`];
  }
  if (column === ID) {
    const how = order === "sorted" ? "sorted" : "in order of first appearance";
    return [lead(`id of "${tokens[row]}": `), result(id), `, its place in the vocabulary ${entries.join(", ")}: counted from 0, ${how}.`];
  }
  const place = `word ${row} ("${tokens[row]}"), column ${column} ("${entries[column]}"): `;
  if (column === id) return [lead(place), `the id of "${tokens[row]}" is ${id}, so the number is `, result(1), `. It picks row ${id} of the table.`];
  return [lead(place), `the id of "${tokens[row]}" is ${id}, not ${column}, so the number is `, result(0), `. It adds nothing of row ${column} of the table.`];
}

/** What is on screen, the comparison worth making, and what does not change. @param {Shown} now @param {Shown} [before] */
function describe({ tokens, entries, ids, matrix, order }, before) {
  const [rows, columns] = [tokens.length, entries.length];
  const zeros = rows * columns - rows;
  const state = `${plural(rows, "word")}, ${columns} different: a matrix of ${plural(rows, "row")} and ${plural(columns, "column")}, with ${plural(rows, "one")} and ${plural(zeros, "zero")}.`;
  const same = before && before.order !== order ? " The rows picked are the same in either order." : "";
  return [state, repeated(tokens, entries), ordered(ids, matrix, order)].join(" ") + same;
}

/** @param {string[]} tokens @param {string[]} entries */
function repeated(tokens, entries) {
  const counts = entries.map((entry) => tokens.filter((token) => token === entry).length);
  const most = Math.max(...counts);
  if (most === 1) return "No word stands here twice.";
  const at = counts.indexOf(most);
  return `"${entries[at]}" stands here ${most} times and has one column, number ${at}: its rows are equal.`;
}

/** @param {number[]} ids @param {number[][]} matrix @param {Order} order */
function ordered(ids, matrix, order) {
  const identity = matrix.length === matrix[0].length && ids.every((id, row) => id === row);
  const staircase = identity ? "Each word's id is its place in the sentence, so nothing seems to be looked up." : "";
  return staircase || (order === "sorted" ? "The ids follow the sorted vocabulary, capitals first, not the sentence." : "New words get the next id, repeated words keep theirs.");
}

export default { render };
