/** The explorer of chapter 8: one head of attention over the worked example, every number, and where each is from. */

import { attend, causalMask, columnOf, multiply } from "./lib/attention.js";
import { description, html } from "./lib/dom.js";
import { decimals } from "./lib/format.js";
import { move, numberCell, tint } from "./lib/grid.js";
import { tokenize } from "./lib/one_hot.js";
import { parsePalette } from "./lib/palette.js";
import { watch } from "./lib/view.js";
import { follow } from "./lib/worked_example.js";

/** @typedef {import("./lib/attention.js").Matrix} Matrix */
/** @typedef {"input" | "Q" | "K" | "V" | "scores" | "scaled" | "weights" | "output"} Part */
/** @typedef {{ part: Part, row: number, column: number }} Place */
/** @typedef {Record<"embedding" | "encoding" | Part, Matrix>} Matrices */
/** @typedef {{ tokens: string[], asking: number, scale: boolean, causal: boolean, positions: boolean }} Shown */

/**
 * @typedef {object} State
 * @property {string[]} sentences
 * @property {number} sentence_index
 * @property {string[]} words
 * @property {number} query_index
 * @property {boolean} scale
 * @property {string[]} masks
 * @property {number} mask_index
 * @property {boolean} positions
 * @property {string[]} stages
 * @property {number} stage_index
 * @property {import("./lib/worked_example.js").Embeddings} embeddings
 * @property {Record<"W_Q" | "W_K" | "W_V", Matrix>} head
 * @property {number} base
 * @property {string} palette
 */

/** The matrices of a stage, in the order of the walk; the last is what the stage computes. @type {Record<string, Part[]>} */
const STAGES = {
  "Q and K": ["input", "Q", "K"],
  scores: ["Q", "K", "scores"],
  weights: ["scores", "scaled", "weights"],
  V: ["input", "V"],
  output: ["weights", "V", "output"],
};
/** Each matrix, in the order of the walk, and the value of the palette's ends. @type {[Part, number][]} */
const PARTS = [["input", 2], ["Q", 2], ["K", 8], ["scores", 10], ["scaled", 10], ["weights", 1], ["V", 2], ["output", 2]];
/** The matrices with a row for each query, and those of them with a column for each key. @type {Part[]} */
const ASKING = ["input", "Q", "scores", "scaled", "weights", "output"];
/** @type {Part[]} */
const PAIRS = ["scores", "scaled", "weights"];

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const palette = parsePalette(model.get("palette"));
  const head = model.get("head");
  const size = head.W_Q.length;
  const words = description("tb-description tb-description-attention");
  const formula = html("p", { class: "tb-formula tb-formula-attention" });
  const bars = drawBars(size);
  /** @type {Map<string, HTMLElement>} */
  const cells = new Map();
  const tables = PARTS.map(([part]) => drawTable(part));
  const panels = html("div", { class: "tb-attention", "aria-describedby": words.id }, ...tables.map(({ element }) => element), bars.element);
  el.replaceChildren(html("div", { class: "tb-explorer" }, words.elements[0], formula, panels, words.elements[1]));

  /** @type {Shown | undefined} */
  let shown;
  /** @type {Matrices} */
  let matrices;
  let now = read();
  let stage = "";
  /** @type {Place} */
  let chosen = { part: "weights", row: 0, column: 0 };

  function read() {
    const tokens = tokenize(model.get("sentences")[model.get("sentence_index")]);
    return {
      tokens,
      asking: tokens.indexOf(model.get("words")[model.get("query_index")]),
      scale: model.get("scale"),
      causal: model.get("masks")[model.get("mask_index")] === "causal",
      positions: model.get("positions"),
    };
  }

  function draw() {
    const before = shown && { ...shown, weights: matrices.weights[shown.asking] };
    now = read();
    matrices = compute(now, model);
    if (stage !== model.get("stages")[model.get("stage_index")] || shown?.asking !== now.asking) {
      stage = model.get("stages")[model.get("stage_index")];
      const result = STAGES[stage][STAGES[stage].length - 1];
      const weights = matrices.weights[now.asking];
      chosen = { part: result, row: now.asking, column: PAIRS.includes(result) ? weights.indexOf(Math.max(...weights)) : 0 };
    }
    shown = now;
    for (const table of tables) table.show();
    bars.show(now.tokens, matrices.weights[now.asking], now);
    light(chosen);
    words.say(describe(now, matrices, before));
  }

  /** A matrix, made once; the state fills it. @param {Part} part */
  function drawTable(part) {
    const caption = html("caption", {});
    const numbers = Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => drawNumber({ part, row, column })));
    const names = numbers.map(() => html("th", { scope: "row" }));
    const titles = numbers.map(() => html("th", { scope: "col" }));
    const rows = numbers.map((row, at) => html("tr", {}, names[at], ...row.map(({ cell }) => cell)));
    const table = html("table", { class: "tb-matrix", role: "grid", "aria-label": part }, caption);
    table.append(html("thead", {}, html("tr", {}, html("td", {}), ...titles)), html("tbody", {}, ...rows));
    const element = html("div", { class: "tb-sentence" }, table);
    return {
      element,
      show() {
        element.hidden = !STAGES[stage].includes(part);
        caption.replaceChildren(...title(part, now).split(/_(.)/).map((text, at) => (at % 2 ? html("sub", {}, text) : text)));
        now.tokens.forEach((token, at) => {
          names[at].textContent = token;
          titles[at].textContent = PAIRS.includes(part) ? token : String(at);
          rows[at].classList.toggle("tb-asking", ASKING.includes(part) && at === now.asking);
        });
        for (const number of numbers.flat()) number.show();
      },
    };
  }

  /** @param {Place} place */
  function drawNumber(place) {
    const text = document.createTextNode("");
    /** @param {string} name */
    const walk = (name) => {
      const to = move(name, place, size, size);
      return to && cells.get(key({ ...place, ...to }));
    };
    const cell = numberCell(text, { point: () => light(place), choose: () => choose(place), walk });
    const limit = PARTS.find(([part]) => part === place.part)?.[1];
    cells.set(key(place), cell);
    return {
      cell,
      show() {
        const value = matrices[place.part][place.row][place.column];
        const masked = isMasked(place, now);
        text.data = !masked ? decimals(value) : place.part === "scaled" ? "masked" : "0";
        cell.classList.toggle("tb-masked", masked);
        if (masked) cell.style.cssText = "";
        else tint(cell, value, palette, limit);
      },
    };
  }

  /** Light a number and tell its formula to those who walk there. @param {Place} place */
  function choose(place) {
    light((chosen = place));
    words.tell(formula.textContent ?? "");
  }

  /** Light a number and those it came from, and write its formula. @param {Place} place */
  function light(place) {
    const from = new Set(isMasked(place, now) ? [] : sources(place, size).filter((source) => !isMasked(source, now)).map(key));
    for (const [name, cell] of cells) {
      cell.classList.toggle("tb-lit", name === key(place));
      cell.classList.toggle("tb-source", from.has(name));
    }
    for (const [part] of PARTS) {
      const entry = key(chosen.part === part ? chosen : { part, row: 0, column: 0 });
      for (const [name, cell] of cells) if (name.startsWith(`${part} `)) cell.tabIndex = name === entry ? 0 : -1;
    }
    formula.replaceChildren(...explain(place, now, matrices, head));
  }

  const stops = [watch(model, ["sentence_index", "query_index", "scale", "mask_index", "positions", "stage_index"], draw), words.stop];
  panels.addEventListener("pointerleave", () => light(chosen));
  draw();
  return () => stops.forEach((stop) => stop());
}

/** The weights of the query as bars, one for each key. @param {number} count */
function drawBars(count) {
  const title = html("p", { class: "tb-shares-title" });
  const rows = Array.from({ length: count }, () => {
    const [name, bar, value] = [html("span", {}), html("span", { class: "tb-share" }), html("span", { class: "tb-share-value" })];
    return { name, bar, value, element: html("div", { class: "tb-shares-row" }, name, html("span", { class: "tb-share-track" }, bar), value) };
  });
  return {
    element: html("div", { class: "tb-shares" }, title, ...rows.map(({ element }) => element)),
    /** @param {string[]} tokens @param {number[]} weights @param {Shown} shown */
    show(tokens, weights, shown) {
      title.textContent = `How much "${tokens[shown.asking]}" listens to`;
      rows.forEach(({ name, bar, value }, at) => {
        name.textContent = tokens[at];
        bar.style.width = `${100 * weights[at]}%`;
        value.textContent = isMasked({ part: "weights", row: shown.asking, column: at }, shown) ? "0" : decimals(weights[at]);
      });
    },
  };
}

/** Every matrix of the walk. @param {Shown} shown @param {import("@anywidget/types").AnyModel<State>} model @returns {Matrices} */
function compute({ tokens, scale, causal, positions }, model) {
  const stages = follow(tokens, model.get("embeddings"), model.get("base"));
  const input = positions ? stages.input : stages.embedding;
  const head = model.get("head");
  const [Q, K, V] = [head.W_Q, head.W_K, head.W_V].map((weight) => multiply(input, weight));
  const attended = attend(Q, K, { scale, mask: causal ? causalMask(tokens.length) : undefined });
  return { ...stages, input, Q, K, V, ...attended, output: multiply(attended.weights, V) };
}

/** What the numbers depend on. @param {Shown} shown */
const described = ({ tokens, scale, causal, positions }) => JSON.stringify([tokens, scale, causal, positions]);

/** @param {Place} place */
const key = ({ part, row, column }) => `${part} ${row} ${column}`;

/** Whether a place pairs a query with a key that it may not see. @param {Place} place @param {Shown} shown */
const isMasked = ({ part, row, column }, { causal }) => causal && column > row && (part === "scaled" || part === "weights");

/** @param {Part} part @param {Shown} shown */
function title(part, { scale, causal, positions }) {
  return {
    input: positions ? "input = embedding + encoding" : "input = embedding alone",
    Q: "Q = input W_Q: what each word asks",
    K: "K = input W_K: what each answers to",
    scores: "scores = Q Kᵀ",
    scaled: `${scale ? "scores / √4" : "scores, not divided"}${causal ? ", masked" : ""}`,
    weights: "weights = softmax of each row",
    V: "V = input W_V: what each word gives",
    output: "output = weights V",
  }[part];
}

/** The numbers that a number came from. @param {Place} place @param {number} size @returns {Place[]} */
function sources({ part, row, column }, size) {
  const each = Array.from({ length: size }, (_, at) => at);
  /** @param {Part} other @param {number} [at] @returns {Place[]} */
  const whole = (other, at = row) => each.map((index) => ({ part: other, row: at, column: index }));
  return {
    input: () => [],
    Q: () => whole("input"),
    K: () => whole("input"),
    V: () => whole("input"),
    scores: () => [...whole("Q"), ...whole("K", column)],
    scaled: () => [/** @type {Place} */ ({ part: "scores", row, column })],
    weights: () => whole("scaled"),
    output: () => [...whole("weights"), ...each.map((at) => /** @type {Place} */ ({ part: "V", row: at, column }))],
  }[part]();
}

/** A number with its formula filled in. @param {Place} place @param {Shown} shown @param {Matrices} matrices @param {State["head"]} head */
function explain(place, shown, matrices, head) {
  const { part, row, column } = place;
  const { tokens } = shown;
  const value = matrices[part][row][column];
  const result = html("strong", {}, decimals(value));
  const where = PAIRS.includes(part) ? `query "${tokens[row]}", key "${tokens[column]}"` : `row ${row} ("${tokens[row]}"), column ${column}`;
  const name = html("span", { class: "tb-formula-name" }, `${part}, ${where}: `);
  if (isMasked(place, shown)) {
    const why = `"${tokens[column]}" stands after "${tokens[row]}", so its score counts as minus infinity`;
    return [name, part === "scaled" ? `masked: ${why}.` : `${why}, and its weight is `, ...(part === "scaled" ? [] : [html("strong", {}, "0"), "."])];
  }
  /** @param {number[]} left @param {number[]} right @param {(value: number) => string} [write] the factors on the right */
  const products = (left, right, write = bracket) =>
    `${left.map((factor, at) => `${at ? bracket(factor) : decimals(factor)} · ${write(right[at])}`).join(" + ")} = `;
  /** @param {"W_Q" | "W_K" | "W_V"} weight */
  const linear = (weight) => [products(matrices.input[row], columnOf(head[weight], column), whole), result];
  const [word, position] = [matrices.embedding[row][column], matrices.encoding[row][column]];
  const score = decimals(matrices.scores[row][column]);
  const formulas = {
    input: () => (shown.positions ? [`${decimals(word)} + ${bracket(position)} = `, result] : ["the embedding's number: ", result]),
    Q: () => linear("W_Q"),
    K: () => linear("W_K"),
    V: () => linear("W_V"),
    scores: () => [products(matrices.Q[row], matrices.K[column]), result],
    scaled: () => (shown.scale ? [`${score} / √4 = ${score} / 2 = `, result] : ["the score as it is, ", result]),
    weights: () => [...softmax(place, shown, matrices), result],
    output: () => [products(matrices.weights[row], columnOf(matrices.V, column)), result],
  };
  return [name, ...formulas[part](), "."];
}

/** In brackets if negative. @param {number} value */
const bracket = (value, text = decimals(value)) => (value < 0 ? `(${text})` : text);

/** A weight of the head as it was chosen, without zeros behind it. @param {number} value */
const whole = (value) => bracket(value, String(value));

/** e to the score, over the sum of these of the row. @param {Place} place @param {Shown} shown @param {Matrices} matrices */
function softmax({ part, row, column }, shown, matrices) {
  const open = matrices.scaled[row].filter((_, at) => !isMasked({ part, row, column: at }, shown));
  /** @param {number} score */
  const power = (score) => html("span", { class: "tb-formula-step" }, "e", html("sup", {}, decimals(score)));
  const sum = open.reduce((total, score) => total + Math.exp(score), 0);
  const own = matrices.scaled[row][column];
  const all = open.flatMap((score, at) => (at ? [" + ", power(score)] : [power(score)]));
  return [power(own), " / (", ...all, `) = ${decimals(Math.exp(own))} / ${decimals(sum)} = `];
}

/** Who asks, what the row says, and what the last change changed in it. @param {Shown} shown @param {Matrices} matrices @param {Shown & { weights: number[] }} [before] */
function describe(shown, matrices, before) {
  const { tokens, asking, causal } = shown;
  const weights = matrices.weights[asking];
  const query = tokens[asking];
  const order = tokens.map((_, at) => at).filter((at) => !isMasked({ part: "weights", row: asking, column: at }, shown));
  order.sort((left, right) => weights[right] - weights[left]);
  const [most, next] = order.map((at) => `"${tokens[at]}" ${decimals(weights[at])}`);
  const ways = [shown.positions ? "with positions" : "without positions", shown.scale ? "scores divided by 2" : "scores not divided", causal ? "causal mask" : "no mask"];
  const gives = next === undefined ? `"${query}" stands first and may see itself alone: its weight is 1.` : `"${query}" gives ${most}, next ${next}; the row sums to 1.`;
  const all = order.length === tokens.length ? "It stands last and may see every word." : `It may see ${order.length} of the ${tokens.length} words.`;
  const sees = causal && next !== undefined ? ` ${all}` : "";
  return `In "${tokens.join(" ")}", ${ways.join(", ")}: ${gives}${sees}${changes(shown, weights, before)}`;
}

/** The row compared, word by word, with what it was. @param {Shown} shown @param {number[]} weights @param {Shown & { weights: number[] }} [before] */
function changes(shown, weights, before) {
  const { tokens, asking } = shown;
  if (!before || before.tokens[before.asking] !== tokens[asking] || described(before) === described(shown)) return "";
  const pairs = tokens.map((token, at) => ({ token, from: decimals(before.weights[before.tokens.indexOf(token)]), to: decimals(weights[at]) }));
  if (pairs.every(({ from, to }) => from === to)) return " Word by word, no weight of this row changed.";
  const top = pairs.reduce((best, pair) => (Number(pair.to) > Number(best.to) ? pair : best));
  return ` Before this change "${top.token}" had ${top.from}.`;
}

export default { render };
