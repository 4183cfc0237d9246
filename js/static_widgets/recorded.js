// The part that shows what a recording has kept.
import { RECORDED } from "./kinds_recorded.js";

/** @type {any} */ (globalThis).staticWidgets.admit("recorded", RECORDED);
