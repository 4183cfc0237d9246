"""What every judge of an exercise does: call the reader's code, read what it gives, and say a verdict that fits the page."""
from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from textwrap import fill

import torch
from torch import Tensor

from transformer_book.checks import from_numpy, leaves, read_numbers


def as_matrix(given: object) -> Tensor:
    """What a reader's code gives, a tensor (also a sparse one, or one with a gradient), an array, or lists of numbers or of
    rows, as a float64 tensor on the CPU. Raises TypeError, ValueError or RuntimeError for all else, complex numbers too.
    """
    if isinstance(given, list | tuple) and any(isinstance(leaf, Tensor) for leaf in leaves(given)):
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
            return f"Not yet: your code must return {wanted}, it gave {value!r}."
    return found


def wrapped(review: Callable[..., str]) -> Callable[..., str]:
    """The same verdict in lines of at most 75 signs, which fit the page."""

    @wraps(review)
    def judge(attempt: Callable) -> str:
        return fill(review(attempt), 75)

    return judge
