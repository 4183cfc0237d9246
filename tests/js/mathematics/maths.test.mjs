import assert from "node:assert/strict";
import { test } from "node:test";
import { POWERS_OF_TWO, ticks } from "../../../js/drawing/axis.js";
import { decimals, plural, short } from "../../../js/words/format.js";
import { cellSize } from "../../../js/drawing/heatmap.js";
import { colourIndex, parsePalette } from "../../../js/drawing/palette.js";
import { encodingRow, encodingValue, turns } from "../../../js/mathematics/positional_encoding.js";
import { counterparts, readSentence } from "../../../js/mathematics/worked_example.js";

const EMBEDDINGS = { I: [1, 0], a: [0, 1], am: [1, 1], robot: [0, 0] };

test("a value is written with four decimals and never as minus nothing", () => {
  assert.deepEqual([0.99995, -0.00001, 0, -0.98999, 1 / 3].map(decimals), ["1.0000", "0.0000", "0.0000", "-0.9900", "0.3333"]);
});

test("numbers are as short as they can be told", () => {
  assert.deepEqual([10000, 1, 21.544346900318832, 0.046415888336127795].map(short), ["10000", "1", "21.5443", "0.0464159"]);
  assert.deepEqual([plural(1, "position"), plural(2, "position")], ["1 position", "2 positions"]);
});

test("a row holds the formula's numbers, in both arrangements", () => {
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

test("a pair is back after as many positions as its turns say", () => {
  const [first, second] = turns(4, 10000);
  assert.ok(Math.abs(Math.sin(encodingValue(1 / first, 0, 4, 10000))) < 1e-12);
  assert.ok(Math.abs(first / second - 100) < 1e-9);
});

test("a cell covers whole device pixels, at least one", () => {
  assert.equal(cellSize(640, 6, 120, 1), 106);
  assert.equal(cellSize(640, 512, 120, 1), 1);
  assert.equal(cellSize(290, 512, 120, 1), 1);
  assert.equal(cellSize(290, 512, 120, 2), 0.5);
  assert.equal(cellSize(640, 2, 120, 3), 120);
});

test("colours run from the lowest to the highest value and stop there", () => {
  assert.deepEqual([-2, -1, -0.001, 0, 0.999, 1, 5].map((value) => colourIndex(value, 256)), [0, 0, 127, 128, 255, 255, 255]);
  assert.equal(colourIndex(1, 256, 2), 192);
  const { css, packed, dark } = parsePalette("ff8000000010");
  assert.deepEqual([css, [...packed], dark], [["#ff8000", "#000010"], [0xff0080ff | 0, 0xff100000 | 0], [false, true]]);
});

test("ticks are few, whole and begin at 0", () => {
  assert.deepEqual(ticks(6, 10), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ticks(128, 7), [0, 20, 40, 60, 80, 100, 120]);
  assert.deepEqual(ticks(512, 8, POWERS_OF_TWO), [0, 64, 128, 192, 256, 320, 384, 448]);
});

test("a sentence that cannot be followed gets a sentence that says why", () => {
  assert.deepEqual(readSentence("  am I\ta robot ", EMBEDDINGS, 8).tokens, ["am", "I", "a", "robot"]);
  assert.deepEqual(readSentence("I\x1fam\x85a", EMBEDDINGS, 8).tokens, ["I", "am", "a"]);
  assert.match(readSentence("I\ufeffam", EMBEDDINGS, 8).problem ?? "", /does not know "I\ufeffam"/);
  assert.match(readSentence("I <b>am</b>", EMBEDDINGS, 8).problem ?? "", /does not know "<b>am<\/b>"/);
  assert.match(readSentence("constructor", EMBEDDINGS, 8).problem ?? "", /does not know "constructor"/);
  assert.match(readSentence(" ", EMBEDDINGS, 8).problem ?? "", /at least one/);
  assert.match(readSentence("a a a", EMBEDDINGS, 2).problem ?? "", /At most 2 words, please: there are 3/);
});

test("a word is paired with the first of the same word", () => {
  assert.deepEqual(counterparts(["am", "I", "am", "robot"], ["I", "am", "a"]), [1, 0, 1, undefined]);
  assert.deepEqual(counterparts(["a", "a"], ["I", "a", "a"]), [1, 1]);
});
