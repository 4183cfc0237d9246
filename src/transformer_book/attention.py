"""Attention: each word asks (its query); every word answers (its key) and gives (its value), the more the better it matches.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1 and equation 1. The causal mask is
from section 3.2.3: forbidden scores become minus infinity before the softmax.
"""
from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_book.activations import softmax
from transformer_book.checks import check_floats, check_ids, check_same_dtype, check_size

__all__ = ["attention_weights", "causal_mask", "padding_mask", "scaled_dot_product_attention"]


def attention_weights(q: Tensor, k: Tensor, mask: Tensor | None = None, score_bias: Tensor | None = None) -> Tensor:
    r"""A row of shares for each query, over the keys: `(..., queries, keys)`.

    $$ \mathrm{softmax}\left(\frac{q k^\mathsf{T}}{\sqrt{d_k}} + \mathrm{score\_bias}\right) $$

    `q` has the shape `(..., queries, d_k)` and `k` `(..., keys, d_k)`; axes before those (batch, heads) broadcast. The boolean
    `mask` is True where attending is allowed. `score_bias` is added to the scaled scores before the mask is applied. Both
    broadcast to the shape of the weights. A query that may attend nowhere, because of its mask or a bias of minus infinity, gets
    zero weights and no gradient. In float16 and bfloat16, the weights are computed in float32 and rounded once.

    >>> attention_weights(torch.eye(2), torch.eye(2))
    tensor([[0.6698, 0.3302],
            [0.3302, 0.6698]])

    Raises TypeError unless the tensors are floating-point ones of the same dtype and the mask is boolean, ValueError for
    shapes that do not match. Under autocast the dtypes may differ.
    """
    check_scores(q, k, mask, score_bias)
    if q.dtype.itemsize == 2:
        return in_float32(q, k, mask, score_bias)
    scores = q / math.sqrt(q.shape[-1]) @ k.transpose(-2, -1)    # (..., queries, keys)
    if score_bias is not None:
        scores = scores + score_bias                             # (..., queries, keys)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)           # (..., queries, keys)
    if mask is None and score_bias is None:
        return softmax(scores, overwrite=True)                   # (..., queries, keys)
    nowhere = scores.amax(dim=-1, keepdim=True) == -torch.inf    # (..., queries, 1)
    scores = torch.where(nowhere, 0, scores)                     # a row of nothing but -inf would give NaN
    return torch.where(nowhere, 0, softmax(scores, overwrite=True))    # (..., queries, keys)


def in_float32(q: Tensor, k: Tensor, mask: Tensor | None, score_bias: Tensor | None) -> Tensor:
    """Return the weights of float16 or bfloat16 vectors, computed in float32, also under autocast, and rounded once."""
    with torch.autocast(q.device.type, enabled=False):
        return attention_weights(q.float(), k.float(), mask, None if score_bias is None else score_bias.float()).to(q.dtype)


def scaled_dot_product_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, score_bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    r"""The values mixed by the weights, `(..., queries, d_v)`; and the weights, `(..., queries, keys)`.

    $$ \mathrm{softmax}\left(\frac{q k^\mathsf{T}}{\sqrt{d_k}} + \mathrm{score\_bias}\right) v $$

    `v` has the shape `(..., keys, d_v)`. For `q`, `k`, `mask` and `score_bias` see `attention_weights`. A query that may attend
    nowhere gets output 0.

    >>> output, weights = scaled_dot_product_attention(torch.eye(2), torch.eye(2), torch.tensor([[10.0], [20.0]]))
    >>> output
    tensor([[13.3024],
            [16.6976]])

    Values and gradients are those of `F.scaled_dot_product_attention`, which, with a batch, is faster because it never stores the
    weights.

    Raises TypeError and ValueError as `attention_weights` does.
    """
    check_attention(q=q, k=k, v=v)
    weights = attention_weights(q, k, mask, score_bias)          # (..., queries, keys)
    return weights @ v, weights                                  # (..., queries, d_v), (..., queries, keys)


def causal_mask(seq_len: int) -> Tensor:
    """Each position may attend to itself and to earlier ones: True on and below the diagonal, `(seq_len, seq_len)`.

    >>> causal_mask(3)
    tensor([[ True, False, False],
            [ True,  True, False],
            [ True,  True,  True]])

    Raises TypeError or ValueError unless `seq_len` is a whole number of at least 1.
    """
    seq_len = check_size("seq_len", seq_len)
    return torch.ones(seq_len, seq_len, dtype=torch.bool).tril()


def padding_mask(lengths: Sequence[int] | Tensor, seq_len: int) -> Tensor:
    """True for the first lengths[b] keys of sequence b, False for the padding up to `seq_len`: `(batch, 1, seq_len)`.

    The mask is on the device of the lengths. Combine it with a causal mask by
    `causal_mask(seq_len) & padding_mask(lengths, seq_len)`, of shape `(batch, seq_len, seq_len)`.

    >>> padding_mask([3, 1], 3)
    tensor([[[ True,  True,  True]],
    <BLANKLINE>
            [[ True, False, False]]])

    Raises TypeError for lengths that are not whole numbers, ValueError for lengths of more than one dimension or outside
    0..seq_len, and either unless `seq_len` is a whole number of at least 1.
    """
    seq_len = check_size("seq_len", seq_len)
    check_ids("lengths", lengths, seq_len + 1, dimensions=1)
    lengths = torch.as_tensor(lengths, dtype=torch.long)             # (batch,)
    keys = torch.arange(seq_len, device=lengths.device)              # (seq_len,)
    return keys < lengths[:, None, None]                             # (batch, 1, seq_len)


def check_attention(**vectors: object) -> None:
    """Check that queries, keys and perhaps values are floats of the same dtype and have matching shapes."""
    q, k = vectors["q"], vectors["k"]
    for name, x in vectors.items():
        check_floats(name, x)
        check_same_dtype(name, x, q, "q")
        if x.dim() < 2 or 0 in x.shape[-2:]:
            raise ValueError(f"{name} must have the shape (..., seq_len, size), neither of them 0, got {tuple(x.shape)}")
    if k.shape[-1] != q.shape[-1]:
        raise ValueError(f"k must have as many columns as q, {q.shape[-1]}, got {k.shape[-1]}")
    check_compatible(**vectors)


def check_scores(q: object, k: object, mask: object, score_bias: object) -> None:
    """Check that queries and keys have matching shapes, and that mask and bias broadcast to those of their scores."""
    check_attention(q=q, k=k)
    check_mask("mask", mask, shape_of_scores(q, k))
    check_score_bias(score_bias, shape_of_scores(q, k))
    if score_bias is not None:
        check_same_dtype("score_bias", score_bias, q, "q")


def check_compatible(**vectors: Tensor) -> None:
    """Check that queries, keys and perhaps values, passed in this order by their names, have matching shapes."""
    _, key, *values = vectors
    for name in values:
        if vectors[name].shape[-2] != vectors[key].shape[-2]:
            raise ValueError(f"{name} must have as many rows as {key}, {vectors[key].shape[-2]}, got {vectors[name].shape[-2]}")
    leading = [x.shape[:-2] for x in vectors.values()]
    try:
        torch.broadcast_shapes(*leading)
    except RuntimeError:
        shapes = ", ".join(str(tuple(shape)) for shape in leading)
        raise ValueError(f"{', '.join(vectors)} must have leading axes that broadcast, got {shapes}") from None


def shape_of_scores(query: Tensor, key: Tensor) -> tuple[int, ...]:
    """The shape of the scores, `(..., queries, keys)`, of queries and keys whose leading axes broadcast."""
    return *torch.broadcast_shapes(query.shape[:-2], key.shape[:-2]), query.shape[-2], key.shape[-2]


def check_mask(name: str, mask: object, shape: tuple[int, ...]) -> None:
    """Check for None or a boolean tensor that broadcasts to a shape."""
    if mask is None:
        return
    allowed = f"a boolean tensor, True where attending is allowed, that broadcasts to {shape}"
    if not isinstance(mask, Tensor):
        raise TypeError(f"{name} must be {allowed}, got {type(mask).__name__}")
    if mask.dtype != torch.bool:
        raise TypeError(f"{name} must be {allowed}, got {mask.dtype}")
    if not broadcasts(mask, shape):
        raise ValueError(f"{name} must be {allowed}, got {tuple(mask.shape)}")


def check_score_bias(score_bias: object, shape: tuple[int, ...]) -> None:
    """Check for None or a floating-point tensor that broadcasts to a shape."""
    if score_bias is None:
        return
    check_floats("score_bias", score_bias)
    if not broadcasts(score_bias, shape):
        raise ValueError(f"score_bias must broadcast to {shape}, got {tuple(score_bias.shape)}")


def broadcasts(x: Tensor, shape: tuple[int, ...]) -> bool:
    """Whether a tensor broadcasts to a shape."""
    try:
        return x.expand(shape).shape == shape
    except RuntimeError:
        return False
