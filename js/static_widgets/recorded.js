// The part that shows what a recording has kept.
import { keepSliders } from "./kept.js";
import { RECORDED } from "./kinds_recorded.js";
import { receive } from "./recorded_files.js";

receive();
keepSliders();
/** @type {any} */ (globalThis).staticWidgets.admit("recorded", RECORDED);
