"""Links to a figure in a given state."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

METER = "import sys; sys.path.insert(0, '../src')\nfrom views import meter\nmeter()"
STATE = "meter?level=8&word=a+b;meter-2?on=true"


@pytest.fixture(scope="module")
def linking(tmp_path_factory: pytest.TempPathFactory, make_book: tuple[Callable, Callable]) -> Callable:
    """`linking(target)` builds a book whose first page links there, and returns its folder and what was printed."""
    write, build = make_book
    folder = tmp_path_factory.mktemp("links") / "book"
    write(folder, {"intro": ["1 + 1"], "part/meters": [METER, METER]})
    notebook = (folder / "intro.ipynb").read_text()

    def build_it(target: str) -> tuple[Path, str]:
        (folder / "intro.ipynb").write_text(notebook.replace("Text.", f"A [*full* meter]({target})."))
        made = build(folder)
        assert made.status == 0, made.printed
        return folder / "_build" / "html", made.printed

    return build_it


def test_a_link_opens_the_figures_in_its_state(linking: Callable, watch: Callable) -> None:
    html, printed = linking(f"part/meters.ipynb#{STATE}")
    assert "local id not found" not in printed and "must name" not in printed
    page = watch().page
    page.goto(f"{html.as_uri()}/intro.html")
    page.get_by_role("link", name="full meter").click()
    page.wait_for_url(f"**/part/meters.html#{STATE}")
    meters = page.locator(".static-widget.meter .meter-text")
    expect(meters.nth(0)).to_contain_text("level=8 ")
    expect(meters.nth(0)).to_contain_text("word=a b ")
    expect(meters.nth(1)).to_contain_text("on=true ")


@pytest.mark.parametrize("target, wrong", [
    ("part/meters.ipynb#meter-3?level=8", "meter-3"),
    ("part/meters.ipynb#meter?level=8&height=2;dial?x=1", "meter?height, dial"),
    ("intro.ipynb#meter?level=8", "meter"),
])
def test_the_build_warns_of_a_state_that_no_figure_can_take(linking: Callable, target: str, wrong: str) -> None:
    _, printed = linking(target)
    page = target.partition(".ipynb")[0]
    assert f"a link to {page} must name its figures and what is in their addresses, got {wrong}" in printed
