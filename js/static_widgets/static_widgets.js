// The runtime: reads the page's widget state, draws the controls, ties the links and starts the views.
import { keepAddress } from "./address.js";
import { element, follow, message } from "./dom.js";
import { BOXES, CONTROLS, SIZES } from "./kinds.js";
import { menu } from "./menu.js";
import { connect, findLinks } from "./links.js";
import { Model, dereference } from "./model.js";
import { Views, comesNear, fetchModule, rejectMissing, register, viewElement } from "./views.js";

/** @typedef {[path: (string | number)[], base64: string]} Buffer a binary trait */
/** @typedef {[name: string, state: import("./model.js").State, buffers?: Buffer[]]} Stored */
/** @typedef {{ models: Record<string, Stored>, names: Record<string, string>, menu: string }} PageState */
/**
 * @typedef {object} Scene
 * @property {Map<string, Model>} models
 * @property {Views} views
 * @property {Promise<void>[]} pending views that have not been drawn yet
 * @property {(error: unknown) => void} fail
 * @property {(() => void)[]} later what waits until all other views have taken their place
 */

const DAMAGED = "This interactive figure could not start: its state is damaged.";

/**
 * The models of a page; those whose records are damaged are left out, and a widget that needs one says so.
 * @param {PageState["models"]} records
 */
function makeModels(records) {
  /** @type {Map<string, Model>} */
  const models = new Map();
  for (const [id, record] of Object.entries(records)) {
    try {
      const [name, state, buffers = []] = record;
      for (const [path, base64] of buffers) putBuffer(state, path, base64);
      const { defaults, validate } = CONTROLS[name] ?? {};
      models.set(id, new Model(id, name, { ...defaults, ...state }, validate));
    } catch (error) {
      console.error(error);
    }
  }
  return models;
}

/**
 * @param {any} state
 * @param {(string | number)[]} path
 * @param {string} base64
 */
function putBuffer(state, path, base64) {
  const last = path.at(-1) ?? "";
  const holder = path.slice(0, -1).reduce((value, key) => value[key], state);
  holder[last] = new DataView(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer);
}

/**
 * @param {Model | undefined} model
 * @param {Scene} scene
 * @returns {HTMLElement}
 */
function draw(model, scene) {
  if (!model) return missing("This widget needs a live kernel: the page does not hold its state.", scene);
  if (model.name in BOXES) return drawBox(model, scene);
  const control = CONTROLS[model.name];
  if (control) return control.draw(model);
  if (model.name === "AnyModel") return drawView(model, scene);
  return missing(`The widget ${String(model.name).replace(/Model$/, "")} needs a live kernel.`, scene);
}

/**
 * @param {string} text
 * @param {Scene} scene
 */
function missing(text, scene) {
  scene.fail(text);
  return message(text);
}

/**
 * @param {Model} model
 * @param {Scene} scene
 */
function drawBox(model, scene) {
  const box = element("div", { className: BOXES[model.name] ?? "" });
  follow(model, "children", () => {
    /** @type {string[]} */
    const children = model.get("children") ?? [];
    box.replaceChildren(...children.map((reference) => drawChild(reference, scene)));
  });
  return box;
}

/**
 * @param {string} reference
 * @param {Scene} scene
 */
function drawChild(reference, scene) {
  const model = dereference(scene.models, reference);
  const drawn = draw(model, scene);
  drawn.classList.add(...(model?.get("_dom_classes") ?? []));
  applyLayout(model, drawn, scene);
  return drawn;
}

/**
 * @param {Model | undefined} model
 * @param {HTMLElement} drawn
 * @param {Scene} scene
 * @param {string[]} [except]
 */
function applyLayout(model, drawn, scene, except = []) {
  const layout = dereference(scene.models, model?.get("layout"));
  const style = dereference(scene.models, model?.get("style"));
  const apply = (/** @type {Model | undefined} */ source, /** @type {string} */ prefix) => {
    for (const trait in source?.state) {
      if (except.includes(trait)) continue;
      follow(source, trait, () => drawn.style.setProperty(prefix + trait.replaceAll("_", "-"), source?.get(trait)));
    }
  };
  apply(layout, "");
  apply(style, "--sw-");
}

/**
 * @param {Model} model
 * @param {Scene} scene
 */
function drawView(model, scene) {
  const el = viewElement();
  let verb = "could not start";
  const fail = (/** @type {any} */ error) => {
    el.replaceChildren(message(`This interactive figure ${verb}: ${error?.message ?? error}.`));
    scene.fail(error);
  };
  const render = () => scene.views.render(model, el, fail).then(() => void (verb = "has stopped"));
  if (model.get("_later")) scene.later.push(() => comesNear(el).then(() => complete(model)).then(render).catch(fail));
  else scene.pending.push(render());
  return el;
}

/** Fetches what a view has left for later. @param {Model} model */
async function complete(model) {
  /** @type {[string, string][]} */
  const entries = Object.entries(model.get("_later"));
  const modules = await Promise.all(entries.map(([, hash]) => fetchModule(hash)));
  entries.forEach(([trait], at) => trait !== "_esm" && model.set(trait, modules[at].default));
}

/**
 * Keeps a redraw within its widget: if the size of a box does not depend on its content, a step of a slider costs no layout
 * and no painting of the rest of the page. So the box gets the height of its content as a fixed height.
 * @param {HTMLElement} content
 */
function enclose(content) {
  const box = element("div", { className: "static-widget-live" }, content);
  new ResizeObserver(([entry]) => {
    const height = entry.borderBoxSize[0].blockSize;
    if (height) Object.assign(box.style, { contain: "strict", height: `${height}px` });
  }).observe(content);
  return box;
}

/**
 * @param {HTMLElement} container
 * @param {Pick<Scene, "models" | "views">} page
 */
async function drawRoot(container, page) {
  let [started, failed] = [false, false];
  const settle = () => (container.dataset.staticWidget = failed ? "failed" : "ready");
  /** @param {unknown} error */
  function fail(error) {
    console.error(error);
    failed = true;
    if (started) settle();
  }
  /** @type {Scene} */
  const scene = { ...page, pending: [], later: [], fail };
  try {
    const model = page.models.get(container.dataset.model ?? "");
    const drawn = draw(model, scene);
    // The container has the widget's classes and size already, from the HTML, which reserves its place before this script runs.
    applyLayout(model, drawn, scene, SIZES);
    container.append(enclose(drawn));
  } catch (error) {
    container.append(message(DAMAGED));
    fail(error);
  }
  await Promise.all(scene.pending);
  started = true;
  settle();
  for (const begin of scene.later) begin();
}

/** @param {HTMLElement[]} containers */
function start(containers) {
  /** @type {PageState} */
  const page = JSON.parse(document.getElementById("static-widgets-state")?.textContent ?? "");
  const models = makeModels(page.models);
  const links = findLinks(models);
  links.forEach(connect);
  const views = new Views(models);
  const address = keepAddress({ links, models: models.values(), names: page.names, containers });
  const drawn = containers.map((container) => drawRoot(container, { models, views }));
  for (const container of containers.filter(({ classList }) => classList.contains("sw-shared"))) {
    const { link, reset } = address;
    const parts = { container, link: () => link(container), reset: () => reset(container), menu: page.menu };
    container.append(menu(parts));
  }
  Promise.all(drawn).then(address.ready);
}

function main() {
  document.documentElement.classList.add("static-widgets");
  const containers = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".static-widget")]);
  try {
    start(containers);
  } catch (error) {
    for (const container of containers) {
      container.dataset.staticWidget = "failed";
      container.append(message(DAMAGED));
    }
    console.error(error);
  }
}

// The files with the modules of the views are loaded after this one; each pushes its hash and its code.
Object.assign(globalThis, {
  staticWidgets: { ready: true, push: (/** @type {Parameters<typeof register>} */ module) => register(...module) },
});
addEventListener("load", rejectMissing);
if (document.readyState === "loading") addEventListener("DOMContentLoaded", main);
else main();
