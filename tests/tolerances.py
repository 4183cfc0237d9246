"""How large a difference rounding may make, said once: two ways of computing the same numbers may differ by

    FACTOR * eps * sqrt(terms) * scale

A processor rounds each number to one part in 1 / eps (1.2e-7 in float32), and another one adds up in another order. The
roundings go up and down by chance, so that those of n terms add up to sqrt(n) of one (Higham and Mary, "A New Approach to
Probabilistic Rounding Error Analysis", 2019). Each is in proportion to what is added, not to what comes out: where large
terms cancel, their rounding is left. So

- eps is that of the coarser of the two dtypes;
- terms is the number of additions on the longest way from what is given to one number of the result;
- scale is the largest number on that way: at least the largest expected, of a gradient the largest of all gradients of the
  same sum, and of what it was made of.

FACTOR is measured. Of some 18,000 random modules held to torch's, in each of three settings of the processor, the worst used
0.3 of what is allowed, and one comparison in a thousand more than 0.2. A mistake makes 500 times as much and more, in float32:
test_tolerances_modules.py shows it.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

FACTOR = 4
# Between a number and the same rounded to so many decimals: half a unit of the last one, and a little for float32.
FOUR_DECIMALS, SIX_DECIMALS = 5.1e-5, 5.1e-7


class TooFarError(AssertionError):
    """Two results that rounding does not explain: `times` as far apart as it may make them."""

    def __init__(self, message: str, times: float) -> None:
        super().__init__(message)
        self.times = times


def allowed(dtype: torch.dtype, *, terms: float, scale: float) -> float:
    """The largest difference that is rounding."""
    return FACTOR * torch.finfo(dtype).eps * math.sqrt(terms) * scale


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
    together: say more only where larger numbers were added up on the way. `case` is for the message alone.
    """
    scale = max(scale, largest(expected))
    for name, mine, other in pairs(found, expected):
        dtype = max(mine.dtype, other.dtype, key=lambda dtype: torch.finfo(dtype).eps)
        made = f"what rounding may make: {FACTOR} * eps of {dtype} * sqrt({terms:g} terms) * {scale:.3g}"
        compare(mine, other, allowed(dtype, terms=terms, scale=scale), made, f"{case} {name}".strip())


def assert_within(found: object, expected: object, most: float, *, case: object = "") -> None:
    """Refuse what is farther from the expected than a promise, or a rounding to decimals, allows."""
    for name, mine, other in pairs(found, expected):
        compare(mine, other, most, "the most that is allowed", f"{case} {name}".strip())


def pairs(found: object, expected: object) -> list[tuple[str, Tensor, Tensor]]:
    """What is to be compared, with names where there are any."""
    if not isinstance(expected, Mapping):
        return [("", numbers(found), numbers(expected))]
    assert isinstance(found, Mapping) and found.keys() == expected.keys(), f"{set(found)} instead of {set(expected)}"
    return [(str(name), numbers(found[name]), numbers(expected[name])) for name in expected]


def compare(found: Tensor, expected: Tensor, most: float, made: str, name: str) -> None:
    """Refuse a difference of more than `most` at any place; NaN and infinities stand where they are expected."""
    name = name or "found"
    assert found.shape == expected.shape, f"{name} has the shape {tuple(found.shape)} instead of {tuple(expected.shape)}"
    found, expected = found.double(), expected.double()
    apart = (found - expected).abs()
    apart[found == expected] = 0.0  # equal infinities among them
    apart[found.isnan() & expected.isnan()] = 0.0
    apart.nan_to_num_(nan=math.inf)
    if not apart.numel() or (worst := apart.max().item()) <= most:
        return
    place = tuple(int(at) for at in torch.unravel_index(apart.argmax(), apart.shape))
    times = worst / most if most else math.inf
    said = f"{found[place].item():.9g} instead of {expected[place].item():.9g}, {worst:.2g} apart"
    raise TooFarError(f"{name}{list(place) if place else ''} is {said}: {times:.3g} times {most:.2g}, {made}", times)
