"""Rotary positions: queries and keys are turned by their positions, so that a score knows how far apart two words stand.

Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021), section 3.2.2, equations 14 to 16 and 34.
"""
from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_book.checks import check_floats, check_numbers, check_size, read_numbers
from transformer_book.positional_encoding import frequencies

__all__ = ["apply_rotary"]

LAYOUTS = ("interleaved", "halves")


def apply_rotary(
    x: Tensor, positions: Tensor | Sequence[float] | None = None, *, base: float = 10000.0, layout: str = "interleaved"
) -> Tensor:
    r"""Turn each pair of columns by an angle that grows with the position: from `(..., seq_len, d_k)` to the same shape and dtype.

    $$ \begin{pmatrix} a \\ b \end{pmatrix} \to \begin{pmatrix} a \cos\theta - b \sin\theta \\ a \sin\theta + b \cos\theta \end{pmatrix},
    \qquad \theta = \frac{\mathrm{position}}{\mathrm{base}^{2i/d_k}} $$

    So the length of a row stays, and the product of two turned rows depends on
    the difference of their positions alone. Pair i is columns 2i and 2i + 1 in the `layout` "interleaved", and i and i + d_k / 2 in
    "halves". The `positions` are those of the rows: any real numbers, by default 0, 1, 2, ... Angles are radians, computed in
    float64, so in float32 a row at position 1,000,000 is turned as exactly as one at position 1.

    >>> apply_rotary(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])

    Raises TypeError unless `x` is a floating-point tensor, the positions and the base are real numbers and the layout is a
    string; ValueError for an odd d_k, for positions that are not finite or not as many as the rows, for a base that is not
    above 0, and for another layout.
    """
    check_rotary(x, positions, layout)
    positions = torch.arange(x.shape[-2], device="cpu") if positions is None else positions
    positions = read_numbers(positions)
    angles = positions[:, None] * frequencies(x.shape[-1], base=base).to(positions.device)    # (seq_len, d_k / 2), float64
    work = torch.promote_types(x.dtype, torch.float32)                                  # 16 bits are turned in 32
    cos, sin = angles.cos().to(x.device, work), angles.sin().to(x.device, work)
    pairs, axis = ((-1, 2), -1) if layout == "interleaved" else ((2, -1), -2)
    a, b = x.unflatten(-1, pairs).unbind(axis)                                          # (..., seq_len, d_k / 2) each
    turned = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=axis)
    return turned.flatten(-2).to(x.dtype)                                               # (..., seq_len, d_k)


def check_rotary(x: object, positions: object, layout: object) -> None:
    """Check for rows of even width, as many positions as rows, and a known layout."""
    check_floats("x", x)
    if x.dim() < 2:
        raise ValueError(f"x must have the shape (..., seq_len, d_k), got {tuple(x.shape)}")
    check_size("d_k", x.shape[-1], least=2, even=True)
    check_layout("layout", layout)
    if positions is None:
        return
    check_numbers("positions", positions)
    if isinstance(positions, Tensor) and positions.is_meta and not x.is_meta:
        raise TypeError("positions must be numbers, got a tensor on the meta device, which has none")
    shape = tuple(positions.shape) if isinstance(positions, Tensor) else tuple(read_numbers(positions).shape)
    if shape != (x.shape[-2],):
        raise ValueError(f"positions must be as many as the rows of x, ({x.shape[-2]},), got {shape}")


def check_layout(name: str, layout: object, *, optional: bool = False) -> None:
    """Check for one of the two layouts of pairs, or for None where it is optional."""
    if optional and layout is None:
        return
    allowed = f'{"None, " * optional}"interleaved" or "halves"'
    if not isinstance(layout, str):
        raise TypeError(f"{name} must be {allowed}, got {layout!r} of type {type(layout).__name__}")
    if layout not in LAYOUTS:
        raise ValueError(f"{name} must be {allowed}, got {layout!r}")
