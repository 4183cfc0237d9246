/** The explorer of chapter 2: words find their places while the training is played back. */

import { description, html, setAttributes, shapes, svg, uniqueId } from "./lib/dom.js";
import { atHome, frame, neighbours, spread } from "./lib/embedding.js";
import { decimals, plural } from "./lib/format.js";

/** @typedef {import("./lib/embedding.js").Point} Point */
/** @typedef {import("./lib/dom.js").Shape} Shape */

/**
 * @typedef {object} State
 * @property {string[]} words
 * @property {string[]} kinds the kind of each word
 * @property {string[]} colours
 * @property {Point[][][]} runs a place for each start, record and word
 * @property {number[][]} company how many sentences two words share
 * @property {number} every steps between two records
 * @property {number} last_step
 * @property {number} step
 * @property {string[]} starts
 * @property {number} start_index
 * @property {number} word_index
 */
/** @typedef {{ step: number, start: number, word: number }} Shown */
/** @typedef {ReturnType<typeof scales>} Scales */

const HEIGHT = 440;
const MARGIN = { left: 34, right: 76, top: 14, bottom: 56 };
const LINE = 14;
const LETTER = 6.8;
const BOLD_LETTER = 7.6;
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
const HINT = "Point at a word to read its two numbers; click to choose it.";

/** @type {import("@anywidget/types").Render<State>} */
function render({ model, el }) {
  const names = model.get("words");
  const runs = model.get("runs");
  const kinds = [...new Set(model.get("kinds"))];
  const looks = model.get("kinds").map((kind) => look(kinds.indexOf(kind), model.get("colours")));
  const extent = frame(runs);
  const words = description("tb-description tb-description-embedding");
  const drawing = { axes: shapes(), trails: shapes(), link: shapes(), marks: shapes(), names: shapes() };
  const picture = svg("svg", { class: "tb-overlay", "aria-hidden": "true", height: HEIGHT }, ...Object.values(drawing).map(({ group }) => group));
  const plot = html("div", { class: "tb-map", role: "img", "aria-label": "Map of the words", "aria-describedby": words.id }, picture);
  const hint = document.createTextNode(HINT);
  const formula = formulas();
  const places = exactPlaces(names);
  el.replaceChildren(
    html("div", { class: "tb-explorer" }, words.elements[0], legend(kinds, model.get("colours")), plot, html("p", { class: "tb-pointed" }, hint), formula.element, places.element, words.elements[1]),
  );

  /** @type {Shown | undefined} */
  let shown;
  let width = 0;

  function draw() {
    const now = read(model);
    if (shown && shown.step === now.step && shown.start === now.start && shown.word === now.word) return;
    const points = placesAt(now);
    layout(now);
    words.say(describe(now, points, shown));
    formula.show(names, points, now.word, neighbours(points, now.word)[0].at);
    places.show(points);
    hint.data = HINT;
    shown = now;
  }

  /** @param {Shown} now */
  function placesAt(now) {
    return runs[now.start][now.step / model.get("every")];
  }

  /** @param {Shown} now */
  function layout(now) {
    if (!width) return;
    setAttributes(picture, { width });
    const scale = scales(width, extent);
    const points = placesAt(now);
    const near = neighbours(points, now.word)[0].at;
    const past = runs[now.start].slice(0, now.step / model.get("every") + 1);
    drawing.axes.draw(axes(scale));
    drawing.trails.draw(names.map((_, at) => trail(past, at, looks[at], at === now.word, scale)));
    drawing.link.draw([link(points[now.word], points[near], scale)]);
    drawing.marks.draw(names.map((_, at) => mark(points[at], looks[at], at === now.word, scale)));
    drawing.names.draw(labels(points, names, now.word, near, scale));
  }

  /** The word nearest to the pointer. @param {PointerEvent} event */
  function under(event) {
    const box = picture.getBoundingClientRect();
    const scale = scales(width, extent);
    const pointer = /** @type {Point} */ ([event.clientX - box.left, event.clientY - box.top]);
    const drawn = placesAt(read(model)).map(([x, y]) => /** @type {Point} */ ([scale.x(x), scale.y(y)]));
    return neighbours([...drawn, pointer], drawn.length)[0].at;
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const at = under(event);
    const [x, y] = placesAt(read(model))[at];
    hint.data = `"${names[at]}": ${decimals(x)}, ${decimals(y)}. Click to choose it.`;
  }

  /** @param {PointerEvent} event */
  function choose(event) {
    model.set("word_index", under(event));
    model.save_changes();
  }

  /** @param {Shown} now @param {Point[]} points @param {Shown} [before] */
  function describe({ step, start, word }, points, before) {
    const [first, second, third] = neighbours(points, word);
    const quoted = `"${names[word]}"`;
    const far = [first, second, third].filter(Boolean).map(({ at, distance }) => `${names[at]} (${decimals(distance)})`);
    const company = model.get("company")[word][first.at];
    const home = atHome(points, model.get("kinds"));
    const meetings = company ? `${plural(company, "sentence")} of the text` : "no sentence of the text";
    const state = `Step ${step} of ${model.get("last_step")}, ${model.get("starts")[start]}. Nearest to ${quoted}: ${far.join(", ")}.`;
    const count = `${home.count} of ${home.of} words are nearest to one of their own kind.`;
    return `${state} ${quoted} and "${names[first.at]}" stand together in ${meetings}. ${count} ${unchanged(before, { step, start, word })}`;
  }

  const events = /** @type {const} */ (["change:step", "change:start_index", "change:word_index"]);
  for (const event of events) model.on(event, draw);
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", choose);
  plot.addEventListener("pointerleave", () => (hint.data = HINT));
  const observer = new ResizeObserver(() => {
    if (plot.clientWidth === width) return;
    width = plot.clientWidth;
    layout(read(model));
  });
  observer.observe(plot);
  width = plot.clientWidth;
  draw();
  return () => {
    observer.disconnect();
    words.stop();
    for (const event of events) model.off(event, draw);
  };
}

/** @param {import("@anywidget/types").AnyModel<State>} model @returns {Shown} */
function read(model) {
  return { step: model.get("step"), start: model.get("start_index"), word: model.get("word_index") };
}

/** What the last move left as it was. @param {Shown | undefined} before @param {Shown} now */
function unchanged(before, now) {
  if (before && before.start !== now.start) return "The same text and the same game from other random numbers.";
  if (before && before.step === now.step && before.word !== now.word) return "No word has moved.";
  return "The text is the same at every step; only the numbers of the words move.";
}

/**
 * Both axes on one scale, so that distances are what they look like.
 * @param {number} width CSS pixels @param {ReturnType<typeof frame>} extent
 */
function scales(width, extent) {
  const room = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const unit = Math.min(room.width / (extent.right - extent.left || 1), room.height / (extent.top - extent.bottom || 1));
  const middle = { x: (extent.left + extent.right) / 2, y: (extent.bottom + extent.top) / 2 };
  return {
    width,
    unit,
    middle,
    /** @param {number} value */
    x: (value) => round(MARGIN.left + room.width / 2 + (value - middle.x) * unit),
    /** @param {number} value */
    y: (value) => round(MARGIN.top + room.height / 2 - (value - middle.y) * unit),
  };
}

/** To tenths of a pixel. @param {number} pixels */
const round = (pixels) => Math.round(pixels * 10) / 10;

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

/** @param {Point} from @param {Point} to @param {Scales} scale @returns {Shape} */
function link(from, to, { x, y }) {
  return ["path", { class: "tb-map-link", d: `M${x(from[0])} ${y(from[1])}L${x(to[0])} ${y(to[1])}` }];
}

/** @param {Point} point @param {Look} look @param {boolean} chosen @param {Scales} scale @returns {Shape} */
function mark(point, { shape, colour }, chosen, { x, y }) {
  return ["path", { class: chosen ? "tb-map-mark tb-map-chosen" : "tb-map-mark", fill: colour, d: `M${x(point[0])} ${y(point[1])}${shape}` }];
}

/**
 * @param {Point[]} points @param {string[]} names @param {number} chosen @param {number} near @param {Scales} scale
 * @returns {Shape[]}
 */
function labels(points, names, chosen, near, { x, y }) {
  const wanted = points.map((point, at) => {
    const letter = at === chosen || at === near ? BOLD_LETTER : LETTER;
    return { x: x(point[0]) + 9, y: y(point[1]), width: names[at].length * letter + 4 };
  });
  const sign = { x: wanted[chosen].x - 17, y: wanted[chosen].y, width: 16 };
  const heights = spread(wanted, LINE, chosen, [sign]);
  return names.map((name, at) => {
    const emphasis = at === chosen ? " tb-bold" : at === near ? " tb-map-near" : "";
    return ["text", { class: `tb-map-name${emphasis}`, x: wanted[at].x, y: heights[at], dy: "0.35em" }, name];
  });
}

/** @param {string[]} kinds @param {string[]} colours */
function legend(kinds, colours) {
  const items = kinds.map((kind, at) => {
    const { shape, colour } = look(at, colours);
    return html("span", { class: "tb-map-key" }, svg("svg", { width: 16, height: 16 }, svg("path", { class: "tb-map-mark", fill: colour, d: `M8 8${shape}` })), kind);
  });
  return html("p", { class: "tb-map-legend", "aria-hidden": "true" }, ...items);
}

/** The distance to the nearest word, its numbers filled in. */
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

/** Every place in numbers, for whoever asks. @param {string[]} names */
function exactPlaces(names) {
  const cells = names.map(() => [document.createTextNode(""), document.createTextNode("")]);
  const rows = names.map((name, at) => html("tr", {}, html("th", { scope: "row" }, name), ...cells[at].map((text) => html("td", {}, text))));
  const head = ["word", "column 0", "column 1"].map((title) => html("th", { scope: "col" }, title));
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
