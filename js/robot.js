/** The explorer of chapter 5: two sentences of the same words, every stage in numbers, and where each number is from. */

import { description, html, setAttributes } from "./lib/dom.js";
import { decimals, plural, short } from "./lib/format.js";
import { move, numberCell, tint } from "./lib/grid.js";
import { tokenize } from "./lib/one_hot.js";
import { parsePalette } from "./lib/palette.js";
import { denominator, describeColumn } from "./lib/positional_encoding.js";
import { watch } from "./lib/view.js";
import { SOURCES, counterparts, follow, readSentence } from "./lib/worked_example.js";

/** @typedef {import("./lib/worked_example.js").Stage} Stage */
/** @typedef {import("./lib/worked_example.js").Place} Place */
/** @typedef {{ tokens: string[], stages: Record<Stage, number[][]> }} Followed */
/** @typedef {Place & { side: 0 | 1 }} Chosen side 0 is the reference, side 1 the reader's sentence */

/**
 * @typedef {object} State
 * @property {string} text what the reader typed
 * @property {string} sentence the last of it that could be followed
 * @property {string} reference
 * @property {Stage[]} stages
 * @property {number} stage_index
 * @property {import("./lib/worked_example.js").Embeddings} embeddings
 * @property {number} most_words
 * @property {number} base
 * @property {string} palette
 */

/** The value of the palette's ends: no number of the example is farther from 0. */
const LIMIT = 2;
const TITLES = { embedding: "embedding: one row a word", encoding: "encoding: one row a position", input: "input: what the machine reads" };

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const palette = parsePalette(model.get("palette"));
  const embeddings = model.get("embeddings");
  const base = model.get("base");
  const words = description("tb-description");
  const problem = html("p", { class: "tb-problem", role: "alert" });
  const shuffle = html("button", { type: "button", class: "tb-button" }, "Shuffle the words");
  const panels = html("div", { class: "tb-sentences" });
  const formula = html("p", { class: "tb-formula tb-formula-robot" });
  el.replaceChildren(
    html("div", { class: "tb-explorer" }, shuffle, problem, words.elements[0], formula, panels, words.elements[1]),
  );

  /** @type {Followed[]} */
  let both = [];
  /** @type {Map<string, HTMLElement>} */
  let cells = new Map();
  /** @type {Chosen} */
  let chosen = { side: 1, stage: "input", row: 1, column: 0 };

  function draw() {
    const stage = model.get("stages")[model.get("stage_index")];
    both = [model.get("reference"), model.get("sentence")].map((sentence) => {
      const tokens = tokenize(sentence);
      return { tokens, stages: follow(tokens, embeddings, base) };
    });
    const shown = [...SOURCES[stage], stage];
    cells = new Map();
    const focused = el.contains(document.activeElement) && document.activeElement?.matches("td");
    panels.replaceChildren(...both.map((followed, side) => drawSentence(followed, /** @type {0 | 1} */ (side), shown)));
    chosen = { ...chosen, stage, row: Math.min(chosen.row, both[chosen.side].tokens.length - 1) };
    light(chosen);
    if (focused) cells.get(key(chosen))?.focus();
    words.say(describe(both, stage));
  }

  /** @param {Followed} followed @param {0 | 1} side @param {Stage[]} shown */
  function drawSentence(followed, side, shown) {
    const partners = counterparts(followed.tokens, both[1 - side].tokens);
    const matrices = shown.map((stage, index) => {
      const sign = shown.length === 1 ? "" : ["", "+ ", "= "][index];
      const table = html("table", { class: "tb-matrix", role: "grid", "aria-label": `${stage} of ${followed.tokens.join(" ")}` });
      const first = html("tr", {}, html("td", {}), ...followed.stages[stage][0].map((_, column) => html("th", { scope: "col" }, String(column))));
      table.append(html("caption", {}, `${sign}${TITLES[stage]}`), html("thead", {}, first));
      const body = html("tbody", {});
      followed.stages[stage].forEach((row, at) => {
        const name = stage === "encoding" ? `${at} ${followed.tokens[at]}` : followed.tokens[at];
        const partner = partners[at];
        const other = partner === undefined ? undefined : both[1 - side].stages[stage][partner];
        const numbers = row.map((value, column) => drawNumber(value, other?.[column], { side, stage, row: at, column }));
        body.append(html("tr", {}, html("th", { scope: "row" }, name), ...numbers));
      });
      table.append(body);
      return table;
    });
    const title = side === 0 ? "the book's sentence" : "your sentence";
    return html("section", { class: "tb-sentence", "aria-label": title }, html("p", { class: "tb-sentence-title" }, html("span", {}, title), html("strong", {}, followed.tokens.join(" "))), ...matrices);
  }

  /** @param {number} value @param {number | undefined} other its counterpart in the other sentence @param {Chosen} place */
  function drawNumber(value, other, place) {
    const { length } = both[place.side].tokens;
    const width = both[place.side].stages[place.stage][place.row].length;
    /** @param {string} name */
    const walk = (name) => {
      const to = move(name, place, length, width);
      return to && cells.get(key({ ...place, ...to }));
    };
    const cell = numberCell(decimals(value), { point: () => light(place), choose: () => choose(place), walk });
    tint(cell, value, palette, LIMIT);
    if (place.side === 1 && differs(value, other)) {
      cell.classList.add("tb-changed");
      cell.append(html("span", { class: "tb-spoken" }, " changed"));
    }
    cells.set(key(place), cell);
    return cell;
  }

  /** Light a number and tell its formula to those who walk there. @param {Chosen} place */
  function choose(place) {
    light((chosen = place));
    words.tell(formula.textContent ?? "");
  }

  /** Light a number and those it came from, and write its formula. @param {Chosen} place */
  function light(place) {
    for (const cell of cells.values()) cell.classList.remove("tb-lit", "tb-source");
    for (const [name, cell] of cells) cell.tabIndex = name === key(entry(name)) ? 0 : -1;
    const cell = cells.get(key(place));
    cell?.classList.add("tb-lit");
    for (const stage of SOURCES[place.stage]) cells.get(key({ ...place, stage }))?.classList.add("tb-source");
    formula.replaceChildren(...explain(place, both, base));
  }

  /** The number at which the Tab key enters the matrix of a number: the one chosen there, else the first. @param {string} name */
  function entry(name) {
    const [side, stage] = name.split(" ");
    const here = String(chosen.side) === side && chosen.stage === stage;
    return here ? chosen : /** @type {Chosen} */ (/** @type {unknown} */ ({ side, stage, row: 0, column: 0 }));
  }

  function typed() {
    const answer = readSentence(model.get("text"), embeddings, model.get("most_words"));
    problem.textContent = answer.problem ? `${answer.problem} Below stands the last sentence that could be followed.` : "";
    panels.classList.toggle("tb-stale", !answer.tokens);
    if (!answer.tokens) return;
    model.set("sentence", answer.tokens.join(" "));
    model.save_changes();
  }

  function changed() {
    const said = readSentence(model.get("text"), embeddings, model.get("most_words")).tokens?.join(" ");
    if (said !== model.get("sentence")) {
      model.set("text", model.get("sentence"));
      model.save_changes();
    }
    draw();
  }

  function mix() {
    const tokens = model.get("sentence").split(" ");
    for (let at = tokens.length - 1; at > 0; at -= 1) {
      const other = Math.floor(Math.random() * (at + 1));
      [tokens[at], tokens[other]] = [tokens[other], tokens[at]];
    }
    model.set("text", tokens.join(" "));
    model.save_changes();
  }

  const stops = [watch(model, ["text"], typed), watch(model, ["sentence"], changed), watch(model, ["stage_index"], draw), words.stop];
  shuffle.addEventListener("click", mix);
  panels.addEventListener("pointerleave", () => light(chosen));
  setAttributes(panels, { "aria-describedby": words.id });
  typed();
  draw();
  return () => stops.forEach((stop) => stop());
}

/** @param {Chosen} place */
function key({ side, stage, row, column }) {
  return `${side} ${stage} ${row} ${column}`;
}

/** Where a number comes from, with its numbers filled in. @param {Chosen} place @param {Followed[]} both @param {number} base */
function explain({ side, stage, row, column }, both, base) {
  const { tokens, stages } = both[side];
  const value = stages[stage][row][column];
  const name = html("span", { class: "tb-formula-name" }, `${stage}, row ${row} ("${tokens[row]}"), column ${column}: `);
  const result = html("strong", {}, decimals(value));
  const word = decimals(stages.embedding[row][column]);
  const width = stages.embedding[row].length;
  const { pair, cosine } = describeColumn(column, width, "interleaved");
  const angle = `${cosine ? "cos" : "sin"}(${row} / ${short(denominator(pair, width, base))})`;
  const formula = {
    embedding: [`looked up in the row of "${tokens[row]}": `, result],
    encoding: [`${angle} = `, result],
    input: [`${word} + ${angle} = ${word} ${signed(stages.encoding[row][column])} = `, result],
  }[stage];
  return [name, ...formula, ". ", compare(value, both, { side, stage, row, column })];
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? "-" : "+"} ${decimals(Math.abs(value))}`;
}

/** The same word's number in the other sentence; in more digits where four would look alike. @param {number} value @param {Followed[]} both @param {Chosen} place */
function compare(value, both, { side, stage, row, column }) {
  const others = both[1 - side];
  const sentence = `"${others.tokens.join(" ")}"`;
  const partner = counterparts(both[side].tokens, others.tokens)[row];
  if (partner === undefined) return `${sentence} does not have this word.`;
  const other = others.stages[stage][partner][column];
  if (other === value) return `In ${sentence} this word has the same number.`;
  if (decimals(other) !== decimals(value)) return `In ${sentence} this word has ${decimals(other)}.`;
  return `In ${sentence} this word has nearly the same: ${short(other)}, here ${short(value)}.`;
}

/** Whether a word's number is another one in the other sentence, or not there. @param {number} value @param {number | undefined} other */
function differs(value, other) {
  return value !== other;
}

/** What is on screen and what changed between the two sentences. @param {Followed[]} both @param {Stage} stage */
function describe([reference, mine], stage) {
  const sentences = `"${mine.tokens.join(" ")}" beside "${reference.tokens.join(" ")}".`;
  if (mine.tokens.join(" ") === reference.tokens.join(" ")) return `${sentences} The two sentences are the same, so no number differs.`;
  const partners = counterparts(mine.tokens, reference.tokens);
  const numbers = mine.stages[stage].flatMap((row, at) => {
    const partner = partners[at];
    return row.map((value, column) => differs(value, partner === undefined ? undefined : reference.stages[stage][partner][column]));
  });
  const count = numbers.filter(Boolean).length;
  const share = count === 0 ? "no number" : count === numbers.length ? `all ${plural(count, "number")}` : `${count} of the ${numbers.length} numbers`;
  const changes = `Word by word, ${share} of the ${stage} ${count < 2 ? "differs" : "differ"}.`;
  return [sentences, changes, ...new Set(mine.tokens.map((token) => whereabouts(token, mine.tokens, reference.tokens)))].join(" ");
}

/** Where a word stands, against where it stood. @param {string} token @param {string[]} tokens @param {string[]} others */
function whereabouts(token, tokens, others) {
  const places = tokens.flatMap((other, row) => (other === token ? [row] : []));
  const before = others.indexOf(token);
  if (places.length > 1) return `"${token}" stands here ${places.length} times, in the book's sentence once, at position ${before}.`;
  return places[0] === before ? `"${token}" stayed at position ${before}.` : `"${token}" moved from position ${before} to ${places[0]}.`;
}

export default { render };
