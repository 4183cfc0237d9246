"""From the widget state of a notebook to what its page needs: the displayed widgets, their links, no code.

Both state formats are understood, that of ipywidgets 7 and that of ipywidgets 8.
"""
from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

REFERENCE = "IPY_MODEL_"
BOXES = {"BoxModel", "HBoxModel", "VBoxModel"}
CONTROLS = {
    "IntSliderModel",
    "FloatSliderModel",
    "FloatLogSliderModel",
    "CheckboxModel",
    "DropdownModel",
    "ToggleButtonsModel",
    "TextModel",
    "LabelModel",
    "HTMLModel",
    "HTMLMathModel",
}
VIEW = "AnyModel"
LINKS = {"LinkModel", "DirectionalLinkModel"}

# What the runtime assumes of a control or a box where the state says nothing (DEFAULTS in values.js), or never reads.
ASSUMED = {
    "description": "",
    "description_allow_html": False,
    "disabled": False,
    "readout": True,
    "continuous_update": True,
    "orientation": "horizontal",
    "placeholder": "\u200b",
    "tabbable": None,
    "tooltip": None,
    "description_tooltip": None,
    "_dom_classes": [],
    "tooltips": [],
    "icons": [],
    "button_style": "",
    "box_style": "",
    "behavior": "drag-tap",
    "indent": True,
}
BOOKKEEPING = re.compile(r"_(model|view)_(name|module|module_version|count)")

Models = dict[str, dict[str, Any]]


def references(value: Any) -> Iterator[str]:
    """The ids of the models that a trait refers to."""
    if isinstance(value, str):
        if value.startswith(REFERENCE):
            yield value.removeprefix(REFERENCE)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from references(item)


def displayed(roots: list[str], models: Models) -> list[str]:
    """The ids of the widgets that are drawn: the roots and what their boxes hold, in the order of the page."""
    found: dict[str, None] = {}
    pending = list(reversed(roots))
    while pending:
        model_id = pending.pop()
        if model_id in found:
            continue
        found[model_id] = None
        children = models.get(model_id, {}).get("state", {}).get("children", [])
        pending.extend(reversed(list(references(children))))
    return list(found)


def reachable(roots: list[str], models: Models) -> set[str]:
    """The ids of all models the roots need: what they refer to, and the links that touch any of these."""
    links = {model_id: set(references(model["state"])) for model_id, model in models.items() if kind(model) in LINKS}
    found: set[str] = set()
    pending = [root for root in roots if root in models]
    while pending:
        model_id = pending.pop()
        if model_id in found or model_id not in models:
            continue
        found.add(model_id)
        pending.extend(references(models[model_id]["state"]))
        pending.extend(link for link, ends in links.items() if model_id in ends)
    return found


def kind(model: dict[str, Any]) -> str:
    return model.get("model_name", "")


def unknown(roots: list[str], models: Models) -> list[str]:
    """Why displayed widgets cannot live in a page, one sentence part each."""
    problems = []
    for model_id in displayed(roots, models):
        model = models.get(model_id)
        if model is None:
            problems.append(f"a widget whose state the notebook does not hold (model {model_id})")
        elif kind(model) not in BOXES | CONTROLS | {VIEW}:
            problems.append(f"{kind(model).removesuffix('Model')} ({model.get('model_module', 'unknown module')})")
        elif kind(model) == VIEW and str(model["state"].get("_esm", "")).startswith(("http://", "https://")):
            problems.append(f"{model['state'].get('_anywidget_id')}, whose code comes from the network")
    return problems


def short_name(anywidget_id: str) -> str:
    """The name of a view in a page's address.

    >>> short_name("library.explorers.HeatMapView")
    'heat_map'
    """
    name = anywidget_id.rpartition(".")[2]
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return re.sub(r"[^a-z0-9_]+", "_", snake).removesuffix("view").rstrip("_") or "view"


def view_names(roots: list[str], models: Models) -> dict[str, str]:
    """A name for each displayed view, the second of a kind ending in `-2`."""
    names: dict[str, str] = {}
    seen: dict[str, int] = {}
    for model_id in displayed(roots, models):
        if kind(models.get(model_id, {})) == VIEW:
            name = short_name(models[model_id]["state"].get("_anywidget_id") or "view")
            seen[name] = seen.get(name, 0) + 1
            names[model_id] = name if seen[name] == 1 else f"{name}-{seen[name]}"
    return names


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def trim(roots: list[str], models: Models) -> tuple[dict[str, list[Any]], dict[str, str], dict[str, str]]:
    """What the page holds, {id: [class, state]}, and the modules and style sheets of its views, {hash: text}."""
    needed = reachable(roots, models)
    page: dict[str, list[Any]] = {}
    modules: dict[str, str] = {}
    styles: dict[str, str] = {}
    for model_id, model in models.items():
        if model_id not in needed:
            continue
        name, state = kind(model), trim_state(kind(model), model["state"])
        if not state and name not in BOXES | CONTROLS | {VIEW} | LINKS:
            continue
        if name == VIEW:
            module, style = state.pop("_esm", ""), state.pop("_css", "")
            state["_esm"] = hash_text(module)
            modules[state["_esm"]] = module
            if style:
                styles[hash_text(style)] = style
        record = [name, state]
        if model.get("buffers"):
            record.append([[buffer["path"], buffer["data"]] for buffer in model["buffers"]])
        page[model_id] = record
    for _, state, *_ in page.values():
        for trait in ("layout", "style"):
            if state.get(trait, "").removeprefix(REFERENCE) not in page:
                state.pop(trait, None)
    return page, modules, styles


def trim_state(name: str, state: dict[str, Any]) -> dict[str, Any]:
    """The traits that a page needs; a view keeps all of its own."""
    kept = {trait: value for trait, value in state.items() if not BOOKKEEPING.fullmatch(trait)}
    if name == VIEW:
        kept.pop("_anywidget_id", None)
        return {trait: value for trait, value in kept.items() if not is_assumed(trait, value, {"tabbable", "tooltip", "_dom_classes"})}
    if name in BOXES | CONTROLS:
        return {trait: value for trait, value in kept.items() if not is_assumed(trait, value, ASSUMED)}
    return {trait: value for trait, value in kept.items() if value not in (None, "")}


def is_assumed(trait: str, value: Any, traits: Any) -> bool:
    return trait in traits and value == ASSUMED[trait]
