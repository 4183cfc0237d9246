// What the controls may hold, and how a number is written: the semantics of ipywidgets, without the page.
/// <reference path="./d3-format.d.ts" />
import { format } from "d3-format";

/** @typedef {import("./model.js").State} State */

const COMMON = {
  description: "",
  disabled: false,
  value: "",
  placeholder: "",
  continuous_update: true,
};
const SLIDER = {
  ...COMMON,
  value: 0,
  min: 0,
  max: 100,
  step: 1,
  readout: true,
  readout_format: "d",
  orientation: "horizontal",
};

/**
 * What ipywidgets assumes where the state says nothing; `state.py` leaves some of it out, JupyterLab all.
 * @type {Record<string, State>}
 */
const DEFAULTS = {
  IntSliderModel: SLIDER,
  FloatSliderModel: { ...SLIDER, readout_format: ".2f" },
  FloatLogSliderModel: { ...SLIDER, value: 1, max: 4, step: 0.1, base: 10, readout_format: ".3g" },
};

/**
 * The whole state of a control.
 * @param {string} name
 * @param {State} state
 */
export const complete = (name, state) => ({ ...(DEFAULTS[name] ?? COMMON), ...state });

/** @param {number} value */
function decimals(value) {
  const [digits = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (digits.split(".")[1] ?? "").length - Number(exponent));
}

/**
 * The multiple of `step`, counted from `min`, that is nearest to `value` within [min, max], free of rounding noise.
 * @param {number} value
 * @param {State} state with `min`, `max` and `step`; a step of null allows any value
 * @returns {number}
 */
export function snap(value, { min, max, step }) {
  const top = Math.max(min, max);
  const inside = Math.min(Math.max(value, min), top);
  if (!(step > 0)) return inside;
  const steps = Math.min(Math.round((inside - min) / step), Math.floor((top - min) / step + 1e-9));
  return Number((min + steps * step).toFixed(Math.min(100, Math.max(decimals(min), decimals(step)))));
}

/**
 * @param {State} next
 * @param {State} previous
 */
function slider(next, previous) {
  const value = isNumber(next.value) ? next.value : (previous.value ?? next.min);
  next.value = snap(value, next);
}

/**
 * @param {State} next
 * @param {State} previous
 */
function logSlider(next, previous) {
  const value = isNumber(next.value) ? next.value : (previous.value ?? 1);
  next.value = next.base ** exponent(value, next);
}

/**
 * Where a logarithmic slider stands: the exponent of `value`, on the slider's grid.
 * @param {number} value
 * @param {State} state
 */
export function exponent(value, state) {
  return snap(value > 0 ? Math.log(value) / Math.log(state.base) : state.min, state);
}

/**
 * @param {State} next
 * @param {State} previous
 */
function selection(next, previous) {
  const labels = (next._options_labels ??= []);
  next.index ??= null;
  if (next.index === null || (Number.isInteger(next.index) && next.index >= 0 && next.index < labels.length)) return;
  if (labels === previous._options_labels) next.index = previous.index;
  else next.index = labels.length ? 0 : null;
}

/** @param {any} value */
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** @type {Record<string, import("./model.js").Validate>} */
export const VALIDATE = {
  IntSliderModel: slider,
  FloatSliderModel: slider,
  FloatLogSliderModel: logSlider,
  DropdownModel: selection,
  ToggleButtonsModel: selection,
};

/**
 * A function that writes a number as d3-format's `specifier` says; a specifier it refuses leaves the number as it is.
 * @param {string | undefined} specifier
 * @returns {(value: number) => string}
 */
export function formatter(specifier) {
  try {
    return specifier ? format(specifier) : String;
  } catch {
    return String;
  }
}
