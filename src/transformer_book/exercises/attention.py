"""The judge of chapter 8's exercise: attention in a few lines."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.attention import scaled_dot_product_attention
from transformer_book.exercises.judge import answers, as_matrix, wrapped

HEADS, QUERIES, KEYS, D_K, D_V = 3, 4, 5, 6, 2


Case = tuple[Tensor, Tensor, Tensor, Tensor]


def examples() -> list[Case]:
    """q, k, v and a mask, twice: nothing is hidden, then some of it is, all of it from the last query.

    The sizes all differ, and the scores are so small that no word gets nearly everything.
    """
    generator = torch.Generator().manual_seed(8)
    q, k, v = (
        torch.randn(HEADS, *size, generator=generator, dtype=torch.float64)
        for size in ((QUERIES, D_K), (KEYS, D_K), (KEYS, D_V))
    )
    mask = torch.tensor([[1, 0, 0, 0, 1], [0, 1, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 0, 0, 0]], dtype=torch.bool)
    return [(0.7 * q, 0.7 * k, v, seen) for seen in (torch.ones_like(mask), mask)]


def mixtures(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> list[tuple[str, Tensor]]:
    """Every mixture of the well-known slips in words, and the output that it gives: the fewest slips first.

    A low number in place of minus infinity is no slip here: it shows only where nothing may be attended to.
    """
    products, everywhere = q @ k.transpose(-2, -1), torch.ones_like(mask)
    root = "the scale is the root of the size of a key"
    scales = {
        "": D_K**0.5,
        "the scores are not divided by the square root of d_k": 1,
        "the scores are divided by d_k, and it is its square root": D_K,
        "the scores are multiplied by the square root of d_k, not divided by it": D_K**-0.5,
        f"{root}, d_k, not of d_model, all heads together": (HEADS * D_K) ** 0.5,
        f"{root}, not of the number of keys": KEYS**0.5,
        f"{root}, q.shape[-1], not of the number of queries, q.shape[-2]": QUERIES**0.5,
        f"{root}, not of a value": D_V**0.5,
    }
    axis = "the shares of one query sum to 1 over the keys, the last axis, and yours do over the"
    axes = {"": -1, f"{axis} queries": -2, f"{axis} first axis": 0}
    low = None
    masks = {
        "": (mask, low, everywhere),
        "your mask is the other way round: True is where attending is allowed": (~mask, low, everywhere),
        "your mask hides nothing": (everywhere, low, everywhere),
        "you hide what comes later, whatever the mask says": (everywhere.tril(), low, everywhere),
        "a hidden word still gets a share: a score of 0 is a score like any other, it needs minus infinity": (mask, 0.0, everywhere),
        "the mask comes before the softmax: set to 0 afterwards, the shares no longer sum to 1": (everywhere, low, mask),
    }
    found = []
    for low, scale, axis, order in itertools.product((-math.inf, -1e9), scales, axes, masks):
        seen, hidden, kept = masks[order]
        scores = (products / scales[scale]).masked_fill(~seen, low if hidden is None else hidden)
        slips = [slip for slip in (scale, axis, order) if slip]
        found.append((len(slips), "; ".join(slips), (scores.softmax(axes[axis]) * kept) @ v))
    return [(words, output) for _, words, output in sorted(found, key=lambda mixture: mixture[0])]


@wrapped
def review_attention(attempt: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> str:
    """Judge `attempt(q, k, v, mask)`, which gives the output, or the output and the weights; a slip of chapter 8 is called by name.

    >>> print(review_attention(lambda q, k, v, mask: (q @ k.transpose(-2, -1)).masked_fill(~mask, -math.inf).softmax(-1) @ v))
    Not yet: the scores are not divided by the square root of d_k.
    """
    cases = examples()
    rights = [scaled_dot_product_attention(*case)[0] for case in cases]
    shape = tuple(rights[0].shape)
    found = answers(
        attempt,
        [tuple(part.clone() for part in case) for case in cases],
        wanted=f"the output, a tensor of shape {shape}",
        read=lambda given: as_matrix(given[0] if isinstance(given, tuple) and len(given) == 2 else given),
    )
    if isinstance(found, str):
        return found
    for mine in found:
        if mine.shape != shape:
            given = ", ".join(str(tuple(part.shape)) for part in cases[0][:3])
            return f"Not yet: for q, k and v of shapes {given} the output has the shape {shape}, yours {tuple(mine.shape)}."
    if misses(found, rights) is None:
        return verdict_nowhere(found[1][:, -1])
    readable = any(mine.isfinite().any() for mine in found)
    for first, second in zip(*(mixtures(*case) for case in cases), strict=True):
        if readable and misses(found, [first[1], second[1]]) is None:
            return f"Not yet: {first[0]}."
    case, head, row, column = misses(found, rights)
    masked = "with" if case else "without"
    return (
        f"Not yet: {masked} a mask, in head {head}, row {row}, column {column} of the output you give "
        f"{found[case][head, row, column]:.4f}, and it should be {rights[case][head, row, column]:.4f}."
    )


def misses(found: list[Tensor], expected: list[Tensor]) -> tuple[int, ...] | None:
    """The first case, head, row and column that differ; the query that may attend nowhere is judged by itself."""
    for case, (mine, other) in enumerate(zip(found, expected, strict=True)):
        rows = slice(None, QUERIES - case)
        apart = ~torch.isclose(mine[:, rows], other[:, rows], rtol=0, atol=1e-5, equal_nan=True)
        if apart.any():
            return case, *apart.nonzero()[0].tolist()
    return None


def verdict_nowhere(rows: Tensor) -> str:
    """The verdict on what a query that may attend nowhere gets, when all the others are right."""
    if rows.isnan().all():
        return "Not yet, but nearly: a query that may attend nowhere gets NaN, and in this book it gets 0."
    if not torch.allclose(rows, torch.zeros_like(rows), rtol=0, atol=1e-5):
        return "Not yet, but nearly: a query that may attend nowhere hears hidden words, and in this book it gets 0."
    return "Right!"
