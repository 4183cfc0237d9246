/** ReLU and softmax as `transformer_book.activations` defines them; the tests hold both together. */

/**
 * ln(sum of e^value), the largest value taken out first so that no power overflows.
 * @param {number[]} values
 */
export function logsumexp(values) {
  const top = Math.max(...values);
  if (!Number.isFinite(top)) return top;
  return top + Math.log(values.reduce((sum, value) => sum + Math.exp(value - top), 0));
}

/**
 * Shares that sum to 1, e^(score / temperature) over the sum of all such powers.
 * @param {number[]} scores @param {number} [temperature]
 */
export const softmax = (scores, temperature = 1) => stablePowers(scores, temperature).shares;

/**
 * The powers, their sum and the shares once the largest score is taken off all of them: no power is above 1, one is 1.
 * @param {number[]} scores @param {number} [temperature]
 */
export function stablePowers(scores, temperature = 1) {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp((score - top) / temperature));
  const sum = powers.reduce((all, power) => all + power, 0);
  return { powers, sum, shares: powers.map((power) => power / sum) };
}

/**
 * The same without that precaution, and rounded to float32 at every step as torch does: powers may be 0 or Infinity,
 * and the shares then NaN.
 * @param {number[]} scores @param {number} [temperature]
 */
export function plainPowers(scores, temperature = 1) {
  const { fround } = Math;
  const powers = scores.map((score) => fround(Math.exp(fround(fround(score) / fround(temperature)))));
  const sum = powers.reduce((all, power) => fround(all + power), 0);
  return { powers, sum, shares: powers.map((power) => fround(power / sum)) };
}

/**
 * How spread the shares are, in bits: 0 where one has all, log2 of their number where all are alike.
 * @param {number[]} shares
 */
export function entropy(shares) {
  return shares.reduce((sum, share) => (share > 0 ? sum - share * Math.log2(share) : sum), 0);
}

/** 1 / (1 + e^-value). @param {number} value */
export const sigmoid = (value) => 1 / (1 + Math.exp(-value));

/** @param {number} value */
export const relu = (value) => (value <= 0 ? 0 : value);

/**
 * relu(weight x + bias): the sum before it, freed of the noise of rounding so that 0 is 0, the output, how steep ReLU is
 * there (at the corner 0, as in torch), and the gradients of the output to x, weight and bias.
 * @param {number} weight @param {number} bias @param {number} x
 */
export function neuron(weight, bias, x) {
  const sum = Number((weight * x + bias).toFixed(9)) + 0;
  const slope = sum > 0 ? 1 : 0;
  return { sum, output: relu(sum), slope, gradients: { x: slope && weight, weight: slope && x, bias: slope } };
}
