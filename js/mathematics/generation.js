/** What is computed of a sentence that is written word by word; the tests hold it to torch's. */

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
export function meanOrHead(heads, head) {
  if (head > 0) return heads[head - 1];
  const mean = (/** @type {number} */ row, /** @type {number} */ column) =>
    heads.reduce((sum, weights) => sum + weights[row][column], 0) / heads.length;
  return heads[0].map((shares, row) => shares.map((_, column) => mean(row, column)));
}

/**
 * The probability of each step's word among its candidates.
 * @param {Pick<Shown, "output" | "candidates">} shown @returns {number[]}
 */
export const outputProbabilities = ({ output, candidates }) =>
  candidates.map((list, step) => list.find(([word]) => word === output[step])?.[1] ?? 0);

/** The probability of all words up to a step. @param {number[]} probabilities of each word @param {number} step */
export const jointProbability = (probabilities, step) =>
  probabilities.slice(0, step + 1).reduce((product, value) => product * value, 1);
