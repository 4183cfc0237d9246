// Controls that show or take texts.
import { element, follow, sanitize } from "./shared.js";

/** @typedef {import("./model.js").Model} Model */

/** @param {Model} model */
export function html(model) {
  const description = element("span", { className: "sw-description" });
  const content = element("div", { className: "sw-content" });
  follow(model, "description", () => (description.textContent = model.get("description")));
  follow(model, "value", () => content.replaceChildren(sanitize(model.get("value") ?? "")));
  return element("div", { className: "sw-control sw-html" }, description, content);
}
