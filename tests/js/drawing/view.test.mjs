import assert from "node:assert/strict";
import { test } from "node:test";
import { round, shallowEqual, snap } from "../../../js/drawing/view.js";

test("what lies between two steps counts as the lower one", () => {
  assert.deepEqual([2, 3, 511, 512].map((width) => snap(width, 2)), [2, 2, 510, 512]);
  assert.deepEqual([0, 9, 15, 400].map((step) => snap(step, 10)), [0, 0, 10, 400]);
});

test("pixels are told in tenths", () => {
  assert.deepEqual([0.04, 1.26, -3.333].map(round), [0, 1.3, -3.3]);
});

test("a state is shown when all of it is", () => {
  assert.equal(shallowEqual({ a: 1, b: 2 }, undefined), false);
  assert.equal(shallowEqual({ a: 1, b: 2 }, { a: 1, b: 3 }), false);
  assert.equal(shallowEqual({ a: 1, b: 2 }, { a: 1, b: 2 }), true);
});
