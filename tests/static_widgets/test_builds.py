"""Builds after the first: notebooks are executed again when sources change, and an unknown widget fails every build."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

LOG = "open('executed.txt', 'a').write('x')\n"
VALUE = "import sys; sys.path.insert(0, 'src')\nimport constant\nconstant.VALUE"
SLIDER = LOG + VALUE + "\nimport ipywidgets\nipywidgets.IntSlider(description=f'now {constant.VALUE}')"


class Book:
    """A book of two pages that counts the executions of each."""

    def __init__(self, folder: Path, write: Callable, build: Callable) -> None:
        self.folder, self.write, self.build = folder, write, build
        (folder / "src").mkdir(parents=True)
        self.set_constant(1)
        write(folder, {"intro": [SLIDER]})

    def set_constant(self, value: int) -> None:
        (self.folder / "src" / "constant.py").write_text(f"VALUE = {value}\n")

    def executions(self) -> int:
        return len((self.folder / "executed.txt").read_text())

    def page(self, name: str = "intro") -> str:
        return (self.folder / "_build" / "html" / f"{name}.html").read_text()

    def make(self, *options: str) -> SimpleNamespace:
        return self.build(self.folder, *options)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory, make_book: tuple[Callable, Callable]) -> Book:
    return Book(tmp_path_factory.mktemp("builds") / "book", *make_book)


def test_notebooks_are_executed_again_only_when_sources_change(book: Book) -> None:
    first = book.make()
    assert first.status == 0, first.printed
    assert (book.executions(), '"now 1"' in book.page()) == (1, True)

    # The page is read again, but neither its cells nor their imports have changed.
    notebook = book.folder / "intro.ipynb"
    notebook.write_text(notebook.read_text().replace("More.", "Still more."))
    (book.folder / "src" / "notes.txt").write_text("not watched")
    stale = book.folder / "_build" / "html" / "_static" / "static_widgets" / "0123456789abcdef.js"
    stale.write_text("the code of a view that no page shows any more")
    assert book.make().status == 0
    assert book.executions() == 1
    assert not stale.exists()
    assert "Still more." in book.page()
    assert '"now 1"' in book.page()

    book.set_constant(2)
    assert book.make().status == 0
    assert (book.executions(), '"now 2"' in book.page()) == (2, True)


def test_an_unknown_widget_fails_every_build_and_is_named(book: Book, watch: Callable) -> None:
    unknown = "import ipywidgets\nipywidgets.VBox([ipywidgets.IntProgress(), ipywidgets.IntSlider()])"
    book.write(book.folder, {"intro": [SLIDER], "part/second": [unknown]})
    for _ in range(2):
        result = book.make()
        assert result.status != 0
        assert "part/second: IntProgress (@jupyter-widgets/controls)" in result.printed
        watched = watch(expect_errors=True)
        page = watched.page
        page.goto((book.folder / "_build" / "html" / "part" / "second.html").as_uri())
        expect(page.locator(".static-widget")).to_contain_text("The widget IntProgress needs a live kernel.")
        page.get_by_role("slider").press("ArrowRight")
        expect(page.locator("output")).to_have_text("1")
        assert watched.errors == ["The widget IntProgress needs a live kernel."]
    book.write(book.folder, {"intro": [SLIDER], "part/second": ["1"]})
    result = book.make()
    assert result.status == 0, result.printed
    assert "static_widgets" not in book.page("part/second")
    assert "static_widgets/static_widgets.js" in book.page()
