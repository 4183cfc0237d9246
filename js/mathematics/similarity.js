/** How alike two positions are, as `transformer_book.geometry.similarity` defines it; the tests hold both together. */

import { pairAt } from "./geometry.js";

/**
 * PE(p) . PE(p + k) / (dModel / 2) for the offsets k = 0, 1, ..., last: the mean of the cosines of PE(k). Each cosine
 * is the one before, turned on by one position: four products instead of a cosine, and exact to 1e-13 at offset 2000.
 * @param {number} last @param {number} dModel @param {number} base
 */
export function similarities(last, dModel, base) {
  const half = dModel / 2;
  const sums = new Float64Array(last + 1);
  for (let pair = 0; pair < half; pair += 1) {
    const [turnSin, turnCos] = pairAt(1, pair, dModel, base);
    let sin = 0;
    let cos = 1;
    for (let offset = 0; offset <= last; offset += 1) {
      sums[offset] += cos;
      const before = sin;
      sin = before * turnCos + cos * turnSin;
      cos = cos * turnCos - before * turnSin;
    }
  }
  return sums.map((sum) => sum / half);
}

/**
 * What a position is compared with among the positions 0 to last: its neighbour, the most alike of the positions
 * farther away (the nearer of equals, and of these the later), how many of those are more alike than the neighbour, and
 * the nearest that is.
 * @param {ArrayLike<number>} curve by offset @param {number} position @param {number} last
 */
export function rivals(curve, position, last) {
  let best = 2;
  let ahead = 0;
  let nearest = 0;
  const farthest = Math.max(position, last - position);
  for (let offset = 2; offset <= farthest; offset += 1) {
    if (curve[offset] > curve[best]) best = offset;
    if (curve[offset] <= curve[1]) continue;
    nearest ||= offset;
    ahead += Number(position + offset <= last) + Number(position >= offset);
  }
  /** @param {number} offset */
  const at = (offset) => (position + offset <= last ? position + offset : position - offset);
  return { neighbour: at(1), nearest: nearest ? at(nearest) : undefined, best: at(best), ahead };
}

/**
 * The lowest and the highest value within `reach` of each position, at every `step`-th position from 0 to last: what can
 * be drawn of a curve whose waves are finer than the screen.
 * @param {ArrayLike<number>} curve by offset @param {number} position @param {number} last
 * @param {number} reach @param {number} step
 */
export function envelope(curve, position, last, reach, step) {
  /** @type {{ position: number, low: number, high: number }[]} */
  const band = [];
  for (let middle = 0; middle <= last; middle += step) {
    let low = 1;
    let high = -1;
    for (let at = Math.max(0, middle - reach); at <= Math.min(last, middle + reach); at += 1) {
      const value = curve[Math.abs(at - position)];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    band.push({ position: middle, low, high });
  }
  return band;
}
