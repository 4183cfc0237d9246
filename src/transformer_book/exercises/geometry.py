"""The exercise of chapter 6: the matrix of a shift."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import answers, first_match, first_miss, wrapped
from transformer_book.geometry import shift_matrix


@wrapped
def review_shift(attempt: Callable[[float, int], Tensor]) -> str:
    """Judge `attempt(offset, d_model)`, a matrix that should move positions by `offset`; a slip of chapter 6 is called by name.

    >>> review_shift(lambda offset, d_model: shift_matrix(-offset, d_model))
    'Not yet: your hands turn backwards, the minus belongs below the diagonal.'
    """
    offsets, d_model = (1, 5, -2, 30), 6
    apart = [0, 2, 4, 1, 3, 5]  # all sines, then all cosines

    def speeds(exponent: Callable[[int], float]) -> list[Tensor]:
        """For each offset the turns of three hands, at 1 / 10000 ** exponent(pair) radians a step."""
        return [torch.block_diag(*(shift_matrix(k / 10000 ** exponent(pair), 2) for pair in range(3))) for k in offsets]

    right = [shift_matrix(k, d_model) for k in offsets]
    verdicts = {
        "Right!": right,
        "Not yet: your hands turn backwards, the minus belongs below the diagonal.": [matrix.T for matrix in right],
        "Not yet: all your hands turn at the speed of the first.": speeds(lambda pair: 0),
        "Not yet: the exponent is 2i / d_model, and i counts pairs.": speeds(lambda pair: pair / d_model),
        "Not yet: the exponent is 2i / d_model, and i counts pairs, not columns.": speeds(lambda pair: 4 * pair / d_model),
        "Not yet: this mirrors the hands, and a turn has its minus below the diagonal.": [
            matrix * torch.tensor([1.0, -1.0] * 3) for matrix in right
        ],
        "Not yet: both columns of a pair stand side by side, sin, cos, sin, cos, ...": [
            matrix[apart][:, apart] for matrix in right
        ],
        "Not yet: this moves by one, whatever the offset.": [right[0]] * len(offsets),
    }
    given = answers(attempt, [(offset, d_model) for offset in offsets])
    if isinstance(given, str):
        return given
    wrong = next((tuple(matrix.shape) for matrix in given if matrix.shape != (d_model, d_model)), None)
    if wrong is not None:
        return f"Not yet: at d_model = {d_model} the matrix has the shape {(d_model, d_model)}, yours {wrong}."
    verdict = first_match(given, verdicts.items())
    if verdict is not None:
        return verdict
    case, row, column = first_miss(given, right)
    return (
        f"Not yet: for offset {offsets[case]}, row {row}, column {column} you give {given[case][row, column]:.4f}, "
        f"and the turn has {right[case][row, column]:.4f}."
    )
