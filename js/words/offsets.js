/** What the explorer of offsets says: which scores know the distance alone, and which know where the query stands. */

import { alibiSlope, applyRotary, factors, scoreAt, spreadOf } from "../mathematics/offsets.js";
import { angleAt } from "../mathematics/geometry.js";
import { bracket, decimals, listed, significant } from "./format.js";
import { givenFactor, sumOfProducts } from "./formula.js";

/** @typedef {import("../mathematics/offsets.js").Method} Method */
/** @typedef {import("./formula.js").Piece} Piece */
/**
 * @typedef {object} Choices
 * @property {Method} method
 * @property {Method} beside
 * @property {number} offset of the key
 * @property {number} position of the query
 * @property {number} window the largest offset
 * @property {number[]} references the positions with which the chosen one is compared
 */
/** @typedef {Choices & import("../mathematics/offsets.js").Scoring} State */
/** @typedef {State & { curves: number[][][] }} Shown the scores by method, by position of the query and by offset */

export const HINT = "Point at a curve to read it; click to choose that offset.";
/** @type {Record<Method, string>} */
export const NAMES = { sinusoidal: "sinusoidal", rotary: "rotary", alibi: "ALiBi", learned: "learned, untrained", none: "none" };
/** The methods as subjects of a sentence. @type {Record<Method, string>} */
const SUBJECTS = { sinusoidal: "sinusoidal", rotary: "rotary", alibi: "ALiBi", learned: "the untrained table", none: "no positions" };
/** @type {(keyof State)[]} */
const TRAITS = ["method", "beside", "offset", "position", "base", "head"];
/** Scores that differ by less differ by rounding alone. */
const ROUNDING = 1e-9;

/** @param {State} now @returns {[Method, Method]} */
export const methodsOf = ({ method, beside }) => [method, beside];

/** Where the query stands: the chosen position first. @param {State} now */
export const positionsOf = ({ position, references }) => [position, ...references];

/** What does not change: the query, the key and how they are scored. @param {State} now */
export const setting = ({ query, key }) =>
  `Query (${query.join(", ")}) and key (${key.join(", ")}) at every position; score = query · key / ${Math.sqrt(query.length)}.`;

/** The slope of the chosen head, a power of two: "1/8". @param {State} now */
const slopeOf = ({ head, n_heads }) => `1/${1 / alibiSlope(head, n_heads)}`;

/** What the curves of a panel have in common. @param {number[][]} curves */
export function verdict(curves) {
  const apart = spreadOf(curves);
  return apart < ROUNDING ? "one curve for all three" : `three curves, up to ${apart.toFixed(2)} apart`;
}

/** @param {State} now @returns {Piece[][]} */
export const legendTexts = (now) => positionsOf(now).map((at, index) => [`query at ${at}${index ? "" : ", chosen"}`]);

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The scores at an offset, in brackets those of the other positions if they differ. @param {number} offset @param {State} now */
export function read(offset, now) {
  const methods = [...new Set(methodsOf(now))].map((method) => {
    const scores = positionsOf(now).map((at) => scoreAt(method, at, offset, now));
    const same = scores.every((score) => Math.abs(score - scores[0]) < ROUNDING);
    const [first, ...others] = scores.map((score) => score.toFixed(2));
    return `${NAMES[method]} ${first}${same ? "" : ` (from ${listed(now.references.map(String))}: ${listed(others)})`}`;
  });
  return `Offset ${offset}: ${methods.join("; ")}.`;
}

/** The chosen scores by method. @param {State} now */
const scoresOf = (now) =>
  [...new Set(methodsOf(now))].map((method) => `${SUBJECTS[method]} ${decimals(scoreAt(method, now.position, now.offset, now))}`).join(", ");

/** The state, then what changed and what did not. @param {State} now @param {State} [before] */
export function describe(now, before) {
  const { position, offset } = now;
  const state = `Query at ${position}, key at ${position + offset}, offset ${offset}: ${scoresOf(now)}.`;
  return `${state} ${comparison(now, before)}`.trim();
}

/** @param {State} now @param {State} [before] */
function comparison(now, before) {
  if (!before) return "Move the query: which curve stays?";
  const changed = TRAITS.filter((trait) => now[trait] !== before[trait]);
  if (changed.length !== 1) return "";
  const [trait] = changed;
  const methods = [...new Set(methodsOf(now))];
  if (trait === "position") return methods.map((method) => moved(method, now, before)).join(" ");
  if (trait === "method" || trait === "beside") return habit(now[trait], now);
  if (trait === "offset") return `At offset ${before.offset}: ${scoresOf(before)}. ${fromElsewhere(methods, now)}`;
  if (trait === "head") {
    const [slope, was] = [slopeOf(now), slopeOf(before)];
    if (!methods.includes("alibi")) return `No score changed: the slope, now ${slope}, is ALiBi's alone.`;
    return `The slope is ${slope} a position; before, it was ${was}. ALiBi has the same score at offset 0 with every slope.`;
  }
  const turning = methods.filter((method) => method === "sinusoidal" || method === "rotary");
  if (!turning.length) return "No score changed: only the angles of sinusoidal and rotary have a base.";
  const [speed, was] = [now, before].map(({ base, query }) => significant(angleAt(1, 1, query.length, base), 4));
  return `The second pair now turns by ${speed} rad a position; before, it turned by ${was}. The first turns by 1 rad with every base.`;
}

/** What became of a method's scores when the query moved. @param {Method} method @param {State} now @param {State} before */
function moved(method, now, before) {
  const [here, there] = [now, before].map((state) => decimals(scoreAt(method, state.position, state.offset, state)));
  if (method === "sinusoidal") return `The sinusoidal curve is another one: the score went from ${there} to ${here} at the same offset.`;
  if (method === "learned") return `The untrained table took other rows: the score went from ${there} to ${here} at the same offset.`;
  if (method === "none") return "Without positions no score changed, and none can.";
  return `${capital(SUBJECTS[method])} kept every score: it knows the ${method === "alibi" ? "distance" : "offset"} alone.`;
}

/** The scores at this offset from the other positions. @param {Method[]} methods @param {State} now */
function fromElsewhere(methods, now) {
  const { offset, references } = now;
  const own = (/** @type {Method} */ method) => method === "sinusoidal" || method === "learned";
  const others = methods.filter(own).map((method) => {
    const scores = references.map((at) => decimals(scoreAt(method, at, offset, now)));
    return `${SUBJECTS[method]} gives ${listed(scores)} from ${listed(references.map(String))}`;
  });
  const same = methods.filter((method) => !own(method)).map((method) => SUBJECTS[method]);
  if (!others.length) return `The query could stand anywhere: ${listed(same)} would score the same.`;
  const rest = same.length ? `, ${listed(same)} the same from all three` : "";
  return `At offset ${offset} ${listed(others)}${rest}.`;
}

/** What a method does. @param {Method} method @param {State} now */
function habit(method, now) {
  const { offset } = now;
  if (method === "sinusoidal") return "Sinusoidal adds a row to both: the products of a word with a row depend on where the query stands.";
  if (method === "rotary") return "Rotary turns both by their positions, and a turn by the offset is left. Its two sides differ: it tells before from after.";
  if (method === "alibi") {
    const off = significant(alibiSlope(now.head, now.n_heads) * Math.abs(offset), 4);
    return `ALiBi takes ${slopeOf(now)} off for each step between the two, here ${off}, on both sides alike.`;
  }
  if (method === "learned") return "The rows of an untrained table are random: an offset says nothing about the score before the training.";
  return "Without positions the score is the same at every offset: the two words are all that counts.";
}

/** How each of the two scores is computed. @param {State} now @returns {Piece[]} */
export const explain = (now) =>
  [...new Set(methodsOf(now))].map((method) => {
    const score = { result: decimals(scoreAt(method, now.position, now.offset, now)) };
    return { line: [{ name: `${NAMES[method]}: ` }, ...formulaOf(method, now), " ", { unbroken: ["= ", score] }] };
  });

/** @param {Method} method @param {State} now @returns {Piece[]} */
function formulaOf(method, now) {
  const { position, offset, query, key, base } = now;
  const root = Math.sqrt(query.length);
  const there = position + offset;
  const plain = sumOfProducts(query, key, givenFactor, givenFactor);
  if (method === "rotary") {
    const turned = applyRotary(key, offset, base);
    const products = sumOfProducts(query, turned, undefined, givenFactor);
    return [{ unbroken: [`query · (key turned by ${offset}) / ${root}`] }, " ", { unbroken: [`= (${products}) / ${root}`] }];
  }
  if (method === "none") return [{ unbroken: [`query · key / ${root} = (${plain}) / ${root}`] }];
  if (method === "alibi") {
    const numbers = `(${plain}) / ${root} - ${slopeOf(now)} · ${Math.abs(offset)}`;
    return [{ unbroken: [`query · key / ${root} - slope · distance`] }, " ", { unbroken: [`= ${numbers}`] }];
  }
  const row = (/** @type {number} */ at) => (method === "learned" ? `row ${at}` : `PE(${at})`);
  const [left, right] = factors(method, position, offset, now);
  const tenths = (/** @type {number} */ value) => String(Number(value.toFixed(1)) + 0);
  const bracketed = (/** @type {number} */ value) => bracket(value, tenths(value));
  const products = method === "learned" ? sumOfProducts(left, right, bracketed, tenths) : sumOfProducts(left, right);
  return [{ unbroken: [`(query + ${row(position)}) · (key + ${row(there)}) / ${root}`] }, " ", { unbroken: [`= (${products}) / ${root}`] }];
}

/** The names of the columns of the exact values. */
export const COLUMNS = ["offset", "method: chosen query", "second", "third", "beside: chosen query", "second", "third"];

/** Every score on screen. @param {Shown} now */
export const exactRows = ({ window, curves }) =>
  curves[0][0].map((_, at) => [at - window, ...curves.flatMap((panel) => panel.map((scores) => scores[at]))]);
