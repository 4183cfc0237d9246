"""A Sphinx extension for chapters of several pages: a core page, and further pages for what proves, measures or widens it.

`book/NN_name_further` and `book/NN_name_further_2` stand under `book/NN_name` in the contents. *Next* and *Previous* of all other pages skip them.

When a heading or an explorer has moved to another page, or has another name, the notebook that had it says so in its metadata:

    "moved": {"an-old-heading": "NN_name_further.ipynb#a-heading", "waves": "NN_name_further.ipynb#waves"}

An old address then leads to the new place, with the state of an explorer (book/assets/moved.js).
"""
from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from clock import core_of
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError, ExtensionError

PLACE = re.compile(r"(?P<page>[\w-]+)\.ipynb#(?P<anchor>[^#\s]+)")
# What an address can name after its `#`: an element, or an explorer.
ANCHORS = re.compile(r'\s(?:id|data-names)="([^"]+)"')


def check_contents(app: Sphinx, config: Config) -> None:
    contents = config.external_site_map
    for page in contents:
        core = core_of(page)
        if core and (core not in contents or page not in contents[core].child_files()):
            raise ConfigError(f"_toc.yml must list {page} under {core}, in its `sections`; it stands elsewhere")


def skip_further_pages(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let *Next* and *Previous* lead past further pages, except from a further page itself."""
    builder = app.builder
    if page not in builder.relations or core_of(page):
        return
    for button, at in ("prev", 1), ("next", 2):
        other = builder.relations[page][at]
        while other and core_of(other):
            other = builder.relations[other][at]
        context[button] = other and {
            "link": builder.get_relative_uri(page, other),
            "title": builder.render_partial(app.env.titles[other])["title"],
        }


def moved(app: Sphinx, page: str) -> dict[str, tuple[str, str] | str]:
    """For each anchor that has moved away from a page: the page where it is now and its anchor there, or what was written if that is no place."""
    path = Path(app.env.doc2path(page))
    table = json.loads(path.read_text(encoding="utf-8"))["metadata"].get("moved", {}) if path.suffix == ".ipynb" else {}
    places: dict[str, tuple[str, str] | str] = dict(table)
    for old, new in table.items():
        place = PLACE.fullmatch(str(new))
        if place and (target := Path(page).with_name(place["page"]).as_posix()) in app.env.found_docs:
            places[old] = target, place["anchor"]
    return places


def redirect(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Give a page that something has moved away from the script that leads there."""
    places = moved(app, page) if doctree is not None else {}
    table = {old: f"{app.builder.get_relative_uri(page, place[0])}#{place[1]}" for old, place in places.items() if isinstance(place, tuple)}
    if table:
        app.add_js_file("moved.js", **{"data-moved": json.dumps(table)})


def check_moved(app: Sphinx, exception: Exception | None) -> None:
    """Fail a build where something is said to have moved and has not, or is not where it is said to be."""
    if exception or app.builder.format != "html":
        return

    @cache
    def anchors(page: str) -> set[str]:
        html = Path(app.builder.get_outfilename(page)).read_text(encoding="utf-8")
        return {name for names in ANCHORS.findall(html) for name in names.split()}

    wrong = []
    for page in sorted(app.env.found_docs):
        for old, place in moved(app, page).items():
            if not isinstance(place, tuple):
                wrong.append(f"{page}: #{old} must have moved to PAGE.ipynb#ANCHOR, where PAGE.ipynb is in the book; got {place!r}")
            elif place[1] not in anchors(place[0]):
                wrong.append(f"{page}: #{old} has moved to {place[0]}, which has no #{place[1]}")
            if old in anchors(page):
                wrong.append(f"{page}: #{old} has moved, but is still there; take it out of the table, or rename it on the page")
    if wrong:
        raise ExtensionError("\n  ".join(["What the metadata `moved` of notebooks says is not so:", *wrong]))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", check_contents, priority=950)  # after the contents are read
    app.connect("html-page-context", skip_further_pages)
    app.connect("html-page-context", redirect)
    app.connect("build-finished", check_moved)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
