import assert from "node:assert/strict";
import { test } from "node:test";
import { move } from "../../../js/drawing/grid.js";

const PLACE = { row: 1, column: 1 };

test("arrows lead to the neighbours, Home and End to the ends of the row", () => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
  const places = keys.map((key) => Object.values(move(key, PLACE, 3, 200) ?? {}));
  assert.deepEqual(places, [[1, 0], [1, 2], [0, 1], [2, 1], [1, 0], [1, 199]]);
});

test("no key leads out of the matrix", () => {
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]) {
    assert.deepEqual(move(key, { row: 0, column: 0 }, 1, 1), { row: 0, column: 0 });
  }
});

test("other keys lead nowhere", () => {
  for (const key of ["Tab", "Enter", "a", " "]) assert.equal(move(key, PLACE, 3, 3), undefined);
});
