import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, exactRows, formula, read } from "../../../js/words/positional_encoding.js";

/** @type {import("../../../js/words/positional_encoding.js").Shown} */
const START = { d_model: 6, seq_len: 10, position: 1, column: 2, arrangement: "interleaved", base: 10000 };
const STATE = "d_model 6: 10 positions of 6 numbers each. Position 1, column 2 is 0.0464.";

/** What is said beyond the state. @param {object} change @param {object} [before] */
const said = (change, before) => describe({ ...START, ...change }, before && { ...START, ...before }).replace(/^.*? is -?\d\.\d{4}\. /, "");

test("the state, the number and the step to it", () => {
  assert.equal(
    describe(START),
    `${STATE} From position 0 to 1, column 0 goes from 0.0000 to 0.8415, the slowest sine, column 4, from 0.0000 to 0.0022.`,
  );
  assert.equal(said({ d_model: 2, column: 1 }), "From position 0 to 1, column 0 goes from 0.0000 to 0.8415.");
  assert.match(said({ arrangement: "halves" }), /the slowest sine, column 2, from 0\.0000 to 0\.0022\.$/);
  assert.equal(said({ position: 0 }), "Position 0 is 0 in every sine and 1 in every cosine, at any d_model.");
});

test("another d_model is compared with the number that was there", () => {
  const first = "are the sine and cosine of the position itself at every d_model: their denominator is always 1.";
  assert.equal(said({ d_model: 8 }, {}), `At d_model 6 this number was 0.0464; columns 0 and 1 ${first}`);
  assert.equal(said({ d_model: 8, column: 6 }, {}), `Columns 0 and 1 ${first}`, "a column that was not there");
  assert.equal(said({ d_model: 8, column: 0, arrangement: "halves" }, { arrangement: "halves" }), `Columns 0 and 4 ${first}`);
});

test("another arrangement and another length change no number", () => {
  assert.equal(said({ arrangement: "halves" }, {}), "The same numbers in other columns: column 2 is now the sine of pair 2.");
  assert.equal(said({ arrangement: "halves", column: 3 }, {}), "The same numbers in other columns: column 3 is now the cosine of pair 0.");
  assert.match(said({ seq_len: 11 }, {}), /^Rows were added at the end; no number/);
  assert.match(said({ seq_len: 9 }, {}), /^Rows were taken away at the end; no number/);
});

test("a number is read, written out, and listed with its row", () => {
  assert.equal(read({ position: 7, column: 4 }, START), "Position 7, column 4: 0.0151. Click to choose it.");
  assert.deepEqual(formula(START).at(-1), { unbroken: ["sin(0.0464159) = ", { result: "0.0464" }] });
  assert.deepEqual(exactRows(START)[3], [3, 1, "cos(1 / 10000^(2/6))", Math.cos(10000 ** (-1 / 3))]);
});
