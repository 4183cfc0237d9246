/** Text to tokens, ids and one-hot rows, as `transformer_book.one_hot` has them; the tests hold both together. */

/** @typedef {"sorted" | "first"} Order of the vocabulary: sorted, or as the words first appear */
/** @typedef {Record<string, number[]>} Rows a row of numbers for a word */
/**
 * @typedef {object} Encoded
 * @property {string[]} tokens
 * @property {string[]} entries the vocabulary
 * @property {number[]} ids of the tokens
 * @property {number[][]} matrix one row a token, one column an entry
 * @property {number[][]} table one row an entry
 * @property {number[][]} picked one row a token
 */

/** What Python's `str.split()` takes for white space. */
const WHITE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

/** @param {string} text */
export function tokenize(text) {
  return text.split(WHITE).filter((token) => token !== "");
}

/**
 * The different tokens of a text in the order asked for.
 * @param {string[]} tokens @param {Order} order
 */
export function vocabulary(tokens, order) {
  const entries = [...new Set(tokens)];
  return order === "sorted" ? entries.sort(byCodePoint) : entries;
}

/** As Python sorts; JavaScript by itself would put some characters before others. @param {string} one @param {string} other */
function byCodePoint(one, other) {
  const [left, right] = [one, other].map((text) => Array.from(text, (sign) => sign.codePointAt(0) ?? 0));
  const at = left.findIndex((code, index) => code !== right[index]);
  return at === -1 ? left.length - right.length : left[at] - (right[at] ?? -1);
}

/** @param {number[]} ids @param {number} size */
export function oneHot(ids, size) {
  return ids.map((id) => Array.from({ length: size }, (_, column) => Number(column === id)));
}

/**
 * Four numbers for a word that the book has none for: the digits of a checksum of its characters, divided by ten.
 * @param {string} word
 */
export function madeUpRow(word) {
  let sum = 0;
  for (const character of word) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return Array.from(String(sum).padStart(4, "0"), (digit) => Number(digit) / 10);
}

/**
 * Every stage of a sentence.
 * @param {string[]} tokens @param {Order} order @param {Rows} known the rows that are not made up
 * @returns {Encoded}
 */
export function encode(tokens, order, known) {
  const entries = vocabulary(tokens, order);
  const ids = tokens.map((token) => entries.indexOf(token));
  const table = entries.map((entry) => (Object.hasOwn(known, entry) ? known[entry] : madeUpRow(entry)));
  return { tokens, entries, ids, matrix: oneHot(ids, entries.length), table, picked: ids.map((id) => table[id]) };
}

/**
 * Split a sentence into words, or say in a sentence why it cannot be shown.
 * @param {string} text @param {number} most words @param {number} longest characters in a word
 * @returns {{ tokens: string[], problem?: undefined } | { problem: string, tokens?: undefined }}
 */
export function readText(text, most, longest) {
  const tokens = tokenize(text);
  const long = tokens.find((token) => [...token].length > longest);
  if (tokens.length === 0) return { problem: "Type at least one word." };
  if (tokens.length > most) return { problem: `At most ${most} words, please: there are ${tokens.length}.` };
  if (long !== undefined) return { problem: `At most ${longest} characters in a word, please: one has ${[...long].length}.` };
  return { tokens };
}
