"""The geometry of the encoding: every pair of columns is the hand of a clock, and "+k" turns each hand by its own angle.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.5, which says of the shift that PE(pos+k) is a
linear function of PE(pos), and of the wavelengths that they form a geometric progression.
"""
from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_book.checks import check_number, check_numbers
from transformer_book.positional_encoding import encode_positions, frequencies


def wavelengths(d_model: int, *, base: float = 10000.0) -> Tensor:
    """Positions per full turn of each pair of columns, 2 pi base^(2i/d_model): float64, shape `(d_model / 2,)`.

    For a base above 1 the shortest is 2 pi, and the longest stays below 2 pi base, as the last pair is i = d_model/2 - 1.

    >>> wavelengths(4)
    tensor([  6.2832, 628.3185], dtype=torch.float64)

    Raises TypeError or ValueError for a `d_model` that is not an even whole number of at least 2 and for a `base` that
    is not a number above 0.
    """
    return 2 * torch.pi / frequencies(d_model, base=base)


def shift_matrix(offset: float, d_model: int, *, base: float = 10000.0) -> Tensor:
    """The matrix M_k that moves a position by k = `offset`, PE(p + k) = M_k PE(p) for every p: `(d_model, d_model)`.

    For pair i, with the angle a = k / base^(2i/d_model), a block of two rows on the diagonal turns (sin, cos):

        [  cos a   sin a ]
        [ -sin a   cos a ]

    All else is 0, and no position occurs: the turn is the same wherever one stands. The offset is any real number, also
    a negative one. PE is a column here; for rows, as in a table of encodings, write `table @ shift_matrix(k, d).T`.
    In float64.

    >>> shift_matrix(1, 2)
    tensor([[ 0.5403,  0.8415],
            [-0.8415,  0.5403]], dtype=torch.float64)

    Raises TypeError or ValueError for an `offset` that is not a finite number and for whatever `wavelengths` refuses.
    """
    check_number("offset", offset)
    turns = encode_positions([float(offset)], d_model, base=base, dtype=torch.float64).view(-1, 2)
    return torch.block_diag(*(torch.stack((cos, sin, -sin, cos)).view(2, 2) for sin, cos in turns))


def similarity(offsets: Tensor | Sequence[float], d_model: int, *, base: float = 10000.0) -> Tensor:
    """How alike two positions are that lie `offsets` apart, PE(p) . PE(p + k) / (d_model/2): float64, shape of `offsets`.

    It is the mean over all pairs of cos(k / base^(2i/d_model)): 1 at k = 0, the same for every p and for k and -k.

    >>> similarity([0, 1, 6], 4)
    tensor([1.0000, 0.7701, 0.9792], dtype=torch.float64)

    Raises TypeError or ValueError for offsets that are not finite numbers and for whatever `wavelengths` refuses.
    """
    check_numbers("offsets", offsets)
    cosines = encode_positions(offsets, d_model, base=base, dtype=torch.float64)[..., 1::2]
    return cosines.mean(dim=-1)
