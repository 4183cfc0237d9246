"""The trainings behind what ships with the package, and what the chapters say of them.

    python -m trainings weights    train what ships, and the many trainings that chapters count; `make weights`
    python -m trainings claims     train each machine three times anew and try every general claim; `make claims`

Each module here is one machine of one chapter, under the name that `transformer_book.trained.weights` knows it by. It trains by the
chapter's own cells, so that nothing is written twice, and has

    train(seed)         the machine of a seed, as the chapter goes on with it
    arrays(machine)     its parameters by name, as they ship
    restored()          the machine with the weights that ship
    CLAIMS              what the chapter says of such trainings in general: for each sentence, whether it holds of a machine
    CLAIMS_OF_SHIPPED   the same for what it says of the machine that ships alone
    RECORDS             for each name in `transformer_book.trained.runs`, a function that makes its list
"""
from __future__ import annotations

import contextlib
import importlib
import io
import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

BOOK = Path(__file__).parents[1] / "book"
MACHINES = ("embedding", "multi_head_attention", "translation", "translation_half_trained")


def machines() -> dict[str, ModuleType]:
    return {name: importlib.import_module(f"{__name__}.{name}") for name in MACHINES}


@cache
def chapter(stem: str, *cells: str) -> dict[str, Any]:
    """The names that these code cells of a chapter leave behind, run in their order, each as it stands in the notebook; what
    they print is no part of it."""
    notebook = json.loads((BOOK / f"{stem}.ipynb").read_text("utf-8"))
    sources = {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"}
    names: dict[str, Any] = {"__name__": f"chapter {stem}"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in sorted(cells, key=list(sources).index):
            exec(compile(sources[cell], f"{stem}, cell {cell}", "exec"), names)
    return names
