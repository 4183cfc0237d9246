"""The exercises of chapter 9: dealing the columns to the heads, and the whole of multi-head attention."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import answers, first_match, first_miss, miss_in_rows, wrapped
from transformer_book.multi_head_attention import merge_heads, split_heads

# Batch, seq_len, n_heads and d_k: no two alike in a case, so that no slip hides behind another's shape, and none the same
# in both, so that no number written out passes for its name.
SIZES = ((4, 5, 3, 2), (5, 3, 2, 4))
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown


@wrapped
def review_split_heads(attempt: Callable[[Tensor, int], Tensor]) -> str:
    """Judge `attempt(x, n_heads)`, the columns of x (batch, seq_len, d_model) dealt to the heads; a slip of chapter 9 is called by name.

    >>> print(review_split_heads(lambda x, n_heads: x.view(x.shape[0], n_heads, x.shape[1], -1)))
    Not yet: the shape is right and the numbers are not. A straight view gives
    each head some of the words, cut into pieces, and not some columns of every
    word. Split the columns first, then swap the axes.
    """
    cases = [
        (torch.arange(float(batch * seq_len * n_heads * d_k)).view(batch, seq_len, n_heads * d_k), n_heads)
        for batch, seq_len, n_heads, d_k in SIZES
    ]
    rights = [split_heads(*case) for case in cases]
    verdicts = {
        "Right!": rights,
        "Not yet: the shape is right and the numbers are not. A straight view gives each head some of the "
        "words, cut into pieces, and not some columns of every word. Split the columns first, then swap the axes.": (
            [x.view(right.shape) for (x, _), right in zip(cases, rights, strict=True)]
        ),
        "Not yet: each head gets a run of neighbouring columns, and yours take turns. The heads come before d_k.": (
            [x.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2) for x, n_heads in cases]
        ),
        "Not yet: the split is right; now the heads' axis belongs before that of the words.": [right.transpose(1, 2) for right in rights],
        "Not yet: the heads' axis comes second, after that of the batch; yours comes first.": [right.transpose(0, 1) for right in rights],
        "Not yet: the last two axes are seq_len, d_k; yours are the other way round.": [right.mT for right in rights],
        "Not yet: the columns belong to the heads in their order; your first head has the last ones.": [right.flip(1) for right in rights],
    }
    wanted = "a tensor of real numbers, (batch, n_heads, seq_len, d_k)"
    found = answers(attempt, [(x.clone(), n_heads) for x, n_heads in cases], wanted=wanted)
    if isinstance(found, str):
        return found
    verdict = first_match(found, verdicts.items())
    if verdict is not None:
        return verdict
    if first_match(found[:1], [("right", rights[:1])]):
        return only_once()
    for mine, right, (x, n_heads) in zip(found, rights, cases, strict=True):
        if mine.shape != right.shape:
            return f"Not yet: from {tuple(x.shape)} and {n_heads} heads comes the shape {tuple(right.shape)}, yours is {tuple(mine.shape)}."
    case, *place = first_miss(found, rights)
    return (
        f"Not yet: at place {place} (batch, head, word, column of the head) belongs the number {rights[case][tuple(place)]:g} of x, "
        f"yours is {found[case][tuple(place)]:g}."
    )


@wrapped
def review_multi_head(attempt: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor]) -> str:
    """Judge `attempt(x, W_Q, W_K, W_V, W_O, n_heads)`, multi-head attention of x (batch, seq_len, d_model); slips are called by name.

    >>> print(review_multi_head(lambda x, W_Q, W_K, W_V, W_O, n_heads: x))
    Not yet: at place [0, 0, 0] (batch, word, column) should be -0.7890, yours
    is -1.1258.
    """
    random = torch.Generator().manual_seed(0)
    cases = []
    for batch, seq_len, n_heads, d_k in SIZES:
        width = n_heads * d_k
        x = torch.randn(batch, seq_len, width, generator=random)
        matrices = [torch.randn(width, width, generator=random) / 2 for _ in range(4)]
        cases.append((x, *matrices, n_heads))
    each = [mixtures(*case) for case in cases]
    rights = [mixture["Right!"] for mixture in each]
    wanted = "a tensor of real numbers, (batch, seq_len, d_model)"
    copies = [(*(tensor.clone() for tensor in tensors), n_heads) for *tensors, n_heads in cases]
    found = answers(attempt, copies, wanted=wanted)
    if isinstance(found, str):
        return found
    verdicts = ((verdict, [mixture[verdict] for mixture in each]) for verdict in each[0])
    verdict = first_match(found, verdicts, tolerance=TOLERANCE)
    if verdict is not None:
        return verdict
    if first_match(found[:1], [("right", rights[:1])], tolerance=TOLERANCE):
        return only_once()
    return miss_in_rows(found, rights, tolerance=TOLERANCE)


def mixtures(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int) -> dict[str, Tensor]:
    """Each verdict and the result that it belongs to, the right one first."""
    x, w_q, w_k, w_v, w_o = (tensor.double() for tensor in (x, w_q, w_k, w_v, w_o))
    batch, seq_len, d_model = x.shape
    d_k = d_model // n_heads

    def straight(x: Tensor, n_heads: int) -> Tensor:
        return x.view(batch, n_heads, seq_len, -1)

    def unswapped(x: Tensor, n_heads: int) -> Tensor:
        return x.view(batch, seq_len, n_heads, -1)

    def joined(split: Callable[[Tensor, int], Tensor] = split_heads, n_heads: int = n_heads, size: int = d_k, **options: bool) -> Tensor:
        q, k, v = (split(x @ matrix, n_heads) for matrix in (w_q, w_k, w_v))
        scores = q @ k.mT / math.sqrt(size)
        heads = scores.softmax(-2 if options.get("down") else -1) @ v
        if options.get("backwards"):
            heads = heads.flip(1)
        return heads.reshape(x.shape) if options.get("flat") else merge_heads(heads)

    return {
        "Right!": joined() @ w_o,
        "Not yet: the heads stand side by side, but nothing mixes them. W_O is missing.": joined(),
        "Not yet: W_O is turned over; the last step is heads @ W_O.": joined() @ w_o.T,
        "Not yet: the heads are joined in the wrong order, the first one comes first.": joined(backwards=True) @ w_o,
        "Not yet: this is one head of size d_model; split the columns among the heads.": joined(n_heads=1, size=d_model) @ w_o,
        "Not yet: divide by the root of d_k, the size of one head, not of d_model.": joined(size=d_model) @ w_o,
        "Not yet: the scores are not divided by the root of d_k.": joined(size=1) @ w_o,
        "Not yet: the shares of each query should sum to 1; your softmax goes over the queries.": joined(down=True) @ w_o,
        "Not yet: divide by the root of d_k, not by d_k itself.": joined(size=d_k**2) @ w_o,
        "Not yet: divide by the root of the size of one head, not of the number of heads.": joined(size=n_heads) @ w_o,
        "Not yet: split, and then swap the axes; as it is, each word attends among its own heads, not among the words.": (
            joined(unswapped, flat=True) @ w_o
        ),
        "Not yet: joining undoes the split: swap the axes back before you flatten.": joined(flat=True) @ w_o,
        "Not yet: a straight view puts words into other words' rows; split the columns, then swap the axes.": (
            joined(straight, flat=True) @ w_o
        ),
        "Not yet: your split is a straight view, which puts words into other words' rows.": joined(straight) @ w_o,
    }


def only_once() -> str:
    """The verdict on what is right in the first case alone."""
    (_, _, n_heads, d_k), (_, _, other, size) = SIZES
    return (
        f"Not yet, but nearly: right for {n_heads} heads of size {d_k}, and not for {other} heads of size {size}. "
        "Is there a number in your code that should follow from the shapes?"
    )
