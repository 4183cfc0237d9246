/** A position in binary digits and in waves, in words. */

import { binaryDigits, stepToNext } from "../mathematics/counter.js";
import { denominator, encodingRow } from "../mathematics/positional_encoding.js";
import { decimals, plural, short } from "./format.js";

/** @typedef {{ digits: number, position: number, base: number }} Shown `digits` is how many there are, and how many pairs of waves */
/** @typedef {import("./formula.js").Piece} Piece */

export const HINT = "Point at the picture to read a position; click to choose it.";

/** A position as it is written in binary, the fastest digit last. @param {number} position @param {number} count */
const binary = (position, count) => binaryDigits(position, count).reverse().join("");

/** The waves of the position, pair by pair. @param {Shown} now */
const waves = ({ digits, position, base }) => [...encodingRow(position, 2 * digits, base)];

/** What the pointer is at. @param {number} position @param {Shown} now */
export const read = (position, { digits }) => `Position ${position} is ${binary(position, digits)} in binary. Click to choose it.`;

/** The position out of its digits, and the second pair's two numbers, with the numbers filled in. @param {Shown} now @returns {Piece[]} */
export function formula(now) {
  const { digits, position, base } = now;
  const parts = binaryDigits(position, digits).map((value, digit) => `${value} · ${2 ** digit}`);
  const divisor = denominator(1, 2 * digits, base);
  const [sine, cosine] = waves(now).slice(2).map(decimals);
  const power = [`pair 1: sin and cos of ${position} / (${short(base)}`, { superscript: `2/${2 * digits}` }, "), "];
  const values = [`that is of ${position} / ${short(divisor)}: ${sine} and ${cosine}`];
  return [{ line: [`digits: ${parts.join(" + ")} = ${position}`] }, { line: [{ unbroken: power }, " ", { unbroken: values }] }];
}

/** Every digit and every wave of the position, by its name. @param {Shown} now @returns {[string, number][]} */
export function exactRows(now) {
  const names = ["sine", "cosine"];
  return [
    ...binaryDigits(now.position, now.digits).map((value, digit) => /** @type {[string, number]} */ ([`digit ${digit}`, value])),
    ...waves(now).map((value, column) => /** @type {[string, number]} */ ([`${names[column % 2]} of pair ${Math.floor(column / 2)}`, value])),
  ];
}

/**
 * What the picture shows: the state, what the next step does to digits and to waves, and, after a move, what stayed as it was.
 * @param {Shown} now @param {Shown} [before]
 */
export function describe(now, before) {
  const { digits, position, base } = now;
  const next = stepToNext(position, digits, base);
  const count = next.flipped.length;
  const flips = count === digits ? `all ${digits} digits flip` : `${plural(count, "digit")} ${count === 1 ? "flips" : "flip"}`;
  const wrap = position === 2 ** digits - 1 ? ", back to the digits of position 0" : "";
  return [
    `${digits} digits and ${digits} pairs of waves: position ${position} is ${binary(position, digits)} in binary.`,
    `From ${position} to ${position + 1}, ${flips}, a jump of ${decimals(next.digits)}${wrap};`,
    `the waves, ${2 * digits} columns, move on a distance of ${decimals(next.waves)}.`,
    ...unchanged(now, before),
  ].join(" ");
}

/** @param {Shown} now @param {Shown} [before] */
function unchanged({ digits, base }, before) {
  if (!before) return [];
  if (before.digits === digits) return ["That distance is the same at every position; the jump is not."];
  const ratio = short(denominator(1, 2 * digits, base));
  return [
    `${digits} digits tell ${2 ** digits} positions apart. Digit 0 and pair 0 are as before;`,
    `each other pair is now ${ratio} times slower than the one above it, each digit still 2 times.`,
  ];
}
