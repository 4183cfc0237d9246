"""What every judge of an exercise does: call the reader's code, read what it gives, compare, and say a verdict that fits the page."""
from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable
from functools import wraps
from textwrap import fill

import numpy as np
import torch
from torch import Tensor

from transformer_book.checks import from_numpy, leaves, read_numbers

ROOM = 2  # units of rounding that an answer in 16 bits may be off: the answers tried are off by one at most


def as_matrix(given: object) -> Tensor:
    """What a reader's code gives, a tensor (also a sparse one, or one with a gradient), an array, or lists of numbers or of
    rows, as a float64 tensor on the CPU. Raises TypeError, ValueError or RuntimeError for all else, complex numbers too.
    """
    if isinstance(given, list | tuple) and any(isinstance(leaf, Tensor | np.ndarray) for leaf in leaves(given)):
        return torch.stack([as_matrix(row) for row in given])
    given = from_numpy(given)
    tensor = given.detach().to_dense() if isinstance(given, Tensor) else read_numbers(given)
    if tensor.is_complex():
        raise TypeError(f"real numbers are wanted, not {tensor.dtype}")
    return tensor.cpu().double()


def answers(
    attempt: Callable[..., object],
    cases: list[tuple],
    *,
    wanted: str = "a matrix of real numbers, as a tensor or as lists of equal length",
    read: Callable[[object], object] = as_matrix,
) -> list | str:
    """What `attempt` gives in each case, read; or, where it fails or cannot be read, the words for the reader."""
    try:
        given = [attempt(*case) for case in cases]
    except Exception as error:  # whatever the reader's own code raises is for the reader to see
        return f"Not yet: your code raised {type(error).__name__}: {error}"
    found = []
    for value in given:
        try:
            found.append(read(value))
        except (TypeError, ValueError, RuntimeError, OverflowError):
            return f"Not yet: your code must return {wanted}, it gave {Short().repr(value)}."
    return found


class Short(reprlib.Repr):
    """Any object in a few words: of a tensor or an array the shape and the kind of numbers, of a long list its beginning."""

    def repr_Tensor(self, tensor: Tensor, level: int) -> str:  # noqa: N802 - reprlib looks for the name of the type
        return f"a tensor of shape {tuple(tensor.shape)} and dtype {tensor.dtype}"

    def repr_ndarray(self, array: np.ndarray, level: int) -> str:
        return f"an array of shape {array.shape} and dtype {array.dtype}"


def first_miss(found: Iterable[Tensor], expected: Iterable[Tensor], *, tolerance: float = 1e-6) -> tuple[int, ...] | None:
    """The case, and the place in it, of the first number that is not the expected one; None where all are.

    An answer in 16 bits may be farther off: by what their rounding makes of the largest number.
    """
    for case, (mine, other) in enumerate(zip(found, expected, strict=True)):
        other = other.double()
        largest = other[other.isfinite()].abs().max().item() if other.isfinite().any() else 0.0
        apart = ~torch.isclose(mine, other, rtol=tolerance, atol=tolerance + ROOM * coarseness(mine, other) * largest, equal_nan=True)
        if apart.any():
            return case, *apart.nonzero()[0].tolist()
    return None


def coarseness(mine: Tensor, other: Tensor) -> float:
    """The unit of rounding of 16 bits, where every number given stands in them and not every one expected; 0 elsewhere."""
    for dtype in (torch.bfloat16, torch.float16):
        if held(mine, dtype):
            return 0.0 if held(other, dtype) else torch.finfo(dtype).eps
    return 0.0


def held(x: Tensor, dtype: torch.dtype) -> bool:
    """Whether a dtype holds numbers exactly."""
    return torch.equal(x.nan_to_num(), x.nan_to_num().to(dtype).to(x.dtype))


def first_match(
    found: list[Tensor], verdicts: Iterable[tuple[str, Iterable[Tensor]]], *, tolerance: float = 1e-6
) -> str | None:
    """The first verdict whose tensors, one for each case, are those found, shapes included; None where no verdict's are."""
    for verdict, expected in verdicts:
        expected = list(expected)
        alike = all(mine.shape == other.shape for mine, other in zip(found, expected, strict=True))
        if alike and first_miss(found, expected, tolerance=tolerance) is None:
            return verdict
    return None


def miss_in_rows(found: list[Tensor], rights: list[Tensor], *, tolerance: float) -> str:
    """What to say of rows (batch, seq_len, d_model) that no verdict knows: a shape, or else a number, that is not right."""
    for mine, right in zip(found, rights, strict=True):
        if mine.shape != right.shape:
            return f"Not yet: the result has the shape of x, {tuple(right.shape)}, yours has {tuple(mine.shape)}."
    case, *place = first_miss(found, rights, tolerance=tolerance)
    right, mine = (parts[case][tuple(place)] for parts in (rights, found))
    return f"Not yet: at place {place} (batch, word, column) should be {right:.4f}, yours is {mine:.4f}."


def wrapped(review: Callable[..., str]) -> Callable[..., str]:
    """The same verdict in lines of at most 75 signs, which fit the page."""

    @wraps(review)
    def judge(attempt: Callable) -> str:
        return fill(review(attempt), 75)

    return judge
