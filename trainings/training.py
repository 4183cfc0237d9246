"""Where the small models of chapter 12 fail beyond the length of their training, position by position, for ten seeds."""
from __future__ import annotations

from functools import cache
from typing import Any

from torch import Tensor

from trainings import chapter
from transformer_book.training import CausalModel, Settings, right_by_position, train

SEEDS = range(10)
CELLS = ("setup", "setup-package", "starts-code", "looks-code")
DRAWN = ("sinusoidal", "rotary")
STARTS = (0, 1, 2, 4, 8, 16, 32, 48)


def book() -> dict[str, Any]:
    """The names that the chapter's cells define."""
    return chapter("12_does_it_extrapolate", *CELLS)


@cache
def trained(encoding: str, seed: int) -> CausalModel:
    return train(Settings("shift", encoding, 1, seed))


def rounded(numbers: Tensor) -> list[float]:
    return [round(number, 4) for number in numbers.tolist()]


def shift_by_position() -> list[dict[str, Any]]:
    """The shares of right answers at positions 2 to 63, for each of two encodings, with one layer."""
    rows = []
    for seed in SEEDS:
        models = {encoding: trained(encoding, seed) for encoding in DRAWN}
        counts = {encoding: right_by_position(model, "shift", 64) for encoding, model in models.items()}
        rows.append({"seed": seed, **{encoding: rounded((right / asked)[2:]) for encoding, (right, asked) in counts.items()}})
    return rows


def shift_by_start() -> list[dict[str, Any]]:
    """With one layer and sinusoidal positions: the accuracy on texts of 16 symbols that begin elsewhere, and how far back each of the
    positions 2 to 63 of a long text looks most."""
    rows = []
    for seed in SEEDS:
        model = trained("sinusoidal", seed)
        starts = {str(start): round(book()["right_from"](model, start), 4) for start in STARTS}
        rows.append({"seed": seed, "starts": starts, "back": book()["looks_back"](model)[2:].tolist()})
    return rows


RECORDS = {"shift_by_position": shift_by_position, "shift_by_start": shift_by_start}
