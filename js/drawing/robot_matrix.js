/** A matrix of the worked example as a table, with names for its rows and columns. */

import { html } from "./dom.js";

/** With more columns than these a matrix needs more than half of the width. */
const FEW = 5;

/** @param {number} columns */
export const isWide = (columns) => columns > FEW;

/** The names of weights with their index below the line. @param {string} text */
export const lowered = (text) => text.split(/(?<=\bW)_(.)/).map((part, at) => (at % 2 ? html("sub", {}, part) : part));

/**
 * @param {import("../mathematics/attention.js").Matrix} matrix
 * @param {{ title: string, label: string, names: { rows: string[], columns: string[] }, heads: number }} shown `heads`: so
 *   many have columns of their own; 0 where none has
 * @param {(value: number, row: number, column: number) => HTMLElement} cell
 */
export function drawTable(matrix, { title, label, names, heads }, cell) {
  const table = html("table", { class: "tb-matrix", role: "grid", "aria-label": label }, html("caption", {}, ...lowered(title)));
  const head = html("thead", {}, html("tr", {}, html("td", {}), ...names.columns.map((name) => html("th", { scope: "col" }, name))));
  if (heads) head.prepend(headings(heads, names.columns.length / heads));
  const rows = matrix.map((row, at) =>
    html("tr", {}, html("th", { scope: "row" }, names.rows[at]), ...row.map((value, column) => cell(value, at, column))),
  );
  table.append(head, html("tbody", {}, ...rows));
  table.style.setProperty("--tb-columns", String(names.columns.length));
  table.classList.toggle("tb-many", isWide(names.columns.length));
  return html("div", { class: "tb-frame" }, table);
}

/** @param {number} heads @param {number} colspan */
function headings(heads, colspan) {
  const all = Array.from({ length: heads }, (_, at) => html("th", { scope: "colgroup", colspan, class: "tb-of-head" }, `head ${at + 1}`));
  return html("tr", {}, html("td", {}), ...all);
}

/** The buttons, the words, the panel of a calculation and the place of the matrices. */
export function layOut() {
  const button = (/** @type {string} */ text) => html("button", { type: "button", class: "tb-button" }, text);
  const [shuffle, back, next] = ["Shuffle the words", "Previous stage", "Next stage"].map(button);
  const count = html("span", { class: "tb-count" });
  const bar = html("div", { class: "tb-buttons" }, shuffle, back, next, count);
  const problem = html("p", { class: "tb-problem", role: "alert" });
  const formula = html("p", { class: "tb-formula tb-formula-robot" });
  const rounding = html("p", { class: "tb-quiet tb-rounding" }, "Written to a few decimals, computed with all.");
  const panel = html("div", { class: "tb-panel" }, html("div", { class: "tb-calculation" }, formula, rounding));
  const [common, panels] = ["tb-shared", "tb-sentences"].map((name) => html("div", { class: name }));
  const scale = html("p", { class: "tb-quiet" });
  const walk = html("div", { class: "tb-walk" }, common, panels, scale);
  const work = html("div", { class: "tb-work" }, panel, walk);
  return { shuffle, back, next, count, bar, problem, formula, rounding, common, panels, scale, walk, work };
}
