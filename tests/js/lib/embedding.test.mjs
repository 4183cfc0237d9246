import assert from "node:assert/strict";
import { test } from "node:test";
import { atHome, frame, neighbours, spread } from "../../../js/lib/embedding.js";

/** @type {import("../../../js/lib/embedding.js").Point[]} */
const POINTS = [[0, 0], [3, 4], [0, 1], [3, 3]];

test("the others come nearest first, without the point itself", () => {
  assert.deepEqual(neighbours(POINTS, 0), [{ at: 2, distance: 1 }, { at: 3, distance: Math.hypot(3, 3) }, { at: 1, distance: 5 }]);
});

test("a word on the same spot is at distance 0", () => {
  assert.deepEqual(neighbours([[1, 1], [1, 1]], 1), [{ at: 0, distance: 0 }]);
});

test("words are at home whose nearest is of their kind, and who is alone in a kind does not count", () => {
  assert.deepEqual(atHome(POINTS, ["a", "b", "a", "b"]), { count: 4, of: 4 });
  assert.deepEqual(atHome(POINTS, ["a", "a", "b", "b"]), { count: 0, of: 4 });
  assert.deepEqual(atHome(POINTS, ["a", "b", "a", "c"]), { count: 2, of: 2 });
});

test("names on the same spot become a list, others stay where they are", () => {
  assert.deepEqual(spread([{ x: 0, y: 10, width: 30 }, { x: 5, y: 10, width: 30 }, { x: 2, y: 12, width: 30 }, { x: 90, y: 11, width: 9 }], 14), [10, 24, 38, 11]);
});

test("the first name stays, and none covers what stands in the way", () => {
  const labels = [{ x: 0, y: 10, width: 30 }, { x: 0, y: 12, width: 30 }];
  assert.deepEqual(spread(labels, 14, 1), [26, 12]);
  assert.deepEqual(spread(labels, 14, 0, [{ x: -9, y: 20, width: 10 }]), [10, 34]);
});

test("no name covers another, wherever they are", () => {
  let seed = 1;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 200; round += 1) {
    const labels = Array.from({ length: 23 }, () => ({ x: chance() * 200, y: chance() * 200, width: 20 + chance() * 40 }));
    const heights = spread(labels, 14);
    labels.forEach((a, one) => labels.forEach((b, two) => {
      if (one === two || a.x + a.width <= b.x || b.x + b.width <= a.x) return;
      assert.ok(Math.abs(heights[one] - heights[two]) >= 14 - 1e-9, `${round}: ${heights[one]} and ${heights[two]}`);
    }));
  }
});

test("the frame holds every place of every run", () => {
  assert.deepEqual(frame([[POINTS], [[[-1, 9]]]]), { left: -1, right: 3, bottom: 0, top: 9 });
});
