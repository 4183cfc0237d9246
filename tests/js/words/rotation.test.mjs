import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, explain, radiansAndDegrees } from "../../../js/words/rotation.js";
import { textOf } from "../formula_text.mjs";

const START = { d_model: 8, position: 2, offset: 5, pair: 0, base: 10000 };

test("a turn is given in radians and in degrees", () => {
  assert.equal(radiansAndDegrees(5), "5 rad = 286.48 degrees");
  assert.equal(radiansAndDegrees(-0.5), "-0.5 rad = -28.65 degrees");
});

test("the state comes first, then what to look for", () => {
  assert.equal(
    describe(START),
    'From position 2, "+5" leads to 7: the hand of pair 0 turns by 5 rad = 286.48 degrees. '
      + "Move a slider and see which of the three change: the two hands and the turn between them.",
  );
  assert.match(describe({ ...START, offset: -5 }), /^From position 2, "-5" leads to -3: .* No word stands before position 0/);
});

test("each slider has its own comparison", () => {
  /** @param {Partial<typeof START>} change @param {Partial<typeof START>} [first] */
  const after = (change, first = {}) => describe({ ...START, ...first, ...change }, { ...START, ...first }).split(" degrees. ")[1];
  assert.equal(after({ position: 4 }), "Both hands have moved by 2 rad; the turn between them and its four numbers are what they were.");
  assert.equal(after({ offset: 6 }), "The hand of position 2 stayed; the turn was 5 rad before.");
  assert.match(after({ offset: -5 }, { position: 9 }), / before\. The opposite way: the same four numbers with the signs of the sines exchanged\.$/);
  assert.equal(after({ d_model: 2 }), "1 clock now; pair 0 turns by 1 rad a position at every d_model.");
  assert.equal(after({ d_model: 6 }, { pair: 1 }), "3 clocks now; pair 1 has another speed, pair 0 the same as ever.");
  assert.equal(after({ pair: 2 }), "The same step on a clock 100 times slower than that of pair 0.");
  assert.equal(after({ pair: 0 }, { pair: 2 }), "The same step on a clock 100 times faster than that of pair 2.");
});

test("a number of PE(p + k) is a row of the turn times PE(p), and that is its own sine or cosine", () => {
  const told = textOf(explain({ part: "to", row: 1, column: 0 }, START));
  assert.equal(told, "PE(7), the cosine of pair 0: 0.9589 × 0.9093 + 0.2837 × (-0.4161) = cos(7 / 1) = 0.7539");
  assert.equal(textOf(explain({ part: "from", row: 0, column: 0 }, START)), "PE(2), the sine of pair 0:  sin(2 / 1) = 0.9093");
  const corner = textOf(explain({ part: "shift", row: 1, column: 0 }, { ...START, pair: 1 }));
  assert.equal(corner, "row 1, column 0 of the turn by 5, which knows no position:  -sin(5 / 10) = -0.4794");
});
