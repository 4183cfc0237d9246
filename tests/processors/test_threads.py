"""Neither the number of threads nor the order of the chapters changes what a chapter shows."""
from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from sphinx_external_toc.parsing import parse_toc_yaml

from tools import processors
from tools.processors import OWN, TWO_THREADS

ROOT = Path(__file__).parents[2]
PAGES = [path for page in parse_toc_yaml(ROOT / "_toc.yml") if (path := ROOT / f"{page}.ipynb").exists()]  # in reading order
FEW = [path for path in PAGES if path.stem in ("04_positional_encoding", "08_attention", "12_does_it_extrapolate")]


def execute(folder: Path, notebooks: list[Path], *, seconds: float, separately: bool = False) -> None:
    """Run the notebooks with one thread and in order, with two threads, and in reverse: with two threads as well, unless `separately`."""
    other_runs = {"two threads": (TWO_THREADS, notebooks), "reverse order": (OWN, notebooks[::-1])}
    both = {"two threads, reverse order": (TWO_THREADS, notebooks[::-1])}
    runs = {"one thread": (OWN, notebooks), **(other_runs if separately else both)}
    processors.finish({label: processors.start(setting, order, folder / label) for label, (setting, order) in runs.items()}, seconds)


def differences(folder: Path, notebook: Path, label: str) -> list[str]:
    one, other = (nbformat.read(folder / run / notebook.name, as_version=4) for run in ("one thread", label))
    return list(processors.differences(one, other, label, rounding=False))


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    execute(folder, FEW, seconds=600)
    return folder


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("every")
    execute(folder, PAGES, seconds=5400, separately=True)
    return folder


@pytest.mark.parametrize("chapter", FEW, ids=lambda path: path.stem)
def test_three_chapters_show_the_same_with_two_threads_in_reverse_order(chapter, few):
    assert differences(few, chapter, "two threads, reverse order") == []


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
@pytest.mark.parametrize("label", ["two threads", "reverse order"])
def test_every_page_shows_the_same(page, label, every):
    assert differences(every, page, label) == []


def write(path: Path, cells: dict[str, str]) -> Path:
    nbformat.write(new_notebook(cells=[new_code_cell(source, id=name) for name, source in cells.items()]), path)
    return path


PLACES = {"work": "pathlib.Path()", "home": "pathlib.Path.home()", "temporary": "pathlib.Path(tempfile.gettempdir())"}


def test_what_depends_on_threads_or_on_order_differs(tmp_path):
    imports = "import pathlib, tempfile\n"
    leaves = write(tmp_path / "leaves.ipynb", {name: f"{imports}({place} / 'left').touch()" for name, place in PLACES.items()})
    finds = write(tmp_path / "finds.ipynb", {name: f"{imports}print(({place} / 'left').exists())" for name, place in PLACES.items()})
    adds = write(tmp_path / "adds.ipynb", {
        "single": "import torch\nprint(torch.linspace(0, 1, 10**7).sum().item())",
        "double": "print(round(torch.linspace(0, 1, 10**7, dtype=torch.float64).sum().item()))",
    })
    execute(tmp_path, [leaves, finds, adds], seconds=300)
    different = {path.stem: differences(tmp_path, path, "two threads, reverse order") for path in (leaves, finds, adds)}
    assert different["leaves"] == []
    assert [line.split()[1] for line in different["finds"]] == list(PLACES)
    assert [line.split()[1] for line in different["adds"]] == ["single"]


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(happened: Callable[[], bool], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.1)


def test_a_run_that_takes_too_long_says_so_and_leaves_no_kernel(tmp_path):
    kernel = tmp_path / "kernel"
    source = f"import os, pathlib, time\npathlib.Path({str(kernel)!r}).write_text(f'{{os.getpid()}} ')\ntime.sleep(300)"
    running = processors.start(OWN, [write(tmp_path / "slow.ipynb", {"slow": source})], tmp_path)
    wait_until(lambda: kernel.exists() and kernel.read_text().endswith(" "), "the kernel to run the cell")
    with pytest.raises(TimeoutError, match="Waited 1 s for the notebooks to run with the setting slow"):
        processors.finish({"slow": running}, 1)
    wait_until(lambda: not is_running(int(kernel.read_text())), "the kernel to end", 10)
