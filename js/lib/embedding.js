/** Places of words on a map: who is near whom, and where the names go; the tests hold distances to torch's. */

/** @typedef {[x: number, y: number]} Point */

/** @param {Point} a @param {Point} b */
export function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/**
 * The other points, nearest first.
 * @param {Point[]} points @param {number} at
 * @returns {{ at: number, distance: number }[]}
 */
export function neighbours(points, at) {
  return points
    .map((point, other) => ({ at: other, distance: distance(point, points[at]) }))
    .filter((other) => other.at !== at)
    .sort((a, b) => a.distance - b.distance);
}

/**
 * How many points are nearest to one of their own kind, among those that are not alone in their kind.
 * @param {Point[]} points @param {string[]} kinds
 */
export function atHome(points, kinds) {
  const sociable = kinds.map((kind, at) => kinds.some((other, index) => index !== at && other === kind));
  const home = points.filter((_, at) => sociable[at] && kinds[neighbours(points, at)[0].at] === kinds[at]);
  return { count: home.length, of: sociable.filter(Boolean).length };
}

/** @typedef {{ x: number, y: number, width: number }} Label left end, middle and width in pixels */

/**
 * Labels moved down until none covers another: words that share a place become a list.
 * @param {Label[]} labels @param {number} height of a label
 * @param {number} [first] the label that stays where it is
 * @param {Label[]} [obstacles] what no label may cover
 * @returns {number[]} the y of each label
 */
export function spread(labels, height, first = -1, obstacles = []) {
  const taken = [...obstacles];
  const order = labels.map((_, at) => at).sort((a, b) => Number(b === first) - Number(a === first) || labels[a].y - labels[b].y || a - b);
  const result = labels.map(({ y }) => y);
  for (const at of order) {
    const { x, width } = labels[at];
    const rivals = taken.filter((other) => x < other.x + other.width && other.x < x + width).sort((a, b) => a.y - b.y);
    if (at !== first) for (const other of rivals) if (Math.abs(result[at] - other.y) < height) result[at] = other.y + height;
    taken.push({ x, y: result[at], width });
  }
  return result;
}

/**
 * The smallest frame around every place of every run, so that the map stands still while the words move.
 * @param {Point[][][]} runs
 */
export function frame(runs) {
  const all = runs.flat(2);
  const [xs, ys] = [0, 1].map((axis) => all.map((point) => point[axis]));
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
}
