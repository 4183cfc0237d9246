/** A picture in layers, and what the pointer is at in it. */

import { html, shapes, svg } from "./dom.js";

/**
 * A picture of so many pixels' height, its first layer at the bottom. Screen readers are given words instead.
 * @template {string} Layer
 * @param {number} height @param {Layer[]} names
 */
export function picture(height, ...names) {
  const layers = /** @type {Record<Layer, ReturnType<typeof shapes>>} */ (Object.fromEntries(names.map((name) => [name, shapes()])));
  const groups = names.map((name) => layers[name].group);
  return { svg: svg("svg", { class: "tb-overlay", "aria-hidden": "true", height }, ...groups), layers };
}

/**
 * A line of text that reads what the pointer is at, and the choice of that by a click or, where it `drags`, by dragging.
 * @param {string} hint what the line says when the pointer is at nothing
 */
export function pointerReading(hint) {
  const text = document.createTextNode(hint);
  const clear = () => (text.data = hint);
  return {
    element: html("p", { class: "tb-pointed" }, text),
    clear,
    /**
     * @template Place
     * @param {HTMLElement} target
     * @param {object} how
     * @param {(event: PointerEvent) => Place | undefined} how.find
     * @param {(place: Place) => string} how.read
     * @param {(place: Place) => void} how.choose
     * @param {boolean} how.drags
     * @param {AbortSignal} signal
     */
    follow(target, { find, read, choose, drags }, signal) {
      /** @param {PointerEvent} event */
      function click(event) {
        const place = find(event);
        if (place !== undefined) choose(place);
      }
      /** @param {PointerEvent} event */
      function point(event) {
        const place = find(event);
        text.data = place === undefined ? hint : read(place);
        if (drags && event.buttons === 1) click(event);
      }
      target.addEventListener("pointermove", point, { signal });
      target.addEventListener("pointerdown", click, { signal });
      target.addEventListener("pointerleave", clear, { signal });
    },
  };
}
