import assert from "node:assert/strict";
import { test } from "node:test";
import { encode, madeUpRow, oneHot, readText, tokenize, vocabulary } from "../../../js/mathematics/one_hot.js";

const KNOWN = { I: [1, 0.5, 0.3, 0.2], am: [0.8, 0.2, 0.5, 0.9] };

test("tokens are what stands between Python's white space", () => {
  assert.deepEqual(tokenize("  am\tI\n a\u3000robot.\x1cRobot \ufeff "), ["am", "I", "a", "robot.", "Robot", "\ufeff"]);
  assert.deepEqual(tokenize(" \u2028"), []);
});

test("a vocabulary holds each word once, by code point or as it first appears", () => {
  const tokens = ["robot", "am", "I", "a", "am", "\u{1f916}", "\uff01", "ab"];
  assert.deepEqual(vocabulary(tokens, "sorted"), ["I", "a", "ab", "am", "robot", "\uff01", "\u{1f916}"]);
  assert.deepEqual(vocabulary(tokens, "first"), ["robot", "am", "I", "a", "\u{1f916}", "\uff01", "ab"]);
  assert.deepEqual(tokens.length, 8, "the sentence is left as it was");
});

test("each row has one 1, in the column of its id", () => {
  assert.deepEqual(oneHot([2, 0, 2], 3), [[0, 0, 1], [1, 0, 0], [0, 0, 1]]);
});

test("the rows picked are the matrix times the table, in either order", () => {
  const tokens = ["I", "think", "therefore", "I", "am", "constructor"];
  for (const order of /** @type {const} */ (["sorted", "first"])) {
    const { entries, ids, matrix, table, picked } = encode(tokens, order, KNOWN);
    assert.deepEqual(ids.map((id) => entries[id]), tokens);
    const product = matrix.map((row) => table[0].map((_, column) => row.reduce((sum, value, at) => sum + value * table[at][column], 0)));
    assert.deepEqual(picked, product);
    assert.deepEqual(picked, [KNOWN.I, madeUpRow("think"), madeUpRow("therefore"), KNOWN.I, KNOWN.am, madeUpRow("constructor")]);
  }
});

test("a made up row is four digits in tenths, its own for each order of the letters", () => {
  for (const word of ["robot", "dog", "god", "\u{1f916}", "x"]) {
    assert.equal(madeUpRow(word).length, 4);
    assert.ok(madeUpRow(word).every((value) => value >= 0 && value < 1 && Number.isInteger(Math.round(value * 1e6) / 1e5)), word);
  }
  assert.notDeepEqual(madeUpRow("dog"), madeUpRow("god"));
});

test("what cannot be shown gets a sentence that says why", () => {
  assert.deepEqual(readText(" <b>am</b>  I ", 3, 9).tokens, ["<b>am</b>", "I"]);
  assert.match(readText("  ", 3, 9).problem ?? "", /at least one word/);
  assert.match(readText("a a a a", 3, 9).problem ?? "", /At most 3 words, please: there are 4/);
  assert.match(readText("a abcdefghij", 3, 9).problem ?? "", /At most 9 characters in a word, please: one has 10/);
  assert.equal(readText("\u{1f916}\u{1f916}", 3, 2).problem, undefined, "a sign outside the first plane is one sign");
});
