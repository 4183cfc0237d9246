import assert from "node:assert/strict";
import { test } from "node:test";
import { decimals, plural, quoted, short, shortened } from "../../../js/words/format.js";

test("a value is written with four decimals and never as minus zero", () => {
  assert.deepEqual([0.99995, -0.00001, 0, -0.98999, 1 / 3].map(decimals), ["1.0000", "0.0000", "0.0000", "-0.9900", "0.3333"]);
});

test("numbers are written without trailing zeros", () => {
  assert.deepEqual([10000, 1, 21.544346900318832, 0.046415888336127795].map(short), ["10000", "1", "21.5443", "0.0464159"]);
  assert.deepEqual([plural(1, "position"), plural(2, "position")], ["1 position", "2 positions"]);
});

test("a quoted word does not turn the text around it", () => {
  assert.deepEqual(["robot", "🤖", "räuber", "机"].map(quoted), ['"robot"', '"🤖"', '"räuber"', '"机"']);
  assert.deepEqual(["שלום", "سلام1"].map(quoted), ['"\u2068שלום\u2069"', '"\u2068سلام1\u2069"']);
  assert.deepEqual(["\u202erobot", "a\u2069\u202e\u200fb", "\u2067"].map(quoted), ['"robot"', '"ab"', '""']);
  assert.equal(quoted("\u2069שלום\u202e"), '"\u2068שלום\u2069"');
});

test("of a long text the beginning is shown", () => {
  assert.deepEqual([" a b ", "x".repeat(20), "🤖".repeat(21), "\u202ea"].map(shortened), ["a b", "x".repeat(20), `${"🤖".repeat(20)}…`, "a"]);
});
