/** The matrices of the worked example: their titles and scales, and each number with its formula. */

import { columnOf } from "../mathematics/attention.js";
import { bracket, decimals, listed, quoted, short, significant } from "./format.js";
import { denominator, describeColumn } from "../mathematics/positional_encoding.js";
import { givenFactor, softmaxQuotient, sumOfProducts } from "./formula.js";
import { PAIRS, RECIPES, SPLIT, counterpart, differs, headOf, isRepeated, isStage, mean, opposite, variance } from "../mathematics/worked_example.js";

/** @typedef {import("./formula.js").Piece} Piece */
/** @typedef {import("../mathematics/attention.js").Matrix} Matrix */
/** @typedef {import("../mathematics/worked_example.js").Stage} Stage */
/** @typedef {import("../mathematics/worked_example.js").Part} Part */
/** @typedef {import("../mathematics/worked_example.js").Place} Place */
/** @typedef {import("../mathematics/worked_example.js").Followed} Followed */
/** @typedef {{ base: number, layer: import("../mathematics/worked_example.js").Layer, embeddings: import("../mathematics/worked_example.js").Embeddings }} Machine */

/** What a stage is, where it is the one that is computed. @type {Record<Stage, string>} */
const TITLES = {
  one_hot: "one_hot: a single 1 in each row",
  embedding: "embedding = one_hot · table: one row a word",
  encoding: "encoding: one row a position",
  input: "input = embedding + encoding",
  query: "query = input W_Q: what each word asks",
  key: "key = input W_K: what each word answers to",
  value: "value = input W_V: what each word gives",
  scores: "scores = query keyᵀ / √",
  weights: "weights = softmax of each row of scores",
  heads: "heads = weights value, side by side",
  attention: "attention = heads W_O",
  residual_1: "residual_1 = input + attention",
  norm_1: "norm_1 = residual_1, normalised row by row",
  hidden: "hidden = relu(norm_1 W_1)",
  feed_forward: "feed_forward = hidden W_2",
  residual_2: "residual_2 = norm_1 + feed_forward",
  output: "output = residual_2, normalised row by row",
};

/** @param {Part} part @param {Stage} stage the one that is computed @param {number} head @param {Machine} machine */
export function title(part, stage, head, { layer }) {
  const size = layer.weights.W_K[0].length / layer.heads;
  const name = part === stage ? `${TITLES[part]}${part === "scores" ? size : ""}` : part === "table" ? "the table of embeddings" : part;
  return PAIRS.includes(part) ? `head ${head + 1}: ${name}` : name;
}

/** What a matrix is called by readers of the screen. @param {Part} part @param {number} head @param {string[]} tokens */
export const label = (part, head, tokens) =>
  `${part}${isStage(part) ? ` of ${tokens.join(" ")}` : ""}${PAIRS.includes(part) ? `, head ${head + 1}` : ""}`;

/** The names of the rows and columns of a matrix. @param {Part} part @param {Matrix} matrix @param {string[]} tokens @param {Machine} machine */
export function nameLines(part, matrix, tokens, { embeddings }) {
  const known = Object.keys(embeddings);
  const named = part === "one_hot" ? known : PAIRS.includes(part) ? tokens : undefined;
  const words = part === "encoding" ? tokens.map((token, row) => `${row} ${token}`) : tokens;
  const lines = isStage(part) ? words : part === "table" ? known : matrix.map((_, row) => String(row));
  return { rows: lines, columns: matrix[0].map((_, column) => named?.[column] ?? String(column)) };
}

/** What stands beside the matrix that the sentences share. @param {Stage} stage */
export function recipe(stage) {
  const { kind, from: [left, right] } = RECIPES[stage];
  const each = `Each number of ${stage} is a row of ${left} times a column of ${right === "table" ? "the table" : right}, number by number, added up`;
  return `The same for every sentence. ${each}${kind === "relu" ? "; what is below 0 becomes 0" : ""}.`;
}

/** The scales of colours, each with the matrices that have it. @param {Part[]} parts @param {Record<string, number>} limits */
export function legend(parts, limits) {
  const scales = [...new Set(parts.map((part) => limits[part]))];
  const ranges = scales.map((limit) => `from -${limit} to ${limit} in ${listed(parts.filter((part) => limits[part] === limit))}`);
  return `The colours go ${ranges.join(", ")}.`;
}

/** The matrix that sentences share. @param {Part} part @param {Machine} machine @returns {Matrix} */
export const shared = (part, { layer, embeddings }) =>
  part === "table" ? Object.values(embeddings) : layer.weights[/** @type {import("../mathematics/worked_example.js").Weight} */ (part)];

/** A number that is added. @param {number} value @param {(value: number) => string} [write] */
const signed = (value, write = decimals) => `${value < 0 ? "-" : "+"} ${write(Math.abs(value))}`;

/** Whether the formula of a number has numbers with more digits than it shows. @param {Part} part */
export const isRounded = (part) => isStage(part) && RECIPES[part].from.some((source) => isStage(source) && source !== "one_hot");

/**
 * A number with its formula filled in, and the same word's in the other sentence.
 * @param {Place} place @param {Followed} mine @param {Followed} other @param {Machine} machine @returns {Piece[]}
 */
export function explain(place, mine, other, machine) {
  const { part, row, column } = place;
  if (!isStage(part)) {
    const where = part === "table" ? quoted(Object.keys(machine.embeddings)[row]) : row;
    const name = { name: `${part}, row ${where}, column ${column}: ` };
    return [name, { result: String(shared(part, machine)[row][column]) }, ", chosen by hand, the same for every sentence."];
  }
  const found = mine.stages[part][place.head][row][column];
  const result = { result: part === "one_hot" ? String(found) : decimals(found) };
  return [{ name: `${whereabouts(place, mine, machine)}: ` }, ...formula({ ...place, part }, mine, machine, result), ` ${compare({ ...place, part }, mine, other)}`];
}

/** @param {Place} place @param {Followed} mine @param {Machine} machine */
function whereabouts({ part, head, row, column }, { tokens }, { layer, embeddings }) {
  if (PAIRS.includes(part)) return `${part}, head ${head + 1}, query ${quoted(tokens[row])}, key ${quoted(tokens[column])}`;
  const own = headOf(column, layer.weights.W_Q[0].length, layer.heads);
  const remark = part === "one_hot" ? quoted(Object.keys(embeddings)[column]) : SPLIT.includes(part) ? `head ${own + 1}` : "";
  return `${part}, row ${row} (${quoted(tokens[row])}), column ${column}${remark && ` (${remark})`}`;
}

/**
 * @param {Place & { part: Stage }} place @param {Followed} mine @param {Machine} machine @param {{ result: string }} result
 * @returns {Piece[]}
 */
function formula({ part, head, row, column }, { tokens, stages }, machine, result) {
  const { layer, base, embeddings } = machine;
  const { kind, from } = RECIPES[part];
  const [left, right] = /** @type {Stage[]} */ (from);
  /** @param {Stage} stage */
  const rowOf = (stage, at = 0) => stages[stage][at][row];
  const d_k = layer.weights.W_K[0].length / layer.heads;
  /** @param {(value: number) => string} [first] */
  const product = (first) => sumOfProducts(rowOf(left), columnOf(shared(right, machine), column), givenFactor, first);
  /** @type {Record<import("../mathematics/worked_example.js").Kind, () => Piece[]>} */
  const formulas = {
    given: () => {
      if (part === "one_hot") return [result, `: ${quoted(tokens[row])} is word ${Object.keys(embeddings).indexOf(tokens[row])} of ${Object.keys(embeddings).join(", ")}.`];
      return [`${angle(row, column, rowOf(part).length, base)} = `, result, "."];
    },
    sum: () => {
      const [one, two] = [left, right].map((stage) => rowOf(stage)[column]);
      const first = part === "input" ? `${decimals(one)} + ${angle(row, column, rowOf(part).length, base)} = ` : "";
      return [`${first}${decimals(one)} ${signed(two)} = `, result, "."];
    },
    product: () => {
      if (part !== "embedding") return [`${product()} = `, result, "."];
      return [`${product(String)} = `, result, `: the row of ${quoted(tokens[row])}, looked up.`];
    },
    relu: () => {
      const inner = rowOf(left).reduce((sum, value, at) => sum + value * shared(right, machine)[at][column], 0);
      return [`relu(${product()}) = relu(${decimals(inner)}) = `, result, "."];
    },
    scores: () => {
      const [q, k] = [rowOf(left), stages[right][0][column]].map((values) => values.slice(head * d_k, (head + 1) * d_k));
      const dot = q.reduce((sum, value, at) => sum + value * k[at], 0);
      return [`(${sumOfProducts(q, k)}) / √${d_k} = ${decimals(dot)} / ${significant(Math.sqrt(d_k), 5)} = `, result, "."];
    },
    softmax: () => [...softmaxQuotient(rowOf(left, head), column), result, "."],
    average: () => [`${sumOfProducts(rowOf(left, headOf(column, rowOf(part).length, layer.heads)), columnOf(stages[right][0], column))} = `, result, "."],
    norm: () => normal(rowOf(left), column, layer.eps, result),
  };
  return formulas[kind]();
}

/** @param {number} position @param {number} column @param {number} width @param {number} base */
function angle(position, column, width, base) {
  const { pair, cosine } = describeColumn(column, width, "interleaved");
  return `${cosine ? "cos" : "sin"}(${position} / ${short(denominator(pair, width, base))})`;
}

/** @param {number[]} row @param {number} column @param {number} eps @param {{ result: string }} result @returns {Piece[]} */
function normal(row, column, eps, result) {
  const middle = mean(row);
  const sum = row.map((value, at) => (at ? signed(value) : decimals(value))).join(" ");
  const squares = row.map((value) => `${bracket(value - middle)}²`).join(" + ");
  const exact = (/** @type {number} */ value) => value.toFixed(digits(row[column], middle, variance(row), eps, result.result));
  const last = `(${exact(row[column])} ${signed(-middle, exact)}) / √(${exact(variance(row))} + ${eps}) = `;
  return [`mean = (${sum}) / ${row.length} = ${exact(middle)}; variance = (${squares}) / ${row.length} = ${exact(variance(row))}; ${last}`, result, "."];
}

/** So many digits behind the point that a quotient of what is written gives its result. @param {number} value @param {number} middle @param {number} spread @param {number} eps @param {string} result */
function digits(value, middle, spread, eps, result) {
  const gives = (/** @type {number} */ count) => {
    const [one, two, three] = [value, middle, spread].map((number) => Number(number.toFixed(count)));
    return decimals((one - two) / Math.sqrt(three + eps)) === result;
  };
  return [6, 7, 8, 9, 10, 11].find(gives) ?? 12;
}

/** The counterpart in the other sentence; in more digits where four would look alike. @param {Place & { part: Stage }} place @param {Followed} mine @param {Followed} other */
function compare(place, mine, other) {
  const value = mine.stages[place.part][place.head][place.row][place.column];
  const [at, found] = [opposite(place, mine, other), counterpart(place, mine, other)];
  const pair = PAIRS.includes(place.part);
  const who = pair ? "these two words have" : "this word has";
  const sentence = quoted(other.tokens.join(" "));
  if (!at || found === undefined) return `${sentence} does not have ${pair ? "these two words" : "this word"}.`;
  const places = pair ? [at.row, at.column] : [at.row];
  const several = places.some((index) => isRepeated(other.tokens[index], other.tokens));
  const where = !several ? "" : pair ? ` (positions ${listed(places.map(String))})` : ` at position ${at.row}`;
  if (!differs(value, found)) return `In ${sentence} ${who} the same number${where}.`;
  if (decimals(found) !== decimals(value)) return `In ${sentence} ${who} ${decimals(found)}${where}.`;
  return `In ${sentence} ${who} nearly the same${where}: ${alike(found, value)}.`;
}

/** Two numbers with as many digits as it takes to tell them apart. @param {number} found @param {number} value */
function alike(found, value) {
  const count = [6, 7, 8, 9, 10].find((most) => found.toPrecision(most) !== value.toPrecision(most)) ?? 11;
  return `${significant(found, count)}, here ${significant(value, count)}`;
}
