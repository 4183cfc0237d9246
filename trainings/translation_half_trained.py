"""The half-trained translator of chapter 11, which makes the mistakes that the chapter looks at."""
from __future__ import annotations

from typing import Any

import torch
from torch import nn

from trainings import translation
from trainings.translation import SEEDS, arrays, book

__all__ = ["CLAIMS", "CLAIMS_OF_SHIPPED", "RECORDS", "arrays", "restored", "train"]

STEPS = 100


def train(seed: int) -> nn.Module:
    return translation.train(seed, STEPS)


def restored() -> nn.Module:
    return translation.restored("translation_half_trained")


def measure(machine: nn.Module) -> dict[str, dict[str, float]]:
    """The shares of words that are right: of all, and of those after the first wrong one."""
    found = book()["compare"](machine, book()["held_out"])
    return {
        "words": {way: round(torch.cat(rows).double().mean().item(), 6) for way, rows in found.items()},
        "after_slip": {way: round(book()["after_slip"](rows).mean().item(), 6) for way, rows in found.items()},
    }


def half_translators() -> list[dict[str, Any]]:
    return [{"seed": seed, **measure(train(seed))} for seed in SEEDS]


def worse(machine: nn.Module, what: str) -> bool:
    found = measure(machine)[what]
    return found["free-running"] < found["teacher-forced"] - 0.02


RECORDS = {"half_translators": half_translators}
CLAIMS = {
    "has fewer words right when it runs free than with the teacher": lambda machine: worse(machine, "words"),
    "after its first slip, too": lambda machine: worse(machine, "after_slip"),
    "has the same sentences right with the teacher and without":
        lambda machine: len({sum(row.all().item() for row in rows) for rows in book()["compare"](machine, book()["held_out"]).values()}) == 1,
}
CLAIMS_OF_SHIPPED: dict[str, Any] = {}
