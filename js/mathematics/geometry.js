/** Waves and turns, as `transformer_book.geometry` defines them; the tests hold both to the same values. */

import { denominator } from "./positional_encoding.js";

/**
 * Positions per full turn of a pair of columns.
 * @param {number} pair @param {number} dModel @param {number} base
 */
export function wavelength(pair, dModel, base) {
  return 2 * Math.PI * denominator(pair, dModel, base);
}

/**
 * The block of the shift matrix that turns (sin, cos) of a pair on by `offset` positions. No position occurs in it.
 * @param {number} offset @param {number} pair @param {number} dModel @param {number} base
 * @returns {[[number, number], [number, number]]}
 */
export function shiftBlock(offset, pair, dModel, base) {
  const angle = offset / denominator(pair, dModel, base);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [[cos, sin], [-sin, cos]];
}

/**
 * Sine and cosine of a pair at a position, the position being any number.
 * @param {number} position @param {number} pair @param {number} dModel @param {number} base
 * @returns {[number, number]}
 */
export function pairAt(position, pair, dModel, base) {
  const angle = position / denominator(pair, dModel, base);
  return [Math.sin(angle), Math.cos(angle)];
}
