/** The writing of a sentence in words: the step, where it looks, which word is likeliest, and what stays as it was. */

import { ranked } from "./attention.js";
import { decimals } from "./format.js";
import { chosen, crossed, together } from "./generation.js";

/** @typedef {import("./generation.js").Shown} Shown */
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

/** The state, and, once something has moved, what to compare and what stayed. @param {Shown} now @param {Shown} [before] */
export function describe(now, before) {
  const { output, step } = now;
  const so = step === 0 ? "nothing is written yet" : `written so far "${output.slice(0, step).join(" ")}"`;
  const state = `Step ${step} (the last is ${output.length - 1}), ${whose(now)}: ${so}, now ${quoted(output[step])}.`;
  if (!before) return `${state} Guess before each move of step: to which source word will the next word look?`;
  return [state, looks(now), likeliest(now), unchanged(now, before)].join(" ");
}

/** Whom the word being written gives most. @param {Shown} now */
function looks({ source, output, cross, step }) {
  const [most, next] = ranked(cross[step]).map((at) => `${quoted(source[at])} ${decimals(cross[step][at])}`);
  const over = crossed(cross, step).map((at) => quoted(output[at]));
  const lines = over.length === 0 ? "" : ` Its thickest line crosses ${over.length === 1 ? `that of ${over[0]}` : `those of ${over.length} others`}.`;
  return `Choosing it, the decoder gives ${most}${next === undefined ? "" : `, next ${next}`}.${lines}`;
}

/** The chosen word beside its rival. @param {Shown} now */
function likeliest({ output, candidates, step }) {
  const mine = candidates[step].find(([word]) => word === output[step]) ?? candidates[step][0];
  const rival = candidates[step].find(([word]) => word !== output[step]);
  if (!rival) return `${quoted(mine[0])} is the only candidate.`;
  const [name, share] = [quoted(rival[0]), decimals(rival[1])];
  return rival[1] > mine[1]
    ? `${quoted(mine[0])} has a probability of ${decimals(mine[1])}, though ${name} would have been likelier, ${share}.`
    : `${quoted(mine[0])} has a probability of ${decimals(mine[1])}, the runner-up ${name} ${share}.`;
}

/** What did not change. @param {Shown} now @param {Shown} before */
function unchanged(now, before) {
  if (now.source !== before.source) return "Another source, another memory: it was made anew, once for all steps.";
  if (now.head !== before.head) return "No word and no probability changed: all heads together make them, whichever is shown.";
  if (now.step === before.step) return "";
  return `Unchanged: ${now.step ? "the words already written, and " : ""}the memory of the source.`;
}

/** How a source word came to its share, and the sentence so far to its probability. @param {Shown} now @param {number} at @returns {Piece[]} */
export function explain(now, at) {
  const { source, output, step, head, heads, cross } = now;
  const each = heads.map((weights) => weights[step][at]);
  const share = { result: decimals(cross[step][at]) };
  const name = { name: `share of ${quoted(source[at])} for ${quoted(output[step])}, ${whose(now)}: ` };
  const written = each.length <= FEW ? `(${each.map(decimals).join(" + ")}) / ${each.length} = ` : "";
  const formula = head === 0 && each.length > 1 ? written : "";
  const probabilities = chosen(now);
  const so = { name: "probability of all words so far: " };
  const product = step === 0 ? "" : `${decimals(together(probabilities, step - 1))} · ${decimals(probabilities[step])} for ${quoted(output[step])} = `;
  return [name, formula, share, ` (all ${source.length} sum to 1)`, so, product, { result: decimals(together(probabilities, step)) }];
}
