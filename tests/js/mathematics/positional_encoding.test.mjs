import assert from "node:assert/strict";
import { test } from "node:test";
import { encodingRow, encodingValue, turns } from "../../../js/mathematics/positional_encoding.js";

test("a row holds the numbers of the formula, in both arrangements", () => {
  for (const arrangement of /** @type {const} */ (["interleaved", "halves"])) {
    for (const position of [0, 1, 127]) {
      encodingRow(position, 12, 10000, arrangement).forEach((value, column) => {
        assert.equal(value, encodingValue(position, column, 12, 10000, arrangement));
      });
    }
  }
});

test("the two arrangements hold the same numbers", () => {
  const sorted = /** @param {Float64Array} row */ (row) => [...row].sort();
  assert.deepEqual(sorted(encodingRow(3, 8, 100, "halves")), sorted(encodingRow(3, 8, 100)));
});

test("a pair has turned once after 1 / turns positions", () => {
  assert.equal(turns(4, 10000).length, 2);
  const [first, second] = turns(4, 10000);
  assert.ok(Math.abs(Math.sin(encodingValue(1 / first, 0, 4, 10000))) < 1e-12);
  assert.ok(Math.abs(first / second - 100) < 1e-9);
});
