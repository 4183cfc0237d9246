"""The judges of chapter 9's exercises: right answers pass, common mistakes are named."""
import math

import pytest
import torch
from torch.nn import functional as F

from tests.transformer_book.exercises.verdicts import assert_rejected
from transformer_book.exercises import review_multi_head, review_split_heads
from transformer_book.multi_head_attention import MultiHeadAttention, split_heads


def split_columns(x, n_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, n_heads, d_model // n_heads).transpose(1, 2)


def plain_view(x, n_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, n_heads, seq_len, d_model // n_heads)


@pytest.mark.parametrize(
    "right",
    [
        split_columns, split_heads, lambda x, n: torch.stack(x.chunk(n, dim=-1), dim=1), lambda x, n: split_columns(x, n).tolist(),
        lambda x, n: split_columns(x, n).numpy(),
    ],
)
def test_right_heads_are_accepted(right):
    assert review_split_heads(right) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (plain_view, "A plain view gives each head pieces of some words"),
        (lambda x, n: x.unflatten(-1, (-1, n)).permute(0, 3, 1, 2), "in yours the heads alternate"),
        (lambda x, n: split_columns(x, n).transpose(1, 2), "move the axis of the heads before that of the words"),
        (lambda x, n: torch.stack(x.chunk(n, dim=-1)), "yours comes first"),
        (lambda x, n: split_columns(x, n).mT, "the last two axes are seq_len, d_k"),
        (lambda x, n: split_columns(x, n).flip(1), "your first head has the last ones"),
        (lambda x, n: x, "the shape should be (4, 3, 5, 2), yours is (4, 5, 6)"),
        (lambda x, n: split_columns(x, n) + 1, "index [0, 0, 0, 0] (batch, head, word, column of the head) should be 0, yours is 1"),
        (lambda x, n: split_columns(x, n) * math.nan, "yours is nan"),
        (lambda x, n: x.unflatten(-1, (-1, 2)).transpose(1, 2), "right for 3 heads of size 2, but not for 2 heads of size 4"),
        (lambda x, n: x.unflatten(-1, (3, -1)).transpose(1, 2), "raised RuntimeError"),
        (lambda x, n: None, "must return a tensor of real numbers, (batch, n_heads, seq_len, d_k), but it returned None"),
        (lambda x, n: x.view(3), "raised RuntimeError"),
    ],
)
def test_a_common_mistake_in_the_split_is_named(wrong, verdict):
    assert_rejected(review_split_heads(wrong), verdict)


def join(heads):
    return heads.transpose(1, 2).flatten(2)


def flat(heads):
    batch, n_heads, seq_len, d_k = heads.shape
    return heads.reshape(batch, seq_len, n_heads * d_k)


def whole(*, split=split_columns, undo=join, scale=lambda q: math.sqrt(q.shape[-1]), over=-1, last=lambda joined, W_O: joined @ W_O):
    def attempt(x, W_Q, W_K, W_V, W_O, n_heads):
        q, k, v = (split(x @ W, n_heads) for W in (W_Q, W_K, W_V))
        return last(undo((q @ k.mT / scale(q)).softmax(over) @ v), W_O)

    return attempt


def by_torch(x, W_Q, W_K, W_V, W_O, n_heads):
    q, k, v = (split_columns(x @ W, n_heads) for W in (W_Q, W_K, W_V))
    return join(F.scaled_dot_product_attention(q, k, v)) @ W_O


def by_the_library(x, W_Q, W_K, W_V, W_O, n_heads):
    attend = MultiHeadAttention(x.shape[-1], n_heads, bias=False)
    attend.load_state_dict({f"w_{name}.weight": W.T for name, W in zip("qkvo", (W_Q, W_K, W_V, W_O), strict=True)})
    return attend(x, x, x)


def head_by_head(x, W_Q, W_K, W_V, W_O, n_heads):
    total = 0
    for columns in torch.arange(x.shape[-1]).chunk(n_heads):
        weights = (x @ W_Q[:, columns] @ (x @ W_K[:, columns]).mT / math.sqrt(len(columns))).softmax(-1)
        total = total + weights @ x @ W_V[:, columns] @ W_O[columns]
    return total


@pytest.mark.parametrize("right", [whole(), by_torch, by_the_library, head_by_head])
def test_right_multi_head_attention_is_accepted(right):
    assert review_multi_head(right) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (whole(last=lambda joined, W_O: joined), "W_O is missing"),
        (whole(last=lambda joined, W_O: joined @ W_O.T), "W_O is transposed"),
        (whole(undo=lambda heads: join(heads.flip(1))), "joined in the wrong order"),
        (whole(split=lambda x, n: x, undo=lambda heads: heads), "this is one head of size d_model"),
        (whole(scale=lambda q: math.sqrt(q.shape[1] * q.shape[-1])), "not of d_model"),
        (whole(scale=lambda q: 1), "are not divided"),
        (whole(scale=lambda q: q.shape[-1]), "not by d_k itself"),
        (whole(scale=lambda q: math.sqrt(q.shape[1])), "not of the number of heads"),
        (whole(split=lambda x, n: split_columns(x, n).transpose(1, 2), undo=lambda heads: heads.flatten(2)), "each word attends to its own heads"),
        (whole(over=-2), "your softmax runs over the queries"),
        (whole(undo=flat), "swap the axes back before you flatten"),
        (whole(split=plain_view, undo=flat), "a plain view moves numbers into other words' rows; split"),
        (whole(split=plain_view), "your split is a plain view"),
        (whole(scale=lambda q: math.sqrt(2)), "right for 3 heads of size 2, but not for 2 heads of size 4"),
        (whole(split=lambda x, n: split_columns(x, 3)), "raised RuntimeError"),
        (whole(last=lambda joined, W_O: joined.mT), "the shape of x, (4, 5, 6); yours has (4, 6, 5)"),
        (whole(last=lambda joined, W_O: 2 * joined @ W_O), "index [0, 0, 0] (batch, word, column) should be"),
        (whole(last=lambda joined, W_O: joined @ W_O * math.nan), "yours is nan"),
        (lambda *given: None, "must return a tensor of real numbers, (batch, seq_len, d_model), but it returned None"),
        (lambda *given: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_common_mistake_in_the_whole_is_named(wrong, verdict):
    assert_rejected(review_multi_head(wrong), verdict)
