"""What the book trained beforehand, so that every reader looks into the same machines: weights, and records of many trainings.

`make weights` makes all of it, by running the chapters' own cells. The weights are of the first seed of each.
"""
from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
import torch
from torch import Tensor

HERE = files(__package__)


def weights(name: str) -> dict[str, Tensor]:
    """The parameters of a trained machine by their names in its state dict, as float64: the numbers it was trained to in float32.

    >>> [(name, tuple(weight.shape)) for name, weight in weights("embedding").items()]
    [('table', (23, 2)), ('readers', (2, 23))]

    Raises ValueError for a name of which there are no weights.
    """
    known = sorted(path.name.removesuffix(".npz") for path in HERE.iterdir() if path.name.endswith(".npz"))
    check_trained_name(name, known)
    with (HERE / f"{name}.npz").open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return {key: torch.from_numpy(arrays[key]).double() for key in arrays.files}


def runs(name: str) -> list[dict]:
    """What was measured of many trainings of one kind: a dictionary for each, with its `seed`.

    Raises ValueError for a name of which there is no record.
    """
    check_trained_name(name, sorted(records()))
    return records()[name]


@cache
def records() -> dict[str, list[dict]]:
    return json.loads((HERE / "runs.json").read_text("utf-8"))["runs"]


def check_trained_name(name: object, known: list[str]) -> None:
    """Refuse a name that is not known."""
    if name not in known:
        raise ValueError(f"name must be one of {', '.join(known)}, got {name!r}")
