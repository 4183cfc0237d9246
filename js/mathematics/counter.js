/** A position in binary digits and in waves, side by side; the tests hold both to torch's. */

import { encodingRow } from "./positional_encoding.js";

/**
 * The binary digits of a position, the fastest first; more positions than the digits can tell begin again at 0.
 * @param {number} position @param {number} count
 */
export function binaryDigits(position, count) {
  return Array.from({ length: count }, (_, digit) => Math.floor(position / 2 ** digit) % 2);
}

/**
 * What a step from a position to the next one changes: which digits flip, and how far apart the two positions are as
 * lists of `count` digits and as `count` pairs of waves.
 * @param {number} position @param {number} count @param {number} base
 */
export function stepToNext(position, count, base) {
  const [before, after] = [position, position + 1].map((at) => binaryDigits(at, count));
  const [from, to] = [position, position + 1].map((at) => encodingRow(at, 2 * count, base));
  const flipped = before.flatMap((digit, at) => (digit === after[at] ? [] : [at]));
  return { flipped, digits: Math.sqrt(flipped.length), waves: Math.hypot(...from.map((value, at) => to[at] - value)) };
}
