/** The unit of chapter 7 in words: its state, what changed, and where nothing can change. */

import { neuron } from "../mathematics/activations.js";
import { significant } from "./format.js";

/** @typedef {{ weight: number, bias: number, x: number }} State */

/** @type {(keyof State)[]} */
export const TRAITS = ["weight", "bias", "x"];
/** The largest x, and the smallest is -LAST. */
export const LAST = 10;

/** A number as a formula shows it. @param {number} value */
export const told = (value) => significant(value, 6);

/** @param {State} now */
export const unitOf = ({ weight, bias, x }) => neuron(weight, bias, x);

/** Where the unit bends, if it does. @param {State} now */
export const cornerOf = ({ weight, bias }) => (weight === 0 ? undefined : -bias / weight + 0);

/** The part of the axis where the output is 0, from one x to another. @param {State} now @returns {[number, number] | undefined} */
export function flat(now) {
  const corner = cornerOf(now);
  if (corner === undefined) return now.bias <= 0 ? [-LAST, LAST] : undefined;
  /** @type {[number, number]} */
  const part = now.weight > 0 ? [-LAST, Math.min(corner, LAST)] : [Math.max(corner, -LAST), LAST];
  return part[0] < part[1] ? part : undefined;
}

/** The state, what changed, and where nothing can change. @param {State} now @param {State} [before] */
export function describe(now, before) {
  const { sum, output } = unitOf(now);
  const numbers = `Weight ${told(now.weight)}, bias ${told(now.bias)}, x = ${told(now.x)}`;
  const side =
    sum > 0
      ? `w x + b is positive and goes through as it is: ${told(output)}.`
      : sum < 0
        ? `w x + b is ${told(sum)}, below 0, so the output is 0.`
        : "w x + b is exactly 0. There any slope from 0 to 1 would do for a gradient; torch takes 0.";
  return [`${numbers}: ${side}`, change(now, before), whereabouts(now)].filter(Boolean).join(" ");
}

/** @param {State} now @param {State} [before] */
function change(now, before) {
  if (!before) return "Move x: what becomes of the output, and of its gradients?";
  const moved = TRAITS.filter((trait) => now[trait] !== before[trait]);
  if (moved.length !== 1) return "";
  const [to, from] = [now, before].map((state) => unitOf(state).output);
  const what = `${moved[0] === "x" ? "x" : `The ${moved[0]}`} went from ${told(before[moved[0]])} to ${told(now[moved[0]])}`;
  if (to === from) return `${what} and the output stayed ${told(to)}${to === 0 ? ": here nothing is felt" : ""}.`;
  return `${what}, the output from ${told(from)} to ${told(to)}.`;
}

/** Where the corner is, and whether the unit is dead. @param {State} now */
function whereabouts(now) {
  const corner = cornerOf(now);
  const zero = flat(now);
  const dead = zero && zero[1] - zero[0] === 2 * LAST ? " Dead here: no x from -10 to 10 gets through." : "";
  if (corner === undefined) return `At weight 0 there is no corner.${dead}`;
  const outside = Math.abs(corner) > LAST ? ", outside the picture" : "";
  return `The corner is at ${significant(corner, 4)}${outside}; the hinge opens to the ${now.weight > 0 ? "right" : "left"}.${dead}`;
}
