/** Numbers in the cells of a matrix: coloured, pointed at, and walked through by keys. */

import { html } from "./dom.js";
import { colourIndex } from "./palette.js";

/** @param {number} at @param {number} count */
const within = (at, count) => Math.min(count - 1, Math.max(0, at));

/**
 * Where a key leads in a matrix, never beyond its edge; undefined for a key that leads nowhere.
 * @param {string} key as a keyboard event names it @param {{ row: number, column: number }} place
 * @param {number} rows @param {number} columns
 */
export function move(key, { row, column }, rows, columns) {
  const to = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    Home: [row, 0],
    End: [row, columns - 1],
  }[key];
  return to && { row: within(to[0], rows), column: within(to[1], columns) };
}

/**
 * The cell of a number. A pointer over it calls `point`; the focus, which it gets by a click too, calls `choose`;
 * `walk` gives the cell to which a key leads.
 * @param {Node | string} text
 * @param {{ point: () => void, choose: () => void, walk: (key: string) => HTMLElement | undefined }} listeners
 */
export function numberCell(text, { point, choose, walk }) {
  const cell = html("td", { role: "gridcell", tabindex: -1 }, text);
  cell.addEventListener("pointerenter", point);
  cell.addEventListener("focus", choose);
  cell.addEventListener("pointerdown", () => cell.focus());
  cell.addEventListener("keydown", (event) => {
    const to = walk(event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
  return cell;
}

/**
 * The colour of a value behind its number, and ink that can be read on it.
 * @param {HTMLElement} cell @param {number} value @param {import("./palette.js").Palette} palette
 * @param {number} [limit] the value of the last colour
 */
export function tint(cell, value, palette, limit) {
  const index = colourIndex(value, palette.css.length, limit);
  cell.style.background = palette.css[index];
  cell.style.color = palette.dark[index] ? "#fff" : "#000";
}

/** Takes the classes off the cells that had them last, and gives them to others: few change while a pointer moves. */
export function lights() {
  /** @type {Map<HTMLElement, string>} */
  let lit = new Map();
  return (/** @type {Map<HTMLElement, string>} */ next) => {
    for (const [cell, name] of lit) cell.classList.remove(name);
    for (const [cell, name] of next) cell.classList.add(name);
    lit = next;
  };
}

/** Each matrix has one cell where the Tab key stops; the arrows lead on from there. */
export function tabStops() {
  /** @type {Map<string | number, HTMLElement>} */
  const stops = new Map();
  return (/** @type {string | number} */ matrix, /** @type {HTMLElement} */ cell) => {
    stops.get(matrix)?.setAttribute("tabindex", "-1");
    cell.tabIndex = 0;
    stops.set(matrix, cell);
  };
}
