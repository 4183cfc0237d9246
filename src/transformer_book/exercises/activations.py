"""The exercise of chapter 7: the softmax of each row of a table."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.activations import softmax
from transformer_book.exercises.judge import WrongAnswerError, check_slips, first_difference, in_words, over_cases, results

SMALL = torch.tensor([[0.0, 2, -2, 1], [1, 1, 3, -1], [-2, -1, -4, -3.5], [0.5, -0.25, 2, 4]])
# The largest of each row stands in another column, and two rows are so wide that taking off anything less overflows, in float64 too.
LARGE = torch.tensor([[1000.0, 1002, 998, 1001], [-1000, -1001, -999, -1000], [2000, -2000, 0, -1000], [-2000, 1000, 0, 2000]])
CASES = [(table, temperature) for table in (SMALL, LARGE) for temperature in (0.5, 2.0)]
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown


@in_words
def review_softmax(attempt: Callable[[Tensor, float], Tensor]) -> None:
    """Judge `attempt(scores, temperature)`, the shares along each row of a table; a slip of chapter 7 is called by name.

    >>> review_softmax(lambda scores, temperature: softmax(scores, 1))
    'Not yet: the temperature is missing.'
    """
    found = results(attempt, CASES)
    difference = first_difference(found, [softmax(scores, 1, temperature) for scores, temperature in CASES], tolerance=TOLERANCE)
    if difference is None:
        return
    if difference.place is None:
        raise WrongAnswerError(f"{difference.right} scores make as many shares, and yours have the shape {difference.found}.")
    check_slips(found[:2], over_cases(slips, CASES[:2]), tolerance=TOLERANCE)
    if difference.case > 1:
        check_overflow(found[2:])
    scores, temperature = CASES[difference.case]
    row, column = difference.place
    raise WrongAnswerError(
        f"of the scores {[round(score, 4) for score in scores[row].tolist()]} at temperature {temperature:g}, "
        f"number {column} (from 0) gets {difference.right:.4f}, and you give {difference.found:.4f}."
    )


def slips(s: Tensor, t: float) -> dict[str, Tensor]:
    """The well-known slips in words, and the shares that each gives."""
    powers = (s / t).exp()
    heights = ((s - s.amax(1, keepdim=True)) / t).exp()
    return {
        "each row is a cake of its own, and yours sum to 1 down the columns.": softmax(s, 0, t),
        "each row is a cake of its own, and yours share a single one.": softmax((s / t).flatten(), 0).view_as(s),
        "each row is divided by its own sum; without keepdim=True the sums lie flat, and divide the columns.": powers / powers.sum(1),
        "each row is divided by its own sum, and yours by that of the whole table.": heights / heights.sum(),
        "the heights are right; with keepdim=True their sums would stand beside the rows, and not divide the columns.": heights / heights.sum(1),
        "take its own largest score off each row; without keepdim=True they lie flat, and lower the columns.": softmax(s - s.amax(1), 1, t),
        "you divide the scores themselves, and they may be negative. First the exponential.": s / s.sum(1, keepdim=True),
        "you divide the scores themselves, by the sum of the whole table. First the exponential.": s / s.sum(),
        "you square the scores, and -2 gets as much as 2. Take the exponential.": s**2 / (s**2).sum(1, keepdim=True),
        "you cut at zero. First the exponential, which makes every score positive.": s.relu() / s.relu().sum(1, keepdim=True),
        "the exponentials are still to be divided by their sum.": powers,
        "the temperature is missing.": softmax(s, 1),
        "divide by the temperature, do not multiply by it.": softmax(s, 1, 1 / t),
        "the temperature divides the scores, not the shares.": softmax(s, 1) / t,
        "yours gives the larger share to the smaller score.": softmax(-s, 1, t),
        "this is the logarithm of the shares.": softmax(s, 1, t).log(),
        "a sigmoid looks at one score alone, and the shares of a row must sum to 1.": (s / t).sigmoid(),
        "this is the argmax, it gives all to the largest.": softmax(s, 1, 1e-6),
        "the heights are powers of e, and yours are powers of 2.": softmax(s * torch.tensor(2.0).log(), 1, t),
    }


def check_overflow(found: list[Tensor]) -> None:
    """Raises WrongAnswerError where large scores give NaN: which rows do tells what was taken off."""
    overflows = torch.stack(found).isnan().any(0).any(1)  # for each row of LARGE
    if overflows.all():
        raise WrongAnswerError("with scores near 1000 your exponentials overflow. From what goes into them take off the largest of its row first.")
    if overflows[2:].any():
        raise WrongAnswerError("take off the largest score of a row, nothing less. With scores that lie far apart yours still overflow.")
    if overflows.any():
        raise WrongAnswerError("take its own largest score off each row. With another one a row of low scores becomes 0 / 0.")
