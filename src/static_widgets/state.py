"""From the widget state of a notebook to what its page needs: the displayed widgets, their links, no code.

Both state formats are understood, that of ipywidgets 7 and that of ipywidgets 8.
"""
from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any

from static_widgets.models import BOXES, CONTROLS, LINKS, REFERENCE, VIEW, Models, kind, reachable

# What the runtime never reads of a box or a control, and what a box or a view has where its state says nothing.
UNREAD = {"tabbable", "icons", "button_style", "box_style", "behavior", "indent"}
DEFAULTS = {"tabbable": None, "tooltip": None, "_dom_classes": []}
BOOKKEEPING = re.compile(r"_(model|view)_(name|module|module_version|count)")


@dataclass
class Trimmed:
    """A page's part of the state: numbers for ids, [class, state] by number, code and style sheets by hash."""

    numbers: dict[str, str]
    models: dict[str, list[Any]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    styles: dict[str, str] = field(default_factory=dict)


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def trim(roots: list[str], models: Models) -> Trimmed:
    """What the page holds: short numbers instead of ids, and hashes instead of code."""
    needed = [model_id for model_id in reachable(roots, models) if is_needed(models[model_id])]
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


def is_needed(model: dict[str, Any]) -> bool:
    """Whether a page needs it: a layout or a style that says nothing is left out."""
    return kind(model) in {*BOXES, *CONTROLS, *LINKS, VIEW} or bool(trim_state(kind(model), model["state"]))


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
        return without(kept, DEFAULTS)
    if name in BOXES or name in CONTROLS:
        read = {trait: value for trait, value in kept.items() if trait not in UNREAD}
        return without(read, CONTROLS.get(name, DEFAULTS))
    return {trait: value for trait, value in kept.items() if value not in (None, "")}


def without(state: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    return {trait: value for trait, value in state.items() if trait not in defaults or value != defaults[trait]}
