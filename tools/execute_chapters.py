"""Execute the chapters that the notebook cache lacks, in parallel, before Sphinx starts: Sphinx then only reads the cache.

Each chapter has a kernel of its own, as when MyST-NB executes it, and one core. This process alone writes the cache, whose database refuses
parallel writers now and then.
"""
from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import reaper

if TYPE_CHECKING:
    from jupyter_cache.base import JupyterCacheAbstract
    from jupyter_cache.executors.utils import ExecutionResult
    from myst_nb.core.config import NbParserConfig
    from nbformat import NotebookNode

BUILD = Path("_build")
# How long each chapter took last time. It outlives the notebook cache, which is deleted when the sources change.
SECONDS = BUILD / ".execution_seconds.json"
START_S = 300  # for a kernel, which takes two seconds when the machine is idle
SOCKET_PATH = 90  # bytes of a folder for Unix sockets: a path may have 104 on macOS
# Two kernels with two threads each on two cores would wait for each other.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
KEPT = "The chapters that ran are kept. Run `make book` again for the others."


@dataclass
class Chapter:
    path: Path
    notebook: NotebookNode
    settings: NbParserConfig
    cells: list[str] = field(default_factory=list)  # the ids of those that have started

    @property
    def name(self) -> str:
        return self.path.with_suffix("").as_posix()

    @property
    def cell(self) -> str:
        return f"{self.path.as_posix()}, cell {self.cells[-1]}" if self.cells else f"{self.path.as_posix()}, before its first cell"


class KernelEndedError(Exception):
    """A kernel that something ended, not an error in a cell."""


def book_settings() -> dict[str, Any]:
    """Return the settings that Sphinx gets from Jupyter Book, by their names in conf.py, with MyST-NB's defaults."""
    from jupyter_book.config import get_final_config
    from myst_nb.core.config import NbParserConfig

    config, _ = get_final_config(user_yaml=Path("_config.yml"), sourcedir=Path(), cli_config={"latex_individualpages": False})
    return {**{f"nb_{name}": default for name, default, _ in NbParserConfig().as_triple()}, **config}


def notebook_settings(settings: dict[str, Any]) -> NbParserConfig:
    from myst_nb.core.config import NbParserConfig

    names = [name for name, _, described in NbParserConfig().as_triple() if not described.metadata.get("sphinx_exclude")]
    return NbParserConfig(**{name: settings[f"nb_{name}"] for name in names})


def read_chapters(documents: set[str], settings: dict[str, Any]) -> list[Chapter]:
    """Return the documents that are notebooks and are executed, each as MyST-NB reads it."""
    from myst_nb.core.read import create_nb_reader
    from myst_parser.config.main import MdParserConfig

    usual, chapters = notebook_settings(settings), []
    for path in (path for document in sorted(documents) for path in (Path(f"{document}.ipynb"), Path(f"{document}.md")) if path.is_file()):
        text = path.read_text(encoding="utf-8")
        if reader := create_nb_reader(str(path), MdParserConfig(), usual, text):
            notebook = reader.read(text)
            own = usual.copy(**notebook.metadata.get(usual.metadata_key, {}))
            if own.execution_mode == "cache" and not any(path.absolute().match(pattern) for pattern in own.execution_excludepatterns):
                chapters.append(Chapter(path, notebook, own))
    return chapters


def is_cached(cache: JupyterCacheAbstract, chapter: Chapter) -> bool:
    """Return whether the cache has the outputs of a chapter, complete: a build that was killed may have left half a file."""
    try:
        cache.get_cache_bundle(cache.match_cache_notebook(chapter.notebook).pk)
    except (KeyError, ValueError):
        return False
    return True


@contextlib.contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def execute(chapter: Chapter, number: int, folder: Path) -> ExecutionResult:
    """Execute a chapter as MyST-NB does. Raises KernelEndedError."""
    from jupyter_cache.executors.utils import single_nb_execution
    from traitlets.config import Config

    config = Config()
    if os.name == "posix" and len(os.fsencode(folder)) < SOCKET_PATH:  # else over TCP, and each kernel warns that others can read along
        config.KernelManager.transport = "ipc"
        config.KernelManager.connection_file = str(folder / f"{number}.json")
    try:
        result = single_nb_execution(
            chapter.notebook, cwd=str(chapter.path.parent.absolute()), timeout=chapter.settings.execution_timeout,
            allow_errors=chapter.settings.execution_allow_errors, config=config, startup_timeout=START_S,
            on_cell_start=lambda cell, cell_index: chapter.cells.append(cell.get("id", str(cell_index))),
        )
    except RuntimeError as error:
        raise KernelEndedError(f"the kernel has ended ({error}). If nobody killed it, the system may have, for want of memory") from error
    if getattr(result.err, "ename", "") == "KeyboardInterrupt":
        raise KernelEndedError("the kernel was interrupted")
    return result


def known_seconds() -> dict[str, float]:
    with contextlib.suppress(OSError, ValueError):
        return json.loads(SECONDS.read_text(encoding="utf-8"))
    return {}


def longest_first(chapters: list[Chapter]) -> list[Chapter]:
    """Sort chapters by the time that they took last time. Those that never ran come first, later ones before earlier ones: they train more."""
    seconds, latest_first = known_seconds(), chapters[::-1]
    return sorted(latest_first, key=lambda chapter: -seconds.get(chapter.name, float("inf")))


def run(chapters: list[Chapter], cache: JupyterCacheAbstract, folder: Path) -> list[str]:
    """Execute chapters and cache their outputs. Return a message for each that failed. A kernel that was killed ends the build at once."""
    from jupyter_cache.base import CacheBundleIn
    from tqdm import tqdm

    failures, seconds = [], known_seconds()
    workers = min(len(chapters), os.cpu_count() or 1)
    print(f"Running {len(chapters)} chapters, {workers} at a time:", flush=True)
    with tqdm(total=len(chapters), unit="chapter", leave=False, disable=None) as bar, ThreadPoolExecutor(workers) as pool:
        waiting: dict[Future[ExecutionResult], Chapter] = {
            pool.submit(execute, chapter, number, folder): chapter for number, chapter in enumerate(longest_first(chapters))
        }
        for done, future in enumerate(as_completed(waiting), start=1):
            chapter = waiting[future]
            try:
                result = future.result()
            except KernelEndedError as error:
                bar.close()
                print(f"\n{chapter.cell}: {error}. {KEPT}", file=sys.stderr, flush=True)
                os._exit(1)  # without waiting for the other kernels, which the reaper ends
            if result.err:
                failures.append(f"{chapter.cell} failed:\n{result.err}")
            else:
                data = {"execution_seconds": result.time}
                cache.cache_notebook_bundle(
                    CacheBundleIn(chapter.notebook, str(chapter.path.absolute()), data=data), check_validity=False, overwrite=True
                )
                seconds[chapter.name] = round(result.time, 1)
                SECONDS.write_text(json.dumps(seconds), encoding="utf-8")
            bar.update()
            bar.write(f"{done:4} of {len(chapters)}  {result.time:6.1f} s  {chapter.name}{'  failed' if result.err else ''}")
            sys.stdout.flush()
    return failures


def without_colors(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def execute_chapters(documents: set[str]) -> tuple[int, int, list[str]]:
    """Execute those of the documents that are notebooks and aren't in the cache.

    Returns how many there are, how many were executed, and a message for each that failed.
    """
    from jupyter_cache import get_cache

    settings = book_settings()
    variables = dict(ONE_THREAD)
    if "static_widgets" in settings["extensions"]:
        from static_widgets import prepare_execution

        variables |= prepare_execution(settings, Path.cwd(), BUILD.absolute(), (BUILD / ".doctrees").absolute())
    cache = get_cache(settings["nb_execution_cache_path"] or BUILD / ".jupyter_cache")
    chapters = read_chapters(documents, settings)
    missing = [chapter for chapter in chapters if not is_cached(cache, chapter)]
    failures = []
    if missing:
        started, folder = time.monotonic(), reaper.start()
        with environment(variables):
            failures = run(missing, cache, folder)
        print(f"Ran them in {time.monotonic() - started:.0f} s.", flush=True)
    return len(chapters), len(missing), failures if sys.stderr.isatty() else [without_colors(failure) for failure in failures]
