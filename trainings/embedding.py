"""The table of chapter 2: 23 words that find their places by guessing their companions."""
from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from trainings import chapter
from transformer_book.trained import weights

CELLS = ("setup", "one-hot", "kinds", "corpus", "company-code", "guess", "guess-untrained", "loss", "train", "train-run")


class Machine(NamedTuple):
    """A row for each of 23 words, and a column to read it by."""

    table: Tensor
    readers: Tensor


def book() -> dict[str, Any]:
    """What the chapter's cells define."""
    return chapter("02_embedding", *CELLS)


def train(seed: int) -> Machine:
    history, _, readers = book()["train"](seed)
    return Machine(history[-1], readers)


def arrays(machine: Machine) -> dict[str, Tensor]:
    return machine._asdict()


def restored() -> Machine:
    return Machine(**weights("embedding"))


def row(machine: Machine, word: str) -> Tensor:
    return machine.table[book()["vocabulary"].ids[word]]


def relative_distance(machine: Machine, one: str, other: str) -> float:
    """The distance of two words, in distances of two words on average."""
    distance = (row(machine, one) - row(machine, other)).norm()
    return float(distance / torch.pdist(machine.table).mean())


def nearest_kinds(machine: Machine) -> dict[str, str]:
    """For each word, the kind of the word that is nearest to it."""
    names, kinds = book()["vocabulary"].entries, book()["kind_of"]
    nearest = torch.cdist(machine.table, machine.table).fill_diagonal_(torch.inf).argmin(1)
    return {word: kinds[names[at]] for word, at in zip(names, nearest.tolist(), strict=True)}


def words_lie_by_kind(machine: Machine) -> bool:
    return all(kind == book()["kind_of"][word] for word, kind in nearest_kinds(machine).items() if word != "mouse")


def detour(machine: Machine) -> float:
    """How much longer the way from the animals to the machines is by way of the mouse."""
    ends = [[word for word in book()["kinds"][kind] if word != "mouse"] for kind in ("animals", "machines")]
    start, end = (torch.stack([row(machine, word) for word in words]).mean(0) for words in ends)
    mouse = row(machine, "mouse")
    return float(((mouse - start).norm() + (end - mouse).norm()) / (end - start).norm())


def above_the_floor(machine: Machine) -> float:
    return float(book()["surprise"](*machine) - book()["floor"])


CLAIMS = {
    "all 22 words but the mouse are nearest to a word of their own kind": words_lie_by_kind,
    "cat and cow, who never meet, have moved together": lambda machine: relative_distance(machine, "cat", "cow") < 0.25,
    "likes and hates share a place": lambda machine: relative_distance(machine, "likes", "hates") < 0.25,
    "mouse stands nearly on the straight road from the animals to the machines": lambda machine: detour(machine) < 1.15,
    "the loss stops short of what all the shares would reach": lambda machine: above_the_floor(machine) > 0.1,
}
CLAIMS_OF_SHIPPED = {
    "the words nearest to mouse are the machines' verbs": lambda machine: nearest_kinds(machine)["mouse"] == "machines' verbs",
}
RECORDS: dict[str, Any] = {}
