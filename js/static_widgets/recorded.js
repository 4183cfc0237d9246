// The part that shows what a recording has kept.
import { RECORDED } from "./kinds_recorded.js";
import { receive } from "./recorded_files.js";

receive();
/** @type {any} */ (globalThis).staticWidgets.admit("recorded", RECORDED);
