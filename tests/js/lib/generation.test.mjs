import assert from "node:assert/strict";
import { test } from "node:test";
import { crossed, ofHeads, together } from "../../../js/lib/generation.js";
import { describe, explain } from "../../../js/lib/generation_words.js";

/** @typedef {import("../../../js/lib/generation.js").Shown} Shown */

const HEADS = [
  [[1, 0], [0.25, 0.75], [0.5, 0.5]],
  [[0.5, 0.5], [0.75, 0.25], [0, 1]],
];

/** Two words become three. @param {Partial<Shown>} [state] @returns {Shown} */
function shown({ step = 0, head = 0, source = SOURCE, heads = HEADS } = {}) {
  /** @type {import("../../../js/lib/generation.js").Candidates[]} */
  const candidates = [[["eins", 0.5], ["zwei", 0.25]], [["eins", 0.6], ["zwei", 0.4]], [["<end>", 1]]];
  return { source, output: ["eins", "zwei", "<end>"], step, head, heads, cross: ofHeads(heads, head), self: [[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]], candidates };
}
const SOURCE = ["one", "two"];

/** A formula as a line of text. @param {import("../../../js/lib/formula.js").Piece[]} pieces */
const line = (pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : Object.values(piece)[0])).join("");

test("the mean of the heads is that of each share, and a head is its own", () => {
  assert.deepEqual(ofHeads(HEADS, 0), [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]);
  assert.equal(ofHeads(HEADS, 2), HEADS[1]);
});

test("a line crosses those of earlier steps that lead farther down, and no others", () => {
  const rows = [[0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 1, 0]];
  assert.deepEqual(rows.map((_, step) => crossed(rows, step)), [[], [0], [], [0, 2]]);
});

test("the probability of the words so far is the product of theirs", () => {
  assert.deepEqual([0, 1, 2].map((step) => together([0.5, 0.5, 0.25], step)), [0.5, 0.25, 0.0625]);
});

test("before anything moves the words ask and do not answer", () => {
  const text = describe(shown());
  assert.match(text, /^Step 0 \(the last is 2\), mean of 2 heads: nothing is written yet, now "eins"\. Guess before each move/);
  assert.doesNotMatch(text, /gives|"one"|"two"/);
});

test("a step tells where it looks, what would have been likelier, and what stays", () => {
  assert.equal(
    describe(shown({ step: 1, head: 2 }), shown({ head: 2 })),
    'Step 1 (the last is 2), head 2 of 2: written so far "eins", now "zwei". Choosing it, the decoder gives "one" 0.7500, next "two" 0.2500. ' +
      '"zwei" has a probability of 0.4000, though "eins" would have been likelier, 0.6000. Unchanged: the words already written, and the memory of the source.',
  );
  const crossing = shown({ step: 1, heads: [[[0, 1], [1, 0], [1, 0]]] });
  assert.match(describe(crossing, shown()), /one head: .* Its thickest line crosses that of "eins"\. /);
  assert.match(describe(shown({ step: 2 }), shown()), /\. <end> is the only candidate\./);
});

test("another head changes no word, and another source has a memory of its own", () => {
  assert.match(describe(shown({ head: 1 }), shown()), /No word and no probability changed: all heads together make them/);
  assert.match(describe(shown({ source: ["uno", "dos"] }), shown()), /Another source, another memory/);
});

test("a share is the mean of the heads, and a sentence as likely as the product of its words", () => {
  assert.equal(
    line(explain(shown({ step: 1 }), 0)),
    'share of "one" for "zwei", mean of 2 heads: (0.2500 + 0.7500) / 2 = 0.5000 (all 2 sum to 1)probability of all words so far: 0.5000 · 0.4000 for "zwei" = 0.2000',
  );
  assert.match(line(explain(shown({ head: 1 }), 1)), /^share of "two" for "eins", head 1 of 2: 0\.0000 \(all 2 sum to 1\)probability of all words so far: 0\.5000$/);
});
