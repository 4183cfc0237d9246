"""The exercise of chapter 4: one number of the table."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import answers, as_matrix, first_match, first_miss, wrapped

PLACES = [(position, column) for position in (1, 3, 7) for column in range(6)]


@wrapped
def review_encoding(attempt: Callable[[int, int, int], float]) -> str:
    """Judge `attempt(position, column, d_model)` at d_model = 6 against the sinusoidal table; a slip of chapter 4 is called by name.

    >>> review_encoding(lambda position, column, d_model: math.sin(position / 10000 ** (column // 2 * 2 / d_model)))
    'Not yet: the odd columns take the cosine.'
    """
    d_model = 6

    def numbers(exponent: Callable[[int], float], odd: Callable[[float], float] = math.cos) -> Tensor:
        return torch.tensor([(odd if c % 2 else math.sin)(p / 10000 ** exponent(c)) for p, c in PLACES], dtype=torch.float64)

    def pair(column: int) -> float:
        return 2 * (column // 2) / d_model

    verdicts = {
        "Right!": numbers(pair),
        "Not yet: the odd columns take the cosine.": numbers(pair, math.sin),
        "Not yet: i counts pairs, not columns.": numbers(lambda c: 2 * c / d_model),
        "Not yet: i counts pairs, not columns, and the odd columns take the cosine.": numbers(
            lambda c: 2 * c / d_model, math.sin
        ),
        "Not yet: both columns of a pair share one denominator.": numbers(lambda c: c / d_model),
        "Not yet: the odd columns share the denominator of the column before them (the exponent is not 2i - 1).": numbers(
            lambda c: (c - 2) / d_model if c % 2 else c / d_model
        ),
    }
    cases = [(position, column, d_model) for position, column in PLACES]
    found = answers(attempt, cases, wanted="a number", read=lambda given: as_matrix(given).reshape(()))
    if isinstance(found, str):
        return found
    verdict = first_match(found, verdicts.items())
    if verdict is not None:
        return verdict
    (place,) = first_miss(found, verdicts["Right!"])
    position, column = PLACES[place]
    return (
        f"Not yet: at position {position}, column {column} you give {found[place]:.4f}, "
        f"and the table has {verdicts['Right!'][place]:.4f}."
    )
