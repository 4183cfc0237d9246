/** The explorer of chapter 6's shifts: positions as hands of clocks, and the matrix that turns one hand into another. */

import { face, hand, side, sweep, tip } from "../drawing/clock.js";
import { description, html, setAttributes, shapes, svg } from "../drawing/dom.js";
import { exactValues } from "../drawing/exact.js";
import { explorer } from "../drawing/explorer.js";
import { decimals, plural, short } from "../words/format.js";
import { pairAt, shiftBlock, wavelength } from "../mathematics/geometry.js";
import { move, numberCell, tint } from "../drawing/grid.js";
import { parsePalette } from "../drawing/palette.js";
import { clamp } from "../drawing/pixels.js";
import { denominator } from "../mathematics/positional_encoding.js";

/**
 * @typedef {object} Shown
 * @property {number} d_model
 * @property {number} position p
 * @property {number} offset k
 * @property {number} pair
 * @property {number} base
 */
/** @typedef {"matrix" | "here" | "there"} Part the turn, PE(p) and PE(p + k) */
/** @typedef {{ part: Part, row: number, column: number }} Place one number of one part */
/** @typedef {import("../drawing/dom.js").Shape} Shape */
/** @typedef {import("../drawing/clock.js").Dial} Dial */

const DIAL = { x: 168, y: 132, radius: 94 };
const CLOCK = { width: 336, height: 280 };
const SMALL = { row: 336, widest: 74, height: 84 };
const TURN = 2 * Math.PI;
const COLUMNS = { matrix: 2, here: 1, there: 1 };
const PARTS = /** @type {Part[]} */ (Object.keys(COLUMNS));

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const words = description("tb-description tb-description-rotation");
  const clock = shapes();
  const small = shapes();
  const smaller = svg("svg", { class: "tb-overlay tb-clocks", height: SMALL.height }, small.group);
  const large = svg("svg", { class: "tb-overlay", ...CLOCK, viewBox: `0 0 ${CLOCK.width} ${CLOCK.height}`, "aria-hidden": "true" }, clock.group);
  const label = "The hands of both positions on the clock of the chosen pair";
  const picture = html("div", { role: "img", "aria-label": label, "aria-describedby": words.id }, large);
  const equation = numbers(parsePalette(model.get("palette")), words.id, (place) => lightUp(place, now()), tell);
  const formula = filledFormula();
  const exact = exactValues(["pair", "turn in rad", "sin p", "cos p", "sin p + k", "cos p + k"]);
  /** @type {Place} */
  let pointed = { part: "there", row: 0, column: 0 };

  /** @param {Shown} now */
  function draw(now) {
    const clocks = now.d_model / 2;
    const width = clocks * smallWidth(clocks);
    setAttributes(smaller, { width, viewBox: `0 0 ${width} ${SMALL.height}` });
    small.draw(Array.from({ length: clocks }, (_, pair) => smallClock(now, pair)).flat());
    equation.show(now);
    lightUp(pointed, now);
    exact.show(`All ${plural(now.d_model, "number")} of PE(${now.position}) and PE(${now.position + now.offset})`, () => exactRows(now));
  }

  /** Light a number and those it came from, and write its formula. @param {Place} place @param {Shown} now */
  function lightUp(place, now) {
    pointed = place;
    equation.light(place);
    clock.draw(largeClock(now, place));
    formula.show(explain(place, now));
  }

  /** Light a number and tell its formula to those who walk there. @param {Place} place */
  function tell(place) {
    lightUp(place, now());
    words.tell(formula.element.textContent ?? "");
  }

  /** @param {PointerEvent} event */
  function choosePair(event) {
    const box = smaller.getBoundingClientRect();
    const clocks = now().d_model / 2;
    const pair = Math.floor(((event.clientX - box.left) / box.width) * clocks);
    choose({ pair: clamp(pair, 0, clocks - 1) });
  }

  const right = html("div", { class: "tb-turning" }, equation.element, formula.element, html("div", { "aria-hidden": "true" }, smaller));
  const { now, choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [html("div", { class: "tb-rotation" }, picture, right), exact.element],
    counts: { pairs: ({ d_model }) => d_model / 2 },
    draw,
    describe,
  });
  smaller.addEventListener("pointerdown", choosePair, { signal });
  return stop;
}

/** The angles of both hands. @param {Shown} now @param {number} [pair] */
function anglesOf({ d_model, position, offset, base, pair: chosen }, pair = chosen) {
  const divisor = denominator(pair, d_model, base);
  return { from: position / divisor, to: (position + offset) / divisor };
}

/** @param {Shown} now @param {Place} pointed @returns {Shape[]} */
function largeClock(now, pointed) {
  const { d_model, position, offset, pair, base } = now;
  const { from, to } = anglesOf(now);
  const { path, head } = sweep(DIAL, from, to, 0.34);
  const labels = spread(from, to).map((angle) => {
    return { ...tip(DIAL, angle, 1.13), dy: "0.35em", "text-anchor": side(angle) };
  });
  return [
    ["path", { class: "tb-grid", d: `M${DIAL.x - DIAL.radius} ${DIAL.y}h${2 * DIAL.radius}M${DIAL.x} ${DIAL.y - DIAL.radius}v${2 * DIAL.radius}` }],
    ...face(DIAL, wavelength(pair, d_model, base), 0.86, [from, to]),
    leg(pointed, pointed.part === "here" ? from : to),
    ["path", { class: pointed.part === "matrix" ? "tb-sweep tb-sweep-lit" : "tb-sweep", d: path }],
    ["path", { class: "tb-sweep-head", d: head }],
    ...hand(DIAL, from, "tb-from"),
    ...hand(DIAL, to, "tb-to"),
    ["text", { class: "tb-axis tb-bold", ...labels[0] }, `p = ${position}`],
    ["text", { class: "tb-to-name tb-bold", ...labels[1] }, `p+k = ${position + offset}`],
    ["text", { class: "tb-axis", x: DIAL.x, y: CLOCK.height - 6, "text-anchor": "middle" }, `pair ${pair}: ${turn(to - from)}`],
  ];
}

/** The number pointed at as a length: how far right the hand reaches is its sine, how far up its cosine. @param {Place} pointed @param {number} angle @returns {Shape} */
function leg({ part, row }, angle) {
  const { x, y } = tip(DIAL, angle);
  const start = row ? `M${x} ${DIAL.y}V` : `M${DIAL.x} ${y}H`;
  return ["path", { class: `tb-leg ${row ? "tb-cosine" : "tb-sine"}`, d: part === "matrix" ? "" : `${start}${row ? y : x}` }];
}

/** Angles for the two labels, moved apart where the hands are close. @param {number} from @param {number} to */
function spread(from, to) {
  const apart = Math.atan2(Math.sin(to - from), Math.cos(to - from));
  const missing = Math.max(0, 0.34 - Math.abs(apart)) / 2;
  const way = apart < 0 ? -1 : 1;
  return [from - way * missing, to + way * missing];
}

/** @param {number} clocks how many stand in the row */
const smallWidth = (clocks) => Math.min(SMALL.widest, SMALL.row / clocks);

/** @param {Shown} now @param {number} pair @returns {Shape[]} */
function smallClock(now, pair) {
  const width = smallWidth(now.d_model / 2);
  const dial = { x: width * (pair + 0.5), y: 36, radius: 0.38 * width };
  const { from, to } = anglesOf(now, pair);
  const chosen = pair === now.pair;
  return [
    ["circle", { class: chosen ? "tb-rim tb-rim-chosen" : "tb-rim", cx: dial.x, cy: dial.y, r: dial.radius }],
    ["path", { class: "tb-sweep", d: sweep(dial, from, from + Math.max(-TURN, Math.min(TURN, to - from)), 0.4).path }],
    ...hand(dial, from, "tb-from", 3),
    ...hand(dial, to, "tb-to", 3),
    ["text", { class: chosen ? "tb-axis tb-bold" : "tb-tick", x: dial.x, y: 80, "text-anchor": "middle" }, width < 50 ? `${pair}` : `pair ${pair}`],
  ];
}

/** A turn in radians and in degrees. @param {number} angle */
function turn(angle) {
  return `${short(angle)} rad = ${short(Number(((angle * 180) / Math.PI).toFixed(2)))} degrees`;
}

/** What each part is, as numbers. @param {Shown} now @returns {Record<Part, number[][]>} */
function partsOf({ d_model, position, offset, pair, base }) {
  return {
    matrix: shiftBlock(offset, pair, d_model, base),
    here: pairAt(position, pair, d_model, base).map((value) => [value]),
    there: pairAt(position + offset, pair, d_model, base).map((value) => [value]),
  };
}

/** @param {Place} place */
const key = ({ part, row, column }) => `${part} ${row} ${column}`;

/**
 * The equation M PE(p) = PE(p + k) of one pair, as three small tables.
 * @param {import("../drawing/palette.js").Palette} palette
 * @param {string} description the id of what describes it
 * @param {(place: Place) => void} point called with the number pointed at
 * @param {(place: Place) => void} choose called with the number focused
 */
function numbers(palette, description, point, choose) {
  /** @type {Map<string, { place: Place, cell: HTMLElement, text: Text }>} */
  const cells = new Map();
  const tables = PARTS.map((part) => {
    const [caption, index] = [document.createTextNode(""), document.createTextNode("")];
    const grid = html("table", { class: "tb-matrix", role: "grid" }, html("caption", {}, caption, html("sub", {}, index)));
    const body = html("tbody", {});
    for (const row of [0, 1]) {
      body.append(html("tr", {}, ...Array.from({ length: COLUMNS[part] }, (_, column) => number({ part, row, column }))));
    }
    grid.append(body);
    return { part, grid, caption, index };
  });

  /** @param {Place} place */
  function number(place) {
    const text = document.createTextNode("");
    /** @param {string} name */
    const walk = (name) => {
      const to = move(name, place, 2, COLUMNS[place.part]);
      return to && cells.get(key({ part: place.part, ...to }))?.cell;
    };
    const cell = numberCell(text, { point: () => point(place), choose: () => choose(place), walk });
    if (place.row + place.column === 0) cell.tabIndex = 0;
    cells.set(key(place), { place, cell, text });
    return cell;
  }

  const [matrix, here, there] = tables.map(({ grid }) => grid);
  return {
    element: html("div", { class: "tb-equation", role: "group", "aria-label": "The turn as an equation", "aria-describedby": description }, matrix, html("span", { "aria-hidden": "true" }, "×"), here, html("span", { "aria-hidden": "true" }, "="), there),
    /** @param {Shown} now */
    show(now) {
      const { position, offset, pair } = now;
      const names = { matrix: "M", here: `PE(${position})`, there: `PE(${position + offset})` };
      for (const { part, grid, caption, index } of tables) {
        caption.data = names[part];
        index.data = part === "matrix" ? String(offset) : "";
        setAttributes(grid, { "aria-label": `${caption.data}${index.data && ` of offset ${offset}`}, pair ${pair}` });
      }
      const parts = partsOf(now);
      for (const { place, cell, text } of cells.values()) {
        const value = parts[place.part][place.row][place.column];
        const written = decimals(value);
        if (text.data !== written) text.data = written;
        tint(cell, value, palette);
      }
    },
    /** @param {Place} place */
    light(place) {
      for (const { place: other, cell } of cells.values()) {
        const lit = key(other) === key(place);
        cell.classList.toggle("tb-lit", lit);
        cell.classList.toggle("tb-source", place.part === "there" && (other.part === "here" || (other.part === "matrix" && other.row === place.row)));
        if (other.part === place.part) cell.tabIndex = lit ? 0 : -1;
      }
    },
  };
}

/** @param {number} value */
const bracketed = (value) => (value < 0 ? `(${decimals(value)})` : decimals(value));

/** Where the number pointed at comes from. */
function filledFormula() {
  const [name, work, wave, result] = Array.from({ length: 4 }, () => document.createTextNode(""));
  /** @param {...(Node | string)} parts */
  const step = (...parts) => html("span", { class: "tb-formula-step" }, ...parts);
  const title = html("span", { class: "tb-formula-name" }, name);
  const element = html("p", { class: "tb-formula tb-formula-rotation" }, title, " ", step(work), " ", step(wave), " ", step("= ", html("strong", {}, result)));
  return {
    element,
    /** @param {Explained} text */
    show(text) {
      name.data = text.name;
      work.data = text.work ?? "";
      wave.data = text.wave;
      result.data = decimals(text.value);
    },
  };
}

/** @typedef {{ name: string, work?: string, wave: string, value: number }} Explained */

/** Where a number comes from, with its numbers filled in. @param {Place} place @param {Shown} now @returns {Explained} */
function explain({ part, row, column }, now) {
  const { d_model, position, offset, pair, base } = now;
  const parts = partsOf(now);
  const value = parts[part][row][column];
  const divisor = short(denominator(pair, d_model, base));
  if (part === "matrix") {
    const wave = row === column ? "cos" : row ? "-sin" : "sin";
    return { name: `row ${row}, column ${column} of the turn by ${offset}, which knows no position:`, wave: `${wave}(${offset} / ${divisor})`, value };
  }
  const at = part === "here" ? position : position + offset;
  const name = `PE(${at}), the ${row ? "cosine" : "sine"} of pair ${pair}:`;
  const wave = `${row ? "cos" : "sin"}(${at} / ${divisor})`;
  if (part === "here") return { name, wave, value };
  const terms = [0, 1].map((other) => `${bracketed(parts.matrix[row][other])} × ${bracketed(parts.here[other][0])}`);
  return { name, work: terms.join(" + "), wave: `= ${wave}`, value };
}

/** @param {Shown} now */
function exactRows(now) {
  return Array.from({ length: now.d_model / 2 }, (_, pair) => {
    const { here, there } = partsOf({ ...now, pair });
    const { from, to } = anglesOf(now, pair);
    return [pair, to - from, ...here.flat(), ...there.flat()];
  });
}

/** The state, what changed and what did not. @param {Shown} now @param {Shown} [before] */
function describe(now, before) {
  const { position, offset, pair } = now;
  const { from, to } = anglesOf(now);
  const state = `From position ${position}, "${offset < 0 ? "-" : "+"}${Math.abs(offset)}" leads to ${position + offset}: the hand of pair ${pair} turns by ${turn(to - from)}.`;
  return `${state} ${comparison(now, before)}`;
}

/** @param {Shown} now @param {Shown} [before] */
function comparison(now, before) {
  const { d_model, position, offset, pair } = now;
  const { from } = anglesOf(now);
  const below = position + offset < 0 ? " No word stands before position 0, but the clock has a place for it." : "";
  if (before && before.position !== position) {
    return `Both hands have moved by ${short(from - anglesOf(before).from)} rad; the turn between them and its four numbers are what they were.${below}`;
  }
  if (before && before.offset !== offset) {
    const was = anglesOf(before);
    const sign = before.offset === -offset ? " The opposite way: the same four numbers with the signs of the sines exchanged." : "";
    return `The hand of position ${position} stayed; the turn was ${short(was.to - was.from)} rad before.${sign}${below}`;
  }
  if (before && before.d_model !== d_model) {
    const clocks = plural(d_model / 2, "clock");
    return pair === 0 ? `${clocks} now; pair 0 turns by 1 rad a position at every d_model.` : `${clocks} now; pair ${pair} has another speed, pair 0 the same as ever.`;
  }
  if (before && before.pair !== pair) {
    const factor = short(Number(denominator(Math.abs(pair - before.pair), d_model, now.base).toPrecision(5)));
    return `The same step on a clock ${factor} times ${pair > before.pair ? "slower" : "faster"} than that of pair ${before.pair}.`;
  }
  return `Move a slider and see which of the three change: the two hands and the turn between them.${below}`;
}

export default { render };
