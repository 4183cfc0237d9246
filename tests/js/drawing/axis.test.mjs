import assert from "node:assert/strict";
import { test } from "node:test";
import { linear, nearestTenth } from "../../../js/drawing/axis.js";

test("a scale takes its ends to its ends, upside down too", () => {
  assert.deepEqual([-10, 0, 25].map(linear(-10, 25, 300, 8)), [300, 216.6, 8]);
});

test("a pixel is the nearest tenth, never beyond the ends and never -0", () => {
  const ends = { left: 40, right: 240 };
  assert.deepEqual([0, 40, 139.9, 140.4, 190.6, 999].map((pixel) => nearestTenth(pixel, ends, 10)), [-10, -10, 0, 0, 5.1, 10]);
});
