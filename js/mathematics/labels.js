/** Where the names on a map go: each beside its mark, or as near as the other names and marks leave room. */

import { distance } from "./embedding.js";

/** @typedef {import("./embedding.js").Point} Point */

/**
 * Points of one kind whose marks touch; their names stand in one line.
 * @param {Point[]} points @param {string[]} kinds @param {number} reach
 * @returns {number[][]}
 */
export function clusters(points, kinds, reach) {
  /** @type {number[][]} */
  const result = [];
  points.forEach((point, at) => {
    const home = result.find(([first]) => kinds[first] === kinds[at] && distance(points[first], point) <= reach);
    if (home) home.push(at);
    else result.push([at]);
  });
  return result;
}

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box top is the smaller y */
/** @typedef {{ anchor: Box, width: number, height: number }} Label its size, and the box of what it names */

/**
 * The smallest box around points, a margin wider on every side; written as a loop, since there may be too many to pass as arguments.
 * @param {Point[]} points @param {number} [margin] @returns {Box}
 */
export function boundingBox(points, margin = 0) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x - margin);
    box.right = Math.max(box.right, x + margin);
    box.top = Math.min(box.top, y - margin);
    box.bottom = Math.max(box.bottom, y + margin);
  }
  return box;
}

/** The area that two boxes share. @param {Box} a @param {Box} b */
export function overlapArea(a, b) {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * A box for each label, the first label first: beside what it names, or as near as the others and the marks leave room.
 * @param {Label[]} labels
 * @param {Box[]} marks what had better not be covered
 * @param {Box} bounds what no label may leave
 * @returns {Box[]}
 */
export function placeLabels(labels, marks, bounds) {
  /** @type {Box[]} */
  const taken = [];
  for (const label of labels) {
    const tried = candidates(label).map((box) => {
      const outside = label.width * label.height - overlapArea(box, bounds);
      const covered = marks.reduce((sum, mark) => sum + overlapArea(box, mark), 0);
      const collision = taken.reduce((sum, other) => sum + overlapArea(box, other), 0);
      return { box, cost: box.cost + 2 * covered + 100 * collision + 1000 * outside };
    });
    const { left, right, top, bottom } = tried.reduce((best, next) => (next.cost < best.cost ? next : best)).box;
    taken.push({ left, right, top, bottom });
  }
  return taken;
}

/** Right of it, left of it, above and below, near ones cheaper. @param {Label} label */
function candidates({ anchor, width, height }) {
  const [x, y] = [(anchor.left + anchor.right) / 2, (anchor.top + anchor.bottom) / 2];
  return Array.from({ length: 41 }, (_, at) => (at - 20) * (height / 2)).flatMap((shift) =>
    [anchor.right, anchor.left - width, x - width / 2].map((left, side) => {
      const top = y + shift - height / 2;
      return { left, right: left + width, top, bottom: top + height, cost: Math.abs(shift) + [0, 3, 4][side] };
    }),
  );
}
