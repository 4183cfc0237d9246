import assert from "node:assert/strict";
import { test } from "node:test";
import { cellSize } from "../../../js/drawing/positional_encoding_heatmap.js";

test("a cell covers whole device pixels, at least one", () => {
  assert.equal(cellSize(640, 6, 120, 1), 106);
  assert.equal(cellSize(640, 512, 120, 1), 1);
  assert.equal(cellSize(290, 512, 120, 1), 1);
  assert.equal(cellSize(290, 512, 120, 2), 0.5);
  assert.equal(cellSize(640, 2, 120, 3), 120);
});
