"""The exercises of chapter 9: dealing the columns to the heads, and the whole of multi-head attention."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import answers, wrapped
from transformer_book.multi_head_attention import merge_heads, split_heads

BATCH, SEQ_LEN, D_MODEL, N_HEADS, D_K = 4, 5, 6, 3, 2  # no two alike, so that no slip hides behind another's shape


@wrapped
def review_split_heads(attempt: Callable[[Tensor, int], Tensor]) -> str:
    """Judge `attempt(x, n_heads)`, the columns of x (batch, seq_len, d_model) dealt to the heads; a slip of chapter 9 is called by name.

    >>> print(review_split_heads(lambda x, n_heads: x.view(4, n_heads, 5, 2)))
    Not yet: the shape is right and the numbers are not. A straight view cuts
    the sentence into pieces, so that words land in other words' rows. Split
    the columns first, then swap the axes.
    """
    x = torch.arange(BATCH * SEQ_LEN * D_MODEL).reshape(BATCH, SEQ_LEN, D_MODEL).double()
    right = split_heads(x, N_HEADS)
    verdicts = {
        "Right!": right,
        "Not yet: the shape is right and the numbers are not. A straight view cuts the sentence into pieces, so that words land in "
        "other words' rows. Split the columns first, then swap the axes.": x.reshape(right.shape),
        "Not yet: each head gets a run of neighbouring columns, and yours get every third one. The heads come before d_k.": (
            x.unflatten(-1, (-1, N_HEADS)).permute(0, 3, 1, 2)
        ),
        "Not yet: the split is right; now the heads' axis belongs before that of the words.": right.transpose(1, 2),
        "Not yet: the heads' axis comes second, after that of the batch; yours comes first.": right.transpose(0, 1),
        "Not yet: the last two axes are seq_len, d_k; yours are the other way round.": right.transpose(2, 3),
        "Not yet: the columns belong to the heads in their order; your first head has the last ones.": right.flip(1),
    }
    wanted = "a tensor of real numbers, (batch, n_heads, seq_len, d_k)"
    given = answers(attempt, [(x.clone(), N_HEADS)], wanted=wanted)
    if isinstance(given, str):
        return given
    for verdict, expected in verdicts.items():
        if given[0].shape == expected.shape and torch.equal(given[0], expected):
            return verdict
    if given[0].shape != right.shape:
        return f"Not yet: from {tuple(x.shape)} and {N_HEADS} heads comes the shape {tuple(right.shape)}, yours is {tuple(given[0].shape)}."
    place = tuple((given[0] != right).nonzero()[0].tolist())
    return (
        f"Not yet: at place {list(place)} (batch, head, word, column of the head) belongs the number {right[place]:g} of x, "
        f"yours is {given[0][place]:g}."
    )


@wrapped
def review_multi_head(attempt: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor]) -> str:
    """Judge `attempt(x, W_Q, W_K, W_V, W_O, n_heads)`, multi-head attention of x (batch, seq_len, d_model); slips are called by name.

    >>> print(review_multi_head(lambda x, W_Q, W_K, W_V, W_O, n_heads: x))
    Not yet: at place [0, 0, 0] (batch, word, column) should be -0.7890, yours
    is -1.1258.
    """
    random = torch.Generator().manual_seed(0)
    x = torch.randn(BATCH, SEQ_LEN, D_MODEL, generator=random).double()
    matrices = [torch.randn(D_MODEL, D_MODEL, generator=random).double() / 2 for _ in range(4)]
    w_o = matrices[3]

    def straight(x: Tensor, n_heads: int) -> Tensor:
        return x.reshape(BATCH, n_heads, SEQ_LEN, -1)

    def joined(split: Callable[[Tensor, int], Tensor] = split_heads, n_heads: int = N_HEADS, size: int = D_K, **options: bool) -> Tensor:
        q, k, v = (split(x @ matrix, n_heads) for matrix in matrices[:3])
        scores = q @ k.mT / math.sqrt(size)
        heads = scores.softmax(-2 if options.get("down") else -1) @ v
        if options.get("backwards"):
            heads = heads.flip(1)
        return heads.reshape(x.shape) if options.get("flat") else merge_heads(heads)

    right = joined() @ w_o
    verdicts = {
        "Right!": right,
        "Not yet: the heads stand side by side, but nothing mixes them. W_O is missing.": joined(),
        "Not yet: W_O is turned over; the last step is heads @ W_O.": joined() @ w_o.T,
        "Not yet: the heads are joined in the wrong order, the first one comes first.": joined(backwards=True) @ w_o,
        "Not yet: this is one head of size d_model; split the columns among the heads.": joined(n_heads=1, size=D_MODEL) @ w_o,
        "Not yet: divide by the root of d_k, the size of one head, not of d_model.": joined(size=D_MODEL) @ w_o,
        "Not yet: the scores are not divided by the root of d_k.": joined(size=1) @ w_o,
        "Not yet: the shares of each query should sum to 1; your softmax goes over the queries.": joined(down=True) @ w_o,
        "Not yet: joining undoes the split: swap the axes back before you flatten.": joined(flat=True) @ w_o,
        "Not yet: a straight view puts words into other words' rows; split the columns, then swap the axes.": (
            joined(straight, flat=True) @ w_o
        ),
        "Not yet: your split is a straight view, which puts words into other words' rows.": joined(straight) @ w_o,
    }
    wanted = "a tensor of real numbers, (batch, seq_len, d_model)"
    copies = [tensor.clone() for tensor in (x, *matrices)]
    given = answers(attempt, [(*copies, N_HEADS)], wanted=wanted)
    if isinstance(given, str):
        return given
    if given[0].shape != right.shape:
        return f"Not yet: the result has the shape of x, {tuple(x.shape)}, yours has {tuple(given[0].shape)}."
    for verdict, expected in verdicts.items():
        if torch.allclose(given[0], expected, rtol=0, atol=1e-6):
            return verdict
    place = tuple(((given[0] - right).abs().nan_to_num(math.inf) > 1e-6).nonzero()[0].tolist())
    return f"Not yet: at place {list(place)} (batch, word, column) should be {right[place]:.4f}, yours is {given[0][place]:.4f}."
