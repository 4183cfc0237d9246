"""The exercise of chapter 8: attention in a few lines."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from transformer_book.attention import scaled_dot_product_attention
from transformer_book.exercises.judge import Difference, WrongAnswerError, as_matrix, check_slips, first_difference, in_words, results

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


def combined_slips(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Every combination of the well-known slips in words, and the output that it gives: the fewest slips first.

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
    combinations = itertools.product((-math.inf, -1e9), scales, axes, masks)
    for low, *slips in sorted(combinations, key=lambda combination: sum(map(bool, combination[1:]))):
        scale, axis, order = slips
        seen, hidden, kept = masks[order]
        scores = (products / scales[scale]).masked_fill(~seen, low if hidden is None else hidden)
        yield "; ".join(filter(None, slips)), (scores.softmax(axes[axis]) * kept) @ v


@in_words
def review_attention(attempt: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> None:
    """Judge `attempt(q, k, v, mask)`, which gives the output, or the output and the weights; a slip of chapter 8 is called by name.

    >>> print(review_attention(lambda q, k, v, mask: (q @ k.transpose(-2, -1)).masked_fill(~mask, -math.inf).softmax(-1) @ v))
    Not yet: the scores are not divided by the square root of d_k.
    """
    cases = examples()
    rights = [scaled_dot_product_attention(*(part.double() for part in case[:3]), case[3]) for case in cases]
    outputs, weights = zip(*rights, strict=True)
    shape = tuple(outputs[0].shape)
    wanted = f"the output, a tensor of shape {shape}, or the output and the weights"
    given = results(attempt, cases, wanted=wanted, read=read_parts)
    found = [parts[0] for parts in given]
    for mine in found:
        if mine.shape != shape:
            sizes = ", ".join(str(tuple(part.shape)) for part in cases[0][:3])
            raise WrongAnswerError(f"for q, k and v of shapes {sizes} the output has the shape {shape}, yours {tuple(mine.shape)}.")
    difference = first_difference(without_hidden_row(found), without_hidden_row(outputs), tolerance=TOLERANCE)
    if difference is not None:
        check_output(found, cases, difference)
        raise explain("output", difference)
    check_hidden_row(found[1][:, -1])
    if all(len(parts) == 2 for parts in given):
        check_weights([parts[1] for parts in given], weights)


def read_parts(given: object) -> list[Tensor]:
    """The output, and the weights where they are given. Raises as `as_matrix` does."""
    return [as_matrix(part) for part in (given if isinstance(given, tuple | list) and len(given) == 2 else [given])]


def without_hidden_row(outputs: Sequence[Tensor]) -> list[Tensor]:
    """Without the query that may attend nowhere, the last of the second case: it has a verdict of its own."""
    return [output[:, :-1] if case == 1 else output for case, output in enumerate(outputs)]


def explain(name: str, difference: Difference) -> WrongAnswerError:
    """What to say of a number that no slip gives."""
    head, row, column = difference.place
    return WrongAnswerError(
        f"{WHERE[difference.case]}, in head {head}, row {row}, column {column} of the {name} you give "
        f"{difference.found:.4f}, and it should be {difference.right:.4f}."
    )


def check_output(found: list[Tensor], cases: list[Case], difference: Difference) -> None:
    """Raises WrongAnswerError where it is known what makes the outputs differ: by slips in the first two cases or, where these
    are right, by a softmax that the low scores of the third undo.
    """
    first = without_hidden_row(found)[:2]
    if all(output.isnan().all() for output in first):
        raise WrongAnswerError(
            "your output is NaN everywhere, with a mask and without. If you multiply by infinity: 0 times infinity is NaN. "
            "masked_fill or torch.where puts it where it belongs."
        )
    if difference.case < 2:
        both = zip(*(combined_slips(*case) for case in cases[:2]), strict=True)
        slips = ((f"{words}.", without_hidden_row([one, other])) for (words, one), (_, other) in both if words)
        check_slips(first, slips, tolerance=TOLERANCE)
        return
    if found[2].nan_to_num().abs().max() < TOLERANCE:
        raise WrongAnswerError(
            "where the scores that count are near -800, and a hidden one is not, nothing is left of their shares. First hide "
            "scores, with minus infinity, then take the largest that is left off each row (chapter 7), then comes the exponential."
        )
    words = "a hidden word is heard where the others score lower than what you put in its place. Only minus infinity is low enough."
    value_of_the_hidden_word = cases[2][2][:, :1].expand_as(found[2])
    check_slips(found[2:], [(words, [value_of_the_hidden_word])], tolerance=TOLERANCE)


def check_hidden_row(rows: Tensor) -> None:
    """Raises WrongAnswerError unless a query that may attend nowhere gets 0, when all the others are right."""
    if rows.isnan().all():
        raise WrongAnswerError("a query that may attend nowhere gets NaN, and in this book it gets 0.", nearly=True)
    if not torch.allclose(rows, torch.zeros_like(rows), rtol=0, atol=TOLERANCE):
        raise WrongAnswerError("a query that may attend nowhere hears hidden words, and in this book it gets 0.", nearly=True)


def check_weights(found: list[Tensor], rights: Sequence[Tensor]) -> None:
    """Raises WrongAnswerError for weights that are not the right ones, when the output is right."""
    difference = first_difference(found, rights, tolerance=TOLERANCE)
    if difference is None:
        return
    if difference.place is None:
        words = f"the weights beside the output have the shape {difference.right}, yours {difference.found}."
        raise WrongAnswerError(words, nearly=True)
    raise explain("weights", difference)
