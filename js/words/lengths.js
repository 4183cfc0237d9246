/** What the explorer of lengths says: how often the models are right at positions that the training never had. */

import { summary } from "../mathematics/lengths.js";
import { listed, plural } from "./format.js";

/**
 * @typedef {object} State
 * @property {string} task
 * @property {string} encoding
 * @property {number} encoding_index
 * @property {string[]} names of the encodings
 * @property {number} n_layers
 * @property {number} guess of the reader at the second length, in percent
 * @property {boolean} longer whether the longer lengths are shown
 * @property {string[]} spans the positions of each length
 * @property {number} chance
 */

/**
 * `dots` are the chosen encoding's hundredths of a percent by length and seed, `all` those of every encoding.
 * @typedef {State & { dots: number[][], all: number[][][] }} Shown
 */
/** @typedef {import("./formula.js").Piece} Piece */

export const LENGTHS = ["1x", "2x", "4x"];
export const HINT = "Click in the picture to move your guess.";
/** @type {(keyof State)[]} */
const TRAITS = ["task", "n_layers", "encoding", "guess", "longer"];

/** An encoding as readers know it. @param {string} name */
export const nameOf = (name) => (name === "alibi" ? "ALiBi" : name.replace("_", " "));

/** How many lengths are shown. @param {{ longer: boolean }} now */
export const shownLengths = ({ longer }) => (longer ? LENGTHS.length : 1);

/** To a tenth, without a trailing zero. @param {number} value */
export const percent = (value) => `${Number(value.toFixed(1))}%`;

/** @param {State} now */
const layersOf = ({ n_layers }) => (n_layers === 1 ? "one layer" : "two layers");

/** The mean at a length, with the spread of the seeds. @param {Shown} now @param {number} at */
function measured({ dots, spans }, at) {
  const { mean, least, most } = summary(dots[at]);
  const spread = least === most ? "" : `, from ${percent(least).replace("%", "")} to ${percent(most)}`;
  return `${percent(mean)} at positions ${spans[at]}${spread}`;
}

/** The state, then the guess or what has changed. @param {Shown} now @param {Shown} [before] */
export function describe(now, before) {
  const { task, dots, chance, encoding, n_layers } = now;
  const shown = LENGTHS.slice(0, shownLengths(now)).map((_, at) => measured(now, at));
  const seeds = `(mean of ${plural(dots[0].length, "seed")}; guessing gives ${100 * chance}%)`;
  const caution = encoding === "none" && n_layers === 1 ? " One layer without positions cannot see any order: judge it with two." : "";
  return `${task}, ${nameOf(encoding)}, ${layersOf(now)}: ${shown.join("; ")} ${seeds}.${caution} ${comparison(now, before)}`;
}

/** @param {Shown} now @param {Shown} [before] */
function comparison(now, before) {
  const changed = before ? TRAITS.filter((trait) => now[trait] !== before[trait]) : [];
  if (!now.longer) {
    return `And at positions ${now.spans[1]}? Your guess is ${now.guess}%. Move it, then show the longer lengths.`;
  }
  if (changed.length !== 1 || changed[0] === "guess" || changed[0] === "longer") return verdict(now);
  const was = /** @type {Shown} */ (before);
  const means = LENGTHS.map((_, at) => percent(summary(was.dots[at]).mean));
  const names = { task: was.task, encoding: nameOf(was.encoding), n_layers: layersOf(was) };
  return `With ${names[/** @type {"task" | "encoding" | "n_layers"} */ (changed[0])]} it was ${listed(means)}.`;
}

/** How far the guess was off. @param {Shown} now */
function verdict({ guess, spans, dots }) {
  const { mean, least, most } = summary(dots[1]);
  const off = Math.abs(guess - mean);
  const place = `You guessed ${guess}% at positions ${spans[1]}`;
  if (guess >= Math.floor(least) && guess <= Math.ceil(most)) return `${place}: as good as the seeds, which differ as much.`;
  return `${place}: ${Number(off.toFixed(1))} points too ${guess > mean ? "high" : "low"}.`;
}

/** The means of an encoding at the lengths on screen, in percent. @param {Shown} now @param {number} encoding */
export const meansOf = (now, encoding) => now.all[encoding].slice(0, shownLengths(now)).map((hundredths) => summary(hundredths).mean);

/** The mean at twice the length, or while that is hidden, at the length of the training. @param {Shown} now @returns {Piece[]} */
export function explain(now) {
  const at = now.longer ? 1 : 0;
  const seeds = now.dots[at].map((value) => value / 100);
  const result = { result: percent(summary(now.dots[at]).mean) };
  return [{ name: `mean at ${LENGTHS[at]}: ` }, `(${seeds.join(" + ")}) / ${seeds.length} `, { unbroken: ["= ", result] }];
}

/** The accuracies of each seed of the chosen encoding, and the means of all encodings. @param {Shown} now */
export const exactRows = (now) => [
  ...now.dots[0].map((_, seed) => [`seed ${seed + 1}`, ...LENGTHS.map((_, at) => (at < shownLengths(now) ? now.dots[at][seed] / 100 : "?"))]),
  ...now.all.map((_, encoding) => {
    const means = meansOf(now, encoding).map((mean) => Number(mean.toFixed(1)));
    return [`mean of ${nameOf(now.names[encoding])}`, ...LENGTHS.map((_, at) => means[at] ?? "?")];
  }),
];
