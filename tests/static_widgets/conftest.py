"""A small book with real widgets, executed and built once, for all tests of the extension."""
from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

SOURCES = Path(__file__).parent / "sources"
CONFIG = """\
title: Widgets
author: Somebody
only_build_toc_files: true
execute: {execute_notebooks: cache, timeout: 60}
html: {use_issues_button: false, use_repository_button: false}
sphinx:
  config:
    html_show_search_summary: false
    extensions: [sphinx_togglebutton, sphinx_copybutton, myst_nb, jupyter_book, sphinx_external_toc, sphinx_design,
      sphinx_book_theme, static_widgets]
"""


def write_book(folder: Path, pages: dict[str, list[str]]) -> None:
    """Write a book whose pages are notebooks with these code cells; the first page is the root."""
    names = list(pages)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_config.yml").write_text(CONFIG)
    chapters = "".join(f"  - file: {name}\n" for name in names[1:])
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: {names[0]}\n" + (f"chapters:\n{chapters}" if chapters else ""))
    for name, cells in pages.items():
        notebook = nbformat.v4.new_notebook()
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook.cells = [nbformat.v4.new_markdown_cell(f"# {name}\n\nText.\n\n## A section\n\nMore.", id="title")]
        notebook.cells += [nbformat.v4.new_code_cell(cell, id=f"c{index}") for index, cell in enumerate(cells)]
        path = folder / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)
    shutil.copytree(SOURCES, folder / "src", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))


def build_book(folder: Path, *options: str) -> SimpleNamespace:
    """Build it as a reader of jupyter-book's manual would; gives the exit status and what was printed."""
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    return SimpleNamespace(status=done.returncode, printed=done.stdout + done.stderr)


def environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
