/** The worked example's stages, as `transformer_book.worked_example` computes them; the tests hold both together. */

import { relu } from "./activations.js";
import { attend, multiply } from "./attention.js";
import { quoted } from "../words/format.js";
import { oneHot, tokenize } from "./one_hot.js";
import { encodingValue } from "./positional_encoding.js";

/** @typedef {import("./attention.js").Matrix} Matrix */
/** @typedef {Record<string, number[]>} Embeddings a row of numbers for each known word */
/** @typedef {"W_Q" | "W_K" | "W_V" | "W_O" | "W_1" | "W_2"} Weight */
/** @typedef {{ weights: Record<Weight, Matrix>, heads: number, eps: number }} Layer what one encoder layer computes with */
/**
 * @typedef {"one_hot" | "embedding" | "encoding" | "input" | "query" | "key" | "value" | "scores" | "weights" | "heads"
 *   | "attention" | "residual_1" | "norm_1" | "hidden" | "feed_forward" | "residual_2" | "output"} Stage
 */
/** @typedef {Stage | Weight | "table"} Part a matrix of the picture: a stage of a sentence, or what all sentences share */
/** @typedef {{ part: Part, head: number, row: number, column: number }} Place one number */
/** @typedef {Record<Stage, Matrix[]>} Stages one matrix a stage, or one for each head */
/** @typedef {"given" | "sum" | "product" | "scores" | "softmax" | "average" | "norm" | "relu"} Kind */

/** How each stage is computed, and from what, in the order of the walk. @type {Record<Stage, { kind: Kind, from: Part[] }>} */
export const RECIPES = {
  one_hot: { kind: "given", from: [] },
  embedding: { kind: "product", from: ["one_hot", "table"] },
  encoding: { kind: "given", from: [] },
  input: { kind: "sum", from: ["embedding", "encoding"] },
  query: { kind: "product", from: ["input", "W_Q"] },
  key: { kind: "product", from: ["input", "W_K"] },
  value: { kind: "product", from: ["input", "W_V"] },
  scores: { kind: "scores", from: ["query", "key"] },
  weights: { kind: "softmax", from: ["scores"] },
  heads: { kind: "average", from: ["weights", "value"] },
  attention: { kind: "product", from: ["heads", "W_O"] },
  residual_1: { kind: "sum", from: ["input", "attention"] },
  norm_1: { kind: "norm", from: ["residual_1"] },
  hidden: { kind: "relu", from: ["norm_1", "W_1"] },
  feed_forward: { kind: "product", from: ["hidden", "W_2"] },
  residual_2: { kind: "sum", from: ["norm_1", "feed_forward"] },
  output: { kind: "norm", from: ["residual_2"] },
};

/** The stages with a column for each word, and a matrix for each head. @type {Part[]} */
export const PAIRS = ["scores", "weights"];

/** The stages in which each head has columns of its own. @type {Part[]} */
export const SPLIT = ["query", "key", "value", "heads"];

/** @param {Part} part @returns {part is Stage} */
export const isStage = (part) => part in RECIPES;

/** @param {number[]} row */
export const mean = (row) => row.reduce((sum, value) => sum + value, 0) / row.length;

/** The mean of the squares of the distances from the mean. @param {number[]} row */
export const variance = (row) => mean(row.map((value) => (value - mean(row)) ** 2));

/** A row brought to mean 0 and variance 1. @param {number[]} row @param {number} eps */
const normalise = (row, eps) => row.map((value) => (value - mean(row)) / Math.sqrt(variance(row) + eps));

/** @param {Matrix} left @param {Matrix} right @returns {Matrix} */
const add = (left, right) => left.map((row, at) => row.map((value, column) => value + right[at][column]));

/**
 * The stages of a sentence up to what the machine reads, as rows of numbers.
 * @param {string[]} tokens @param {Embeddings} embeddings @param {number} base
 */
export function follow(tokens, embeddings, base) {
  const embedding = tokens.map((token) => embeddings[token]);
  const encoding = embedding.map((row, position) => row.map((_, column) => encodingValue(position, column, row.length, base)));
  return { embedding, encoding, input: add(embedding, encoding) };
}

/** The columns of one head, of so many. @param {Matrix} rows @param {number} head @param {number} count */
const columnsOfHead = (rows, head, count) => rows.map((row) => row.slice((head * row.length) / count, ((head + 1) * row.length) / count));

/**
 * Every stage of a sentence, from one-hot rows to the output of the layer.
 * @param {string[]} tokens @param {Embeddings} embeddings @param {number} base @param {Layer} layer @returns {Stages}
 */
export function everyStage(tokens, embeddings, base, { weights, heads: count, eps }) {
  const words = Object.keys(embeddings);
  const { embedding, encoding, input } = follow(tokens, embeddings, base);
  const [query, key, value] = [weights.W_Q, weights.W_K, weights.W_V].map((weight) => multiply(input, weight));
  const attended = Array.from({ length: count }, (_, head) => {
    const [q, k, v] = [query, key, value].map((rows) => columnsOfHead(rows, head, count));
    const { scaled, weights: shares } = attend(q, k);
    return { scaled, shares, mixed: multiply(shares, v) };
  });
  const heads = tokens.map((_, row) => attended.flatMap(({ mixed }) => mixed[row]));
  const attention = multiply(heads, weights.W_O);
  const residual_1 = add(input, attention);
  const norm_1 = residual_1.map((row) => normalise(row, eps));
  const hidden = multiply(norm_1, weights.W_1).map((row) => row.map(relu));
  const feed_forward = multiply(hidden, weights.W_2);
  const residual_2 = add(norm_1, feed_forward);
  const output = residual_2.map((row) => normalise(row, eps));
  const one_hot = oneHot(tokens.map((token) => words.indexOf(token)), words.length);
  return {
    one_hot: [one_hot], embedding: [embedding], encoding: [encoding], input: [input],
    query: [query], key: [key], value: [value],
    scores: attended.map(({ scaled }) => scaled), weights: attended.map(({ shares }) => shares),
    heads: [heads], attention: [attention], residual_1: [residual_1], norm_1: [norm_1],
    hidden: [hidden], feed_forward: [feed_forward], residual_2: [residual_2], output: [output],
  };
}

/** The head to which a column of a matrix with split columns belongs. @param {number} column @param {number} columns @param {number} count */
export const headOf = (column, columns, count) => Math.floor((column * count) / columns);

/**
 * The numbers that a number came from.
 * @param {Place} place @param {Stages} stages @param {number} count of heads @returns {Place[]}
 */
export function sources({ part, head, row, column }, stages, count) {
  if (!isStage(part)) return [];
  const { kind, from } = RECIPES[part];
  const [left, right] = from;
  /** @param {Part} of @param {number} at @param {number} [first] @param {number} [width] @returns {Place[]} */
  const along = (of, at, first = 0, width = stages[/** @type {Stage} */ (of)][0][0].length) =>
    Array.from({ length: width }, (_, index) => ({ part: of, head: 0, row: at, column: first + index }));
  /** @param {Part} of @param {number} length @returns {Place[]} */
  const down = (of, length) => Array.from({ length }, (_, index) => ({ part: of, head: 0, row: index, column }));
  if (kind === "given") return [];
  if (kind === "sum") return from.map((source) => ({ part: source, head, row, column }));
  if (kind === "norm") return along(left, row);
  if (kind === "softmax") return along(left, row).map((place) => ({ ...place, head }));
  if (kind === "scores") {
    const width = stages.query[0][0].length / count;
    return [...along(left, row, head * width, width), ...along(right, column, head * width, width)];
  }
  if (kind === "average") {
    const own = headOf(column, stages.heads[0][0].length, count);
    return [...along(left, row).map((place) => ({ ...place, head: own })), ...down(right, stages.value[0].length)];
  }
  const across = along(left, row);
  return [...across, ...down(right, across.length)];
}

/**
 * Split a sentence into the words it is made of, or say in a sentence why it cannot be followed.
 * @param {string} sentence @param {Embeddings} embeddings @param {number} most
 * @returns {{ tokens: string[], problem?: undefined } | { problem: string, tokens?: undefined }}
 */
export function readSentence(sentence, embeddings, most) {
  const tokens = tokenize(sentence);
  const known = Object.keys(embeddings).join(", ");
  const stranger = tokens.find((token) => !Object.hasOwn(embeddings, token));
  if (stranger !== undefined) return { problem: `This machine knows four words: ${known} (capitals count, no full stops). It does not know "${stranger}".` };
  if (tokens.length === 0) return { problem: `Type at least one of the words ${known}.` };
  if (tokens.length > most) return { problem: `At most ${most} words, please: there are ${tokens.length}.` };
  return { tokens };
}

/** Where a word stands in a sentence: at this place if it does, else where it stands first. @param {string} token @param {number} at @param {string[]} others */
export const placeOf = (token, at, others) => (others[at] === token ? at : others.indexOf(token));

/**
 * For each word of a sentence, the row of the same word in another sentence, or undefined.
 * @param {string[]} tokens @param {string[]} others
 */
export function counterparts(tokens, others) {
  return tokens.map((token, at) => (others.includes(token) ? placeOf(token, at, others) : undefined));
}

/** A word, and its position where it stands more than once. @param {number} at @param {string[]} tokens */
export const named = (at, tokens) => `${quoted(tokens[at])}${isRepeated(tokens[at], tokens) ? ` at position ${at}` : ""}`;

/** @param {string} token @param {string[]} tokens */
export const isRepeated = (token, tokens) => tokens.indexOf(token) !== tokens.lastIndexOf(token);

/**
 * Whether two numbers are different ones, and not the same one computed in another order.
 * @param {number} one @param {number} [other]
 */
export const differs = (one, other) => other === undefined || Math.abs(one - other) > 1e-9;

/** @typedef {{ tokens: string[], stages: Stages }} Followed a sentence and every number of it */

/**
 * The same word's place in another sentence, or the same two words' where a number belongs to two.
 * @param {Place} place @param {Followed} mine @param {Followed} other @returns {{ row: number, column: number } | undefined}
 */
export function opposite({ part, row, column }, mine, other) {
  const partners = counterparts(mine.tokens, other.tokens);
  const [at, across] = [partners[row], PAIRS.includes(part) ? partners[column] : column];
  return at === undefined || across === undefined ? undefined : { row: at, column: across };
}

/** The number that stands there. @param {Place & { part: Stage }} place @param {Followed} mine @param {Followed} other */
export function counterpart(place, mine, other) {
  const at = opposite(place, mine, other);
  return at && other.stages[place.part][place.head][at.row][at.column];
}
