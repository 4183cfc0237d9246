/** What the reader of a quick question is told. */

import { judge } from "../mathematics/quick_question.js";

/** @typedef {import("../mathematics/quick_question.js").Question} Question */

const LONGEST_QUOTE = 20;

/** @param {Question} question */
export const hint = (question) => ("answers" in question ? "Choose an answer." : "Type a number and press Enter.");

/**
 * The reply to an answer; `right` is null if it was no number.
 * @param {Question} question @param {string} text @returns {{ right: boolean | null, words: string }}
 */
export function reply(question, text) {
  const { right, reason, size } = judge(question, text);
  if (right === null) return { right, words: text.trim() ? `“${quote(text)}” is not a number. Type one such as 3 or 0.5.` : "Type a number first." };
  if (reason !== undefined) return { right, words: `${right ? "Right" : "No"}. ${reason}` };
  return { right, words: `No, ${quote(text)} is too ${size}. ${"hint" in question ? question.hint : ""}` };
}

/** The beginning of what was typed. @param {string} text */
function quote(text) {
  const typed = [...text.trim()];
  return typed.length <= LONGEST_QUOTE ? typed.join("") : `${typed.slice(0, LONGEST_QUOTE).join("")}…`;
}
