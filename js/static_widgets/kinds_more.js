// The kinds of the part more_controls.js: the controls that fewer figures have.
import { html } from "./controls_texts.js";
import { WORDS } from "./shared.js";

/** @type {Record<string, import("./registry.js").Kind>} */
export const MORE = {
  HTMLModel: { draw: html, defaults: WORDS, needs: ["purify"] },
  HTMLMathModel: { draw: html, defaults: WORDS, needs: ["purify"] },
};
