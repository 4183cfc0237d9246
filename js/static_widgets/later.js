// What a view leaves for later, its code or large values: fetched when the view comes near the window. A page opened from a folder
// may not fetch files, but it may run scripts; each passes its hash and its text to the runtime.

/** How far below or above the window a view is near. */
const NEAR = "300px";
/** The folder of this script, in which the others are. */
const FOLDER = /** @type {HTMLScriptElement | null} */ (globalThis.document?.currentScript)?.src.replace(/[^/]*$/, "") ?? "";

/** @type {Map<string, Promise<string>>} */
const fetched = new Map();
/** @type {Map<string, (text: string) => void>} */
const expected = new Map();

/** @param {Element} el @returns {Promise<void>} */
export const comesNear = (el) =>
  new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: NEAR },
    );
    observer.observe(el);
  });

/** Hands a text to the view that waits for it. @param {string} hash @param {string} text @returns {boolean} whether one does */
export function take(hash, text) {
  expected.get(hash)?.(text);
  return expected.has(hash);
}

/** @param {string} hash @returns {Promise<string>} rejects if its file does not load, or holds something else */
export function fetchText(hash) {
  const known = fetched.get(hash);
  if (known) return known;
  const text = new Promise((/** @type {(text: string) => void} */ resolve, reject) => {
    const script = document.createElement("script");
    expected.set(hash, resolve);
    const fail = () => reject(new Error("its code or its data did not load"));
    script.addEventListener("error", fail);
    script.addEventListener("load", fail);
    script.src = `${FOLDER}${hash}.js`;
    document.head.append(script);
  });
  fetched.set(hash, text);
  return text;
}
