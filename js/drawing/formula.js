/** Formulas with their numbers filled in, as elements. */

import { html } from "./dom.js";

/** @typedef {import("../words/formula.js").Piece} Piece */

/** A power of e, which is not read out as if the exponent stood behind the e. @param {Node | string} exponent */
export const power = (exponent) => ["e", html("span", { class: "tb-spoken" }, " to the "), html("sup", {}, exponent)];

/** A part of a formula without a line break. @param {(Node | string)[]} parts */
export const unbroken = (...parts) => html("span", { class: "tb-formula-step" }, ...parts);

/** The elements of a formula. @param {Piece[]} pieces */
export function elementsOf(pieces) {
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    if ("name" in piece) return html("span", { class: "tb-formula-name" }, piece.name);
    return "result" in piece ? html("strong", {}, piece.result) : unbroken(...power(piece.exponent));
  });
}
