"""The half-trained translator of chapter 11, which makes the mistakes that the chapter looks at."""
from __future__ import annotations

from typing import Any

import torch
from torch import nn

from trainings import Claim, translation
from trainings.translation import SEEDS, arrays, book

__all__ = ["CLAIMS", "NAME", "RECORDS", "arrays", "restored", "train"]

NAME = "translation_half_trained"
STEPS = 100


def train(seed: int) -> nn.Module:
    return translation.train(seed, STEPS)


def restored() -> nn.Module:
    return translation.restored(NAME)


def measured(machine: nn.Module) -> dict[str, dict[str, float]]:
    """The shares of words that are right: of all, and of those after the first wrong one."""
    found = book()["compare"](machine, book()["held_out"])
    return {
        "words": {way: round(torch.cat(rows).double().mean().item(), 6) for way, rows in found.items()},
        "after_slip": {way: round(book()["after_slip"](rows).mean().item(), 6) for way, rows in found.items()},
    }


def half_translators() -> list[dict[str, Any]]:
    return [{"seed": seed, **measured(train(seed))} for seed in SEEDS]


def worse(machine: nn.Module, what: str) -> bool:
    found = measured(machine)[what]
    return found["free-running"] < found["teacher-forced"] - 0.02


RECORDS = {"half_translators": half_translators}
CLAIMS = [
    Claim("has fewer words right when it runs free than with the teacher", lambda machine: worse(machine, "words")),
    Claim("after its first slip, too", lambda machine: worse(machine, "after_slip")),
    Claim(
        "has the same sentences right with the teacher and without",
        lambda machine: len({sum(row.all().item() for row in rows) for rows in book()["compare"](machine, book()["held_out"]).values()}) == 1,
    ),
]
