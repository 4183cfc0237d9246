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

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** The box around points, a margin wider. @param {Point[]} points @param {number} margin @returns {Box} */
export function around(points, margin) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return { left: Math.min(...xs) - margin, right: Math.max(...xs) + margin, top: Math.min(...ys) - margin, bottom: Math.max(...ys) + margin };
}

/** The area that two boxes share. @param {Box} a @param {Box} b */
export function overlap(a, b) {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * A box for each label, the first label first: beside what it names, or as near as the others and the marks leave room.
 * @param {{ around: Box, width: number, height: number }[]} labels what each one names, and its size
 * @param {Box[]} marks what had better not be covered
 * @param {Box} bounds what no label may leave
 * @returns {Box[]}
 */
export function arrange(labels, marks, bounds) {
  /** @type {Box[]} */
  const taken = [];
  for (const label of labels) {
    const tried = candidates(label).map((box) => {
      const outside = label.width * label.height - overlap(box, bounds);
      const covered = marks.reduce((sum, mark) => sum + overlap(box, mark), 0);
      const collision = taken.reduce((sum, other) => sum + overlap(box, other), 0);
      return { box, cost: box.cost + 2 * covered + 100 * collision + 1000 * outside };
    });
    const { left, right, top, bottom } = tried.reduce((best, next) => (next.cost < best.cost ? next : best)).box;
    taken.push({ left, right, top, bottom });
  }
  return taken;
}

/** Right of it, left of it, above and below, near ones cheaper. @param {{ around: Box, width: number, height: number }} label */
function candidates({ around, width, height }) {
  const [x, y] = [(around.left + around.right) / 2, (around.top + around.bottom) / 2];
  return Array.from({ length: 41 }, (_, at) => (at - 20) * (height / 2)).flatMap((shift) =>
    [around.right, around.left - width, x - width / 2].map((left, side) => {
      const top = y + shift - height / 2;
      return { left, right: left + width, top, bottom: top + height, cost: Math.abs(shift) + [0, 3, 4][side] };
    }),
  );
}

/**
 * The smallest frame around every place of every run, so that the map stands still while the words move.
 * @param {Point[][][]} runs
 */
export function frame(runs) {
  const edges = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const [x, y] of runs.flat(2)) {
    edges.left = Math.min(edges.left, x);
    edges.right = Math.max(edges.right, x);
    edges.bottom = Math.min(edges.bottom, y);
    edges.top = Math.max(edges.top, y);
  }
  return edges;
}
