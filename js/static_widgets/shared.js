// What the core shares with the other parts of the runtime: they import it from here alone, and js/build.mjs takes it from the core then,
// so that nothing is in two scripts of a page.
export { box } from "./boxes.js";
export { labelControl, onEdit, row, slider, text, toggleButtons } from "./controls.js";
export { attribute, canonical, element, follow, message, uniqueId } from "./dom.js";
export { drawChild } from "./draw.js";
export { BOX, COMMON, SLIDER, WORDS } from "./kinds_core.js";
export { dereference, equal } from "./model.js";
export { sanitize, useSanitizer } from "./sanitize.js";
export { INDEX, NUMBER, SWITCH, TEXT, formatter, isNumber, snap, validateSelection } from "./values.js";
export { comesNear, fetchModule } from "./views.js";
export { KINDS } from "./registry.js";
