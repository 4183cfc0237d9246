/** What the explorer "template name" says. */

import { squares } from "../mathematics/template_name.js";

/** @typedef {{ count: number, number: number }} State */

/** The state, and what changed. @param {State} now @param {State} [before] */
export function describe(now, before) {
  const state = `The square of ${now.number} is ${squareOf(now)}.`;
  if (!before) return `${state} Click a bar to choose another number.`;
  if (before.number === now.number) return state;
  return `${state} The one before, of ${before.number}, was ${squareOf(before)}.`;
}

/** @param {State} state */
const squareOf = ({ count, number }) => squares(count)[number];
