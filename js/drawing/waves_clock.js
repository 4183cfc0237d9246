/** The clock of one pair, whose hand stands where the pair's turn is at a position. */

import { decimals, plural } from "../words/format.js";
import { face, hand, pointAt, sector } from "./clock.js";
import { html, shapes, svg } from "./dom.js";

/** @typedef {import("./dom.js").Shape} Shape */

const DIAL = { x: 90, y: 84, radius: 64 };

/** A clock with the turn of the chosen position, and a line of text below it. */
export function turnClock() {
  const clock = shapes();
  const [share, whole] = [document.createTextNode(""), document.createTextNode("")];
  const dial = svg("svg", { class: "tb-overlay", width: 2 * DIAL.x, height: 2 * DIAL.y }, clock.group);
  const text = html("p", {}, html("strong", {}, share), whole);
  return {
    element: html("div", { class: "tb-wave-clock", "aria-hidden": "true" }, dial, text),
    /** @param {{ position: number, wave: number }} now the chosen position, and positions per turn */
    show({ position, wave }) {
      const turns = position / wave;
      clock.draw(clockShapes(turns, wave));
      share.data = `${decimals(turns % 1)} of a turn`;
      whole.data = turns < 1 ? "" : `after ${plural(Math.floor(turns), "whole turn")}`;
    },
  };
}

/**
 * The hand, and how far it reaches to the right and up: sine and cosine.
 * @param {number} turns @param {number} wave @returns {Shape[]}
 */
function clockShapes(turns, wave) {
  const angle = (turns % 1) * 2 * Math.PI;
  const end = pointAt(DIAL, angle);
  return [
    ["path", { class: "tb-slice", d: sector(DIAL, angle) }],
    ...face(DIAL, wave, 1.14),
    ["line", { class: "tb-leg tb-cosine", x1: DIAL.x, y1: DIAL.y, x2: DIAL.x, y2: end.y }],
    ["line", { class: "tb-leg tb-sine", x1: DIAL.x, y1: end.y, x2: end.x, y2: end.y }],
    ...hand(DIAL, angle, "tb-from"),
  ];
}
