// The kinds of the part that shows what a recording has kept.

/** @type {Record<string, import("./registry.js").Kind>} */
export const RECORDED = {};
