"""The judge of chapter 7: shares of a table of scores."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.activations import softmax
from transformer_book.exercises.judge import answers, first_match, first_miss, wrapped

CALM = torch.tensor([[0.0, 2, -2, 1], [1, 1, 3, -1], [-2, -1, -4, -3.5], [0.5, -0.25, 2, 4]])
# The largest of each row stands in another column, and two rows are so wide that taking off anything less overflows, in float64 too.
LOUD = torch.tensor([[1000.0, 1002, 998, 1001], [-1000, -1001, -999, -1000], [2000, -2000, 0, -1000], [-2000, 1000, 0, 2000]])
TEMPERATURES = (0.5, 2.0)
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown


@wrapped
def review_softmax(attempt: Callable[[Tensor, float], Tensor]) -> str:
    """Judge `attempt(scores, temperature)`, the shares along each row of a table; a slip of chapter 7 is called by name.

    >>> review_softmax(lambda scores, temperature: softmax(scores, 1))
    'Not yet: the temperature is missing.'
    """
    verdicts: dict[str, Callable[[Tensor, float], Tensor]] = {
        "Right!": lambda s, t: softmax(s, 1, t),
        "Not yet: each row is a cake of its own, and yours sum to 1 down the columns.": lambda s, t: softmax(s, 0, t),
        "Not yet: each row is a cake of its own, and yours share a single one.": lambda s, t: softmax((s / t).flatten(), 0).view_as(s),
        "Not yet: each row is divided by its own sum; without keepdim=True the sums lie flat, and divide the columns.": lambda s, t: (
            (s / t).exp() / (s / t).exp().sum(1)
        ),
        "Not yet: each row is divided by its own sum, and yours by that of the whole table.": lambda s, t: (
            (powers := ((s - s.amax(1, keepdim=True)) / t).exp()) / powers.sum()
        ),
        "Not yet: the heights are right; with keepdim=True their sums would stand beside the rows, and not divide the columns.": lambda s, t: (
            (powers := ((s - s.amax(1, keepdim=True)) / t).exp()) / powers.sum(1)
        ),
        "Not yet: take its own largest score off each row; without keepdim=True they lie flat, and lower the columns.": lambda s, t: (
            softmax(s - s.amax(1), 1, t)
        ),
        "Not yet: you divide the scores themselves, and they may be negative. First the exponential.": lambda s, t: s / s.sum(1, keepdim=True),
        "Not yet: you divide the scores themselves, by the sum of the whole table. First the exponential.": lambda s, t: s / s.sum(),
        "Not yet: you square the scores, and -2 gets as much as 2. Take the exponential.": lambda s, t: s**2 / (s**2).sum(1, keepdim=True),
        "Not yet: you cut at zero. First the exponential, which makes every score positive.": lambda s, t: (
            s.relu() / s.relu().sum(1, keepdim=True)
        ),
        "Not yet: the exponentials are still to be divided by their sum.": lambda s, t: (s / t).exp(),
        "Not yet: the temperature is missing.": lambda s, t: softmax(s, 1),
        "Not yet: divide by the temperature, do not multiply by it.": lambda s, t: softmax(s, 1, 1 / t),
        "Not yet: the temperature divides the scores, not the shares.": lambda s, t: softmax(s, 1) / t,
        "Not yet: yours gives the larger share to the smaller score.": lambda s, t: softmax(-s, 1, t),
        "Not yet: this is the logarithm of the shares.": lambda s, t: softmax(s, 1, t).log(),
        "Not yet: a sigmoid looks at one score alone, and the shares of a row must sum to 1.": lambda s, t: (s / t).sigmoid(),
        "Not yet: this is the argmax, it gives all to the largest.": lambda s, t: softmax(s, 1, 1e-6),
        "Not yet: the heights are powers of e, and yours are powers of 2.": lambda s, t: softmax(s * torch.tensor(2.0).log(), 1, t),
    }
    cases = [(table, temperature) for table in (CALM, LOUD) for temperature in TEMPERATURES]
    found = answers(attempt, [(table.clone(), temperature) for table, temperature in cases])
    if isinstance(found, str):
        return found
    for mine in found:
        if mine.shape != CALM.shape:
            return f"Not yet: {tuple(CALM.shape)} scores make as many shares, and yours have the shape {tuple(mine.shape)}."
    expected = ((words, [shares(*case) for case in cases[:2]]) for words, shares in verdicts.items())
    verdict = first_match(found[:2], expected, tolerance=TOLERANCE)
    if verdict not in (None, "Right!"):
        return verdict
    rights = [softmax(table, 1, temperature) for table, temperature in cases]
    miss = first_miss(found, rights, tolerance=TOLERANCE)
    if miss is None:
        return "Right!"
    case, row, column = miss
    lost = torch.stack(found[2:]).isnan().any(0).any(1)  # for each row of LOUD
    if case > 1 and lost.all():
        return "Not yet: with scores near 1000 your exponentials overflow. From what goes into them take off the largest of its row first."
    if case > 1 and lost[2:].any():
        return "Not yet: take off the largest score of a row, nothing less. With scores that lie far apart yours still overflow."
    if case > 1 and lost.any():
        return "Not yet: take its own largest score off each row. With another one a row of low scores becomes 0 / 0."
    table, temperature = cases[case]
    scores = [round(score, 4) for score in table[row].tolist()]
    return (
        f"Not yet: of the scores {scores} at temperature {temperature:g}, number {column} (from 0) "
        f"gets {rights[case][row, column]:.4f}, and you give {found[case][row, column]:.4f}."
    )
