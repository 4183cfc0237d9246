/** A matrix as coloured pixels: one pixel a value, enlarged by whole device pixels and never smoothed. */

import { colourIndex } from "./palette.js";
import { html } from "./dom.js";

/**
 * The largest cell that fits, in CSS pixels, such that it covers a whole number of device pixels (at least one).
 * @param {number} room CSS pixels @param {number} cells @param {number} most CSS pixels @param {number} ratio device pixels per CSS pixel
 */
export function cellSize(room, cells, most, ratio) {
  return Math.max(1, Math.floor(Math.min(room / cells, most) * ratio)) / ratio;
}

/** @param {{ packed: Uint32Array }} palette */
export function heatmap(palette) {
  const canvas = html("canvas", { class: "tb-heatmap", role: "img" });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  /** @type {ImageData | undefined} */
  let image;
  return {
    canvas,
    /**
     * @param {Float64Array} values @param {number} rows @param {number} columns
     */
    paint(values, rows, columns) {
      if (!image || image.width !== columns || image.height !== rows) {
        canvas.width = columns;
        canvas.height = rows;
        image = context.createImageData(columns, rows);
      }
      const pixels = new Uint32Array(image.data.buffer);
      const colours = palette.packed.length;
      for (let at = 0; at < pixels.length; at += 1) {
        pixels[at] = palette.packed[colourIndex(values[at], colours)];
      }
      context.putImageData(image, 0, 0);
    },
  };
}
