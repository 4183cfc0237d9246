/** The text in the field of a sentence, and the sentence on screen: the last text that could be shown. */

import { html } from "./dom.js";

/** @typedef {{ text: string, sentence: string }} Field the traits */
/** @typedef {{ tokens: string[], problem?: undefined } | { problem: string, tokens?: undefined }} Reading */

/**
 * Keeps the sentence to the text while the text can be read, and says in an alert why where it cannot.
 * @template {Field} State
 * @param {object} parts
 * @param {import("@anywidget/types").AnyModel<State>} parts.model
 * @param {(text: string) => Reading} parts.read
 * @param {HTMLElement} parts.content what shows the sentence: dimmed while the text cannot be read
 * @param {string} parts.fallback what it then shows, in words
 */
export function sentenceField({ model: given, read, content, fallback }) {
  const model = /** @type {import("@anywidget/types").AnyModel<Field>} */ (/** @type {unknown} */ (given));
  const alert = html("p", { class: "tb-problem", role: "alert" });

  /** @param {keyof Field} trait @param {string[]} tokens */
  function save(trait, tokens) {
    model.set(trait, tokens.join(" "));
    model.save_changes();
  }

  function onText() {
    const { tokens, problem } = read(model.get("text"));
    alert.textContent = problem ? `${problem} ${fallback}` : "";
    content.classList.toggle("tb-stale", problem !== undefined);
    if (tokens) save("sentence", tokens);
  }

  function onSentence() {
    const sentence = model.get("sentence");
    if (read(model.get("text")).tokens?.join(" ") !== sentence) save("text", [sentence]);
  }

  onText();
  return {
    alert,
    /** What to do when a trait changes. */
    on: { text: onText, sentence: onSentence },
    /** Put the words into another order, each as likely. */
    shuffle() {
      const tokens = model.get("sentence").split(" ");
      for (let at = tokens.length - 1; at > 0; at -= 1) {
        const other = Math.floor(Math.random() * (at + 1));
        [tokens[at], tokens[other]] = [tokens[other], tokens[at]];
      }
      save("text", tokens);
    },
  };
}
