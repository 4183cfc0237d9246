/** A sentence that is written word by word: the step, where it looks, and which word is likeliest or what did not change. */

import { ranked } from "../mathematics/attention.js";
import { jointProbability, outputProbabilities } from "../mathematics/generation.js";
import { decimals, distinguishingDigits, quoted, significant } from "./format.js";

/** @typedef {import("../mathematics/generation.js").Shown} Shown */
/** @typedef {import("./formula.js").Piece} Piece */

export const HINT = "Point at a source word to work out its share; click a place on the right to go to its step.";
export const LEGEND =
  "Coloured are the shares of the source, grey those of what is written, pale the lines of the steps before. " +
  "Shares say what is mixed in from where, not why a word is chosen.";
/** The mean of more heads is not written out. */
const MOST_ADDENDS = 4;

/** A word in quotation marks, but a special token as it is. @param {string} word */
const quotedWord = (word) => (word.startsWith("<") ? word : quoted(word));

/** Which heads the shares are from. @param {Shown} shown */
function headLabel({ head, heads }) {
  if (heads.length === 1) return "one head";
  return head === 0 ? `mean of ${heads.length} heads` : `head ${head} of ${heads.length}`;
}

/** A probability with its significant digits, however small. @param {number} value */
const probabilityText = (value) => (value > 0 && value < 1e-3 ? significant(value, 3) : decimals(value));

/**
 * Two probabilities, with as many digits as it takes to tell them apart if they differ.
 * @param {number} one @param {number} other
 */
function probabilityTexts(one, other) {
  const texts = [one, other].map(probabilityText);
  const digits = distinguishingDigits(one, other, 5, 7);
  return texts[0] === texts[1] && digits ? [one, other].map((value) => value.toPrecision(digits)) : texts;
}

/**
 * The step and, once something has moved, where it looks and the one thing worth comparing.
 * @param {Shown} now @param {Shown} [before]
 */
export function describe(now, before) {
  const { output, step } = now;
  const beginning = `${step > 2 ? "… " : ""}${output.slice(Math.max(0, step - 2), step).join(" ")}`;
  const state = `Step ${step} writes ${quotedWord(output[step])}${step ? ` after "${beginning}"` : ", the first word"}.`;
  if (!before) return `${state} Before you move on, guess: where in the source will the next word look?`;
  return `${state} ${describeSource(now)} ${describeChange(now, before) ?? describeCandidates(now)}`;
}

/** Which source words have the largest shares. @param {Shown} now */
function describeSource({ source, cross, step, head }) {
  const [most, next] = ranked(cross[step]).map((at) => `${quotedWord(source[at])}, ${decimals(cross[step][at])}`);
  const who = head === 0 ? "It" : `Head ${head}`;
  return next === undefined ? `${who} can look at ${most}, only.` : `${who} looks mostly at ${most}, then at ${next}.`;
}

/** The word that is written beside the likeliest other one. @param {Shown} now */
function describeCandidates({ output, candidates, step }) {
  const chosen = candidates[step].find(([word]) => word === output[step]) ?? candidates[step][0];
  const rival = candidates[step].find(([word]) => word !== output[step]);
  if (!rival) return "There is no other candidate.";
  const [probability, rivalProbability] = probabilityTexts(chosen[1], rival[1]);
  const name = quotedWord(rival[0]);
  const state = `${quotedWord(chosen[0])} has the probability ${probability}`;
  if (rival[1] === chosen[1]) return `${state}, ${name} the same.`;
  if (rival[1] > chosen[1]) return `${state}, though ${name} had more: ${rivalProbability}.`;
  return `${state}, the runner-up ${name} ${rivalProbability}.`;
}

/** What another head or source leaves as it was, or does not. @param {Shown} now @param {Shown} before */
function describeChange(now, before) {
  if (now.source !== before.source) return "Another source, another memory.";
  return now.head === before.head ? undefined : "The words stay: all heads choose them together.";
}

/**
 * How a source word came to its share, and the words so far to their probability.
 * @param {Shown} now @param {number} at the index of the source word @returns {Piece[]}
 */
export function explain(now, at) {
  const { source, output, step, head, heads, cross } = now;
  const share = { result: decimals(cross[step][at]) };
  const name = { name: `share of ${quotedWord(source[at])} for ${quotedWord(output[step])}, ${headLabel(now)}: ` };
  const isMean = head === 0 && heads.length > 1 && heads.length <= MOST_ADDENDS;
  const addends = heads.map((weights) => decimals(weights[step][at])).join(" + ");
  const sum = source.length === 1 ? " (the only word has all)" : ` (all ${source.length} sum to 1)`;
  return [name, isMean ? `(${addends}) / ${heads.length} = ` : "", share, sum, ...explainProbability(now)];
}

/** @param {Shown} now @returns {Piece[]} */
function explainProbability(now) {
  const { output, step } = now;
  const probabilities = outputProbabilities(now);
  const joint = (/** @type {number} */ last) => probabilityText(jointProbability(probabilities, last));
  const product = `${joint(step - 1)} · ${probabilityText(probabilities[step])} for ${quotedWord(output[step])} = `;
  return [{ name: "probability of all words so far: " }, step === 0 ? "" : product, { result: joint(step) }];
}
