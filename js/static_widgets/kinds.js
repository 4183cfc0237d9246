// The kinds of widgets that the runtime supports. This is the only list of them: from it js/build.mjs writes kinds.json, which
// the Sphinx extension reads.
import { checkbox, dropdown, html, label, linearSlider, logSlider, text, toggleButtons } from "./controls.js";
import { INDEX, NUMBER, SWITCH, TEXT, validateLogSlider, validateSelection, validateSlider } from "./values.js";

/** @typedef {import("./model.js").Model} Model */
/**
 * @typedef {object} Kind
 * @property {(model: Model) => HTMLElement} draw
 * @property {import("./model.js").State} defaults the values of traits that the state leaves out, as JupyterLab
 *   does when it saves a notebook, and the Sphinx extension when it writes a page
 * @property {import("./model.js").Validate} [validate]
 * @property {import("./values.js").Codec} [codec] how the page's address stores the reader's choice
 */

const COMMON = {
  description: "",
  description_allow_html: false,
  disabled: false,
  tooltip: null,
  description_tooltip: null,
  _dom_classes: [],
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
  continuous_update: true,
};
const LOG_SLIDER = { ...SLIDER, value: 1, max: 4, step: 0.1, base: 10, readout_format: ".3g" };
const WORDS = { ...COMMON, value: "", placeholder: "\u200b" };

/** @type {Record<string, Kind>} */
export const CONTROLS = {
  IntSliderModel: { draw: linearSlider, defaults: SLIDER, validate: validateSlider, codec: NUMBER },
  FloatSliderModel: {
    draw: linearSlider,
    defaults: { ...SLIDER, readout_format: ".2f" },
    validate: validateSlider,
    codec: NUMBER,
  },
  FloatLogSliderModel: { draw: logSlider, defaults: LOG_SLIDER, validate: validateLogSlider, codec: NUMBER },
  CheckboxModel: { draw: checkbox, defaults: { ...COMMON, value: false }, codec: SWITCH },
  DropdownModel: { draw: dropdown, defaults: COMMON, validate: validateSelection, codec: INDEX },
  ToggleButtonsModel: {
    draw: toggleButtons,
    defaults: { ...COMMON, tooltips: [] },
    validate: validateSelection,
    codec: INDEX,
  },
  TextModel: { draw: text, defaults: { ...WORDS, continuous_update: true }, codec: TEXT },
  LabelModel: { draw: label, defaults: WORDS },
  HTMLModel: { draw: html, defaults: WORDS },
  HTMLMathModel: { draw: html, defaults: WORDS },
};

/** Each kind of box and the class of its element. @type {Record<string, string>} */
export const BOXES = { VBoxModel: "sw-vbox", HBoxModel: "sw-hbox", BoxModel: "sw-hbox" };

/** The layout traits of a displayed widget that the extension writes as the style of its container, to reserve its size. */
export const SIZES = ["width", "height", "min_width", "min_height", "max_width", "max_height", "margin"];
