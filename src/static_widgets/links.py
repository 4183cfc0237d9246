"""While documents are written: a link to a figure in a given state, written as the page writes that state into its address.

    [eight columns](table.ipynb#heat_map?columns=8&row=3)

The build warns of a figure that the page does not have, and of a trait that is not in its address.
"""
from __future__ import annotations

from urllib.parse import parse_qs

from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.logging import getLogger
from sphinx.util.nodes import make_refnode

from static_widgets.collect import addressed, pages

logger = getLogger(__name__)


def wrong_parts(state: str, views: dict[str, set[str]]) -> list[str]:
    """What a state names that a page with these views does not have.

    >>> wrong_parts("heat_map?columns=8&rows=2;waves?pair=1", {"heat_map": {"columns", "row"}})
    ['heat_map?rows', 'waves']
    """
    wrong = []
    for part in state.split(";"):
        name, _, query = part.partition("?")
        traits = parse_qs(query, keep_blank_values=True)
        wrong += [f"{name}?{trait}" for trait in traits if trait not in views[name]] if name in views else [name]
    return wrong


class LinkToState(SphinxPostTransform):
    default_priority = 8  # before MyST looks for a heading of that name
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        for link in list(self.document.findall(pending_xref)):
            page, state = link["reftarget"], link.get("reftargetid") or ""
            if "?" not in state:
                continue
            known = pages(self.env).get(page)
            if wrong := wrong_parts(state, addressed(known) if known else {}):
                logger.warning("a link to %s must name its figures and what is in their addresses, got %s", page, ", ".join(wrong), location=link)
            link.replace_self(make_refnode(self.app.builder, self.env.docname, page, state, list(link.children)))
