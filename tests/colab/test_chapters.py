"""Every chapter alone in an empty folder, with Colab's versions: its first cell installs the package, all others run."""
from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

CHAPTERS = sorted(path.stem for path in (Path(__file__).parents[2] / "book").glob("*.ipynb"))
VIEW = "application/vnd.jupyter.widget-view+json"


def seconds(cell: dict) -> float:
    began, ended = (cell.metadata.execution[name] for name in ("iopub.execute_input", "shell.execute_reply"))
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_runs_alone_after_its_first_cell_installed_the_package(chapter, colab):
    run = colab.run(chapter)
    new = {name for name in run.after if name not in run.before}
    assert [name.startswith("transformer_book-") for name in new] == [True]
    assert {name: run.after.get(name) for name in run.before} == run.before, "whatever Colab had, it still has"
    assert run.origin["url"] == colab.repository.url
    assert run.origin["vcs_info"]["commit_id"] == colab.repository.revision
    code = [cell for cell in run.notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert [cell.id for cell in code if cell.execution_count is None] == []
    outputs = [output for cell in code for output in cell.outputs]
    assert [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"] == []
    print(f"{chapter}: the first cell took {seconds(code[0]):.1f} s, {run.said.strip()}")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_explorer_shown_names_the_manager_that_can_load_it(chapter, colab):
    """Otherwise Colab would show a line of text where the explorer belongs."""
    notebook = colab.run(chapter).notebook
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if VIEW in output.get("data", {})]
    called = sum("_explorer(" in cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert len(shown) == called
    for output in shown:
        assert output.metadata[VIEW]["colab"]["custom_widget_manager"]["url"].startswith("https://")


def test_outside_colab_the_first_cell_installs_nothing_and_says_what_to_install(colab):
    before = colab.without_package()
    result = colab.run_alone("--outside", colab.chapter(CHAPTERS[0]), stand_in=False)
    assert result.returncode == 1
    assert "ModuleNotFoundError" in result.stderr
    assert f'run: pip install "git+{colab.repository.url}@{colab.repository.revision}"' in result.stderr
    assert colab.distributions() == before
