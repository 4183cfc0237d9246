"""While documents are read: stores the widgets that each displays in the environment, for builds that do not read it again."""
from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

from static_widgets import models as graph
from static_widgets import state
from static_widgets.render import static_widget

if TYPE_CHECKING:
    from myst_nb.core.render import MimeData, NbElementRenderer

VIEW_MIME = "application/vnd.jupyter.widget-view+json"


def pages(env: BuildEnvironment) -> dict[str, dict[str, Any]]:
    """Document name -> its `models`, `names`, `modules`, `styles`, modules for `later` and `unknown` widgets."""
    if not hasattr(env, "static_widgets"):
        env.static_widgets = {}  # type: ignore[attr-defined]
    return env.static_widgets  # type: ignore[attr-defined]


def drop_stock_loader(app: Sphinx, config: Config) -> None:
    config.nb_ipywidgets_js = {}  # type: ignore[attr-defined]


class WidgetView:
    """Lets MyST-NB render a widget as a `static_widget` node, which has the alternative text that the output gives its figure."""

    mime_priority_overrides: ClassVar[list[tuple[str, str, int | None]]] = []

    @staticmethod
    def handle_mime(renderer: NbElementRenderer, data: MimeData, inline: bool) -> list[nodes.Element] | None:
        if data.mime_type != VIEW_MIME:
            return None
        images = [options for mime, options in data.output_metadata.items() if mime.startswith("image/")]
        alt = next((options["alt"] for options in images if "alt" in options), None)
        return [static_widget(model=data.content.get("model_id", ""), alt=alt)]


def register_renderer() -> None:
    """Add `WidgetView` to the renderers of MyST-NB; an entry point would add it to the builds of other books, too."""
    from myst_nb.core.render import load_mime_renders  # here, so that importing this package takes Sphinx alone

    renderers = load_mime_renders()
    if WidgetView not in renderers:
        renderers.append(WidgetView)


def collect_page(app: Sphinx, doctree: nodes.document) -> None:
    """Store what the displayed widgets of a document need, and fill in their nodes."""
    env = app.env
    js_files = getattr(env, "nb_metadata", {}).get(env.docname, {}).get("js_files", {})
    _, script = js_files.pop("ipywidgets_state", (None, {}))
    models = json.loads(script.get("body", "{}")).get("state", {})
    places = list(doctree.findall(static_widget))
    if not places:
        return
    roots = [place["model"] for place in places]
    names = graph.view_names(roots, models)
    trimmed = state.trim(roots, models)
    taken = set(doctree.ids)
    for place, root in zip(places, roots, strict=True):
        own = [names[model_id] for model_id in graph.displayed([root], models) if model_id in names]
        anchor = next((name for name in own if name not in taken), "")
        taken.add(anchor)
        if anchor:  # for MyST, whose links otherwise lead to headings alone
            env.metadata[env.docname].setdefault("myst_slugs", {})[anchor] = (0, anchor, anchor)
        root_state = models.get(root, {}).get("state", {})
        place.attributes |= {
            "model": trimmed.numbers.get(root, ""),
            "names": own,
            "anchor": anchor,
            "classes": root_state.get("_dom_classes", []),
            "sizes": sizes(root_state, models),
        }
    pages(env)[env.docname] = {
        "models": trimmed.models,
        "names": {trimmed.numbers[model_id]: name for model_id, name in names.items()},
        "modules": trimmed.modules,
        "styles": trimmed.styles,
        "later": trimmed.later,
        "unknown": graph.unknown(roots, models),
    }
    shared = graph.settable(pages(env)[env.docname])
    for place in places:
        if any(shared[name] for name in place["names"]):  # it has states to share, and so a menu
            place["classes"] = [*place["classes"], "sw-shared"]


def addressed(page: dict[str, Any]) -> dict[str, set[str]]:
    """The views of a page by their names in its address, each with the traits that stand there: a control sets them, or `_kept` names them."""
    found = graph.settable(page)
    for number, name in page["names"].items():
        found[name].update(page["models"][number][1].get("_kept", []))
    return found


def sizes(root: dict[str, Any], models: graph.Models) -> dict[str, str]:
    """The size that the layout of a displayed widget asks for, as CSS."""
    layout = models.get(str(root.get("layout", "")).removeprefix(graph.REFERENCE), {}).get("state", {})
    return {
        trait.replace("_", "-"): layout[trait]
        for trait in graph.KINDS["sizes"]
        if layout.get(trait) and re.fullmatch(r"[\w.%+*/() -]+", layout[trait])
    }


def purge_page(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    pages(env).pop(docname, None)


def merge_pages(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    pages(env).update({docname: page for docname, page in pages(other).items() if docname in docnames})


def refuse_unknown(app: Sphinx, exception: Exception | None) -> None:
    """Fail a build that displays a widget which a static page cannot show."""
    if exception or app.builder.format != "html":
        return
    found = [f"{docname}: {name}" for docname, page in sorted(pages(app.env).items()) for name in page["unknown"]]
    if found:
        message = "These widgets need a live kernel and cannot be shown in a static page:"
        raise ExtensionError("\n  ".join([message, *found]))
