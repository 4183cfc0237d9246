// The menu of a figure: copy the link to what it shows, save that as a picture, or go back to its first state.
import { element } from "./dom.js";

/** @typedef {typeof import("./picture.js")} Pictures */
/**
 * @typedef {object} Parts
 * @property {HTMLElement} container
 * @property {() => string} link the address of what the figure shows
 * @property {() => void} reset
 * @property {string} pictures the address of the script that draws pictures
 */

/** @type {Promise<Pictures> | undefined} */
let loading;

/** @param {string} address */
function loadPictures(address) {
  loading ??= new Promise((resolve, reject) => {
    const loaded = () => resolve(/** @type {any} */ (globalThis).staticWidgetsPicture);
    const failed = () => {
      loading = undefined; // so that the next click tries again
      reject(new Error("its code did not load"));
    };
    document.head.append(element("script", { src: address, onload: loaded, onerror: failed }));
  });
  return loading;
}

/** The text of the heading above a figure, without the link to it. @param {HTMLElement} container */
function titleOf(container) {
  const heading = container.closest("section")?.querySelector("h1, h2, h3, h4, h5, h6");
  const parts = [...(heading?.childNodes ?? [])].filter((part) => !(part instanceof Element && part.matches(".headerlink")));
  return parts.map((part) => part.textContent).join("").trim() || document.title;
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Where the page is published, if it says so. */
export const canonical = () => /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))?.href;

/** @param {Parts} parts @returns {HTMLElement} */
export function menu({ container, link, reset, pictures }) {
  const said = element("p", { role: "status" });
  const field = element("input", { type: "text", readOnly: true, hidden: true, ariaLabel: "Link to this picture" });

  async function copy() {
    try {
      await navigator.clipboard.writeText(link());
      return "The link is copied.";
    } catch {
      // Without a permission, or from a folder, the clipboard may be refused.
      Object.assign(field, { hidden: false, value: link() });
      field.select();
      return "Copy the link from the field.";
    }
  }

  /** @param {"png" | "svg"} kind */
  async function save(kind) {
    const { draw, toPng } = await loadPictures(pictures);
    const views = /** @type {HTMLElement[]} */ ([...container.querySelectorAll(".sw-view")]);
    const address = canonical() ? [link()] : [];
    const picture = draw(views, { title: titleOf(container), sources: [document.title, ...address] });
    const name = `${container.dataset.names?.split(" ")[0]}.${kind}`;
    download(kind === "png" ? await toPng(picture) : new Blob([picture.text], { type: "image/svg+xml" }), name);
    return `${name} is saved.`;
  }

  /** @param {string} label @param {() => Promise<string> | string} act */
  const button = (label, act) =>
    element("button", {
      type: "button",
      textContent: label,
      async onclick() {
        Object.assign(said, { textContent: "" });
        field.hidden = true;
        try {
          said.textContent = await act();
        } catch (error) {
          said.textContent = `That did not work: ${/** @type {any} */ (error)?.message ?? error}.`;
          reportError(error);
        }
      },
    });

  const items = [
    button("Copy the link", copy),
    button("Save as PNG", () => save("png")),
    button("Save as SVG", () => save("svg")),
    button("Back to the first state", () => (reset(), "The first state is back.")),
  ];
  const summary = element("summary", { textContent: "Share or save" });
  const made = element("details", { className: "sw-menu" }, summary, element("div", {}, ...items, field, said));
  made.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !made.open) return;
    made.open = false;
    summary.focus();
  });
  // It lies over the page while it is open, so a click beside it closes it, and so does leaving it by keyboard.
  const leave = (/** @type {Event} */ { target }) => {
    if (!made.contains(/** @type {Node} */ (target))) made.open = false;
  };
  made.addEventListener("toggle", () => {
    for (const event of ["pointerdown", "focusin"]) {
      if (made.open) document.addEventListener(event, leave);
      else document.removeEventListener(event, leave);
    }
    if (!made.open) Object.assign(said, { textContent: "" });
  });
  return made;
}
