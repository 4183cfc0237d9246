/** Ticks for whole numbers. */

/**
 * Whole numbers from 0 below `count`, at most `most` of them, at steps of 1, 2, 5, 10, 20, 50, ... or powers of two for
 * widths, whichever the caller gives.
 * @param {number} count @param {number} most
 * @param {readonly number[]} [steps]
 */
export function ticks(count, most, steps = [1, 2, 5, 10, 20, 50, 100, 200]) {
  const step = steps.find((size) => Math.ceil(count / size) <= most) ?? count;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

export const POWERS_OF_TWO = [1, 2, 4, 8, 16, 32, 64, 128, 256];
