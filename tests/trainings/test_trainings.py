"""What ships, and what the chapters say of it: every claim is tried on the machine that ships."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import nbformat
import numpy as np
import pytest
import torch

import trainings
import transformer_book.trained
from trainings.__main__ import FOLDER
from transformer_book.trained import records, runs, weights

ROOT = Path(__file__).parents[2]
MACHINES = trainings.machines()
CHOICE = "use_shipped = True"
CHAPTERS = sorted(path for path in (ROOT / "book").glob("[0-9]*.ipynb") if CHOICE in path.read_text("utf-8"))
CLAIMS = [
    pytest.param(name, holds, id=f"{name}: {claim}")
    for name, machine in MACHINES.items() for claim, holds in (machine.CLAIMS | machine.CLAIMS_OF_SHIPPED).items()
]


@pytest.fixture(scope="module")
def shipped() -> dict[str, object]:
    return {name: machine.restored() for name, machine in MACHINES.items()}


@pytest.mark.parametrize(("name", "holds"), CLAIMS)
def test_what_a_chapter_says_of_a_machine_holds_of_the_one_that_ships(name, holds, shipped):
    assert holds(shipped[name])


@pytest.mark.parametrize("name", MACHINES)
def test_the_machine_that_ships_is_looked_into_in_float64(name, shipped):
    machine = MACHINES[name]
    arrays, stored = machine.arrays(shipped[name]), weights(name)
    assert arrays.keys() == stored.keys()
    for key, value in arrays.items():
        assert value.dtype == torch.float64 and torch.equal(value, stored[key])
        assert torch.equal(value.float().double(), value), "the numbers that were trained, not finer ones"


def test_all_weights_are_small_and_hold_no_code():
    files = sorted(FOLDER.glob("*.npz"))
    assert sum(path.stat().st_size for path in files) < 250_000
    for path in files:
        with np.load(path, allow_pickle=False) as arrays:
            assert {arrays[key].dtype for key in arrays.files} == {np.dtype("float32")}


def test_every_record_is_of_ten_trainings_or_more_and_has_its_maker():
    made = [record for machine in MACHINES.values() for record in machine.RECORDS]
    assert sorted(made) == sorted(records())
    for record in made:
        seeds = [run["seed"] for run in runs(record)]
        assert len(set(seeds)) == len(seeds) >= 10, record


def test_there_are_chapters_where_the_reader_chooses():
    assert [path.stem for path in CHAPTERS] == ["02_embedding", "09_multi_head_attention", "11_decoder"]


@pytest.mark.soak
def test_a_chapter_runs_to_its_end_with_the_readers_own_machine(tmp_path):
    """Each of them, in one process: with the one visible line changed."""
    copies = []
    for path in CHAPTERS:
        notebook = nbformat.read(path, as_version=4)
        (cell,) = [cell for cell in notebook.cells if cell.cell_type == "code" and CHOICE in cell.source]
        cell.source = cell.source.replace(CHOICE, "use_shipped = False")
        copies.append(tmp_path / path.name)
        nbformat.write(notebook, copies[-1])
    command = [sys.executable, ROOT / "tools" / "run_alone.py", "--outside", *copies]
    result = subprocess.run(command, text=True, capture_output=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("ask", [weights, runs])
def test_a_name_of_which_there_is_nothing_is_refused(ask):
    with pytest.raises(ValueError, match=r"name must be one of .*, got 'nobody'"):
        ask("nobody")


def test_a_claim_that_fails_stops_the_command(monkeypatch, capsys):
    """And tells which; what is said of one machine alone is not tried on others."""
    from trainings import __main__ as command

    class Machine:
        CLAIMS: ClassVar = {"is trained": lambda machine: machine > 100, "is the second": lambda machine: machine == 102}
        CLAIMS_OF_SHIPPED: ClassVar = {"is none": lambda machine: False}
        train = staticmethod(lambda seed: seed)

    monkeypatch.setattr(command, "machines", lambda: {"toy": Machine})
    monkeypatch.setattr(sys, "argv", ["trainings", "claims"])
    with pytest.raises(SystemExit, match="2 claims fail of new trainings"):
        command.main()
    said = capsys.readouterr().out
    assert said.count("holds  toy") == 4 and "FAILS  toy, seed 101: is the second" in said
    assert "of the machine that ships alone  toy: is none" in said


def test_the_package_that_is_installed_holds_them():
    assert Path(transformer_book.trained.__file__).parent == FOLDER == ROOT / "src/transformer_book/trained"
