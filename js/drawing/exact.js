/** Exact values for whoever asks: a table that is filled while it is open. */

import { html, uniqueId } from "./dom.js";

/** @param {string[]} head the titles of the columns */
export function exactValues(head) {
  const title = document.createTextNode("");
  const body = html("tbody", {});
  const row = html("tr", {}, ...head.map((name) => html("th", { scope: "col" }, name)));
  const scroller = html("div", { class: "tb-values", id: uniqueId("tb-values"), tabindex: 0, role: "group", "aria-label": "Exact values" });
  scroller.append(html("table", {}, html("thead", {}, row), body));
  const element = html("details", { class: "tb-details" }, html("summary", {}, title), scroller);
  /** @type {() => (string | number)[][]} */
  let values = () => [];
  const fill = () => {
    if (element.open) body.replaceChildren(...values().map((cells) => html("tr", {}, ...cells.map((cell) => html("td", {}, String(cell))))));
  };
  element.addEventListener("toggle", fill);
  return {
    element,
    /** @param {string} name @param {() => (string | number)[][]} rows */
    show(name, rows) {
      title.data = name;
      values = rows;
      fill();
    },
  };
}
