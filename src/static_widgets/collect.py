"""While documents are read: which widgets each displays, kept in the environment for pages that are not read again."""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

from static_widgets import state

VIEW_MIME = "application/vnd.jupyter.widget-view+json"
STATE_MIME = "application/vnd.jupyter.widget-state+json"
SIZES = ("width", "height", "min_width", "min_height", "max_width", "max_height", "margin")


def pages(env: BuildEnvironment) -> dict[str, dict[str, Any]]:
    """Document name -> its `models`, `names`, `modules`, `styles` and `unknown` widgets."""
    if not hasattr(env, "static_widgets"):
        env.static_widgets = {}  # type: ignore[attr-defined]
    return env.static_widgets  # type: ignore[attr-defined]


def drop_stock_loader(app: Sphinx, config: Config) -> None:
    config.nb_ipywidgets_js = {}  # type: ignore[attr-defined]


def collect_page(app: Sphinx, doctree: nodes.document) -> None:
    """Keep what the document's displayed widgets need, and mark the outputs that display them."""
    env = app.env
    js_files = getattr(env, "nb_metadata", {}).get(env.docname, {}).get("js_files", {})
    for key in [key for key in js_files if key.startswith("ipywidgets_")]:
        js_files.pop(key)
    bundles = list(find_bundles(doctree))
    if not bundles:
        return
    notebook = read_notebook(app, env.docname)
    models = notebook.get("metadata", {}).get("widgets", {}).get(STATE_MIME, {}).get("state", {})
    roots = [view_id(bundle) for bundle in bundles]
    names = state.view_names(roots, models)
    descriptions = describe_outputs(notebook)
    taken = set(doctree.ids)
    for bundle, root in zip(bundles, roots, strict=True):
        own = [names[model_id] for model_id in state.displayed([root], models) if model_id in names]
        free = next((name for name in own if name not in taken), None)
        taken.add(free or "")
        root_state = models.get(root, {}).get("state", {})
        bundle["static_widget"] = {
            "model": root,
            "names": own,
            "id": free,
            "classes": root_state.get("_dom_classes", []),
            "sizes": sizes(root_state, models),
            "alt": descriptions.get(root, [""]).pop(0) if descriptions.get(root) else "",
        }
    page, modules, styles = state.trim(roots, models)
    problems = state.unknown(roots, models)
    pages(env)[env.docname] = {"models": page, "names": names, "modules": modules, "styles": styles, "unknown": problems}


def find_bundles(doctree: nodes.document) -> list[nodes.container]:
    """The outputs that display a widget."""
    return [
        node
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "mime_bundle" and any(child.get("mime_type") == VIEW_MIME for child in node.children)
    ]


def view_id(bundle: nodes.container) -> str:
    view = next(child for child in bundle.children if child.get("mime_type") == VIEW_MIME)
    found = re.search(r">(\{.*\})</script>", view.astext(), re.DOTALL)
    return json.loads(found[1]).get("model_id", "") if found else ""


def read_notebook(app: Sphinx, docname: str) -> dict[str, Any]:
    """The executed notebook that MyST-NB has just written: the document tree lacks the outputs' metadata."""
    folder = Path(app.env.mystnb_config.output_folder)  # type: ignore[attr-defined]
    return json.loads(folder.joinpath(*f"{docname}.ipynb".split("/")).read_text("utf-8"))


def describe_outputs(notebook: dict[str, Any]) -> dict[str, list[str]]:
    """The alternative texts of displayed widgets by model, in order: from the image's metadata, or the widget's repr."""
    found: dict[str, list[str]] = {}
    for cell in notebook.get("cells", []):
        for output in cell.get("outputs", []):
            view = output.get("data", {}).get(VIEW_MIME)
            if view is None:
                continue
            images = [options for mime, options in output.get("metadata", {}).items() if mime.startswith("image/")]
            alt = next((options["alt"] for options in images if "alt" in options), None)
            text = output["data"].get("text/plain", "")
            found.setdefault(view["model_id"], []).append(alt or "".join(text))
    return found


def sizes(root: dict[str, Any], models: state.Models) -> dict[str, str]:
    """The size that a root's layout asks for, as CSS."""
    layout = models.get(str(root.get("layout", "")).removeprefix(state.REFERENCE), {}).get("state", {})
    return {
        trait.replace("_", "-"): layout[trait]
        for trait in SIZES
        if layout.get(trait) and re.fullmatch(r"[\w.%+*/() -]+", layout[trait])
    }


def purge_page(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    pages(env).pop(docname, None)


def merge_pages(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    pages(env).update({docname: page for docname, page in pages(other).items() if docname in docnames})


def refuse_unknown(app: Sphinx, exception: Exception | None) -> None:
    """Fail a build that shows a widget which cannot live in a page."""
    if exception or app.builder.format != "html":
        return
    found = [f"{docname}: {name}" for docname, page in sorted(pages(app.env).items()) for name in page["unknown"]]
    if found:
        raise ExtensionError("These widgets need a live kernel and cannot be shown in a static page:\n  " + "\n  ".join(found))
