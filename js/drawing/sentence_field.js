/** What stands in the field of a sentence, and the last of it that could be followed. */

/** @typedef {{ text: string, sentence: string }} Field */

/**
 * What to do when the text, or the sentence, becomes another, and what mixes the words of the sentence.
 * @template {Field} State
 * @param {import("@anywidget/types").AnyModel<State>} given
 * @param {(text: string) => { tokens?: string[] | undefined, problem?: string | undefined }} read
 * @param {(problem: string) => void} refuse what cannot be read; "" once it can
 */
export function sentenceField(given, read, refuse) {
  const model = /** @type {import("@anywidget/types").AnyModel<Field>} */ (/** @type {unknown} */ (given));
  /** @param {keyof Field} trait @param {string} value */
  const write = (trait, value) => {
    model.set(trait, value);
    model.save_changes();
  };
  return {
    typed() {
      const { tokens, problem } = read(model.get("text"));
      refuse(problem ?? "");
      if (tokens) write("sentence", tokens.join(" "));
    },
    followed() {
      if (read(model.get("text")).tokens?.join(" ") !== model.get("sentence")) write("text", model.get("sentence"));
    },
    mix() {
      const tokens = model.get("sentence").split(" ");
      for (let at = tokens.length - 1; at > 0; at -= 1) {
        const other = Math.floor(Math.random() * (at + 1));
        [tokens[at], tokens[other]] = [tokens[other], tokens[at]];
      }
      write("text", tokens.join(" "));
    },
  };
}
