import assert from "node:assert/strict";
import { test } from "node:test";
import { summary } from "../../../js/mathematics/lengths.js";

test("the mean and the spread of hundredths of a percent are in percent", () => {
  assert.deepEqual(summary([1000, 10000, 4000]), { mean: 50, least: 10, most: 100 });
  assert.deepEqual(summary([6250]), { mean: 62.5, least: 62.5, most: 62.5 });
});
