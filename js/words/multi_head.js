/** The heads of a layer in words: a row, a weight with its formula, and what all words of a head do alike. */

import { maskNamed, ranked, readablePowers } from "../mathematics/attention.js";
import { bracket, decimals, readable } from "./format.js";

/** @typedef {import("./formula.js").Piece} Piece */
/** @typedef {{ tokens: string[], query: number, mask: string, heads: import("../mathematics/attention.js").Head[] }} Shown */

/** A longer vector is not written out. */
const SHORT = 4;

/** @param {{ row: number, column: number }} place @param {Shown} shown */
export const isMasked = ({ row, column }, { mask }) => mask === "causal" && column > row;

/** The places that the query may look at, that of its largest weight first. @param {Shown} shown @param {number} head */
const order = ({ tokens, query, mask, heads }, head) => ranked(heads[head].weights[query], maskNamed(mask, tokens.length)?.[query]);

/** The query's row of a head in words: whom it gives most, and next. @param {Shown} shown @param {number} head */
export function say(shown, head) {
  const { tokens, query, heads } = shown;
  const weights = heads[head].weights[query];
  const [most, next] = order(shown, head).map((at) => `"${tokens[at]}" ${decimals(weights[at])}`);
  return `"${tokens[query]}" gives ${most}${next === undefined ? "" : `, next ${next}`}.`;
}

/**
 * A weight with its formula filled in.
 * @param {{ head: number, row: number, column: number }} place @param {Shown} shown @returns {Piece[]}
 */
export function explain({ head, row, column }, shown) {
  const { tokens, heads, mask } = shown;
  const { q, k, scores, scaled, weights } = heads[head];
  const lead = heads.length === 1 ? "one head" : `head ${head + 1}`;
  const name = { name: `${lead}, query "${tokens[row]}", key "${tokens[column]}": ` };
  const hidden = `"${tokens[column]}" stands after "${tokens[row]}", so its weight is `;
  if (isMasked({ row, column }, shown)) return [name, hidden, { result: "0" }, "."];
  const size = q[row].length;
  /** @param {number} value */
  const factor = (value) => bracket(value, readable(value));
  const products = q[row].map((value, at) => `${factor(value)} · ${factor(k[column][at])}`).join(" + ");
  const product = size > SHORT ? "q · k" : `(${products})`;
  const own = scaled[row][column];
  const { subtracted, sum } = readablePowers(scaled[row], maskNamed(mask, tokens.length)?.[row]);
  const before = size > SHORT ? `${product} / √${size} = ${readable(scores[row][column])}` : product;
  const score = `${before} / √${size} = `;
  const softmax = subtracted ? `softmax, the largest score, ${readable(subtracted)}, taken off first: ` : "softmax: ";
  const result = { result: decimals(weights[row][column]) };
  return [name, `${score}${readable(own)}; ${softmax}`, { exponent: readable(own - subtracted) }, ` / ${decimals(sum)} = `, result, "."];
}

/** What is on screen, and for each head what all words do alike. @param {Shown} shown @param {Shown} [before] */
export function describe(shown, before) {
  const { tokens, query, mask, heads } = shown;
  const size = heads[0].q[0].length;
  const split = heads.length === 1 ? `one head of size ${size}` : `${heads.length} heads of size ${size}`;
  const seen = mask === "causal" ? "causal mask" : "no mask";
  const state = `"${tokens.join(" ")}", ${split}, ${seen}. "${tokens[query]}" at position ${query} asks.`;
  const same = before?.heads.length === heads.length ? before : undefined;
  const found = heads.map((_, head) => {
    const text = habit(shown, head, same);
    return text && (heads.length === 1 ? text : `head ${head + 1}: ${text}`);
  });
  const habits = found.filter(Boolean).join("; ");
  const most = habits && `Who gets most? ${habits[0].toUpperCase()}${habits.slice(1)}.`;
  return [state, most, heads.length === 1 && spread(shown)].filter(Boolean).join(" ");
}

/** What most words of a head do alike, if anything. @param {Shown} shown @param {number} head @param {Shown} [before] */
function habit(shown, head, before) {
  const { tokens, heads } = shown;
  const place = favourite(shown, head);
  if (place !== undefined) return `${whom(place, tokens, before, before && favourite(before, head))}, for every word`;
  const tops = heads[head].weights.map(top);
  const counts = tokens.map((_, at) => tops.filter((other) => other === at).length);
  const common = top(counts);
  const previous = tops.filter((at, row) => at === row - 1).length;
  const others = tokens.length - 1;
  if (previous === others) return "the word before, for every word after the first";
  const mostly = previous > 0.6 * others && previous >= counts[common];
  if (mostly) return `the word before, for ${previous} of the ${others} words after the first`;
  if (counts[common] <= 0.6 * tokens.length) return "";
  return `"${tokens[common]}" at position ${common}, for ${counts[common]} of the ${tokens.length} words`;
}

/**
 * A word and its place, and what of the two is as it was.
 * @param {number} place @param {string[]} tokens @param {Shown} [before] @param {number} [was]
 */
function whom(place, tokens, before, was) {
  const token = tokens[place];
  if (before && was !== undefined && was !== place && before.tokens[was] === token) return `still "${token}", now at position ${place}`;
  if (before && was === place && before.tokens[was] !== token) return `still position ${place}, now "${token}"`;
  return `"${token}" at position ${place}`;
}

/** Where the largest of some numbers stands. @param {number[]} numbers */
export const top = (numbers) => numbers.indexOf(Math.max(...numbers));

/** The place to which every query of a head gives most. @param {Shown} shown @param {number} head */
function favourite({ heads }, head) {
  const places = heads[head].weights.map(top);
  return places.every((place) => place === places[0]) ? places[0] : undefined;
}

/** How far apart the shares of the query are. @param {Shown} shown */
function spread(shown) {
  const { tokens, query, heads } = shown;
  const shares = order(shown, 0).map((at) => decimals(heads[0].weights[query][at]));
  return `The shares of "${tokens[query]}" lie between ${shares.at(-1)} and ${shares[0]}.`;
}
