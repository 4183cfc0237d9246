import assert from "node:assert/strict";
import { test } from "node:test";
import * as relu from "../../../js/words/relu.js";
import * as softmax from "../../../js/words/softmax.js";

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
