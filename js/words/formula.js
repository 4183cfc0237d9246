/**
 * Formulas with their numbers filled in, piece by piece; `drawing/formula.js` makes elements of them.
 * @typedef {string | { name: string } | { result: string } | { exponent: string }} Piece text, or what is more than that
 */

export {};
