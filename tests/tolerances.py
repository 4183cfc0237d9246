"""How large a difference rounding may make, said once: two ways of computing the same numbers may differ by

    ROOM * eps * sqrt(terms) * scale

A processor rounds each number to one part in 1 / eps (1.2e-7 in float32), and another one adds up in another order. The
roundings go up and down by chance, so that those of n terms add up to sqrt(n) of one (Higham and Mary, "A New Approach to
Probabilistic Rounding Error Analysis", 2019). Each is in proportion to what is added, not to what comes out: where large
terms cancel, their rounding is left. So

- eps is that of the coarser of the two dtypes;
- terms is the number of additions on the longest way from what is given to one number of the result;
- scale is the largest number on that way: at least the largest expected, of a gradient the largest of all gradients of the
  same sum, and of what it was made of.

ROOM is measured. Over 2000 random cases of each module against torch's and against float64, in three settings of the
processor, the largest difference was 0.8 of the rest of the formula, and the median 0.1. Mistakes are far above:
test_tolerances.py shows it.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

ROOM = 4
# Between a number and the same rounded to so many decimals: half a unit of the last one, and a little for float32.
FOUR_DECIMALS, SIX_DECIMALS = 5.1e-5, 5.1e-7


class TooFar(AssertionError):
    """Two results that rounding does not explain: `times` as far apart as it may make them."""

    def __init__(self, message: str, times: float) -> None:
        super().__init__(message)
        self.times = times


def allowed(dtype: torch.dtype, *, terms: float, scale: float) -> float:
    """The largest difference that is rounding."""
    return ROOM * torch.finfo(dtype).eps * math.sqrt(terms) * scale


def largest(*values: object) -> float:
    """The largest magnitude of the finite numbers in tensors, numbers, and lists and dicts of them; 0 without any."""
    top = 0.0
    for value in values:
        if isinstance(value, Mapping):
            top = max(top, largest(*value.values()))
        elif isinstance(value, Iterable) and not isinstance(value, Tensor):
            top = max(top, largest(*value))
        else:
            finite = numbers(value).double()
            finite = finite[finite.isfinite()]
            top = max(top, finite.abs().max().item() if finite.numel() else 0.0)
    return top


def numbers(value: object) -> Tensor:
    """A tensor of floating-point numbers as it is, and Python's own numbers, also in lists, in float64."""
    if isinstance(value, Tensor):
        return value.detach() if value.is_floating_point() else value.double()
    return torch.tensor(value, dtype=torch.float64)


def assert_close(found: object, expected: object, *, terms: float = 1, scale: float = 0.0, case: object = "") -> None:
    """Refuse what is farther from the expected than rounding makes it: tensors, numbers, lists of numbers, or dicts of these.

    `terms` and `scale` are those of the formula above. What is expected counts for the scale in any case, all of a dict
    together: say more only where larger numbers were added up on the way. NaN and infinities stand where they are expected.
    `case` is for the message alone.
    """
    pairs = {"": (found, expected)}
    if isinstance(expected, Mapping):
        assert isinstance(found, Mapping) and found.keys() == expected.keys(), f"{set(found)} instead of {set(expected)}"
        pairs = {str(name): (found[name], expected[name]) for name in expected}
    scale = max(scale, largest(expected))
    for name, (mine, other) in pairs.items():
        mine, other = numbers(mine), numbers(other)
        assert mine.shape == other.shape, f"{name or 'found'} has the shape {tuple(mine.shape)} instead of {tuple(other.shape)}"
        coarser = max(mine.dtype, other.dtype, key=lambda dtype: torch.finfo(dtype).eps)
        most = allowed(coarser, terms=terms, scale=scale)
        mine, other = mine.double(), other.double()
        apart = (mine - other).abs()
        apart[mine == other] = 0.0  # equal infinities among them
        apart[mine.isnan() & other.isnan()] = 0.0
        apart.nan_to_num_(nan=math.inf)
        if not apart.numel() or (worst := apart.max().item()) <= most:
            continue
        place = tuple(int(at) for at in torch.unravel_index(apart.argmax(), apart.shape))
        times = worst / most if most else math.inf
        raise TooFar(
            f"{f'{case}: ' if case else ''}{name or 'found'}{list(place) if place else ''} is {mine[place].item()!r} instead of {other[place].item()!r}, {worst:.2g} apart: "
            f"{times:.3g} times the {most:.2g} that rounding may make ({ROOM} * eps of {coarser} * sqrt({terms:g} terms) * {scale:.3g})",
            times,
        )
