/** The worked example in words: what differs between two sentences at a stage, and what does not. */

import { decimals, listed, plural, quoted } from "./format.js";
import { PAIRS, counterpart, differs, isRepeated, named, placeOf, variance } from "../mathematics/worked_example.js";

/** @typedef {import("../mathematics/worked_example.js").Stage} Stage */
/** @typedef {import("../mathematics/worked_example.js").Followed} Followed */
/** @typedef {import("./robot_formula.js").Machine} Machine */

/** What the numbers of a stage are called, where its own name does not do. @type {Partial<Record<Stage, string>>} */
const NOUNS = {
  one_hot: "the one-hot rows", query: "the queries", key: "the keys", value: "the values",
  residual_1: "residual_1", norm_1: "norm_1", hidden: "hidden", feed_forward: "feed_forward", residual_2: "residual_2",
};

/** The stages before words meet: by where a word stands everything is said. @type {Stage[]} */
const EARLY = ["embedding", "encoding", "input"];
/** The stages that each word goes through alone. @type {Stage[]} */
const OWN = ["query", "key", "value"];

/**
 * What is on screen and what changed between the two sentences.
 * @param {Followed} reference the book's sentence, which has every word @param {Followed} mine @param {Stage} stage @param {Machine} machine
 */
export function describe(reference, mine, stage, machine) {
  const sentences = `${quoted(mine.tokens.join(" "))} beside ${quoted(reference.tokens.join(" "))}.`;
  const same = mine.tokens.join(" ") === reference.tokens.join(" ");
  const changes = same ? ["The two sentences are the same, so no number differs."] : [counted(reference, mine, stage), stayed(reference, mine, stage)];
  return [sentences, ...changes, remark(reference, mine, stage, same, machine)].filter(Boolean).join(" ");
}

/** Which numbers of each row differ from the same word's. @param {Followed} reference @param {Followed} mine @param {Stage} stage */
const compared = (reference, mine, stage) =>
  mine.stages[stage].map((matrix, head) =>
    matrix.map((row, at) => row.map((value, column) => differs(value, counterpart({ part: stage, head, row: at, column }, mine, reference)))),
  );

/** @param {Followed} reference @param {Followed} mine @param {Stage} stage */
function counted(reference, mine, stage) {
  const numbers = compared(reference, mine, stage).flat(2);
  const count = numbers.filter(Boolean).length;
  const share = count === 0 ? "no number" : count === numbers.length ? `all ${plural(count, "number")}` : `${count} of the ${numbers.length} numbers`;
  const way = PAIRS.includes(stage) ? "Pair by pair" : "Word by word";
  return `${way}, ${count === 1 && numbers.length === 1 ? "the one number" : share} of ${NOUNS[stage] ?? `the ${stage}`} ${count < 2 ? "differs" : "differ"}.`;
}

/** What did not move, and whether its numbers did. @param {Followed} reference @param {Followed} mine @param {Stage} stage */
function stayed(reference, mine, stage) {
  const { tokens } = mine;
  if (stage === "one_hot") return "A word has its 1 in the same column wherever it stands.";
  if (EARLY.includes(stage)) return [...new Set(tokens.map((token) => moved(token, tokens, reference.tokens)))].join(" ");
  const places = tokens.flatMap((token, at) => (reference.tokens[at] === token ? [at] : []));
  const still = listed(places.map((at) => named(at, tokens)));
  if (!still) return "No word stands where it stood.";
  const one = places.length === 1;
  const [stand, their] = one ? ["stands where it stood", "its"] : ["stand where they stood", "their"];
  if (OWN.includes(stage)) return `${still} ${stand} and ${one ? "keeps" : "keep"} every number.`;
  if (stage === "scores") return one ? `${still} ${stand}: its score with itself is as it was.` : `${still} ${stand}: among themselves they score as they did.`;
  if (stage === "weights") return `${still} ${stand}, yet ${their} shares differ.`;
  if (stage === "heads" && tokens.length === 1) return `${still} ${stand}, yet its row is new: alone, it now holds its own value and nothing else.`;
  const rows = one ? "row is new: it now holds" : "rows are new: they now hold";
  return `${still} ${stand}, yet ${their} ${stage === "heads" ? `${rows} something of every word` : `${one ? "row is" : "rows are"} not what ${one ? "it was" : "they were"}`}.`;
}

/** Where a word stands, against where it stood. @param {string} token @param {string[]} tokens @param {string[]} others */
function moved(token, tokens, others) {
  const places = tokens.flatMap((other, row) => (other === token ? [row] : []));
  const before = others.indexOf(token);
  if (places.length > 1) return `${quoted(token)} stands here ${places.length} times, in the book's sentence once, at position ${before}.`;
  return places[0] === before ? `${quoted(token)} stayed at position ${before}.` : `${quoted(token)} moved from position ${before} to ${places[0]}.`;
}

/** What a stage does, said of these numbers. @param {Followed} reference @param {Followed} mine @param {Stage} stage @param {boolean} same @param {Machine} machine */
function remark(reference, mine, stage, same, { layer }) {
  const zeros = mine.stages.hidden[0].flat().filter((value) => value === 0).length;
  const normal = () => {
    const least = Math.min(...[reference, mine].flatMap(({ stages }) => stages[stage][0].map(variance)));
    const rest = decimals(least) === "1.0000" ? "" : ` (at least ${decimals(least)}: the ${layer.eps} under the root takes the rest)`;
    return `Every row has mean 0 and variance 1${rest}.`;
  };
  /** @type {Partial<Record<Stage, () => string>>} */
  const remarks = {
    scores: () => listens(reference, mine, "scores", same),
    weights: () => `${listens(reference, mine, "weights", same)} Every row sums to 1.`,
    heads: () => "Each head averages the values of all words, in its own two columns.",
    attention: () => "W_O mixes what the heads found.",
    residual_1: () => "What came in is kept, what was heard is added.",
    norm_1: normal,
    hidden: () => `${plural(zeros, "number")} of your sentence's ${mine.stages.hidden[0].flat().length} ${zeros === 1 ? "is" : "are"} 0: of a number and its negative, ReLU keeps what is above 0.`,
    feed_forward: () => "Each is half of norm_1's number, without its sign.",
    residual_2: () => "What was above 0 in norm_1 has grown by half, what was below is halved.",
    output: normal,
  };
  return remarks[stage]?.() ?? "";
}

/** To whom a word turns in each head. @param {Followed} reference @param {Followed} mine @param {"scores" | "weights"} stage @param {boolean} same */
function listens(reference, mine, stage, same) {
  const word = mine.tokens.includes("robot") ? "robot" : mine.tokens[0];
  const before = reference.tokens.indexOf(word);
  const asking = placeOf(word, before, mine.tokens);
  const found = mine.stages[stage].map((matrix, head) => {
    const [own, book] = [matrix[asking], reference.stages[stage][head][before]].map((row) => ({ row, at: row.indexOf(Math.max(...row)) }));
    const most = `in head ${head + 1} to ${named(own.at, mine.tokens)} (${decimals(own.row[own.at])})`;
    if (same) return most;
    const [mineTo, to] = [mine.tokens[own.at], reference.tokens[book.at]];
    const too = mineTo === to && !isRepeated(mineTo, mine.tokens);
    return `${most}, in the book's sentence ${too ? "too" : `to ${quoted(to)}`} (${decimals(book.row[book.at])})`;
  });
  return `${named(asking, mine.tokens)} gives ${stage === "scores" ? "its highest score" : "most"} ${found.join("; ")}.`;
}
