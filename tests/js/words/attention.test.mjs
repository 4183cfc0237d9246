import assert from "node:assert/strict";
import { test } from "node:test";
import { explain, title } from "../../../js/words/attention.js";
import { textOf } from "../formula_text.mjs";
import { HEAD, shown } from "../one_head.mjs";

test("scores are divided by the root of d_k", () => {
  assert.equal(title("scaled", shown, 2), "scores / √2, masked");
  const formula = textOf(explain({ part: "scaled", row: 0, column: 0 }, shown, HEAD));
  assert.match(formula, /29\.0000 \/ √2 = 29\.0000 \/ 1\.4142 = 20\.5061\.$/);
});

test("a row of weights is written out with its largest score subtracted", () => {
  assert.match(
    textOf(explain({ part: "weights", row: 0, column: 0 }, shown, HEAD)),
    /the largest, 20\.5061, subtracted first: e\^0\.0000 \/ \(e\^0\.0000\) = 1\.0000 \/ 1\.0000 = 1\.0000\.$/,
  );
});
