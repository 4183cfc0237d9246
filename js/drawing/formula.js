/** Formulas with their numbers filled in, as elements. */

import { html } from "./dom.js";

/** @typedef {import("../words/formula.js").Piece} Piece */

/** A power of e, which is not read out as if the exponent stood behind the e. @param {Node | string} exponent */
export const power = (exponent) => ["e", html("span", { class: "tb-spoken" }, " to the "), html("sup", {}, exponent)];

/** What is not to be broken at the end of a line. @param {(Node | string)[]} parts */
export const step = (...parts) => html("span", { class: "tb-formula-step" }, ...parts);

/** The same formula as elements. @param {Piece[]} pieces */
export function written(pieces) {
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    if ("name" in piece) return html("span", { class: "tb-formula-name" }, piece.name);
    return "result" in piece ? html("strong", {}, piece.result) : step(...power(piece.exponent));
  });
}
