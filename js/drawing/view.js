/** What the views have in common: how they follow their model and the width that the page leaves them. */

/**
 * A number held to a slider's steps: where a kernel runs, any whole number can be typed beside the slider.
 * @param {number} value @param {number} step
 */
export const snap = (value, step) => value - (value % step);

/** To tenths of a pixel, which are written faster than fractions. @param {number} pixels */
export const round = (pixels) => Math.round(pixels * 10) / 10;

/**
 * Whether a state is the one that is shown already.
 * @template {object} Shown
 * @param {Shown} now @param {Shown} [shown]
 */
export function shallowEqual(now, shown) {
  return shown !== undefined && Object.entries(now).every(([name, value]) => value === /** @type {any} */ (shown)[name]);
}

/**
 * The state that a change is compared with in words: the one before it and, while a pointer is held down, the one before
 * the drag, which passes through many.
 * @template Shown
 * @param {AbortSignal} signal
 */
export function changeHistory(signal) {
  /** @type {Shown | undefined} */
  let last;
  /** @type {Shown | undefined} */
  let first;
  let held = false;
  const down = () => ((held = true), (first = last));
  const up = () => (held = false);
  for (const [name, listener] of Object.entries({ pointerdown: down, pointerup: up, pointercancel: up })) {
    addEventListener(name, listener, { capture: true, signal });
  }
  return {
    before: () => (held ? first : last),
    /** @param {Shown} state */
    keep: (state) => (last = state),
  };
}

/**
 * The width of an element of the page, 0 as long as it is in none, and `layout` called whenever it becomes another.
 * @param {HTMLElement} element @param {() => void} layout @param {AbortSignal} signal
 */
export function observeWidth(element, layout, signal) {
  let width = element.clientWidth;
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    layout();
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
  return () => width;
}
