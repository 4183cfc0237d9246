/** The explorer of chapter 2: words find their places while the training is played back. */

import { description, html, setAttributes, shapes, svg, uniqueId } from "../drawing/dom.js";
import { explorer } from "../drawing/explorer.js";
import { atHome, distance, neighbours } from "../mathematics/embedding.js";
import { boundingBox, clusters, placeLabels } from "../mathematics/labels.js";
import { decimals, plural } from "../words/format.js";
import { clamp, toTenths } from "../drawing/pixels.js";

/** @typedef {import("../mathematics/embedding.js").Point} Point */
/** @typedef {import("../mathematics/labels.js").Box} Box */
/** @typedef {import("../drawing/dom.js").Shape} Shape */

/**
 * @typedef {object} State
 * @property {string[]} words
 * @property {string[]} kinds the kind of each word
 * @property {string[]} colours
 * @property {Point[][][]} runs a place for each start, record and word
 * @property {number[][]} company how many sentences two words share
 * @property {number} every steps between two records
 * @property {number} last_step
 * @property {string[]} starts
 */
/** @typedef {{ step: number, start: number, word: number, other: number }} Shown numbers of choices; `other` is 0 for the nearest word */
/** @typedef {ReturnType<typeof scales>} Scales */

const HEIGHT = 440;
const MARGIN = { left: 34, right: 12, top: 14, bottom: 56 };
/** Beside the marks, for their names. */
const ROOM = 24;
const LINE = 15;
/** Between two names of one line. */
const SPACE = 6;
/** A mark for each kind, about 9 pixels wide. */
const MARKS = [
  "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
  "m-4.5 -4.5h9v9h-9z",
  "m0 -6l6 6l-6 6l-6 -6z",
  "m0 -5.5l5.5 10h-11z",
  "m0 5.5l5.5 -10h-11z",
  "m-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
  "m0 -6.5l1.6 4.4h4.6l-3.6 2.8l1.3 4.6l-3.9 -2.7l-3.9 2.7l1.3 -4.6l-3.6 -2.8h4.6z",
];
const HINT = "Point at a word to read its two numbers and its distance; click to choose it.";

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const names = model.get("words");
  const runs = model.get("runs");
  const kinds = [...new Set(model.get("kinds"))];
  const looks = model.get("kinds").map((kind) => look(kinds.indexOf(kind), model.get("colours")));
  const extent = boundingBox(runs.flat(2));
  const words = description("tb-description tb-description-embedding");
  const drawing = { axes: shapes(), trails: shapes(), leaders: shapes(), link: shapes(), marks: shapes(), names: shapes() };
  const widths = measure(names, el);
  const order = loners(model.get("kinds"));
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT }, ...Object.values(drawing).map(({ group }) => group));
  const plot = html("div", { class: "tb-map", role: "img", "aria-label": "Map of the words", "aria-describedby": words.id }, picture);
  const hint = document.createTextNode(HINT);
  const formula = formulas();
  const places = exactPlaces(names, model.get("kinds"));
  const side = html("div", {}, legend(kinds, model.get("colours")), html("p", { class: "tb-pointed" }, hint), formula.element);
  /** @type {Box[]} where the names stand */
  let boxes = [];

  /** @param {Shown} now */
  function placesAt(now) {
    return runs[now.start][now.step / model.get("every")];
  }

  /** The word that the chosen one is compared with. @param {Shown} now @param {Point[]} points */
  function compared(now, points) {
    return now.other ? now.other - 1 : neighbours(points, now.word)[0].at;
  }

  /** @param {Shown} now @param {number} width */
  function draw(now, width) {
    setAttributes(picture, { width });
    const scale = scales(width, extent);
    const points = placesAt(now);
    const other = compared(now, points);
    const past = runs[now.start].slice(0, now.step / model.get("every") + 1);
    const drawn = points.map(([x, y]) => /** @type {Point} */ ([scale.x(x), scale.y(y)]));
    const placed = place(drawn, model.get("kinds"), widths, { left: MARGIN.left + 2, right: width - 2, top: 2, bottom: HEIGHT - 42 });
    boxes = placed.boxes;
    drawing.axes.draw(axes(scale));
    drawing.trails.draw(names.map((_, at) => trail(past, at, looks[at], at === now.word, scale)));
    drawing.leaders.draw(placed.leaders.map(([from, to]) => line("tb-map-leader", from, to)));
    drawing.link.draw([line("tb-map-link", drawn[now.word], drawn[other])]);
    drawing.marks.draw(order.map((at) => mark(drawn[at], looks[at], at === now.word, names[at])));
    drawing.names.draw(names.map((name, at) => label(name + placed.commas[at], boxes[at], at === now.word ? " tb-bold" : at === other ? " tb-map-near" : "")));
    formula.show(names, points, now.word, other);
    places.show(points);
    hint.data = HINT;
  }

  /** The word whose name is under the pointer, or else the one whose mark is nearest. @param {PointerEvent} event */
  function under(event) {
    const box = picture.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const named = boxes.findIndex(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
    if (named >= 0) return named;
    const scale = scales(width(), extent);
    const drawn = placesAt(now()).map(([across, up]) => /** @type {Point} */ ([scale.x(across), scale.y(up)]));
    return neighbours([...drawn, [x, y]], drawn.length)[0].at;
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const at = under(event);
    const { word } = now();
    const points = placesAt(now());
    const [x, y] = points[at];
    const chosen = at === word ? "The word chosen." : `${decimals(distance(points[at], points[word]))} from "${names[word]}". Click to choose it.`;
    hint.data = `"${names[at]}": ${decimals(x)}, ${decimals(y)}. ${chosen}`;
  }

  /** @param {PointerEvent} event */
  const click = (event) => choose({ word_index: under(event) });

  /** @param {Shown} now @param {Shown} [before] */
  function describe(now, before) {
    const { step, start, word } = now;
    const points = placesAt(now);
    const [first, second, third] = neighbours(points, word);
    const quoted = `"${names[word]}"`;
    /** @param {number} at */
    const ofKind = (at) => `"${names[at]}" (${model.get("kinds")[at]})`;
    const far = [first, second, third].filter(Boolean).map(({ at, distance }) => `${names[at]} (${decimals(distance)})`);
    const other = compared(now, points);
    const company = model.get("company")[word][other];
    const home = atHome(points, model.get("kinds"));
    const meetings = company ? `${plural(company, "sentence")} of the text` : "no sentence of the text";
    const state = `Step ${step} of ${model.get("last_step")}, ${model.get("starts")[start]}. Nearest to ${quoted}: ${far.join(", ")}.`;
    const count = `${home.count} of ${home.of} words are nearest to one of their own kind.`;
    const apart = `are ${decimals(distance(points[word], points[other]))} apart and stand together in ${meetings}`;
    const pair = other === word ? `${quoted} is compared with itself: choose another word.` : `${ofKind(word)} and ${ofKind(other)} ${apart}.`;
    return `${state} ${pair} ${count} ${unchanged(before, now)}`;
  }

  const { now, width, choose, signal, stop } = explorer({
    model,
    el,
    words,
    content: [html("div", { class: "tb-map-stage" }, plot, side), places.element],
    plot,
    derive: ({ step, start_index, word_index, other_index }) => ({ step, start: start_index, word: word_index, other: other_index }),
    draw,
    describe,
  });
  plot.addEventListener("pointermove", point, { signal });
  plot.addEventListener("pointerdown", click, { signal });
  plot.addEventListener("pointerleave", () => (hint.data = HINT), { signal });
  return stop;
}

/** What the last move left as it was. @param {Shown | undefined} before @param {Shown} now */
function unchanged(before, now) {
  if (before && before.start !== now.start) return "The same text and the same game from other random numbers.";
  if (before && before.step === now.step) return "No word has moved.";
  return "The text is the same at every step; only the numbers of the words move.";
}

/**
 * Both axes on one scale, so that distances are what they look like.
 * @param {number} width CSS pixels @param {Box} extent
 */
function scales(width, extent) {
  const space = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const unit = Math.min((space.width - 2 * ROOM) / (extent.right - extent.left || 1), space.height / (extent.bottom - extent.top || 1));
  const middle = { x: (extent.left + extent.right) / 2, y: (extent.bottom + extent.top) / 2 };
  return {
    width,
    unit,
    middle,
    /** @param {number} value */
    x: (value) => toTenths(MARGIN.left + space.width / 2 + (value - middle.x) * unit),
    /** @param {number} value */
    y: (value) => toTenths(MARGIN.top + space.height / 2 - (value - middle.y) * unit),
  };
}

/** A grid of whole numbers. @param {Scales} scale @returns {Shape[]} */
function axes({ width, unit, middle, x, y }) {
  const floor = HEIGHT - 38;
  const step = unit < 24 ? 2 : 1;
  /** @param {number} from @param {number} to */
  const whole = (from, to) => Array.from({ length: Math.max(0, Math.floor(to / step) - Math.ceil(from / step) + 1) }, (_, at) => (Math.ceil(from / step) + at) * step);
  const reach = (width - MARGIN.left) / 2 / unit;
  const across = whole(middle.x - reach, middle.x + reach).filter((value) => x(value) > MARGIN.left && x(value) < width - 4);
  const up = whole(middle.y - 20, middle.y + 20).filter((value) => y(value) > 4 && y(value) < floor - 4);
  return [
    ...across.flatMap((value) => /** @type {Shape[]} */ ([
      ["line", { class: "tb-grid", x1: x(value), x2: x(value), y1: 0, y2: floor }],
      ["text", { class: "tb-tick", x: x(value), y: floor + 15, "text-anchor": "middle" }, String(value)],
    ])),
    ...up.flatMap((value) => /** @type {Shape[]} */ ([
      ["line", { class: "tb-grid", x1: MARGIN.left, x2: width, y1: y(value), y2: y(value) }],
      ["text", { class: "tb-tick", x: MARGIN.left - 5, y: y(value), dy: "0.35em", "text-anchor": "end" }, String(value)],
    ])),
    ["text", { class: "tb-axis", x: MARGIN.left + (width - MARGIN.left) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "column 0"],
    ["text", { class: "tb-axis", transform: `translate(10 ${floor / 2}) rotate(-90)`, "text-anchor": "middle" }, "column 1"],
  ];
}

/** @typedef {{ shape: string, colour: string }} Look */

/** The mark and the colour of a kind. @param {number} kind @param {string[]} colours @returns {Look} */
function look(kind, colours) {
  return { shape: MARKS[kind % MARKS.length], colour: colours[kind % colours.length] };
}

/** @param {Point[][]} past @param {number} at @param {Look} look @param {boolean} chosen @param {Scales} scale @returns {Shape} */
function trail(past, at, { colour }, chosen, { x, y }) {
  const way = past.map((points) => `${x(points[at][0])} ${y(points[at][1])}`);
  return ["path", { class: chosen ? "tb-trail tb-trail-chosen" : "tb-trail", stroke: colour, d: `M${way.join("L")}` }];
}

/** @param {string} className @param {Point} from @param {Point} to @returns {Shape} */
function line(className, from, to) {
  return ["path", { class: className, d: `M${from.join(" ")}L${to.join(" ")}` }];
}

/** @param {Point} point @param {Look} look @param {boolean} chosen @param {string} word @returns {Shape} */
function mark([x, y], { shape, colour }, chosen, word) {
  return ["path", { class: chosen ? "tb-map-mark tb-map-chosen" : "tb-map-mark", "data-word": word, fill: colour, d: `M${x} ${y}${shape}` }];
}

/** @param {string} text @param {Box} box @param {string} emphasis @returns {Shape} */
function label(text, { left, top }, emphasis) {
  return ["text", { class: `tb-map-name${emphasis}`, x: toTenths(left), y: toTenths(top + LINE / 2), dy: "0.35em" }, text];
}

/** Words in the order in which they are drawn: who is alone in a kind comes last, on top. @param {string[]} kinds */
function loners(kinds) {
  /** @param {number} at */
  const alone = (at) => Number(kinds.indexOf(kinds[at]) === kinds.lastIndexOf(kinds[at]));
  return kinds.map((_, at) => at).sort((a, b) => alone(a) - alone(b));
}

/** The width of each name and a comma, in bold, so that no name moves when one is chosen. @param {string[]} names @param {Element} near */
function measure(names, near) {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return names.map((name) => 7.5 * name.length);
  pen.font = `600 12px ${getComputedStyle(near).fontFamily || "sans-serif"}`;
  return names.map((name) => pen.measureText(`${name},`).width);
}

/**
 * A box for each name; marks that touch have their names in one line, and a name far from its mark gets a leader.
 * @param {Point[]} points @param {string[]} kinds @param {number[]} widths @param {Box} bounds
 */
function place(points, kinds, widths, bounds) {
  const last = loners(kinds);
  const groups = clusters(points, kinds, 12).sort((a, b) => last.indexOf(b[0]) - last.indexOf(a[0]));
  const wanted = groups.map((group) => ({
    anchor: boundingBox(group.map((at) => points[at]), 8),
    width: group.reduce((sum, at) => sum + widths[at] + SPACE, 0),
    height: LINE,
  }));
  /** @type {Box[]} */
  const boxes = [];
  /** @type {string[]} */
  const commas = [];
  /** @type {[Point, Point][]} */
  const leaders = [];
  placeLabels(wanted, points.map((point) => boundingBox([point], 6)), bounds).forEach((box, index) => {
    const group = groups[index];
    let { left } = box;
    group.forEach((at, rank) => {
      boxes[at] = { ...box, left, right: left + widths[at] };
      commas[at] = rank < group.length - 1 ? "," : "";
      left += widths[at] + SPACE;
    });
    const from = points[group[0]];
    const to = /** @type {Point} */ ([toTenths(clamp(from[0], box.left, box.right)), toTenths(clamp(from[1], box.top, box.bottom))]);
    if (distance(from, to) > 12) leaders.push([from, to]);
  });
  return { boxes, commas, leaders };
}

/** @param {string[]} kinds @param {string[]} colours */
function legend(kinds, colours) {
  const items = kinds.map((kind, at) => {
    const { shape, colour } = look(at, colours);
    return html("span", { class: "tb-map-key" }, svg("svg", { width: 16, height: 16 }, svg("path", { class: "tb-map-mark", fill: colour, d: `M8 8${shape}` })), kind);
  });
  return html("p", { class: "tb-map-legend", "aria-hidden": "true" }, ...items);
}

/** The distance to the word compared with, its numbers filled in. */
function formulas() {
  const [name, sum, value] = Array.from({ length: 3 }, () => document.createTextNode(""));
  const element = html(
    "p",
    { class: "tb-formula tb-formula-embedding" },
    html("span", { class: "tb-formula-name" }, name),
    html("span", { class: "tb-formula-step" }, sum),
    " ",
    html("span", { class: "tb-formula-step" }, "= ", html("strong", {}, value)),
  );
  return {
    element,
    /** @param {string[]} names @param {Point[]} points @param {number} from @param {number} to */
    show(names, points, from, to) {
      const [a, b] = [points[from], points[to]];
      /** @param {number} axis */
      const gap = (axis) => `(${decimals(a[axis])} ${b[axis] < 0 ? "+" : "-"} ${decimals(Math.abs(b[axis]))})²`;
      name.data = `from "${names[from]}" to "${names[to]}": `;
      sum.data = `√(${gap(0)} + ${gap(1)})`;
      value.data = decimals(Math.hypot(a[0] - b[0], a[1] - b[1]));
    },
  };
}

/** Every place in numbers, for whoever asks. @param {string[]} names @param {string[]} kinds */
function exactPlaces(names, kinds) {
  const cells = names.map(() => [document.createTextNode(""), document.createTextNode("")]);
  const rows = names.map((name, at) => html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, kinds[at]), ...cells[at].map((text) => html("td", {}, text))));
  const head = ["word", "kind", "column 0", "column 1"].map((title) => html("th", { scope: "col" }, title));
  const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
  const scroller = html("div", { class: "tb-values", id: uniqueId("tb-values"), tabindex: 0, role: "group", "aria-label": "Exact values" }, table);
  return {
    element: html("details", { class: "tb-details" }, html("summary", {}, `All ${names.length} places in numbers`), scroller),
    /** @param {Point[]} points */
    show(points) {
      points.forEach((point, at) => point.forEach((value, axis) => (cells[at][axis].data = decimals(value))));
    },
  };
}

export default { render };
