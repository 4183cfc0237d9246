/** Sums written out, with all their numbers. */

import { readablePowers } from "../mathematics/attention.js";
import { bracket, decimals, readable } from "./format.js";

/** @typedef {import("./formula.js").Piece} Piece */

/**
 * The sum of products that a number is.
 * @param {number[]} left @param {number[]} right
 * @param {(value: number) => string} [write] the factors on the right @param {(value: number) => string} [first] and on the left
 */
export const products = (left, right, write = bracket, first = decimals) =>
  left.map((factor, at) => `${at ? bracket(factor, first(factor)) : first(factor)} · ${write(right[at])}`).join(" + ");

/** A weight as it was chosen, without zeros behind it. @param {number} value */
export const asChosen = (value) => bracket(value, String(value));

/**
 * A share of softmax: e to the score, over the sum of these of the row.
 * @param {number[]} scores @param {number} at @param {boolean[]} [allowed] @returns {Piece[]}
 */
export function quotient(scores, at, allowed) {
  const { taken, exponents, sum } = readablePowers(scores, allowed);
  const own = scores[at] - taken;
  const before = taken ? [`the largest, ${readable(taken)}, taken off first: `] : [];
  const all = exponents.flatMap((exponent, index) => [index ? " + " : " / (", { exponent: readable(exponent) }]);
  return [...before, { exponent: readable(own) }, ...all, `) = ${decimals(Math.exp(own))} / ${decimals(sum)} = `];
}
