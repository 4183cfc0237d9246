import assert from "node:assert/strict";
import { test } from "node:test";
import { explain, label, legend, nameLines, recipe, title } from "../../../js/words/robot_formula.js";
import { describe } from "../../../js/words/robot.js";
import { RECIPES, counterpart, differs, everyStage, headOf, isStage, mean, sources, variance } from "../../../js/mathematics/worked_example.js";

/** @typedef {import("../../../js/mathematics/worked_example.js").Stage} Stage */
/** @typedef {import("../../../js/mathematics/worked_example.js").Weight} Weight */

const EMBEDDINGS = { I: [1, 0.5, 0.3, 0.2], a: [0.4, 0.7, 0.6, 0.1], am: [0.8, 0.2, 0.5, 0.9], robot: [0.9, 0.3, 0.8, 0.5] };
const one = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((column) => Number(row === column)));
const wide = one.map((row) => [...row, ...row.map((value) => -value)]);
const weights = { W_Q: one, W_K: one, W_V: one, W_O: one, W_1: wide, W_2: [...one, ...one] };
const layer = { weights, heads: 2, eps: 1e-5 };
const machine = { base: 10000, layer, embeddings: EMBEDDINGS };

/** @param {string} sentence */
function followed(sentence) {
  const tokens = sentence.split(" ");
  return { tokens, stages: everyStage(tokens, EMBEDDINGS, 10000, layer) };
}

/** @param {import("../../../js/words/formula.js").Piece[]} pieces */
const line = (pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : "exponent" in piece ? `e^${piece.exponent}` : Object.values(piece)[0])).join("");

const [statement, question] = ["I am a robot", "am I a robot"].map(followed);

/** @param {Stage} stage */
const said = (stage, mine = question) => describe(statement, mine, stage, machine);

test("every stage is computed from stages before it, and from what all sentences share", () => {
  const stages = /** @type {Stage[]} */ (Object.keys(RECIPES));
  assert.deepEqual(Object.keys(statement.stages), stages);
  stages.forEach((stage, at) => {
    for (const part of RECIPES[stage].from) assert.ok(!isStage(part) || stages.indexOf(part) < at, `${stage} from ${part}`);
  });
});

test("a head reads its own columns", () => {
  const query = { part: /** @type {const} */ ("scores"), head: 1, row: 2, column: 0 };
  assert.deepEqual(sources(query, statement.stages, 2).map(({ part, row, column }) => `${part} ${row} ${column}`), ["query 2 2", "query 2 3", "key 0 2", "key 0 3"]);
  const mixed = sources({ part: "heads", head: 0, row: 0, column: 3 }, statement.stages, 2);
  assert.deepEqual(new Set(mixed.map(({ part, head }) => `${part} ${head}`)), new Set(["weights 1", "value 0"]));
  assert.deepEqual([0, 1, 2, 3].map((column) => headOf(column, 4, 2)), [0, 0, 1, 1]);
  assert.deepEqual(sources({ part: "W_Q", head: 0, row: 0, column: 0 }, statement.stages, 2), []);
});

test("a normalised row has mean 0 and almost variance 1", () => {
  for (const row of statement.stages.output[0]) {
    assert.ok(Math.abs(mean(row)) < 1e-12);
    assert.ok(variance(row) < 1 && variance(row) > 0.999);
  }
});

test("rounding makes no difference, the fifth digit does, and what is not there differs", () => {
  assert.deepEqual([differs(0.1 + 0.2, 0.3), differs(1, 0.99995), differs(0, undefined)], [false, true, true]);
});

test("a number of two words has its counterpart where both stand in the other sentence", () => {
  const place = { part: /** @type {const} */ ("weights"), head: 1, row: 0, column: 1 };
  assert.equal(counterpart(place, question, statement), statement.stages.weights[1][1][0]);
  assert.equal(counterpart(place, statement, followed("am a robot")), undefined);
});

test("matrices are named for the eye and for readers of the screen", () => {
  assert.equal(title("scores", "scores", 1, machine), "head 2: scores = query keyᵀ / √2");
  assert.equal(title("scores", "weights", 0, machine), "head 1: scores");
  assert.equal(title("table", "embedding", 0, machine), "the table of embeddings");
  assert.equal(label("weights", 1, question.tokens), "weights of am I a robot, head 2");
  assert.equal(label("W_1", 0, question.tokens), "W_1");
  assert.deepEqual(nameLines("one_hot", statement.stages.one_hot[0], statement.tokens, machine), { rows: statement.tokens, columns: ["I", "a", "am", "robot"] });
  assert.deepEqual(nameLines("W_1", wide, statement.tokens, machine).columns.at(-1), "7");
  assert.equal(legend(["input", "W_K", "query"], { input: 2, query: 2, W_K: 3 }), "The colours go from -2 to 2 in input and query, from -3 to 3 in W_K.");
  assert.match(recipe("hidden"), /a row of norm_1 times a column of W_1, .* what is below 0 becomes 0\.$/);
});

test("a formula has all its numbers", () => {
  const place = { head: 0, row: 3, column: 0 };
  const written = (/** @type {Stage | Weight} */ part, at = place) => line(explain({ ...at, part }, statement, question, machine));
  assert.equal(written("one_hot"), 'one_hot, row 3 ("robot"), column 0 ("I"): 0: "robot" is word 3 of I, a, am, robot. In "am I a robot" this word has the same number.');
  assert.match(written("query"), /^query, row 3 \("robot"\), column 0 \(head 1\): 1\.0411 · 1 \+ \(-0\.6900\) · 0 \+ 0\.8300 · 0 \+ 1\.4996 · 0 = 1\.0411\./);
  assert.match(written("scores", { head: 1, row: 0, column: 1 }), /^scores, head 2, query "I", key "am": \(0\.3000 · 0\.5100 \+ 1\.2000 · 1\.9000\) \/ √2 = 2\.4329 \/ 1\.4142 = 1\.7203\./);
  assert.match(written("norm_1"), /: mean = \(.*\) \/ 4 = .*; variance = \(.*²\) \/ 4 = .*; \(.*\) \/ √\(.* \+ 0\.00001\) = -?\d\.\d{4}\./);
  assert.equal(written("W_K"), "W_K, row 3, column 0: 0, chosen by hand, the same for every sentence.");
});

test("what did not change is said at every stage", () => {
  assert.match(said("one_hot"), /no number of the one-hot rows differs\. A word has its 1 in the same column/);
  assert.match(said("key"), /8 of the 16 numbers of the keys differ\. "a" and "robot" stand where they stood and keep every number\./);
  assert.match(said("scores"), /among themselves they score as they did/);
  assert.match(said("heads"), /"a" and "robot" stand where they stood, yet their rows are new/);
  assert.match(said("query", followed("I I")), /"I" at position 0 stands where it stood and keeps every number\./);
  assert.match(said("query", followed("robot")), /No word stands where it stood\./);
  assert.match(said("weights", statement), /^"I am a robot" beside "I am a robot"\. The two sentences are the same, so no number differs\. "robot" gives most in head 1 to "\w+" \(0\.\d{4}\); in head 2/);
});
