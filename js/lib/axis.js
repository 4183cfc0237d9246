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

/**
 * The least of the steps 1, 2, 5, 10, 20, 50, ... that goes at most `most` times into a length.
 * @param {number} length @param {number} most
 */
export function roundStep(length, most) {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) if (length / step <= most) return step;
  }
}
