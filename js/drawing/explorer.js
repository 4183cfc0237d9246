/** What every explorer does with the state of its view: clamp it, tell whether it changed, remember the one before. */

import { html } from "./dom.js";

/**
 * What the page must know of a trait, as `explorers/traits` declares it: the step of its slider; below which quantity it stays, and
 * the choice with which it begins again at 0; the trait with the names that it is one of; whether nobody changes it.
 * @typedef {{ step?: number, below?: string, restart?: string, among?: string, given?: boolean }} Rule
 */
/** @typedef {Record<string, any>} State each trait by its name, a choice by its number too, as `<name>_index` */
/** @typedef {Record<string, (state: State) => number>} Counts quantities that are no traits, by name */

/**
 * The state of a view, within its bounds whatever the controls hold: those that set the bounds may be ahead.
 * @param {import("@anywidget/types").AnyModel<any>} model @param {Counts} counts
 */
export function readState(model, counts = {}) {
  /** @type {State} */
  const state = {};
  const rules = rulesOf(model);
  for (const [name, { step, below, among }] of rules) {
    if (among) {
      state[`${name}_index`] = model.get(`${name}_index`);
      state[name] = model.get(among)?.[state[`${name}_index`]];
    } else if (!below) state[name] = step ? snap(model.get(name), step) : model.get(name);
  }
  for (const [name, { below }] of rules) {
    if (below) state[name] = Math.min(model.get(name), last(below, state, counts));
  }
  return state;
}

/** @param {import("@anywidget/types").AnyModel<any>} model @returns {[name: string, rule: Rule][]} */
const rulesOf = (model) => Object.entries(model.get("rules"));

/** @param {string} below @param {State} state @param {Counts} counts */
const last = (below, state, counts) => (counts[below]?.(state) ?? state[below]) - 1;

/**
 * Brings an explorer to life: whenever its state changes, and whenever the width of its `plot` does, it is drawn again.
 * @template {State} Shown
 * @param {object} parts
 * @param {import("@anywidget/types").AnyModel<any>} parts.model
 * @param {HTMLElement} parts.el where the page wants it
 * @param {ReturnType<typeof import("./dom.js").description>} parts.words its description, which stands first
 * @param {HTMLElement[]} [parts.above] what stands even before
 * @param {HTMLElement[]} parts.content what stands below
 * @param {HTMLElement} [parts.plot] what is drawn to fit; without a width it is not drawn
 * @param {Counts} [parts.counts] the quantities that a trait stays below and that are no traits
 * @param {Record<string, () => void>} [parts.on] what to do first when a trait changes
 * @param {(state: any, before?: Shown) => Shown} [parts.derive] what is drawn, from the state and what was drawn before
 * @param {(now: Shown, width: number, drawn?: Shown) => void} parts.draw `drawn` is what is drawn already, at this width
 * @param {(now: Shown, before?: Shown) => string} parts.describe `before` is the state before the last change, or before the drag
 */
export function explorer({ model, el, words, above = [], content, plot, counts = {}, on = {}, derive = (state) => state, draw, describe }) {
  const life = new AbortController();
  const { signal } = life;
  const rules = rulesOf(model);
  const earlier = /** @type {ReturnType<typeof changeHistory<Shown>>} */ (changeHistory(signal));
  /** @type {State | undefined} */
  let state;
  /** @type {Shown} */
  let now;
  /** @type {Shown | undefined} */
  let drawn;
  let settling = false;

  /** @param {State} values */
  function choose(values) {
    const changed = Object.entries(values).filter(([name, value]) => model.get(name) !== value);
    for (const [name, value] of changed) model.set(name, value);
    if (changed.length) model.save_changes();
  }

  /** Tell the controls what became of the state: each value before its end, which a slider could not leave. */
  function settle() {
    const next = readState(model, counts);
    /** @type {State} */
    const settled = {};
    for (const [name, { below, restart }] of rules) {
      if (!below) continue;
      const again = restart && state && state[`${restart}_index`] !== next[`${restart}_index`];
      settled[name] = again ? 0 : next[name];
      settled[`last_${name}`] = last(below, next, counts);
    }
    choose(settled);
  }

  function update() {
    if (settling) return;
    settling = true;
    settle();
    settling = false;
    const next = readState(model, counts);
    if (shallowEqual(next, state)) return;
    state = next;
    now = derive(next, now);
    show();
    words.say(describe(now, earlier.before()));
    earlier.keep(now);
  }

  function show() {
    if (plot && !width()) return;
    draw(now, width(), drawn);
    drawn = now;
  }

  el.replaceChildren(html("div", { class: "tb-explorer" }, ...above, words.elements[0], ...content, words.elements[1]));
  const width = plot ? observeWidth(plot, () => ((drawn = undefined), show()), signal) : () => 0;
  /** @param {string} name @param {() => void} listener */
  function listen(name, listener) {
    model.on(`change:${name}`, listener);
    signal.addEventListener("abort", () => model.off(`change:${name}`, listener));
  }
  for (const [name, listener] of Object.entries(on)) listen(name, listener);
  for (const [name, { among, given }] of rules) if (!given) listen(among ? `${name}_index` : name, update);
  signal.addEventListener("abort", words.stop);
  update();
  return { now: () => now, width, choose, signal, stop: () => life.abort() };
}

/**
 * A number held to a slider's steps: where a kernel runs, any whole number can be typed beside the slider.
 * @param {number} value @param {number} step
 */
const snap = (value, step) => value - (value % step);

/**
 * Whether a state is the one that is shown already.
 * @template {object} Shown
 * @param {Shown} now @param {Shown} [shown]
 */
function shallowEqual(now, shown) {
  return shown !== undefined && Object.entries(now).every(([name, value]) => value === /** @type {any} */ (shown)[name]);
}

/**
 * The state that a change is compared with in words: the one before it and, while a pointer is held down, the one before
 * the drag, which passes through many.
 * @template Shown
 * @param {AbortSignal} signal
 */
function changeHistory(signal) {
  /** @type {Shown | undefined} */
  let last;
  /** @type {Shown | undefined} */
  let first;
  let held = false;
  const down = () => ((held = true), (first = last));
  const up = () => (held = false);
  for (const [name, listener] of Object.entries({ pointerdown: down, pointerup: up, pointercancel: up })) {
    addEventListener(name, listener, { capture: true, signal });
  }
  return {
    before: () => (held ? first : last),
    /** @param {Shown} state */
    keep: (state) => (last = state),
  };
}

/**
 * The width of an element of the page, 0 as long as it is in none, and `layout` called whenever it becomes another.
 * @param {HTMLElement} element @param {() => void} layout @param {AbortSignal} signal
 */
function observeWidth(element, layout, signal) {
  let width = element.clientWidth;
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    layout();
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
  return () => width;
}
