import assert from "node:assert/strict";
import { test } from "node:test";
import { headWeights } from "../../../js/mathematics/attention.js";
import * as heads from "../../../js/words/multi_head.js";
import { columnsOf, compute, sources } from "../../../js/mathematics/attention_stages.js";
import * as head from "../../../js/words/attention.js";
import * as relu from "../../../js/words/relu.js";
import * as softmax from "../../../js/words/softmax.js";

/** @typedef {import("../../../js/words/formula.js").Piece} Piece */

/** A formula as a line of text. @param {Piece[]} pieces */
const line = (pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : "exponent" in piece ? `e^${piece.exponent}` : Object.values(piece)[0])).join("");

/** Two words and one head, whose queries and keys are given. @param {number[]} q @param {number[]} k */
function pair(q, k, mask = "none") {
  const linear = (/** @type {number[]} */ row) => ({ weight: [row], bias: row.map(() => 0) });
  return { tokens: ["a", "b"], query: 0, mask, heads: headWeights([[1], [2]], linear(q), linear(k), 1) };
}

test("the softmax of a head is written out plainly while its powers can be read", () => {
  assert.equal(
    line(heads.explain({ head: 0, row: 0, column: 1 }, pair([1], [2]))),
    'one head, query "a", key "b": (1.0000 · 4.0000) / √1 = 4.0000; softmax: e^4.0000 / 61.9872 = 0.8808.',
  );
});

test("large scores and small ones have the largest taken off first, and none is infinite", () => {
  for (const size of [1, -1]) {
    const text = line(heads.explain({ head: 0, row: 0, column: 0 }, pair([100, 100], [size * 100, size * 35])));
    assert.match(text, /softmax, the largest score, -?\d+\.\d{4}, taken off first: e\^-?\d+\.\d{4} \/ 1\.0000 = [01]\.0000\.$/);
  }
  assert.match(line(heads.explain({ head: 0, row: 1, column: 1 }, pair([1e6], [1e6]))), /= 4e12; softmax, .* e\^0\.0000 \/ 1\.0000 = 1\.0000/);
});

test("a hidden word has a weight of 0, and no part in the sum", () => {
  const shown = pair([1], [9], "causal");
  assert.match(line(heads.explain({ head: 0, row: 0, column: 1 }, shown)), /"b" stands after "a", so its weight is 0\.$/);
  assert.match(line(heads.explain({ head: 0, row: 0, column: 0 }, shown)), /e\^9\.0000 \/ 8103\.0839/);
});

const EMBEDDINGS = { one: [1, 2, 3], two: [30, 2, 1] };
/** Three numbers in, keys of two, values of one: no size is another. */
const HEAD = { W_Q: [[1, 0], [0, 1], [1, 1]], W_K: [[1, 0], [0, 1], [0, 1]], W_V: [[1], [0], [2]] };
const shown = { tokens: ["one", "two"], asking: 0, scale: true, mask: "causal", positions: false };
const matrices = compute(shown, EMBEDDINGS, 100, HEAD);

test("the matrices of a head have the sizes of its weights, and scores are divided by the root of d_k", () => {
  const parts = /** @type {import("../../../js/mathematics/attention_stages.js").Part[]} */ (["input", "Q", "K", "V", "scores", "scaled", "weights", "output"]);
  assert.deepEqual(parts.map((part) => columnsOf(part, HEAD, 2)), parts.map((part) => matrices[part][0].length));
  assert.equal(head.title("scaled", shown, 2), "scores / √2, masked");
  assert.match(line(head.explain({ part: "scaled", row: 0, column: 0 }, shown, matrices, HEAD)), /29\.0000 \/ √2 = 29\.0000 \/ 1\.4142 = 20\.5061\.$/);
});

test("a number comes from whole rows and columns, without what is masked", () => {
  /** @param {import("../../../js/mathematics/attention_stages.js").Part} part @param {number} row */
  const count = (part, row) => sources({ part, row, column: 0 }, shown, HEAD).length;
  assert.deepEqual([count("Q", 0), count("scores", 0), count("weights", 0), count("weights", 1), count("output", 1)], [3, 4, 1, 2, 4]);
  assert.deepEqual(sources({ part: "weights", row: 0, column: 1 }, shown, HEAD), []);
});

test("a row of weights is written out with its largest score taken off", () => {
  assert.match(
    line(head.explain({ part: "weights", row: 0, column: 0 }, shown, matrices, HEAD)),
    /the largest, 20\.5061, taken off first: e\^0\.0000 \/ \(e\^0\.0000\) = 1\.0000 \/ 1\.0000 = 1\.0000\.$/,
  );
});

const START = { a: 0, b: 2, c: -2, d: 1, temperature: 1, shift: 0, letter_index: 1 };

test("the plain formula fails where its powers run over, run under, or have few digits left", () => {
  /** @param {Partial<import("../../../js/words/softmax.js").State>} change */
  const said = (change) => softmax.describe({ ...START, ...change }).match(/The plain formula.*/)?.[0];
  assert.equal(said({}), undefined);
  assert.equal(said({ temperature: 0.1, shift: 20 }), "The plain formula fails in float32: e^220 is inf, and inf / inf is nan.");
  assert.equal(said({ temperature: 0.1, shift: -20 }), "The plain formula fails in float32: even e^-180 is 0, and 0 / 0 is nan.");
  assert.match(
    said({ a: -5, b: -4.9, c: -5, d: -5, shift: -13.5, temperature: 10 ** -0.75 }) ?? "",
    /fails in float32: e\^-103 has few digits left, and a share is off by 0\.63/,
  );
});

test("a drag that ends where it began has changed nothing", () => {
  assert.doesNotMatch(softmax.describe(START, START), /undefined/);
  const unit = { weight: 1, bias: 0, x: 2 };
  assert.equal(relu.describe(unit, unit), "Weight 1, bias 0, x = 2: w x + b is positive and goes through as it is: 2. The corner is at 0; the hinge opens to the right.");
});
