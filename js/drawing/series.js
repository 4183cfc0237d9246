/** Four series that are told apart by a letter, a mark and a colour. */

import { html, svg } from "./dom.js";

/** Paths around the point they mark. */
const MARKS = ["m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "m-4.5 -4.5h9v9h-9z", "m0 -6.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z", "m0 -6l6 10.5h-12z"];

/** The mark of a series at a point. @param {number} index @param {number} x @param {number} y */
export const markAt = (index, x, y) => `M${x} ${y}${MARKS[index]}`;

/** The class that gives a shape the colour of a series. @param {number} index */
export const seriesClass = (index) => `tb-series tb-series-${index}`;

/** A mark for a legend. @param {number} index */
export function legendMark(index) {
  return html("span", { class: "tb-series-key" }, svg("svg", { width: 16, height: 16 }, svg("path", { class: seriesClass(index), d: markAt(index, 8, 8) })));
}
