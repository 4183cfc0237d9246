"""What several modules refuse: every message names the argument, what came and what is allowed."""
from __future__ import annotations

import math
import numbers
import sys

import torch
from torch import Tensor

FLOAT_DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def check_size(name: str, value: object, *, least: int = 1, even: bool = False) -> None:
    """Refuse what is not a whole number of at least `least`, and even where asked."""
    allowed = f"{'an even' if even else 'a'} whole number of at least {least}"
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be {allowed}, got {value!r} of type {type(value).__name__}")
    if value < least or (even and value % 2):
        raise ValueError(f"{name} must be {allowed}, got {value}")


def check_number(name: str, value: object, *, above: float | None = None, least: float | None = None,
                 below: float | None = None) -> None:
    """Refuse what is not a finite real number within the bounds given."""
    bounds = [f"above {above}"] * (above is not None) + [f"of at least {least}"] * (least is not None)
    bounds += [f"below {below}"] * (below is not None)
    allowed = " ".join(["a finite number", " and ".join(bounds)]).strip()
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be {allowed}, got {value!r} of type {type(value).__name__}")
    number = float(value) if abs(value) <= sys.float_info.max else math.inf
    outside = (
        not math.isfinite(number)
        or (above is not None and number <= above)
        or (least is not None and number < least)
        or (below is not None and number >= below)
    )
    if outside:
        raise ValueError(f"{name} must be {allowed}, got {value!r}")


def check_dtype(dtype: object) -> None:
    """Refuse what is not a floating-point dtype of torch."""
    if dtype not in FLOAT_DTYPES:
        allowed = ", ".join(str(dtype) for dtype in FLOAT_DTYPES)
        raise TypeError(f"dtype must be one of {allowed}, got {dtype!r}")


def check_numbers(name: str, values: object) -> None:
    """Refuse what cannot be read as a tensor of finite real numbers."""
    try:
        given = torch.as_tensor(values, device="cpu")
        tensor = given if given.is_complex() else torch.as_tensor(values, dtype=torch.float64, device="cpu")
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name} must be numbers in a tensor or in lists, got {values!r}: {error}") from None
    if given.dtype == torch.bool or given.is_complex():
        raise TypeError(f"{name} must be real numbers, got {given.dtype}")
    if not torch.isfinite(tensor).all():
        raise ValueError(f"{name} must be finite, got {tensor[~torch.isfinite(tensor)][0].item()} among them")


def check_vectors(name: str, x: object, d_model: int) -> None:
    """Refuse what is not a floating-point tensor of shape (..., seq_len, d_model)."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must be a tensor of shape (..., seq_len, {d_model}), got {type(x).__name__}")
    if not x.is_floating_point():
        raise TypeError(f"{name} must hold floating-point numbers, got {x.dtype}")
    if x.dim() < 2 or x.shape[-1] != d_model:
        raise ValueError(f"{name} must have the shape (..., seq_len, {d_model}), got {tuple(x.shape)}")


def check_words(name: str, tokens: object, *, least: int = 0) -> None:
    """Refuse what is not a list or tuple of strings, at least so many of them."""
    if not isinstance(tokens, list | tuple):
        raise TypeError(f"{name} must be a list of words, got {tokens!r} of type {type(tokens).__name__}")
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"{name} must be a list of words, got {token!r} of type {type(token).__name__} among them")
    if len(tokens) < least:
        raise ValueError(f"{name} must hold at least {least} word, got {len(tokens)}")


def check_ids(name: str, ids: object, vocab_size: int, *, dimensions: int | None = None) -> None:
    """Refuse what is not whole numbers from 0 to vocab_size - 1, in a tensor or in lists, of so many dimensions."""
    try:
        tensor = torch.as_tensor(ids)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name} must be whole numbers in a tensor or in lists, got {ids!r}: {error}") from None
    if dimensions is not None and tensor.dim() != dimensions:
        raise TypeError(f"{name} must have {dimensions} dimension, got {tensor.dim()}")
    if tensor.numel() == 0:
        return
    if tensor.dtype == torch.bool or tensor.is_floating_point() or tensor.is_complex():
        raise TypeError(f"{name} must be whole numbers, got {tensor.dtype}")
    tensor = tensor.long()
    outside = tensor[(tensor < 0) | (tensor >= vocab_size)]
    if outside.numel():
        raise ValueError(f"{name} must be from 0 to {vocab_size - 1}, got {outside[0].item()}")
