"""Where the book's repository is: known in one place, written wherever it is committed."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tools import repository

ROOT = Path(__file__).parents[2]
URL, REVISION = "https://github.com/some-owner/i-am-a-robot", "0123456789" * 4
CELLS = {"no address": repository.first_cell(None, None), "address": repository.first_cell(URL, REVISION)}


@pytest.mark.parametrize("code", CELLS.values(), ids=CELLS)
def test_first_cell_without_the_package_says_what_to_run(code: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": ""}
    command = [sys.executable, "-I", "-S", "-c", code]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert answer.returncode == 1
    what = f'"git+{URL}@{REVISION}"' if URL in code else repository.wheel()
    assert answer.stderr.splitlines()[-1].startswith("ModuleNotFoundError: ")
    assert answer.stderr.splitlines()[-1].endswith(f"run: pip install {what}")


@pytest.mark.parametrize("code", CELLS.values(), ids=CELLS)
def test_first_cell_is_a_small_form(code: str) -> None:
    lines = code.splitlines()
    assert lines[0].startswith("# @title ")
    assert len(lines) <= 15 and max(map(len, lines)) <= 85


def test_every_committed_place_holds_one_address() -> None:
    found = {repository.install_from(path) for path in repository.chapters()}
    assert len(found) == 1
    url, revision = found.pop() or (None, None)
    assert repository.config()["url"] == (url or "")
    expected = repository.first_cell(url, revision)
    for path in repository.chapters():
        cell = nbformat.read(path, as_version=4).cells[0]
        assert (cell.id, cell.source) == (repository.FIRST_CELL, expected), path.stem
        assert cell.metadata == {"cellView": "form", "tags": ["remove-cell"]}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert repository.BADGES.search(readme)[0] == repository.badges(url)
    assert revision is None or repository.full_revision(revision) == revision
