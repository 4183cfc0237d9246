import assert from "node:assert/strict";
import { test } from "node:test";
import { around, arrange, clusters, frame, overlap } from "../../../js/mathematics/labels.js";

/** @typedef {import("../../../js/mathematics/embedding.js").Point} Point */

test("marks of one kind that touch are one cluster", () => {
  assert.deepEqual(clusters([[0, 0], [9, 9], [1, 0], [0, 1]], ["a", "a", "a", "b"], 2), [[0, 2], [1], [3]]);
});

test("two boxes share the area that both cover", () => {
  const box = around([[0, 0], [4, 2]], 1);
  assert.deepEqual(box, { left: -1, right: 5, top: -1, bottom: 3 });
  assert.equal(overlap(box, { left: 3, right: 9, top: 0, bottom: 9 }), 6);
  assert.equal(overlap(box, { left: 5, right: 9, top: 0, bottom: 9 }), 0);
});

const BOUNDS = { left: 0, right: 500, top: 0, bottom: 400 };

test("a name stands right of its mark, or left of it where the map ends", () => {
  const [right] = arrange([{ around: around([[100, 100]], 8), width: 40, height: 14 }], [], BOUNDS);
  assert.deepEqual(right, { left: 108, right: 148, top: 93, bottom: 107 });
  const [left] = arrange([{ around: around([[480, 100]], 8), width: 40, height: 14 }], [], BOUNDS);
  assert.deepEqual(left, { left: 432, right: 472, top: 93, bottom: 107 });
});

test("the first name keeps its place, and no mark is covered without need", () => {
  const label = { around: around([[100, 100]], 8), width: 40, height: 14 };
  const [first, second] = arrange([label, label], [], BOUNDS);
  assert.equal(first.left, 108);
  assert.equal(second.right, 92);
  const [aside] = arrange([label], [around([[120, 100]], 6)], BOUNDS);
  assert.equal(overlap(aside, around([[120, 100]], 6)), 0);
});

test("no name covers another or leaves the map, wherever the marks are", () => {
  let seed = 1;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 100; round += 1) {
    const points = Array.from({ length: 23 }, () => /** @type {Point} */ ([chance() * 500, chance() * 400]));
    const labels = points.map((point) => ({ around: around([point], 8), width: 20 + chance() * 40, height: 14 }));
    const boxes = arrange(labels, points.map((point) => around([point], 6)), BOUNDS);
    boxes.forEach((box, one) => {
      assert.ok(overlap(box, BOUNDS) >= labels[one].width * 14 - 1e-6);
      boxes.slice(one + 1).forEach((other) => assert.equal(overlap(box, other), 0));
    });
  }
});

test("the frame holds every place of every run", () => {
  assert.deepEqual(frame([[[[0, 0], [3, 4]]], [[[-1, 9]]]]), { left: -1, right: 3, bottom: 0, top: 9 });
});

test("a frame has room for a long training of many words", () => {
  const record = Array.from({ length: 50 }, (_, at) => /** @type {Point} */ ([at, 2]));
  assert.deepEqual(frame([Array.from({ length: 3000 }, () => record)]), { left: 0, right: 49, bottom: 2, top: 2 });
});
