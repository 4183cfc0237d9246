"""A Sphinx extension that keeps the ipywidgets of MyST-NB notebooks alive in static pages, without a kernel.

Each page gets the state of its displayed widgets and a small runtime, which draws native controls, implements `jslink` and
`jsdlink`, and runs every `anywidget` view. The code of a view is written once per site. What a view names in its trait
`_later`, its code or large values, is fetched when the view comes near the window. Nothing is fetched from other
hosts, and a page works from a folder as well as from a server. The page's address has what the reader has set: the traits of views
that controls are linked to, and those that a view names in its trait `_kept`. A Markdown link can open a figure in such a state (links.py).

Configuration: `static_widgets_watch`, folders whose Python, JavaScript, CSS, JSON and NumPy files the notebooks import or read,
relative to the sources, and `static_widgets_watch_environment`, environment variables on which their outputs depend; when one
of those changes, the notebooks are executed again.
"""
from __future__ import annotations

from sphinx.application import Sphinx

from static_widgets import assets, cache, collect, links, render


def setup(app: Sphinx) -> dict[str, object]:
    collect.register_renderer()
    app.add_config_value("static_widgets_watch", ["src"], "")
    app.add_config_value("static_widgets_watch_environment", [], "")
    app.add_node(render.static_widget, html=(render.visit_html, render.depart_html))
    app.add_post_transform(render.ShowWidgets)
    app.add_post_transform(links.LinkToState)
    app.connect("config-inited", cache.clear_if_sources_changed, priority=1)
    app.connect("config-inited", collect.drop_stock_loader, priority=1)
    app.connect("doctree-read", collect.collect_page)
    app.connect("env-purge-doc", collect.purge_page)
    app.connect("env-merge-info", collect.merge_pages)
    app.connect("env-updated", assets.write_files)
    app.connect("html-page-context", assets.load_on_page)
    app.connect("build-finished", collect.refuse_unknown)
    return {"version": "1", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
