"""The two bends of a transformer: ReLU, which drops what is negative, and softmax, which turns scores into shares.

Source: Vaswani et al., "Attention Is All You Need" (2017): equation 1 for the softmax, equation 2 for the ReLU.
"""
from __future__ import annotations

import torch
from torch import Tensor

from transformer_book.checks import check_flag, check_floats, check_number


def relu(x: Tensor) -> Tensor:
    """max(0, x) for each number: the shape and the dtype of `x`; NaN stays NaN.

    The gradient is 1 above 0 and 0 below. At 0 the curve has a corner and any value from 0 to 1 would do: as in torch, it is 0.

    >>> relu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0., 0., 3.])

    Raises TypeError for what is not a tensor of floating-point numbers.
    """
    check_floats("x", x)
    return torch.where(x <= 0, 0, x)


def softmax(x: Tensor, dim: int = -1, temperature: float = 1.0, *, overwrite: bool = False) -> Tensor:
    """Shares above 0 that sum to 1 along `dim`, exp(x_i / temperature) / sum_j exp(x_j / temperature): the shape of `x`.

    Only differences count, so the largest score is taken off first and no exponential overflows. A temperature
    near 0 gives all to the largest score, a high one makes the shares alike. As in torch, a score of -inf gets
    exactly 0, and where every score is -inf, or one is +inf, the shares are NaN. A share too small for the dtype
    is 0: where its logarithm is wanted, take `torch.log_softmax` of the scores. With
    `overwrite=True` the memory of `x` may be used for the shares, which saves time where there are millions of them; it is
    where autograd is off, as under `torch.no_grad()`.

    >>> softmax(torch.tensor([0.0, 2.0, -2.0, 1.0]))
    tensor([0.0889, 0.6572, 0.0120, 0.2418])

    Raises TypeError for what is not a tensor of floating-point numbers, a `dim` that is not a whole number, a `temperature`
    that is not a number and an `overwrite` that is not True or False; ValueError for a `dim` that `x` lacks or that is empty,
    and for a `temperature` that is not above 0.
    """
    check_softmax(x, dim, temperature, overwrite)
    # Gradients need the powers. Only this says that none is asked for: inside torch.func, x.requires_grad may be False.
    in_place = overwrite and not torch.is_grad_enabled()
    top = x.amax(dim, keepdim=True).detach()
    below_top = x.sub_(top) if in_place else x - top
    if temperature != 1:
        below_top = below_top / temperature
    powers = below_top.exp_() if in_place else below_top.exp()
    total = powers.sum(dim, keepdim=True)
    return powers.div_(total) if in_place else powers / total


def check_softmax(x: object, dim: object, temperature: object, overwrite: object) -> None:
    """Refuse what has no scores along `dim`, a temperature that is not a number above 0, and a flag that is none."""
    check_floats("x", x)
    check_flag("overwrite", overwrite)
    check_number("temperature", temperature, above=0)
    if isinstance(dim, bool) or not isinstance(dim, int):
        raise TypeError(f"dim must be a whole number, got {dim!r} of type {type(dim).__name__}")
    axes = max(x.dim(), 1)
    if not -axes <= dim < axes:
        raise ValueError(f"dim must be from {-axes} to {axes - 1} for x of shape {tuple(x.shape)}, got {dim}")
    if x.dim() and x.shape[dim] == 0:
        raise ValueError(f"x must hold at least one score along dim = {dim}, got the shape {tuple(x.shape)}")
