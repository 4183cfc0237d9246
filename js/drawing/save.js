/** Changes a trait of a view, and tells the kernel if there is one. */

/** @param {import("@anywidget/types").AnyModel<any>} model @param {string} name @param {any} value */
export function save(model, name, value) {
  if (model.get(name) === value) return;
  model.set(name, value);
  model.save_changes();
}
