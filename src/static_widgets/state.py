"""From the widget state of a notebook to what its page needs: the displayed widgets, their links, no code.

Both state formats are understood, that of ipywidgets 7 and that of ipywidgets 8.
"""
from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
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

# What the runtime assumes of a control or a box where the state says nothing (`complete` in values.js), or never reads.
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


@dataclass
class Trimmed:
    """A page's part of the state: notebook id -> number, number -> [class, state], and code and style sheets by hash."""

    numbers: dict[str, str]
    models: dict[str, list[Any]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    styles: dict[str, str] = field(default_factory=dict)


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


def reachable(roots: list[str], models: Models) -> list[str]:
    """The ids of all models the roots need: what they refer to, and the links that touch any of these, links last.

    Ids are random and a stored notebook is sorted by them; this order depends on what the widgets say alone.
    """
    links = {model_id: set(references(model["state"])) for model_id, model in models.items() if kind(model) in LINKS}
    found: dict[str, None] = {}
    joined: dict[str, None] = {}
    pending = [root for root in reversed(roots) if root in models]
    while pending:
        model_id = pending.pop()
        if model_id in found or model_id not in models:
            continue
        found[model_id] = None
        ends = [*references(models[model_id]["state"])]
        touching = [link for link in links if model_id in links[link] and link not in joined]
        touching.sort(key=lambda link: ([end[1] for end in link_ends(models[link])], [end[0] in found for end in link_ends(models[link])]))
        joined |= dict.fromkeys(touching)
        ends += [end for link in touching for end in references(models[link]["state"])]
        pending.extend(reversed(ends))
    return [*found, *joined]


def link_ends(link: dict[str, Any]) -> list[list[str]]:
    return [link["state"].get(end) or ["", ""] for end in ("source", "target")]


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
    return re.sub(r"[^a-z0-9_]+", "_", snake).removesuffix("view").strip("_") or "view"


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


def trim(roots: list[str], models: Models) -> Trimmed:
    """What the page holds: short numbers instead of ids, and hashes instead of code."""
    needed = [model_id for model_id in reachable(roots, models) if is_worth(models[model_id])]
    numbers = {model_id: str(number) for number, model_id in enumerate(needed)}
    trimmed = Trimmed(numbers)
    for model_id in needed:
        model = models[model_id]
        state = renumber(trim_state(kind(model), model["state"]), numbers)
        if kind(model) == VIEW:
            module, style = state.pop("_esm", ""), state.pop("_css", "")
            state["_esm"] = hash_text(module)
            trimmed.modules[state["_esm"]] = module
            if style:
                trimmed.styles[hash_text(style)] = style
        record = [kind(model), state]
        if model.get("buffers"):
            record.append([[buffer["path"], buffer["data"]] for buffer in model["buffers"]])
        trimmed.models[numbers[model_id]] = record
    return trimmed


def is_worth(model: dict[str, Any]) -> bool:
    """Whether a page needs it: a layout or a style that says nothing is left out."""
    return kind(model) in BOXES | CONTROLS | LINKS | {VIEW} or bool(trim_state(kind(model), model["state"]))


def renumber(value: Any, numbers: dict[str, str]) -> Any:
    """The same value, its references to models replaced; a layout or a style that is not on the page is dropped."""
    if isinstance(value, str) and value.startswith(REFERENCE):
        return REFERENCE + numbers.get(value.removeprefix(REFERENCE), "")
    if isinstance(value, list):
        return [renumber(item, numbers) for item in value]
    if isinstance(value, dict):
        renumbered = {key: renumber(item, numbers) for key, item in value.items()}
        return {key: item for key, item in renumbered.items() if key not in ("layout", "style") or item != REFERENCE}
    return value


def trim_state(name: str, state: dict[str, Any]) -> dict[str, Any]:
    """The traits that a page needs; a view keeps all of its own."""
    kept = {trait: value for trait, value in state.items() if not BOOKKEEPING.fullmatch(trait)}
    if name == VIEW:
        kept.pop("_anywidget_id", None)
        return without(kept, {trait: ASSUMED[trait] for trait in ("tabbable", "tooltip", "_dom_classes")})
    if name in BOXES | CONTROLS:
        return without(kept, ASSUMED)
    return {trait: value for trait, value in kept.items() if value not in (None, "")}


def without(state: dict[str, Any], assumed: dict[str, Any]) -> dict[str, Any]:
    return {trait: value for trait, value in state.items() if trait not in assumed or value != assumed[trait]}
