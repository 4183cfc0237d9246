/** The writing of a sentence in words: the step, where it looks, and which word is likeliest or what stays as it was. */

import { ranked } from "../mathematics/attention.js";
import { decimals, significant } from "./format.js";
import { chosen, together } from "../mathematics/generation.js";

/** @typedef {import("../mathematics/generation.js").Shown} Shown */
/** @typedef {import("./formula.js").Piece} Piece */

/** The mean of more heads is not written out. */
const FEW = 4;

/** A word in quotes, and a token in its own brackets. @param {string} word */
const quoted = (word) => (word.startsWith("<") ? word : `"${word}"`);

/** Whose shares are shown. @param {Shown} shown */
export function whose({ head, heads }) {
  if (heads.length === 1) return "one head";
  return head === 0 ? `mean of ${heads.length} heads` : `head ${head} of ${heads.length}`;
}

/** A probability, however small. @param {number} value */
const readable = (value) => (value > 0 && value < 1e-3 ? significant(value, 3) : decimals(value));

/** Two probabilities, where they differ with as many digits as tell them apart. @param {number} one @param {number} other */
function apart(one, other) {
  const precise = [5, 6, 7].map((digits) => (/** @type {number} */ value) => value.toPrecision(digits));
  const write = [readable, ...precise].find((way) => way(one) !== way(other)) ?? readable;
  return [write(one), write(other)];
}

/**
 * The step and, once something has moved, where it looks and the one thing worth comparing.
 * @param {Shown} now @param {Shown} [before]
 */
export function describe(now, before) {
  const { output, step } = now;
  const so = `${step > 2 ? "… " : ""}${output.slice(Math.max(0, step - 2), step).join(" ")}`;
  const state = `Step ${step} writes ${quoted(output[step])}${step ? ` after "${so}"` : ", the first word"}.`;
  if (!before) return `${state} Before you move on, guess: where in the source will the next word look?`;
  return `${state} ${looks(now)} ${stays(now, before) ?? likeliest(now)}`;
}

/** Whom the word being written gives most. @param {Shown} now */
function looks({ source, cross, step, head }) {
  const [most, next] = ranked(cross[step]).map((at) => `${quoted(source[at])}, ${decimals(cross[step][at])}`);
  const who = head === 0 ? "It" : `Head ${head}`;
  return next === undefined ? `${who} can look at ${most}, only.` : `${who} looks mostly at ${most}, then at ${next}.`;
}

/** The chosen word beside its rival. @param {Shown} now */
function likeliest({ output, candidates, step }) {
  const mine = candidates[step].find(([word]) => word === output[step]) ?? candidates[step][0];
  const rival = candidates[step].find(([word]) => word !== output[step]);
  if (!rival) return "There is no other candidate.";
  const [name, [own, other]] = [quoted(rival[0]), apart(mine[1], rival[1])];
  const state = `${quoted(mine[0])} has the probability ${own}`;
  if (rival[1] === mine[1]) return `${state}, ${name} the same.`;
  return rival[1] > mine[1] ? `${state}, though ${name} had more: ${other}.` : `${state}, the runner-up ${name} ${other}.`;
}

/** What another head or source leaves as it was, or does not. @param {Shown} now @param {Shown} before */
function stays(now, before) {
  if (now.source !== before.source) return "Another source, another memory.";
  return now.head === before.head ? undefined : "The words stay: all heads choose them together.";
}

/**
 * How a source word came to its share, and the sentence so far to its probability.
 * @param {Shown} now @param {number} at @returns {Piece[]}
 */
export function explain(now, at) {
  const { source, output, step, head, heads, cross } = now;
  const each = heads.map((weights) => weights[step][at]);
  const share = { result: decimals(cross[step][at]) };
  const name = { name: `share of ${quoted(source[at])} for ${quoted(output[step])}, ${whose(now)}: ` };
  const written = each.length <= FEW ? `(${each.map(decimals).join(" + ")}) / ${each.length} = ` : "";
  const formula = head === 0 && each.length > 1 ? written : "";
  const probabilities = chosen(now);
  const so = { name: "probability of all words so far: " };
  const product = step === 0 ? "" : `${readable(together(probabilities, step - 1))} · ${readable(probabilities[step])} for ${quoted(output[step])} = `;
  const all = source.length === 1 ? " (the only word has all)" : ` (all ${source.length} sum to 1)`;
  return [name, formula, share, all, so, product, { result: readable(together(probabilities, step)) }];
}
