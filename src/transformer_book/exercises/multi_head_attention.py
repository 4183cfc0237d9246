"""The exercises of chapter 9: splitting the columns among the heads, and the whole of multi-head attention."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.attempt import WrongAnswerError
from transformer_book.exercises.judge import Difference, assess, explain_row, in_words, over_cases, results
from transformer_book.multi_head_attention import merge_heads, split_heads

# Batch, seq_len, n_heads and d_k: all different within a case, so that every swap of axes shows in the shape, and different
# between the cases, so that no hard-coded size passes.
SIZES = ((4, 5, 3, 2), (5, 3, 2, 4))
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown


@in_words
def review_split_heads(attempt: Callable[[Tensor, int], Tensor]) -> None:
    """Judge `attempt(x, n_heads)`, the columns of x (batch, seq_len, d_model) split among the heads, and name common mistakes.

    >>> print(review_split_heads(lambda x, n_heads: x.view(x.shape[0], n_heads, x.shape[1], -1)))
    Not yet: the shape is right but the numbers are not. A plain view gives
    each head pieces of some words instead of some columns of every word. Split
    the columns first, then swap the axes.
    """
    cases = [
        (torch.arange(float(batch * seq_len * n_heads * d_k)).view(batch, seq_len, n_heads * d_k), n_heads)
        for batch, seq_len, n_heads, d_k in SIZES
    ]
    rights = [split_heads(*case) for case in cases]
    found = results(attempt, cases, wanted="a tensor of real numbers, (batch, n_heads, seq_len, d_k)")

    def explain(difference: Difference) -> WrongAnswerError:
        x, n_heads = cases[difference.case]
        if difference.index is None:
            return WrongAnswerError(f"for {tuple(x.shape)} and {n_heads} heads the shape should be {difference.right}, yours is {difference.found}.")
        return WrongAnswerError(
            f"index {list(difference.index)} (batch, head, word, column of the head) should be {difference.right:g}, "
            f"yours is {difference.found:g}."
        )

    assess(found, rights, over_cases(mistakes_in_the_split, cases), explain)


def mistakes_in_the_split(x: Tensor, n_heads: int) -> dict[str, Tensor]:
    """Common mistakes, and the heads that each gives."""
    right = split_heads(x, n_heads)
    return {
        "the shape is right but the numbers are not. A plain view gives each head pieces of some words "
        "instead of some columns of every word. Split the columns first, then swap the axes.": x.view(right.shape),
        "each head gets a run of neighbouring columns; in yours the heads alternate. The axis of the heads comes before d_k.": (
            x.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2)
        ),
        "the split is right; now move the axis of the heads before that of the words.": right.transpose(1, 2),
        "the axis of the heads comes second, after the batch; yours comes first.": right.transpose(0, 1),
        "the last two axes are seq_len, d_k; yours are swapped.": right.mT,
        "the heads take the columns in order; your first head has the last ones.": right.flip(1),
    }


@in_words
def review_multi_head(attempt: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor]) -> None:
    """Judge `attempt(x, W_Q, W_K, W_V, W_O, n_heads)`, multi-head attention of x (batch, seq_len, d_model), and name common
    mistakes.

    >>> print(review_multi_head(lambda x, W_Q, W_K, W_V, W_O, n_heads: x))
    Not yet: index [0, 0, 0] (batch, word, column) should be -0.7890, yours is
    -1.1258.
    """
    random = torch.Generator().manual_seed(0)
    cases = []
    for batch, seq_len, n_heads, d_k in SIZES:
        width = n_heads * d_k
        x = torch.randn(batch, seq_len, width, generator=random)
        matrices = [torch.randn(width, width, generator=random) / 2 for _ in range(4)]
        cases.append((x, *matrices, n_heads))
    rights = [side_by_side(*case[:4], case[5]) @ case[4].double() for case in cases]
    found = results(attempt, cases, wanted="a tensor of real numbers, (batch, seq_len, d_model)")
    assess(found, rights, over_cases(mistakes_in_the_whole, cases), explain_row, tolerance=TOLERANCE)


def mistakes_in_the_whole(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int) -> dict[str, Tensor]:
    """Common mistakes, and the output that each gives."""
    batch, seq_len, d_model = x.shape
    d_k = d_model // n_heads
    w_o = w_o.double()

    def plain_view(x: Tensor, n_heads: int) -> Tensor:
        return x.view(batch, n_heads, seq_len, -1)

    def unswapped(x: Tensor, n_heads: int) -> Tensor:
        return x.view(batch, seq_len, n_heads, -1)

    def flat(heads: Tensor) -> Tensor:
        return heads.reshape(x.shape)

    def backwards(heads: Tensor) -> Tensor:
        return merge_heads(heads.flip(1))

    def joined(heads: int = n_heads, **options: object) -> Tensor:
        return side_by_side(x, w_q, w_k, w_v, heads, **options)

    return {
        "the heads are side by side, but nothing mixes them: W_O is missing.": joined(),
        "W_O is transposed; the last step is heads @ W_O.": joined() @ w_o.T,
        "the heads are joined in the wrong order: the first one comes first.": joined(merge=backwards) @ w_o,
        "this is one head of size d_model; split the columns among the heads.": joined(1) @ w_o,
        "divide by the square root of d_k, the size of one head, not of d_model.": joined(size=d_model) @ w_o,
        "the scores are not divided by the square root of d_k.": joined(size=1) @ w_o,
        "the scores are multiplied by the square root of d_k, not divided by it.": joined(size=1 / d_k) @ w_o,
        "the rows are multiplied by W_Q, W_K and W_V as they are; yours are transposed (nn.Linear does that, with its own weight).": (
            side_by_side(x, w_q.mT, w_k.mT, w_v.mT, n_heads) @ w_o
        ),
        "all four matrices are transposed; a row is multiplied by the matrix as it is, x @ W_Q.": (
            side_by_side(x, w_q.mT, w_k.mT, w_v.mT, n_heads) @ w_o.T
        ),
        "W_Q and W_K are swapped.": side_by_side(x, w_k, w_q, w_v, n_heads) @ w_o,
        "the values are the rows times W_V; W_V is missing.": side_by_side(x, w_q, w_k, torch.eye(d_model), n_heads) @ w_o,
        "no mask was asked for: every word may attend to every word.": joined(causal=True) @ w_o,
        "the softmax is missing: scores are not yet weights.": joined(dim=None) @ w_o,
        "the weights of each query should sum to 1; your softmax runs over the queries.": joined(dim=-2) @ w_o,
        "divide by the square root of d_k, not by d_k itself.": joined(size=d_k**2) @ w_o,
        "divide by the square root of the size of one head, not of the number of heads.": joined(size=n_heads) @ w_o,
        "swap the axes after the split; as it is, each word attends to its own heads instead of to the words.": (
            joined(split=unswapped, merge=flat) @ w_o
        ),
        "joining must undo the split: swap the axes back before you flatten.": joined(merge=flat) @ w_o,
        "a plain view moves numbers into other words' rows; split the columns, then swap the axes.": (
            joined(split=plain_view, merge=flat) @ w_o
        ),
        "your split is a plain view, which moves numbers into other words' rows.": joined(split=plain_view) @ w_o,
    }


def side_by_side(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    n_heads: int,
    *,
    split: Callable[[Tensor, int], Tensor] = split_heads,
    size: int | None = None,
    dim: int | None = -1,
    causal: bool = False,
    merge: Callable[[Tensor], Tensor] = merge_heads,
) -> Tensor:
    """The heads side by side, not yet mixed by W_O; the options make mistakes."""
    q, k, v = (split(x.double() @ matrix.double(), n_heads) for matrix in (w_q, w_k, w_v))
    scores = q @ k.mT / math.sqrt(size or q.shape[-1])
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
    return merge((scores if dim is None else scores.softmax(dim)) @ v)
