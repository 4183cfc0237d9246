import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, exactRows, explain, meansOf, nameOf, percent, shownLengths } from "../../../js/words/lengths.js";
import { textOf } from "../formula_text.mjs";

const ALL = [
  [[3000, 3100], [1700, 1500], [1300, 1200]],
  [[10000, 10000], [1000, 1806], [904, 907]],
];

/** @param {Partial<import("../../../js/words/lengths.js").Shown>} [change] @returns {import("../../../js/words/lengths.js").Shown} */
function shown(change) {
  const names = ["none", "sinusoidal"];
  const spans = ["up to 15", "16 to 31", "32 to 63"];
  const state = { task: "shift", encoding_index: 1, names, n_layers: 1, guess: 50, longer: true, spans, chance: 0.0625, all: ALL, ...change };
  return { ...state, encoding: names[state.encoding_index], dots: state.all[state.encoding_index] };
}

test("at first the longer lengths are hidden, and the reader is asked for a guess", () => {
  assert.equal(
    describe(shown({ longer: false })),
    "shift, sinusoidal, one layer: 100% at positions up to 15 (mean of 2 seeds; guessing gives 6.25%). " +
      "And at positions 16 to 31? Your guess is 50%. Move it, then show the longer lengths.",
  );
  assert.doesNotMatch(describe(shown({ longer: false }), shown()), /14|at positions 32/);
});

test("then each length has its mean and the spread of the seeds, and the guess its verdict", () => {
  assert.equal(
    describe(shown(), shown({ longer: false })),
    "shift, sinusoidal, one layer: 100% at positions up to 15; 14% at positions 16 to 31, from 10 to 18.1%; " +
      "9.1% at positions 32 to 63, from 9 to 9.1% (mean of 2 seeds; guessing gives 6.25%). " +
      "You guessed 50% at positions 16 to 31: 36 points too high.",
  );
  assert.match(describe(shown({ guess: 3 }), shown()), / You guessed 3% at positions 16 to 31: 11 points too low\.$/);
  for (const guess of [10, 15, 18]) assert.match(describe(shown({ guess }), shown()), /: as good as the seeds, which differ as much\.$/);
});

test("another encoding, task or number of layers is compared with the one before", () => {
  assert.match(describe(shown({ encoding_index: 0 }), shown()), / One layer without positions cannot see .* With sinusoidal it was 100%, 14% and 9\.1%\.$/);
  assert.match(describe(shown({ task: "first" }), shown()), /^first, .* With shift it was 100%, 14% and 9\.1%\.$/);
  assert.match(describe(shown({ n_layers: 2 }), shown()), / two layers: .* With one layer it was 100%, 14% and 9\.1%\.$/);
  assert.doesNotMatch(describe(shown({ encoding_index: 0, n_layers: 2 }), shown()), /cannot see/);
  assert.match(describe(shown({ task: "first", longer: false }), shown({ longer: false })), / And at positions 16 to 31\? /);
});

test("the formula is the mean of the seeds at the length that the guess is about", () => {
  assert.equal(textOf(explain(shown())), "mean at 2x: (10 + 18.06) / 2 = 14%");
  assert.equal(textOf(explain(shown({ longer: false }))), "mean at 1x: (100 + 100) / 2 = 100%");
});

test("what is hidden is in no mean and in no row of the table", () => {
  assert.deepEqual(meansOf(shown(), 0), [30.5, 16, 12.5]);
  assert.deepEqual(meansOf(shown({ longer: false }), 0), [30.5]);
  assert.equal(shownLengths({ longer: false }), 1);
  const means = [["mean of none", 30.5, 16, 12.5], ["mean of sinusoidal", 100, 14, 9.1]];
  assert.deepEqual(exactRows(shown()), [["seed 1", 100, 10, 9.04], ["seed 2", 100, 18.06, 9.07], ...means]);
  const hidden = means.map(([name, mean]) => [name, mean, "?", "?"]);
  assert.deepEqual(exactRows(shown({ longer: false })), [["seed 1", 100, "?", "?"], ["seed 2", 100, "?", "?"], ...hidden]);
});

test("encodings have the names of the chapter, and percents no zero at their end", () => {
  assert.deepEqual(["alibi", "random_offsets", "rotary"].map(nameOf), ["ALiBi", "random offsets", "rotary"]);
  assert.deepEqual([100, 14.04, 6.25].map(percent), ["100%", "14%", "6.3%"]);
});
