"""The judge of chapter 8's exercise: attention in a few lines."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from transformer_book.attention import scaled_dot_product_attention
from transformer_book.exercises.judge import answers, as_matrix, first_match, first_miss, wrapped

HEADS, QUERIES, KEYS, D_K, D_V = 3, 4, 5, 6, 2
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown
WHERE = ("without a mask", "with a mask", "with a mask that hides a key of very high score")

Case = tuple[Tensor, Tensor, Tensor, Tensor]


def examples() -> list[Case]:
    """q, k, v and a mask, three times: nothing is hidden; some of it is, all of it from the last query; the first key is.

    The sizes all differ, and the scores are so small that no word gets nearly everything. In the third case the scores of
    the words that may be attended to lie near -800, and that of the hidden one near 0: so low that their exponentials are 0
    even in float64, and no lower, since float32 rounds a score the more coarsely the larger it is.
    """
    generator = torch.Generator().manual_seed(8)
    q, k, v = (torch.randn(HEADS, *size, generator=generator) for size in ((QUERIES, D_K), (KEYS, D_K), (KEYS, D_V)))
    q, k = 0.7 * q, 0.7 * k
    mask = torch.tensor([[1, 0, 0, 0, 1], [0, 1, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 0, 0, 0]], dtype=torch.bool)
    low_q, low_k, first = q.clone(), k.clone(), torch.ones_like(mask)
    low_q[..., 0], low_k[:, 0, 0], low_k[:, 1:, 0] = 32, 0, -60
    first[:, 0] = False
    return [(q, k, v, torch.ones_like(mask)), (q, k, v, mask), (low_q, low_k, v, first)]


def mixtures(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Every mixture of the well-known slips in words, and the output that it gives: the fewest slips first.

    A low number in place of minus infinity is no slip here, as long as it is lower than every score by far: then it shows only
    where nothing may be attended to.
    """
    q, k, v, everywhere = q.double(), k.double(), v.double(), torch.ones_like(mask)
    products = q @ k.transpose(-2, -1)
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
    masks = {
        "": (mask, None, everywhere),
        "your mask is the other way round: True is where attending is allowed": (~mask, None, everywhere),
        "your mask hides nothing": (everywhere, None, everywhere),
        "you hide what comes later, whatever the mask says": (everywhere.tril(), None, everywhere),
        "a hidden word still gets a share: a score of 0 is a score like any other, it needs minus infinity": (mask, 0.0, everywhere),
        "the mask comes before the softmax: set to 0 afterwards, the shares no longer sum to 1": (everywhere, None, mask),
    }
    mixed = itertools.product((-math.inf, -1e9), scales, axes, masks)
    for low, *slips in sorted(mixed, key=lambda mixture: sum(map(bool, mixture[1:]))):
        scale, axis, order = slips
        seen, hidden, kept = masks[order]
        scores = (products / scales[scale]).masked_fill(~seen, low if hidden is None else hidden)
        yield "; ".join(filter(None, slips)), (scores.softmax(axes[axis]) * kept) @ v


@wrapped
def review_attention(attempt: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> str:
    """Judge `attempt(q, k, v, mask)`, which gives the output, or the output and the weights; a slip of chapter 8 is called by name.

    >>> print(review_attention(lambda q, k, v, mask: (q @ k.transpose(-2, -1)).masked_fill(~mask, -math.inf).softmax(-1) @ v))
    Not yet: the scores are not divided by the square root of d_k.
    """
    cases = examples()
    rights = [scaled_dot_product_attention(*(part.double() for part in case[:3]), case[3]) for case in cases]
    outputs, shares = zip(*rights, strict=True)
    shape = tuple(outputs[0].shape)
    given = answers(
        attempt,
        [tuple(part.clone() for part in case) for case in cases],
        wanted=f"the output, a tensor of shape {shape}, or the output and the weights",
        read=lambda given: [as_matrix(part) for part in (given if isinstance(given, tuple | list) and len(given) == 2 else [given])],
    )
    if isinstance(given, str):
        return given
    found = [parts[0] for parts in given]
    for mine in found:
        if mine.shape != shape:
            sizes = ", ".join(str(tuple(part.shape)) for part in cases[0][:3])
            return f"Not yet: for q, k and v of shapes {sizes} the output has the shape {shape}, yours {tuple(mine.shape)}."
    miss = first_miss(judged(found), judged(outputs), tolerance=TOLERANCE)
    if miss is not None:
        return verdict_elsewhere(found, cases) or missed("output", miss, found, outputs)
    nowhere = verdict_nowhere(found[1][:, -1])
    return nowhere or verdict_weights([parts[1:] for parts in given], shares) or "Right!"


def judged(parts: Sequence[Tensor]) -> list[Tensor]:
    """Without the query that may attend nowhere, the last of the second case: it has a verdict of its own."""
    return [part[:, :-1] if case == 1 else part for case, part in enumerate(parts)]


def missed(name: str, miss: tuple[int, ...], found: Sequence[Tensor], right: Sequence[Tensor]) -> str:
    """The words for one number that is not the expected one."""
    case, head, row, column = miss
    return (
        f"Not yet: {WHERE[case]}, in head {head}, row {row}, column {column} of the {name} you give "
        f"{found[case][head, row, column]:.4f}, and it should be {right[case][head, row, column]:.4f}."
    )


def verdict_elsewhere(found: list[Tensor], cases: list[Case]) -> str | None:
    """The verdict on an output that is not the right one: the slips that make it in the first two cases, if any are known.

    Where none are made there, the third case tells what they hide.
    """
    mine = judged(found)[:2]
    if all(part.isnan().all() for part in mine):
        return (
            "Not yet: your output is NaN everywhere, with a mask and without. If you multiply by infinity: 0 times infinity is NaN. "
            "masked_fill or torch.where puts it where it belongs."
        )
    if not any(part.isfinite().any() for part in mine):
        return None
    each = [mixtures(*case) for case in cases[:2]]
    slips = ((first[0], judged([first[1], second[1]])) for first, second in zip(*each, strict=True))
    words = first_match(mine, slips, tolerance=TOLERANCE)
    if words:
        return f"Not yet: {words}."
    if words is None:
        return None
    if found[2].nan_to_num().abs().max() < TOLERANCE:
        return (
            "Not yet: where the scores that count are near -800, and a hidden one is not, nothing is left of their shares. First hide "
            "scores, with minus infinity, then take the largest that is left off each row (chapter 7), then comes the exponential."
        )
    if first_match(found[2:], [("heard", [cases[2][2][:, :1].expand_as(found[2])])], tolerance=TOLERANCE):
        return "Not yet: a hidden word is heard where the others score lower than what you put in its place. Only minus infinity is low enough."
    return None


def verdict_nowhere(rows: Tensor) -> str | None:
    """The verdict on what a query that may attend nowhere gets, when all the others are right."""
    if rows.isnan().all():
        return "Not yet, but nearly: a query that may attend nowhere gets NaN, and in this book it gets 0."
    if not torch.allclose(rows, torch.zeros_like(rows), rtol=0, atol=TOLERANCE):
        return "Not yet, but nearly: a query that may attend nowhere hears hidden words, and in this book it gets 0."
    return None


def verdict_weights(given: list[list[Tensor]], shares: Sequence[Tensor]) -> str | None:
    """The verdict on the weights, where they are given, when the output is right."""
    if not all(given):
        return None
    found = [parts[0] for parts in given]
    for mine in found:
        if mine.shape != shares[0].shape:
            return f"Not yet, but nearly: the weights beside the output have the shape {tuple(shares[0].shape)}, yours {tuple(mine.shape)}."
    miss = first_miss(found, shares, tolerance=TOLERANCE)
    return miss and missed("weights", miss, found, shares)
