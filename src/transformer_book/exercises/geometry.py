"""The exercise of chapter 6: the matrix of a shift."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.attempt import WrongAnswerError
from transformer_book.exercises.judge import Difference, assess, in_words, over_cases, results
from transformer_book.geometry import shift_matrix

# offset, d_model: at least two pairs, because the authors' code divides by their number - 1
CASES = [(1, 6), (5, 6), (-2, 6), (30, 6), (3, 10), (7, 4)]


@in_words
def review_shift(attempt: Callable[[float, int], Tensor]) -> None:
    """Judge `attempt(offset, d_model)`, the matrix that shifts positions by `offset`, and name common mistakes.

    >>> review_shift(lambda offset, d_model: shift_matrix(-offset, d_model))
    'Not yet: your hands turn backwards: the minus belongs below the diagonal.'
    """
    rights = [shift_matrix(*case) for case in CASES]
    assess(results(attempt, CASES), rights, over_cases(mistakes_in_shift, CASES), explain)


def mistakes_in_shift(offset: int, d_model: int) -> dict[str, Tensor]:
    """Common mistakes, and what each gives."""
    right = shift_matrix(offset, d_model)
    sines_first = [*range(0, d_model, 2), *range(1, d_model, 2)]

    def turns(exponent: Callable[[int], float]) -> Tensor:
        """Each hand turned at 1 / 10000 ** exponent(pair) radians a step."""
        return torch.block_diag(*(shift_matrix(offset / 10000 ** exponent(pair), 2) for pair in range(d_model // 2)))

    return {
        "your hands turn backwards: the minus belongs below the diagonal.": right.T,
        "all your hands turn at the speed of the first.": turns(lambda pair: 0),
        "the exponent is 2i / d_model, and i counts pairs.": turns(lambda pair: pair / d_model),
        "the exponent is 2i / d_model, and i counts pairs, not columns.": turns(lambda pair: 4 * pair / d_model),
        "these are the frequencies of the authors' code (tensor2tensor), with the exponent i / (d_model / 2 - 1); "
        "the formula of the paper has 2i / d_model.": turns(lambda pair: pair / (d_model // 2 - 1)),
        "this is a reflection; a rotation has its minus below the diagonal.": right * torch.tensor([1.0, -1.0] * (d_model // 2)),
        "the two columns of a pair are neighbours: sin, cos, sin, cos, ...": right[sines_first][:, sines_first],
        "this multiplies every number by the offset; a shift turns each hand, and leaves its length alone.": offset * torch.eye(d_model),
        "this shifts by one, whatever the offset is.": shift_matrix(1, d_model),
        "the exponent is 2i / d_model, and i begins at 0: the first hand turns by 1 radian a step.": turns(lambda pair: 2 * (pair + 1) / d_model),
        "divide the offset by 10000^(2i / d_model); you multiply.": turns(lambda pair: -2 * pair / d_model),
        "angles are in radians, not degrees: convert nothing.": shift_matrix(math.radians(offset), d_model),
        "the cosines belong on the diagonal, the sines beside it; yours are swapped.": torch.block_diag(
            *(shift_matrix(math.pi / 2 - offset / 10000 ** (2 * pair / d_model), 2) for pair in range(d_model // 2))
        ),
        "both sines have the same sign; a rotation has its minus below the diagonal.": right.triu() + right.triu(1).T,
        "only the first pair turns; each pair has its own block on the diagonal.": torch.block_diag(
            shift_matrix(offset, 2), torch.eye(d_model - 2)
        ),
    }


def explain(difference: Difference) -> WrongAnswerError:
    """Explain a difference that is no common mistake."""
    found, right = difference.found, difference.right
    if difference.index is None:
        return WrongAnswerError(f"at d_model = {CASES[difference.case][1]} the matrix should have the shape {right}, yours has {found}.")
    offset, _ = CASES[difference.case]
    row, column = difference.index
    return WrongAnswerError(f"for offset {offset}, row {row}, column {column} should be {right:.4f}, yours is {found:.4f}.")
