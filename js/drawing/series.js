/** Four series that are told apart by a letter, a mark and a colour. */

import { CIRCLE, SQUARE, TRIANGLE, diamond, markAt } from "./marks.js";

export const MARKS = [CIRCLE, SQUARE, diamond(6.5), TRIANGLE];

/** The mark of a series at a point. @param {number} index @param {number} x @param {number} y */
export const seriesMark = (index, x, y) => markAt(MARKS[index], x, y);

/** The class that gives a shape the colour of a series. @param {number} index */
export const seriesClass = (index) => `tb-series tb-series-${index}`;
