"""What the tests share: one browser, one build of the book, and pages that record whatever goes wrong in them.

Each file may run alone and at any time beside the others. Within these, tests share what takes long to make, so they run in
the order of the file, in one process (`--dist loadfile --no-loadscope-reorder` in the Makefile):

- browser/test_pages.py opens each chapter once in each way; its tests put back what they change, and what cannot be put back
  (what was fetched for paper) comes last.
- browser/*.py that open an explorer may get a window that the test before has left (`watch(size=...)`), emptied by `leave`.
- live/test_live.py has one JupyterLab, one page and one kernel, from which a test goes on where the one before stopped.
- colab/test_chapters.py has one environment, into which each chapter installs the package; `Colab` takes it out again first.
- tools/test_environment.py has one tiny project, which each test leaves up to date.
"""
from __future__ import annotations

import contextlib
import functools
import http.server
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tools import chromium

if TYPE_CHECKING:
    from nbformat import NotebookNode

# jsonschema, which nbformat imports, spends 1.5 s in each process on loading the grammars of this module, and does without
# where it is missing. So nothing above may import nbformat.
sys.modules["rfc3987_syntax"] = None

ROOT = Path(__file__).parents[1]
os.environ.setdefault("OMP_NUM_THREADS", "1")  # several processes share the machine: each gets one thread of torch
# The same examples in every run, and no deadline that a busy machine misses.
settings.load_profile("ci")
# Others in every run: for `make soak`, which looks for what the same ones never meet.
settings.register_profile("soak", settings.get_profile("ci"), derandomize=False)
expect.set_options(timeout=20_000)  # of a machine that does three things at once
# Two pages behind the address bar, which Chromium loads into every window for as much work as a chapter takes; and,
# since the last such list counts, what Playwright turns off for its own sake.
WITHOUT = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "LensOverlay,MediaRouter,PaintHolding,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch"
)


def pytest_report_header() -> str:
    from tools import processors

    others = [name for name in processors.settings() if name != processors.OWN]
    if not others:
        return f"processors: {platform.machine()} alone, which has no settings to calculate as another"
    return f"processors: this one ({platform.machine()}), and as an older one calculates: {', '.join(others)}"


# What `make check` runs, unless a test of it is marked slow, or asks for the built book or a browser.
QUICK = [
    ROOT / "tests" / name
    for name in (
        "transformer_book", "test_chapters.py", "test_doctests.py", "test_javascript.py", "test_names.py", "test_repository.py",
        "test_workflows.py",
    )
]


def is_quick(item: pytest.Item) -> bool:
    listed = any(item.path.is_relative_to(place) for place in QUICK)
    marked = any(map(item.get_closest_marker, ("slow", "soak")))
    return listed and not marked and not {"book", "browser"} & {*item.fixturenames}


@pytest.hookimpl(tryfirst=True)  # before pytest itself selects by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what is quick, and puts the longest files first: one has the book built, the others run chapters and the library
    as older processors do. What needs the built book comes last: while one process builds, the others have enough to do."""
    for item in filter(is_quick, items):
        item.add_marker("quick")
    waiting = {item.path for item in items if "book" in item.fixturenames}
    longest = [ROOT / "tests" / name for name in ("browser/test_pages.py", "processors/test_chapters.py", "processors/test_library.py")]

    def turn(item: pytest.Item) -> int:
        return longest.index(item.path) if item.path in longest else len(longest) + (item.path in waiting)

    items.sort(key=turn)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

    def log_message(self, *args: object) -> None:
        pass


class QuietServer(http.server.ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A page that was left no longer takes what it asked for; anything else is told as ever."""
        if not isinstance(sys.exception(), BrokenPipeError | ConnectionResetError):
            super().handle_error(request, client_address)


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder on a free local port; gives the address."""
    handler = functools.partial(QuietHandler, directory=str(folder))
    server = QuietServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = chromium.executable()
    with sync_playwright() as playwright:
        flags = [*chromium.FLAGS, f"--disable-features={WITHOUT}"]
        browser = playwright.chromium.launch(executable_path=executable, args=flags)
        yield browser
        browser.close()


class Watched:
    """A page and what it did wrong: requests that left its origin, failed requests, console and script errors."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.foreign: list[str] = []
        self.failed: list[str] = []
        self.errors: list[str] = []
        page.route("**/*", self._route)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("response", lambda answer: self.failed.append(answer.url) if answer.status >= 400 else None)
        page.on("requestfailed", self._failed)

    def _route(self, route) -> None:
        if route.request.url.startswith(("http://127.0.0.1:", "file:", "data:", "blob:")):
            return route.continue_()
        self.foreign.append(route.request.url)
        return route.abort()

    def _failed(self, request) -> None:
        if request.failure != "net::ERR_ABORTED":  # given up by the browser itself, since the page was left
            self.failed.append(request.url)

    def assert_clean(self) -> None:
        assert (self.foreign, self.failed, self.errors) == ([], [], []), self.page.url


@pytest.fixture(scope="module")
def left(browser: Browser) -> Iterator[list[Watched]]:
    """Pages that tests of this file have left, for the next ones: a window takes longer to open than most pages do."""
    pages: list[Watched] = []
    yield pages
    for watched in pages:
        watched.page.context.close()


def leave(watched: Watched) -> None:
    """Away from the page, with nothing kept of it and of what was done there."""
    page = watched.page
    page.mouse.up()
    page.mouse.move(0, 0)
    page.emulate_media(media="null", color_scheme="light")
    page.evaluate("() => { try { localStorage.clear(); sessionStorage.clear(); } catch {} }")
    page.goto("about:blank")
    for found in (watched.foreign, watched.failed, watched.errors):
        found.clear()


@pytest.fixture
def watch(browser: Browser, left: list[Watched]) -> Iterator[Callable[..., Watched]]:
    """`watch(**context options)` opens a fresh page; at the end of the test every such page must have been clean,
    unless the test called `watch(expect_errors=True)`. `watch(size=(width, height))` gives a page that another test may
    have left, for a test that changes nothing about it but its size and its media."""
    opened: list[tuple[Watched, bool]] = []
    borrowed: list[Watched] = []

    def open_page(*, expect_errors: bool = False, size: tuple[int, int] | None = None, **options) -> Watched:
        watched = left.pop() if size and left else Watched(browser.new_context(**options).new_page())
        if size:
            borrowed.append(watched)
            watched.page.set_viewport_size({"width": size[0], "height": size[1]})
        opened.append((watched, expect_errors))
        return watched

    yield open_page
    try:
        for watched, expect_errors in opened:
            if not expect_errors:
                watched.assert_clean()
    finally:
        for watched, _ in opened:
            if watched in borrowed:
                leave(watched)
                left.append(watched)
            else:
                watched.page.context.close()


@pytest.fixture(scope="session")
def book() -> Path:
    """The built book, made by the command that README.md gives: `make book` executes what is not yet executed."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    subprocess.run(["make", "--no-print-directory", "book"], cwd=ROOT, env=environment, check=True)
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def executed(book: Path) -> Callable[[str], NotebookNode]:
    """`executed(chapter)` is the chapter with the outputs that its page shows, out of the notebook cache: the copy that the
    build leaves in `jupyter_execute` has none if nothing had to run."""
    import nbformat
    from jupyter_cache import get_cache

    cache = get_cache(book.parent / ".jupyter_cache")
    return lambda chapter: cache.merge_match_into_notebook(nbformat.read(ROOT / "book" / f"{chapter}.ipynb", as_version=4))[1]


@pytest.fixture(scope="session")
def book_address(book: Path) -> Iterator[str]:
    with serve(book) as address:
        yield address
