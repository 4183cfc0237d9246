/** The worked example's stages, as `transformer_book.worked_example` computes them; the tests hold both together. */

import { tokenize } from "./one_hot.js";
import { encodingValue } from "./positional_encoding.js";

/** @typedef {"embedding" | "encoding" | "input"} Stage */
/** @typedef {Record<string, number[]>} Embeddings a row of numbers for each known word */
/** @typedef {{ stage: Stage, row: number, column: number }} Place one number of one stage */

/** The stages that a stage is computed from, in the order in which they are added. @type {Record<Stage, Stage[]>} */
export const SOURCES = { embedding: [], encoding: [], input: ["embedding", "encoding"] };

/**
 * Every stage of a sentence, as rows of numbers.
 * @param {string[]} tokens @param {Embeddings} embeddings @param {number} base
 * @returns {Record<Stage, number[][]>}
 */
export function follow(tokens, embeddings, base) {
  const embedding = tokens.map((token) => embeddings[token]);
  const encoding = embedding.map((row, position) => row.map((_, column) => encodingValue(position, column, row.length, base)));
  const input = embedding.map((row, position) => row.map((value, column) => value + encoding[position][column]));
  return { embedding, encoding, input };
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

/**
 * For each word of a sentence, the row where the same word first stands in another sentence, or undefined.
 * @param {string[]} tokens @param {string[]} others
 */
export function counterparts(tokens, others) {
  return tokens.map((token) => (others.includes(token) ? others.indexOf(token) : undefined));
}
