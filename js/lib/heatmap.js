/** A matrix as coloured pixels: one pixel a value, enlarged by whole device pixels and never smoothed. */

import { html } from "./dom.js";

/**
 * The largest cell that fits, in CSS pixels, such that it covers a whole number of device pixels (at least one).
 * @param {number} room CSS pixels @param {number} cells @param {number} most CSS pixels @param {number} ratio device pixels per CSS pixel
 */
export function cellSize(room, cells, most, ratio) {
  return Math.max(1, Math.floor(Math.min(room / cells, most) * ratio)) / ratio;
}

/** Values from -1 to 1 in the colours of a palette. @param {{ packed: Int32Array }} palette */
export function heatmap(palette) {
  const canvas = html("canvas", { class: "tb-heatmap", role: "img" });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  /** @type {ImageData | undefined} */
  let image;
  // One colour more, so that 1 itself needs no test: the loop below runs 65,536 times per step of a slider.
  const colours = Int32Array.of(...palette.packed, palette.packed[palette.packed.length - 1]);
  const half = palette.packed.length / 2;
  return {
    canvas,
    /**
     * @param {number} rows @param {number} columns
     * @param {(paintRow: (values: Float64Array, row: number) => void) => void} visit calls paintRow for every row
     */
    paint(rows, columns, visit) {
      if (canvas.width !== columns || canvas.height !== rows) Object.assign(canvas, { width: columns, height: rows });
      if (!image || image.width < columns || image.height < rows) image = roomy(context, columns, rows);
      const pixels = new Int32Array(image.data.buffer);
      const width = image.width;
      visit((values, row) => {
        for (let column = 0, to = row * width; column < columns; column += 1, to += 1) {
          pixels[to] = colours[((values[column] + 1) * half) | 0];
        }
      });
      context.putImageData(image, 0, 0, 0, 0, columns, rows);
    },
  };
}

/** Pixels for this size and for the sizes that a slider will ask for next. @param {CanvasRenderingContext2D} context @param {number} columns @param {number} rows */
function roomy(context, columns, rows) {
  const [width, height] = [columns, rows].map((size) => 2 ** Math.ceil(Math.log2(size)));
  return context.createImageData(width, height);
}
