"""The exercise of chapter 4: one number of the table."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import Difference, WrongAnswerError, as_matrix, assess, in_words, over_cases, results

CASES = [(position, column, 6) for position in (1, 3, 7) for column in range(6)]


@in_words
def review_encoding(attempt: Callable[[int, int, int], float]) -> None:
    """Judge `attempt(position, column, d_model)` at d_model = 6 against the sinusoidal table, and name common mistakes.

    >>> review_encoding(lambda position, column, d_model: math.sin(position / 10000 ** (column // 2 * 2 / d_model)))
    'Not yet: the odd columns take the cosine.'
    """
    found = results(attempt, CASES, wanted="a number", read=lambda given: as_matrix(given).reshape(()))
    rights = [wave(position, column, exponent=2 * (column // 2) / d_model) for position, column, d_model in CASES]
    assess(found, rights, over_cases(mistakes_in_encoding, CASES), explain)


def mistakes_in_encoding(position: int, column: int, d_model: int) -> dict[str, Tensor]:
    """Common mistakes, and the number that each gives."""
    odd = column % 2
    return {
        "the odd columns take the cosine.": wave(position, column, exponent=2 * (column // 2) / d_model, odd=math.sin),
        "i counts pairs, not columns.": wave(position, column, exponent=2 * column / d_model),
        "i counts pairs, not columns, and the odd columns take the cosine.": wave(
            position, column, exponent=2 * column / d_model, odd=math.sin
        ),
        "both columns of a pair share one denominator.": wave(position, column, exponent=column / d_model),
        "the odd columns share the denominator of the column before them (the exponent is not 2i - 1).": wave(
            position, column, exponent=(column - 2 * odd) / d_model
        ),
    }


def wave(position: int, column: int, *, exponent: float, odd: Callable[[float], float] = math.cos) -> Tensor:
    """One number of the table; `odd` is the function of the odd columns."""
    function = odd if column % 2 else math.sin
    return torch.tensor(function(position / 10000**exponent), dtype=torch.float64)


def explain(difference: Difference) -> WrongAnswerError:
    """Explain a difference that is no common mistake."""
    position, column, _ = CASES[difference.case]
    return WrongAnswerError(
        f"position {position}, column {column} should be {difference.right:.4f}, yours is {difference.found:.4f}."
    )
