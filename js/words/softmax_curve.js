/** The score that moves, and its rivals, in words. */

import { logsumexp, softmax } from "../mathematics/activations.js";
import { decimals, significant } from "./format.js";

/**
 * @typedef {object} State
 * @property {number} x the score that moves
 * @property {number} b
 * @property {number} c
 * @property {number} d
 * @property {boolean} means whether each rival's mean is drawn too
 */

/** @type {(keyof State)[]} */
export const TRAITS = ["x", "b", "c", "d", "means"];
export const NAMES = ["x", "b", "c", "d"];

/** @param {State} now */
export const rivalsOf = ({ b, c, d }) => [b, c, d];

/** The shares of x and of its rivals. @param {number} x @param {State} now */
export const sharesAt = (x, now) => softmax([x, ...rivalsOf(now)]);

/** The mean of each rival's curve. @param {number[][]} curves */
export const meansOf = (curves) => [1, 2, 3].map((at) => curves.reduce((sum, shares) => sum + shares[at], 0) / curves.length);

/**
 * The state, what moved and what did not, and what the mean lines would come to.
 * @param {State} now @param {number[][]} curves @param {State} [before]
 */
export function describe(now, curves, before) {
  const shares = sharesAt(now.x, now);
  const rivals = rivalsOf(now).map((rival) => significant(rival, 4));
  const tied = NAMES.filter((_, at) => at && Math.abs(shares[at] - shares[0]) < 1e-12);
  const tie = tied.length ? `, a tie with ${tied.join(" and ")}` : "";
  const state = `x = ${significant(now.x, 4)} against ${rivals.slice(0, 2).join(", ")} and ${rivals[2]}: x has ${decimals(shares[0])}${tie}.`;
  const sum = shares[0] + meansOf(curves).reduce((all, mean) => all + mean, 0);
  const means = now.means ? `With every rival at its dashed mean the four would sum to ${decimals(sum)} here.` : "";
  return [state, change(now, shares, before), means].filter(Boolean).join(" ");
}

/** @param {State} now @param {number[]} shares @param {State} [before] */
function change(now, shares, before) {
  if (!before) return "Move x, and watch the three rivals.";
  const moved = TRAITS.filter((trait) => now[trait] !== before[trait]);
  if (moved.length !== 1) return "";
  const [middle, was] = [now, before].map((state) => logsumexp(rivalsOf(state)));
  if (moved[0] === "means") return now.means ? "The dashed lines are new; no curve moved." : "The dashed lines are gone; no curve moved.";
  if (moved[0] === "x") {
    const up = now.x > before.x;
    const factor = significant(shares[1] / sharesAt(before.x, before)[1], 4);
    const [its, theirs] = up ? ["rose", "fell"] : ["fell", "rose"];
    const ratios = `all three have ${factor} times what they had, and keep their ratios`;
    const curves = `The curves stay; that of x is a sigmoid with its middle at ${decimals(middle)}, the logsumexp of the rivals.`;
    return `Its share ${its}, and every rival ${theirs}: ${ratios}. ${curves}`;
  }
  const half = `x needs ${decimals(middle)} for one half, the logsumexp of the rivals. Before it was ${decimals(was)}.`;
  return `The curve of x has kept its shape, a sigmoid, and moved ${middle > was ? "right" : "left"}: ${half}`;
}
