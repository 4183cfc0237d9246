import assert from "node:assert/strict";
import { test } from "node:test";
import { decimals } from "../../../js/words/format.js";
import { explain, shared } from "../../../js/words/robot_formula.js";
import { describe } from "../../../js/words/robot.js";
import { RECIPES, everyStage, isStage, sources } from "../../../js/mathematics/worked_example.js";

/** @typedef {import("../../../js/mathematics/worked_example.js").Stage} Stage */

const EMBEDDINGS = { I: [1, 0.5, 0.3, 0.2], a: [0.4, 0.7, 0.6, 0.1], am: [0.8, 0.2, 0.5, 0.9], robot: [0.9, 0.3, 0.8, 0.5] };
const one = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((column) => Number(row === column)));
const half = one.map((row) => row.map((value) => value / 2));
const weights = {
  W_Q: [[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]],
  W_K: [[0, -1, 0, 0], [1, 0, -0.5, 0], [0, 0, 0, 3], [0, 0, 0, 0]],
  W_V: [[0.5, 0, 0, 0.5], [0, 0.5, 0.5, 0], [0, 0.5, -0.5, 0], [0.5, 0, 0, -0.5]],
  W_O: [[0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0.5, 0, -0.5, 0], [0, 0.5, 0, -0.5]],
  W_1: one.map((row) => [...row, ...row.map((value) => -value)]),
  W_2: [...half, ...half],
};
const layer = { weights, heads: 2, eps: 1e-5 };
const machine = { base: 10000, layer, embeddings: EMBEDDINGS };
const STAGES = /** @type {Stage[]} */ (Object.keys(RECIPES));

/** @param {string} sentence */
function followed(sentence) {
  const tokens = sentence.split(" ");
  return { tokens, stages: everyStage(tokens, EMBEDDINGS, 10000, layer) };
}

/** @param {string[]} words @returns {string[][]} */
const orders = (words) => (words.length < 2 ? [words] : words.flatMap((word, at) => orders(words.filter((_, other) => other !== at)).map((rest) => [word, ...rest])));

/** Every number of a stage, with its place. @param {ReturnType<typeof followed>} mine @param {Stage} part */
const places = (mine, part) =>
  mine.stages[part].flatMap((matrix, head) => matrix.flatMap((row, at) => row.map((value, column) => ({ value, place: { part, head, row: at, column } }))));

const statement = followed("I am a robot");
const sentences = [...orders(Object.keys(EMBEDDINGS)).map((order) => order.join(" ")), "robot", "a am robot I robot a I am"];

/** @param {import("../../../js/words/formula.js").Piece[]} pieces */
const line = (pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : "exponent" in piece ? `exp(${piece.exponent})` : Object.values(piece)[0])).join("");

/** What is written between two "=", and how far the rounding of its numbers to four decimals can move it. @param {string} text */
function evaluate(text) {
  const code = text.replaceAll("²", "**2").replace(/√\(/g, "Math.sqrt(").replace(/√(\d+)/g, "Math.sqrt($1)").replaceAll("·", "*")
    .replace(/\b(exp|sin|cos)\(/g, "Math.$1(").replace(/relu\(/g, "Math.max(0, ");
  /** @type {number[]} */
  const numbers = [];
  const body = code.replace(/\d+\.\d{4}(?!\d)/g, (digits) => `n[${numbers.push(Number(digits)) - 1}]`);
  const run = /** @type {(n: number[]) => number} */ (new Function("n", `return ${body}`));
  const value = run(numbers);
  const moved = numbers.map((number, at) => Math.abs(run(numbers.map((other, index) => (index === at ? number + 5e-5 : other))) - value));
  return { value, bound: moved.reduce((sum, each) => sum + each, 0) };
}

test("on both sides of every = stands the same, for every order of the words", () => {
  for (const sentence of sentences) {
    const mine = followed(sentence);
    for (const { value, place } of STAGES.filter((stage) => stage !== "one_hot").flatMap((stage) => places(mine, stage))) {
      const pieces = explain(place, mine, statement, machine);
      const whole = line(pieces.slice(1, pieces.findIndex((piece) => typeof piece === "object" && "result" in piece) + 1));
      const text = whole.replace(/^the largest.*?first: /, "");
      for (const chain of text.split("; ").map((part) => part.replace(/^(mean|variance) = /, "").split(" = "))) {
        const sides = chain.map(evaluate);
        const result = sides[sides.length - 1].value;
        for (const side of sides.slice(0, -1)) assert.ok(Math.abs(side.value - result) <= side.bound + 6e-5, `${sentence}: ${whole}`);
      }
      if (RECIPES[place.part].kind === "norm") {
        const [left, right] = text.split("; ")[2].split(" = ");
        assert.equal(decimals(evaluate(left).value), right, whole);
      }
      assert.ok(whole.endsWith(`= ${decimals(value)}`), whole);
    }
  }
});

test("a number is what the numbers that light up give, and nothing else", () => {
  const kinds = /** @type {Record<string, (n: number[], place: import("../../../js/mathematics/worked_example.js").Place) => number>} */ ({
    sum: ([one, two]) => one + two,
    product: dot,
    relu: (n) => Math.max(0, dot(n)),
    scores: (n) => dot(n) / Math.SQRT2,
    average: dot,
    softmax: (n, { column }) => Math.exp(n[column]) / n.reduce((sum, value) => sum + Math.exp(value), 0),
    norm: (n, { column }) => {
      const middle = n.reduce((sum, value) => sum + value) / n.length;
      return (n[column] - middle) / Math.sqrt(n.reduce((sum, value) => sum + (value - middle) ** 2, 0) / n.length + 1e-5);
    },
  });
  for (const sentence of sentences) {
    const mine = followed(sentence);
    for (const { value, place } of STAGES.flatMap((stage) => places(mine, stage))) {
      const found = sources(place, mine.stages, 2).map(({ part, head, row, column }) => (isStage(part) ? mine.stages[part][head] : shared(part, machine))[row][column]);
      const { kind } = RECIPES[place.part];
      if (kind === "given") assert.deepEqual(found, []);
      else assert.ok(Math.abs(kinds[kind](found, place) - value) < 1e-12, `${sentence}: ${JSON.stringify(place)}`);
    }
  }
});

/** Of the first half of numbers with the second. @param {number[]} numbers */
function dot(numbers) {
  const middle = numbers.length / 2;
  return numbers.slice(0, middle).reduce((sum, value, at) => sum + value * numbers[middle + at], 0);
}

test("the other sentence's number is named with its position where the word stands there more than once", () => {
  const other = followed("robot I am robot");
  const written = (/** @type {Stage} */ part, row = 3, column = 0) => line(explain({ part, head: 0, row, column }, statement, other, machine));
  assert.match(written("input"), /In "robot I am robot" this word has the same number at position 3\.$/);
  assert.match(written("scores"), /In "robot I am robot" these two words have -?\d\.\d{4} \(positions 3 and 1\)\.$/);
  assert.match(written("input", 0), /In "robot I am robot" this word has 1\.8415\.$/);
  assert.match(written("input", 2), / "robot I am robot" does not have this word\.$/);
  const long = followed("a am robot I robot a I am");
  const near = line(explain({ part: "norm_1", head: 0, row: 4, column: 2 }, long, statement, machine));
  assert.match(near, /this word has nearly the same: 0\.56623\d+, here 0\.56623\d+\.$/);
  const [there, here] = /** @type {RegExpMatchArray} */ (near.match(/: (0\.\d+), here (0\.\d+)\.$/)).slice(1);
  assert.notEqual(there, here);
});

test("every stage is described in whole sentences", () => {
  const said = (/** @type {string} */ sentence, /** @type {Stage} */ stage) => describe(statement, followed(sentence), stage, machine);
  const question = '"am I a robot" beside "I am a robot". ';
  assert.equal(said("am I a robot", "input"), `${question}Word by word, 8 of the 16 numbers of the input differ. "am" moved from position 1 to 0. "I" moved from position 0 to 1. "a" stayed at position 2. "robot" stayed at position 3.`);
  const [mine, book] = [followed("am I a robot"), statement].map(({ stages }) => stages.weights.map((matrix) => decimals(Math.max(...matrix[3]))));
  assert.equal(said("am I a robot", "weights"), `${question}Pair by pair, all 32 numbers of the weights differ. "a" and "robot" stand where they stood, yet their shares differ. "robot" gives most in head 1 to "am" (${mine[0]}), in the book's sentence to "I" (${book[0]}); in head 2 to "robot" (${mine[1]}), in the book's sentence too (${book[1]}). Every row sums to 1.`);
  const { hidden, norm_1 } = followed("am I a robot").stages;
  const rest = '"a" and "robot" stand where they stood, yet their rows are not what they were. ';
  assert.ok(said("am I a robot", "hidden").endsWith(`${rest}${hidden[0].flat().filter((value) => value === 0).length} numbers of your sentence's 32 are 0: of a number and its negative, ReLU keeps what is above 0.`));
  const few = followed("robot");
  few.stages.hidden = [[[0, 0, 1, 2, 3, 4, 5, 0]]];
  assert.match(describe(statement, few, "hidden", machine), / 3 numbers of your sentence's 8 are 0: /);
  assert.ok(said("am I a robot", "feed_forward").endsWith(`${rest}Each is half of norm_1's number, without its sign.`));
  assert.ok(said("am I a robot", "residual_2").endsWith(`${rest}What was above 0 in norm_1 has grown by half, what was below is halved.`));
  const least = Math.min(...[norm_1[0], statement.stages.norm_1[0]].flat().map((row) => row.reduce((sum, value) => sum + value * value, 0) / 4));
  assert.ok(said("am I a robot", "norm_1").endsWith(`${rest}Every row has mean 0 and variance 1 (at least ${decimals(least)}: the 0.00001 under the root takes the rest).`));
  assert.ok(said("I", "heads").includes('"I" stands where it stood, yet its row is new: alone, it now holds its own value and nothing else.'));
  for (const sentence of [...sentences, "I am a robot", "I", "I I I robot robot"]) {
    for (const stage of STAGES) assert.match(said(sentence, stage), /^[^ ](?:(?!undefined|NaN| {2}).)*\.$/, `${sentence} ${stage}`);
  }
});

test("whom a word listens to is said with positions where words repeat", () => {
  const said = (/** @type {string} */ sentence) => describe(statement, followed(sentence), "weights", machine);
  const most = (/** @type {string} */ sentence, /** @type {number} */ head, /** @type {number} */ row) => {
    const { tokens, stages } = followed(sentence);
    const shares = stages.weights[head][row];
    const at = shares.indexOf(Math.max(...shares));
    const repeated = tokens.filter((token) => token === tokens[at]).length > 1;
    return `"${tokens[at]}"${repeated ? ` at position ${at}` : ""} (${decimals(shares[at])})`;
  };
  for (const [sentence, row, asking] of /** @type {[string, number, string][]} */ ([
    ["robot I am robot", 3, '"robot" at position 3'],
    ["I I I robot robot", 3, '"robot" at position 3'],
    ["robot robot", 0, '"robot" at position 0'],
    ["am am I", 1, '"am" at position 1'],
    ["a am I", 0, '"a"'],
  ])) {
    const text = said(sentence);
    assert.ok(text.includes(`${asking} gives most in head 1 to ${most(sentence, 0, row)}, in the book's sentence `), text);
    assert.ok(text.includes(`; in head 2 to ${most(sentence, 1, row)}, in the book's sentence `), text);
  }
});
