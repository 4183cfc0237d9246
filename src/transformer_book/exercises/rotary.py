"""The exercise of chapter 13: rotary positions."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.attempt import WrongAnswerError
from transformer_book.exercises.judge import Difference, assess, in_words, over_cases, results
from transformer_book.positional_encoding import encode_positions, frequencies
from transformer_book.rotary import apply_rotary

# Odd numbers of rows and places out of order, so that no two mistakes give the same.
CASES = [
    (torch.linspace(-1, 1.3, 18, dtype=torch.float64).reshape(3, 6).sin(), torch.tensor([4.0, 1.0, 2.0], dtype=torch.float64)),
    (torch.linspace(2, -1, 40, dtype=torch.float64).reshape(2, 5, 4).cos(), torch.tensor([0, 5, 3, 0.5, 9], dtype=torch.float64)),
]
TOLERANCE = 1e-5  # an angle in float32 may be 1e-6 off


@in_words
def review_rotary(attempt: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Judge `attempt(x, positions)`, rotary positions for pairs of neighbouring columns, and name common mistakes.

    >>> review_rotary(lambda x, positions: apply_rotary(x))
    'Not yet: you count the rows; turn each by the position that is given.'
    """
    rights = [apply_rotary(*case) for case in CASES]
    wanted = "a tensor of real numbers with the shape of x"
    assess(results(attempt, CASES, wanted=wanted), rights, over_cases(mistakes_in_rotary, CASES), explain, tolerance=TOLERANCE)


def mistakes_in_rotary(x: Tensor, positions: Tensor) -> dict[str, Tensor]:
    """Common mistakes, and what each gives."""
    d_k = x.shape[-1]
    pair = torch.arange(d_k // 2, dtype=torch.float64)
    angles = positions[:, None] * frequencies(d_k)                       # (seq_len, d_k / 2)
    cos, sin = angles.cos(), angles.sin()
    first, second = x[..., 0::2], x[..., 1::2]
    twice = torch.cat((angles, angles), dim=-1)                          # (seq_len, d_k)
    crossed = torch.stack((-second, first), dim=-1).flatten(-2)
    in_a_row = angles.repeat_interleave(2, dim=-1)                       # (seq_len, d_k)
    half, other_half = x.chunk(2, dim=-1)

    def neighbours(one: Tensor, other: Tensor) -> Tensor:
        return torch.stack((one, other), dim=-1).flatten(-2)

    def at_speeds(speeds: Tensor) -> Tensor:
        own = positions[:, None] * speeds
        return neighbours(first * own.cos() - second * own.sin(), first * own.sin() + second * own.cos())

    return {
        "your pairs turn backwards: the minus belongs to the first number of a pair.": apply_rotary(x, -positions),
        "your pairs are columns i and i + d_k / 2; here they are neighbours, 2i and 2i + 1.": apply_rotary(
            x, positions, layout="halves"
        ),
        "you turn neighbours, but you put all first numbers before all second ones: stack them, and flatten.": torch.cat(
            (first * cos - second * sin, first * sin + second * cos), dim=-1
        ),
        "the angles stand pair by pair: each twice in a row (repeat_interleave), not the whole list twice.": (
            x * twice.cos() + crossed * twice.sin()
        ),
        "you cross columns i and i + d_k / 2, with the angles of neighbours; here neighbours are the pairs.": (
            x * in_a_row.cos() + torch.cat((-other_half, half), dim=-1) * in_a_row.sin()
        ),
        "a turn has one minus: the first number of a pair is a cos - b sin.": neighbours(
            first * cos + second * sin, first * sin + second * cos
        ),
        "sine and cosine have changed places: at position 0 nothing turns.": neighbours(
            first * sin - second * cos, first * cos + second * sin
        ),
        "the second number of a pair must be made from the old first number, not from the new one.": neighbours(
            first * cos - second * sin, (first * cos - second * sin) * sin + second * cos
        ),
        "all your pairs turn at the speed of the first.": at_speeds(torch.ones_like(pair)),
        "the exponent is 2i / d_k, and i counts pairs.": at_speeds(10000 ** (-pair / d_k)),
        "the exponent is 2i / d_k, and i counts pairs, not columns.": at_speeds(10000 ** (-4 * pair / d_k)),
        "the exponent is 2i / d_k, and i begins at 0: the first pair turns by 1 radian a position.": at_speeds(
            10000 ** (-2 * (pair + 1) / d_k)
        ),
        "angles are in radians, not degrees: convert nothing.": at_speeds(torch.deg2rad(10000 ** (-2 * pair / d_k))),
        "divide the position by 10000^(2i / d_k); you multiply.": at_speeds(10000 ** (2 * pair / d_k)),
        "you count the rows; turn each by the position that is given.": apply_rotary(x),
        "you multiply by the position; rotary turns, and lengths stay as they are.": x * positions[:, None],
        "you add the positions; rotary adds nothing, it turns.": x + encode_positions(positions, d_k, dtype=torch.float64),
    }


def explain(difference: Difference) -> WrongAnswerError:
    """Explain a difference that is no common mistake."""
    found, right = difference.found, difference.right
    if difference.index is None:
        return WrongAnswerError(f"the result should have the shape of x, {right}; yours has {found}.")
    return WrongAnswerError(
        f"for x of shape {tuple(CASES[difference.case][0].shape)}, index {list(difference.index)} should be {right:.4f}, "
        f"yours is {found:.4f}."
    )
