"""The exercise of chapter 4: the whole table."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.attempt import WrongAnswerError
from transformer_book.exercises.judge import Difference, assess, in_words, over_cases, results
from transformer_book.positional_encoding import positional_encoding

# seq_len, d_model: no square table, so a swap of the axes shows, and at least two pairs, because the authors' code divides by their number - 1
CASES = [(5, 6), (9, 10), (3, 4)]
TOLERANCE = 1e-5  # an angle in float32 may be 1e-6 off


@in_words
def review_positional_encoding(attempt: Callable[[int, int], Tensor]) -> None:
    """Judge `attempt(seq_len, d_model)`, the sinusoidal table (seq_len, d_model), and name common mistakes.

    >>> review_positional_encoding(lambda seq_len, d_model: positional_encoding(seq_len + 1, d_model)[1:])
    'Not yet: positions count from 0; yours begin at 1.'
    """
    rights = [positional_encoding(*case, dtype=torch.float64) for case in CASES]
    wanted = "a table of real numbers, (seq_len, d_model)"
    assess(results(attempt, CASES, wanted=wanted), rights, over_cases(mistakes_in_the_table, CASES), explain, tolerance=TOLERANCE)


def mistakes_in_the_table(seq_len: int, d_model: int) -> dict[str, Tensor]:
    """Common mistakes, and the table that each gives."""
    column = torch.arange(d_model, dtype=torch.float64)
    pair, odd = column // 2, column % 2 == 1

    def made(exponent: Tensor = 2 * pair, *, start: int = 0, base: float = 10000, unit: float = 1, odd: Tensor = odd) -> Tensor:
        position = torch.arange(start, start + seq_len, dtype=torch.float64)[:, None]
        angle = unit * position / base ** (exponent / d_model)           # (seq_len, d_model)
        return torch.where(odd, angle.cos(), angle.sin())

    right, sines = made(), torch.zeros_like(odd)
    authors = made(pair * d_model / (d_model // 2 - 1))
    theirs = "these are the frequencies of the authors' code (tensor2tensor), with the exponent i / (d_model / 2 - 1)"
    by_row = torch.arange(seq_len)[:, None] % 2 == 1
    columns = "i counts pairs, not columns"
    return {
        "the odd columns take the cosine.": made(odd=sines),
        "the even columns take the sine and the odd ones the cosine; yours are swapped.": made(odd=~odd),
        f"{columns}.": made(2 * column),
        f"{columns}, and the odd columns take the cosine.": made(2 * column, odd=sines),
        "both columns of a pair share one denominator.": made(column),
        "both columns of a pair share one denominator, and the odd one takes the cosine.": made(column, odd=sines),
        "the odd columns share the denominator of the column before them (the exponent is not 2i - 1).": made(column - 2 * odd),
        "the exponent is 2i / d_model; its 2 is missing.": made(pair),
        f"{theirs}; the formula of the paper has 2i / d_model.": authors,
        f"{theirs} and all sines before all cosines; the formula of the paper has 2i / d_model and sine, cosine, sine, cosine.": torch.cat(
            (authors[:, 0::2], authors[:, 1::2]), dim=1
        ),
        "i begins at 0: the first pair turns by 1 radian a position.": made(2 * pair + 2),
        "positions count from 0; yours begin at 1.": made(start=1),
        "divide the position by 10000^(2i / d_model); you multiply.": made(-2 * pair),
        "the base is 10000; yours is 1000.": made(base=1000),
        "the base is 10000; yours is 100000.": made(base=100000),
        "angles are in radians, not degrees: convert nothing.": made(unit=math.pi / 180),
        "the position is a whole number, whatever the length; you divide it by the length.": made(unit=1 / seq_len),
        "a full turn is 2 pi, but the formula has none: column 0 is sin(position).": made(unit=2 * math.pi),
        "sine or cosine goes by the column, not by the position.": made(odd=by_row),
        "all your hands turn at the speed of the first.": made(0 * pair),
        "sine and cosine of a pair are neighbours; yours are all sines, then all cosines.": torch.cat((right[:, 0::2], right[:, 1::2]), dim=1),
        "each pair is a sine and a cosine; yours are all cosines.": made(odd=~sines),
        "rows are positions and columns are dimensions; yours are swapped.": right.T,
        "each position has a row of its own; yours are added up into one.": right.sum(0),
        "this is the row of the last position alone; the table has one for each position.": right[-1],
        "these are the angles; take their sine or cosine.": torch.arange(seq_len, dtype=torch.float64)[:, None] / 10000 ** (2 * pair / d_model),
    }


def explain(difference: Difference) -> WrongAnswerError:
    """Explain a difference that is no common mistake."""
    found, right = difference.found, difference.right
    seq_len, d_model = CASES[difference.case]
    sizes = f"for seq_len = {seq_len} and d_model = {d_model}"
    if difference.index is None:
        return WrongAnswerError(f"{sizes} the shape should be {right}, yours is {found}.")
    position, column = difference.index
    return WrongAnswerError(f"{sizes}, position {position}, column {column} should be {right:.4f}, yours is {found:.4f}.")
