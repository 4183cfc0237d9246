"""The exercise of chapter 6: the matrix of a shift."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises import mistakes
from transformer_book.exercises.attempt import WrongAnswerError
from transformer_book.exercises.judge import Difference, assess, in_words, over_cases, results
from transformer_book.geometry import shift_matrix

# offset, d_model: at least two pairs, because the authors' code divides by their number - 1
CASES = [(1, 6), (5, 6), (-2, 6), (30, 6), (3, 10), (7, 4)]


@in_words
def review_shift(attempt: Callable[[float, int], Tensor]) -> None:
    """Judge `attempt(offset, d_model)`, the matrix that shifts positions by `offset`, and name common mistakes.

    >>> review_shift(lambda offset, d_model: shift_matrix(-offset, d_model))
    'Not yet: your pairs rotate backwards: the minus belongs below the diagonal.'
    """
    rights = [shift_matrix(*case) for case in CASES]
    assess(results(attempt, CASES), rights, over_cases(mistakes_in_shift, CASES), explain)


def mistakes_in_shift(offset: int, d_model: int) -> dict[str, Tensor]:
    """Common mistakes, also two at once, and what each gives."""
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    signs = torch.tensor([1.0, -1.0] * (d_model // 2), dtype=torch.float64)
    offsets = {
        "": offset,
        "this shifts by one, whatever the offset is.": 1,
        "offset 0 is the identity; yours shifts by one more than the offset.": offset + 1,
    }
    shapes = {
        "": lambda matrix: matrix,
        "your pairs rotate backwards: the minus belongs below the diagonal.": lambda matrix: matrix.T,
        "this is a reflection; a rotation has its minus below the diagonal.": lambda matrix: matrix * signs,
        "the two columns of a pair are neighbors: sin, cos, sin, cos, ...": lambda matrix: matrix[order][:, order],
        "both sines have the same sign; a rotation has its minus below the diagonal.": lambda matrix: matrix.triu() + matrix.triu(1).T,
        "the cosines belong on the diagonal, the sines beside it; yours are swapped.": swapped,
        "only the first pair rotates; each pair has its own block on the diagonal.": (
            lambda matrix: torch.block_diag(matrix[:2, :2], torch.eye(d_model - 2, dtype=matrix.dtype))
        ),
    }

    def matrix(frequencies: Tensor, offset: float, shape: Callable[[Tensor], Tensor]) -> Tensor:
        return shape(torch.block_diag(*(shift_matrix(offset * frequency.item(), 2) for frequency in frequencies)))

    return {
        "this multiplies every number by the offset; a shift rotates each pair, and leaves its length alone.": offset * torch.eye(d_model),
    } | mistakes.applied(matrix, mistakes.frequency_mistakes(d_model, per="step"), offsets, shapes)


def swapped(matrix: Tensor) -> Tensor:
    """The matrix with the sines of its rotations in the place of the cosines."""
    return torch.block_diag(*(matrix[at : at + 2, at : at + 2].flip(1) * torch.tensor([[1.0, 1], [-1, -1]]) for at in range(0, len(matrix), 2)))


def explain(difference: Difference) -> WrongAnswerError:
    """Explain a difference that is no common mistake."""
    found, right = difference.found, difference.right
    if difference.index is None:
        return WrongAnswerError(f"at d_model = {CASES[difference.case][1]} the matrix should have the shape {right}, yours has {found}.")
    offset, _ = CASES[difference.case]
    row, column = difference.index
    return WrongAnswerError(f"for offset {offset}, row {row}, column {column} should be {right:.4f}, yours is {found:.4f}.")
