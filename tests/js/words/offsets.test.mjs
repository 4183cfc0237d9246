import assert from "node:assert/strict";
import { test } from "node:test";
import { curvesOf } from "../../../js/mathematics/offsets.js";
import { describe, exactRows, explain, legendTexts, methodsOf, positionsOf, read, setting, verdict } from "../../../js/words/offsets.js";
import { textOf } from "../formula_text.mjs";

const TABLE = Array.from({ length: 51 }, (_, at) => [at % 2 ? 0.5 : -0.5, 0, 0.1 * (at % 7), 0]);
const SCORING = { query: [2, 0, 1, 0], key: [1, 2, 0, 1], table: TABLE, base: 10000, n_heads: 8, head: 1 };
/** @type {import("../../../js/words/offsets.js").State} */
const START = { ...SCORING, method: "sinusoidal", beside: "rotary", offset: -1, position: 15, window: 10, references: [10, 20] };

/** @param {Partial<typeof START>} [change] */
function shown(change) {
  const state = { ...START, ...change };
  return { ...state, curves: methodsOf(state).map((method) => curvesOf(method, positionsOf(state), 10, state)) };
}

test("the description gives the two scores, and at first asks which curve stays", () => {
  assert.equal(describe(shown()), "Query at 15, key at 14, offset -1: sinusoidal 2.8903, rotary 2.2282. Move the query: which curve stays?");
  assert.match(describe(shown({ beside: "sinusoidal" })), /offset -1: sinusoidal 2\.8903\. /);
});

test("when the query moves, each method says what became of its scores", () => {
  assert.match(
    describe(shown({ position: 16 }), shown()),
    /The sinusoidal curve is another one: the score went from 2\.8903 to \d\.\d{4} at the same offset\. Rotary kept every score: it knows the offset alone\.$/,
  );
  const others = shown({ method: "learned", beside: "alibi" });
  assert.match(describe({ ...others, position: 16 }, others), /The untrained table took other rows: .* ALiBi kept every score: it knows the distance alone\.$/);
  const none = shown({ method: "none", beside: "none" });
  assert.match(describe({ ...none, position: 16 }, none), /1\.0000\. Without positions no score changed, and none can\.$/);
});

test("when the offset moves, each score says from where to where, and what it is from elsewhere", () => {
  const words = describe(shown({ offset: 0 }), shown());
  assert.match(words, / At offset -1: sinusoidal 2\.8903, rotary 2\.2282\. /);
  assert.match(words, /At offset 0 sinusoidal gives 0\.8923 and 4\.3669 from 10 and 20, rotary the same from all three\.$/);
  assert.match(
    describe(shown({ method: "alibi", beside: "none", offset: 1 }), shown({ method: "alibi", beside: "none" })),
    / At offset -1: ALiBi 0\.5000, no positions 1\.0000\. The query could stand anywhere: ALiBi and no positions would score the same\.$/,
  );
});

test("the base and the slope say whose scores they change", () => {
  assert.match(describe(shown({ base: 100 }), shown()), / The second pair now turns by 0\.1 rad a position; before, it turned by 0\.01\. The first /);
  const plain = { method: /** @type {const} */ ("alibi"), beside: /** @type {const} */ ("none") };
  assert.match(describe(shown({ ...plain, base: 100 }), shown(plain)), / No score changed: only the angles of sinusoidal and rotary have a base\.$/);
  assert.match(describe(shown({ ...plain, head: 2 }), shown(plain)), / The slope is 1\/4 a position; before, it was 1\/2\. /);
  assert.match(describe(shown({ head: 2 }), shown()), / No score changed: the slope, now 1\/4, is ALiBi's alone\.$/);
});

test("a method that is chosen says what it does", () => {
  /** @type {[import("../../../js/words/offsets.js").Method, RegExp][]} */
  const habits = [
    ["rotary", / a turn by the offset is left\. Its two sides differ: /],
    ["alibi", / ALiBi takes 1\/2 off for each step between the two, here 0\.5, on both sides alike\.$/],
    ["learned", / The rows of an untrained table are random: /],
    ["none", / Without positions the score is the same at every offset: /],
  ];
  for (const [method, words] of habits) assert.match(describe(shown({ method }), shown({ method: "sinusoidal" })), words);
  assert.match(describe(shown(), shown({ method: "none" })), / Sinusoidal adds a row to both: /);
});

test("the formulas have all their numbers, rotary's has the offset alone", () => {
  /** @param {Partial<typeof START>} [change] */
  const lines = (change) => explain(shown(change)).map((line) => textOf([line]));
  assert.deepEqual(lines(), [
    "sinusoidal: (query + PE(15)) · (key + PE(14)) / 2 = (2.6503 · 1.9906 + (-0.7597) · 2.1367 + 1.1494 · 0.1395 + 0.9888 · 1.9902) / 2 = 2.8903",
    "rotary: query · (key turned by -1) / 2 = (2 · 2.2232 + 0 · 0.2391 + 1 · 0.0100 + 0 · 1.0000) / 2 = 2.2282",
  ]);
  assert.equal(lines({ position: 30 })[1], lines()[1]);
  assert.deepEqual(lines({ method: "alibi", beside: "none", head: 2, offset: -3 }), [
    "ALiBi: query · key / 2 - slope · distance = (2 · 1 + 0 · 2 + 1 · 0 + 0 · 1) / 2 - 1/4 · 3 = 0.2500",
    "none: query · key / 2 = (2 · 1 + 0 · 2 + 1 · 0 + 0 · 1) / 2 = 1.0000",
  ]);
  assert.deepEqual(lines({ method: "learned", beside: "learned", table: TABLE.map(([first]) => [first, -0.5, first, 0.1]) }), [
    "learned, untrained: (query + row 15) · (key + row 14) / 2 = (2.5 · 0.5 + (-0.5) · 1.5 + 1.5 · (-0.5) + 0.1 · 1.1) / 2 = -0.0700",
  ]);
});

test("the pointer reads an offset, the legend names the positions, a panel says what its curves share, and the table has every score", () => {
  assert.match(read(-2, shown()), /^Offset -2: sinusoidal 1\.84 \(from 10 and 20: 1\.71 and 1\.98\); rotary 1\.41\.$/);
  assert.deepEqual(legendTexts(shown()).map(textOf), ["query at 15, chosen", "query at 10", "query at 20"]);
  assert.deepEqual(shown().curves.map(verdict), ["three curves, up to 3.93 apart", "one curve for all three"]);
  assert.equal(setting(START), "Query (2, 0, 1, 0) and key (1, 2, 0, 1) at every position; score = query · key / 2.");
  const now = shown();
  const rows = exactRows(now);
  assert.deepEqual([rows.length, rows[0].length, rows[0][0], rows[20][0]], [21, 7, -10, 10]);
  assert.deepEqual(rows[9].slice(1), now.curves.flatMap((panel) => panel.map((scores) => scores[9])));
});
