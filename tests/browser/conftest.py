"""Pages of the built book, opened from a server and from the folder itself."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

# So that what these assert is told as fully as what a test does itself.
pytest.register_assert_rewrite("tests.browser.accessibility", "tests.browser.controls", "tests.browser.robot_picture", "tests.browser.sliders")


@pytest.fixture(params=["http", "file"])
def address(request, book: Path, book_address: str) -> str:
    """Where the book begins: on a web host, or in a folder opened by double-click."""
    return book_address if request.param == "http" else book.as_uri()


@pytest.fixture
def open_anywhere(watch: Callable, address: str) -> Callable[..., Locator]:
    """`open_anywhere(chapter, name)` opens a chapter, from the host and from the folder, and gives its explorer, ready and
    in view."""
    return opener(watch, address)


@pytest.fixture
def open_explorer(watch: Callable, book_address: str) -> Callable[..., Locator]:
    """The same from the host alone, for what is the same everywhere."""
    return opener(watch, book_address)


def opener(watch: Callable, address: str) -> Callable[..., Locator]:
    def open_it(chapter: str, name: str, *, fragment: str = "", width: int = 1280, height: int = 900, **options) -> Locator:
        """With further options of the browser, in a fresh page."""
        size = {"viewport": {"width": width, "height": height}, **options} if options else {"size": (width, height)}
        page: Page = watch(**size).page
        page.goto(f"{address}/book/{chapter}.html{fragment}")
        explorer = page.locator(f"[id='{name}']")
        page.locator(f"[id='{name}'][data-static-widget=ready]").wait_for()
        explorer.evaluate("element => element.scrollIntoView()")
        return explorer

    return open_it
