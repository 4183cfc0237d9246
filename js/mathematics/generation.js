/** A sentence written word by word, in numbers: the tests hold them to torch's. */

/** @typedef {import("./attention.js").Matrix} Matrix */
/** @typedef {[word: string, probability: number][]} Candidates the likeliest first */

/**
 * What is on screen: everything of the step at hand, and the lines of the steps before.
 * @typedef {object} Shown
 * @property {string[]} source
 * @property {string[]} output all of it, whether written yet or not
 * @property {number} step how many words are written already
 * @property {number} head the number of a head from 1, or 0 for the mean of all
 * @property {Matrix[]} heads for each head, a row of the source's shares for each step
 * @property {Matrix} cross the same for the head at hand, or the mean
 * @property {Matrix} self a row of the shares of the start and the words so far for each step
 * @property {Candidates[]} candidates for each step
 */

/**
 * The mean of all heads, or one of them.
 * @param {Matrix[]} heads @param {number} head from 1; 0 for the mean @returns {Matrix}
 */
export function ofHeads(heads, head) {
  if (head > 0) return heads[head - 1];
  const mean = (/** @type {number} */ row, /** @type {number} */ column) => heads.reduce((sum, weights) => sum + weights[row][column], 0) / heads.length;
  return heads[0].map((shares, row) => shares.map((_, column) => mean(row, column)));
}

/** Where the largest of some numbers stands. @param {number[]} numbers */
export const top = (numbers) => numbers.indexOf(Math.max(...numbers));

/** The probability of each step's word among its candidates. @param {Shown} shown @returns {number[]} */
export const chosen = ({ output, candidates }) =>
  candidates.map((list, step) => list.find(([word]) => word === output[step])?.[1] ?? 0);

/**
 * The probability of writing all words up to a step: the product of theirs.
 * @param {number[]} probabilities @param {number} step
 */
export const together = (probabilities, step) => probabilities.slice(0, step + 1).reduce((product, value) => product * value, 1);
