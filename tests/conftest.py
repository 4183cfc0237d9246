"""What the tests share: one browser, one build of the book, and pages that record whatever goes wrong in them.

Each file may run alone and at any time beside the others. Within these, tests share what takes long to make, so they run in
the order of the file, in one process (`--dist loadfile --no-loadscope-reorder` in the Makefile):

- browser/test_pages.py opens each chapter once in each way; its tests put back what they change, and what cannot be put back
  (what was fetched for paper) comes last.
- browser/*.py that open an explorer may get a window that the test before has left (`watch(size=...)`), emptied by `leave`.
- live/test_live.py has one JupyterLab, one page and one kernel, from which a test goes on where the one before stopped.
- colab/test_chapters.py has one environment, into which the first chapter installs the package; `Colab` takes it out before.
- tools/test_environment.py has one tiny project, which each test leaves up to date.
"""
from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright

from tests.serving import serve
from tests.watching import Watched, leave
from tools import chromium
from tools.lock import exclusive

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
        "transformer_book", "test_chapters.py", "test_doctests.py", "test_javascript.py", "test_markdown.py", "test_names.py",
        "test_repository.py", "test_workflows.py", "tools/test_clock.py",
    )
]


def is_quick(item: pytest.Item) -> bool:
    listed = any(item.path.is_relative_to(place) for place in QUICK)
    marked = any(map(item.get_closest_marker, ("slow", "soak")))
    return listed and not marked and not {"book", "browser"} & {*item.fixturenames}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`make check` does not even read the other files."""
    listed = any(collection_path.is_relative_to(place) or place.is_relative_to(collection_path) for place in QUICK)
    return True if config.option.markexpr == "quick" and not listed else None


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = chromium.executable()
    with sync_playwright() as playwright:
        flags = [*chromium.FLAGS, f"--disable-features={WITHOUT}"]
        browser = playwright.chromium.launch(executable_path=executable, args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def left(browser: Browser) -> Iterator[list[Watched]]:
    """Pages that tests of this file have left, for the next ones: a window takes longer to open than most pages do."""
    pages: list[Watched] = []
    yield pages
    for watched in pages:
        watched.page.context.close()


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
def once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[..., Path]:
    """`once(name, make)` is a folder of this name that `make(folder)` has made, in the first of the processes that asks:
    session fixtures live in one process each, and this is for what all of them may share."""
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent

    def made(name: str, make: Callable[[Path], None]) -> Path:
        folder, lock = shared / name, shared / f"{name}.lock"
        lock.touch()
        with exclusive(lock):
            if not lock.read_text():
                make(folder)
                lock.write_text("made")
        return folder

    return made


@pytest.fixture(scope="session")
def book(once: Callable[..., Path]) -> Path:
    """The built book, made by the command that README.md gives: `make book` executes what is not yet executed."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    once("book", lambda _: subprocess.run(["make", "--no-print-directory", "book"], cwd=ROOT, env=environment, check=True))
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
