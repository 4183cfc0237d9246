"""The encoder: layers of attention and a small network, each with a residual connection and a layer normalisation.

Source: Vaswani et al., "Attention Is All You Need" (2017), sections 3.1, 3.3 (equation 2) and 5.4; layer normalisation from
Ba, Kiros and Hinton, "Layer Normalization" (2016), equation 4; its place before the sublayer from Xiong et al., "On Layer
Normalization in the Transformer Architecture" (2020), table 1.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Self

import torch
from torch import Tensor, nn

from transformer_book.activations import relu
from transformer_book.attention import check_mask, shape_of_scores
from transformer_book.checks import check_flag, check_number, check_rows, check_sequence, check_size
from transformer_book.from_torch import check_module, check_norm, copied, layer_sizes, stack_sizes
from transformer_book.multi_head_attention import MultiHeadAttention


class LayerNorm(nn.Module):
    """Every row brought to mean 0 and variance 1, then stretched and moved: `nn.LayerNorm` over the last axis.

    (x - mean) / sqrt(variance + eps) * scale + shift, the variance the mean of the squares (the biased one). Parameters:
    `scale`, ones at first, and with `bias` `shift`, zeros at first, both (d_model,).

    >>> LayerNorm(4)(torch.tensor([[1.0, 2.0, 3.0, 4.0]]))
    tensor([[-1.3416, -0.4472,  0.4472,  1.3416]], grad_fn=<AddBackward0>)

    Raises TypeError or ValueError for a `d_model` that is not a whole number of at least 1 and an `eps` not above 0.
    """

    def __init__(self, d_model: int, eps: float = 1e-5, bias: bool = True) -> None:
        check_size("d_model", d_model)
        check_number("eps", eps, above=0)
        check_flag("bias", bias)
        super().__init__()
        self.eps = eps
        self.scale = nn.Parameter(torch.ones(d_model))
        self.shift = nn.Parameter(torch.zeros(d_model)) if bias else None

    @classmethod
    def from_torch(cls, module: nn.LayerNorm) -> LayerNorm:
        """A copy of torch's module that shares no memory with it: same weights, eps, dtype, device and mode.

        Raises TypeError for anything else, ValueError for one over several axes or without a scale.
        """
        check_norm(module)
        return copied(cls, module, d_model=module.normalized_shape[0], eps=module.eps, bias=module.bias is not None)

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_model), floats of the module's dtype, to the same shape.

        Raises TypeError or ValueError for anything else.
        """
        check_rows("x", x, self.scale)
        precise = x.to(torch.promote_types(x.dtype, torch.float32))         # squares of 16 bits overflow
        centred = precise - precise.mean(dim=-1, keepdim=True)              # (..., d_model)
        variance = centred.square().mean(dim=-1, keepdim=True)              # (..., 1)
        y = centred * (variance + self.eps).rsqrt() * self.scale            # (..., d_model)
        y = y if self.shift is None else y + self.shift                     # (..., d_model)
        return y.to(torch.promote_types(x.dtype, self.scale.dtype))


class FeedForward(nn.Module):
    """relu(x W_1 + b_1) W_2 + b_2: the same small network for every row, none of which sees another.

    The layers `w_1`, d_model to d_ff numbers, and `w_2`, back again; in training, `dropout` between them.

    >>> FeedForward(d_model=4, d_ff=16)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 4])

    Raises TypeError or ValueError for sizes that are not whole numbers of at least 1 and a dropout outside [0, 1).
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0, bias: bool = True) -> None:
        check_size("d_model", d_model)
        check_size("d_ff", d_ff)
        check_number("dropout", dropout, least=0, below=1)
        check_flag("bias", bias)
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff, bias=bias)
        self.w_2 = nn.Linear(d_ff, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_model), floats of the module's dtype, to the same shape.

        Raises TypeError or ValueError for anything else.
        """
        check_rows("x", x, self.w_1.weight)
        hidden = relu(self.w_1(x))                                          # (..., d_ff)
        return self.w_2(self.dropout(hidden))                               # (..., d_model)


class ResidualLayer(nn.Module):
    """What the layers of encoder and decoder share: every sublayer's result is added to what came in."""

    torch_kind: ClassVar[type[nn.Module]]

    def _add_residual(self, x: Tensor, sublayer: Callable[[Tensor], Tensor], norm: LayerNorm) -> Tensor:
        """norm(x + sublayer(x)), or with `norm_first` x + sublayer(norm(x)): the shape of `x`."""
        if self.norm_first:
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))

    @classmethod
    def from_torch(cls, module: nn.Module) -> Self:
        """A copy of torch's layer that shares no memory with it: same weights, order of norms, dtype, device and mode.

        Raises TypeError for anything else, ValueError for `batch_first=False`, an activation other than ReLU, and
        dropouts or numbers of heads that differ; and as LayerNorm and MultiHeadAttention do.
        """
        check_module(module, cls.torch_kind)
        return copied(cls, module, **layer_sizes(module))


class EncoderLayer(ResidualLayer):
    """Attention of a sequence to itself, then a small network for each row, both added to what came in:
    `nn.TransformerEncoderLayer`.

    With `norm_first=False`, as in 2017, x becomes norm(x + sublayer(x)); with `norm_first=True`, as in most code since,
    x + sublayer(norm(x)). The sublayers are `self_attention` and `feed_forward`, the norms `norm_1` and `norm_2`. In
    training, `dropout` acts on the weights of attention, inside the feed-forward network and on what each sublayer adds.

    >>> EncoderLayer(d_model=4, n_heads=2, d_ff=16)(torch.zeros(5, 3, 4)).shape
    torch.Size([5, 3, 4])

    Raises TypeError or ValueError for sizes that are not whole numbers of at least 1, a `d_model` that `n_heads` does not
    divide, a dropout outside [0, 1) and flags that are not True or False.
    """

    torch_kind = nn.TransformerEncoderLayer

    def __init__(
        self, d_model: int, n_heads: int, d_ff: int, dropout: float = 0.0, norm_first: bool = False, bias: bool = True
    ) -> None:
        check_flag("norm_first", norm_first)
        super().__init__()
        self.norm_first = norm_first
        self.self_attention = MultiHeadAttention(d_model, n_heads, dropout=dropout, bias=bias)
        self.feed_forward = FeedForward(d_model, d_ff, dropout=dropout, bias=bias)
        self.norm_1, self.norm_2 = (LayerNorm(d_model, bias=bias) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """(..., seq_len, d_model) to the same shape; the boolean `mask`, True where attending is allowed, broadcasts to
        (..., seq_len, seq_len).

        Raises TypeError or ValueError for what does not fit.
        """
        check_sequence("x", x, self.norm_1.scale)
        check_mask("mask", mask, shape_of_scores(x, x))
        x = self._add_residual(x, lambda x: self.self_attention(x, x, x, mask), self.norm_1)     # (..., seq_len, d_model)
        return self._add_residual(x, self.feed_forward, self.norm_2)                             # (..., seq_len, d_model)


class Stack(nn.Module):
    """What encoder and decoder share: `n_layers` layers of one kind, each with weights of its own, and at the end perhaps a norm."""

    layer_kind: ClassVar[type[ResidualLayer]]
    torch_kind: ClassVar[type[nn.Module]]

    def __init__(
        self, d_model: int, n_heads: int, d_ff: int, n_layers: int, dropout: float = 0.0, norm_first: bool = False,
        final_norm: bool = False, bias: bool = True,
    ) -> None:
        check_size("n_layers", n_layers)
        check_flag("final_norm", final_norm)
        super().__init__()
        options = {"dropout": dropout, "norm_first": norm_first, "bias": bias}
        self.layers = nn.ModuleList(self.layer_kind(d_model, n_heads, d_ff, **options) for _ in range(n_layers))
        self.norm = LayerNorm(d_model, bias=bias) if final_norm else None

    @classmethod
    def from_torch(cls, module: nn.Module) -> Self:
        """A copy of torch's stack that shares no memory with it: see the `from_torch` of its layers."""
        check_module(module, cls.torch_kind)
        return copied(cls, module, **stack_sizes(module, cls.layer_kind.torch_kind))

    def _run_layers(self, x: Tensor, *given: Tensor | None) -> Tensor:
        """Through every layer, each given the same, and the final norm: the shape of `x`."""
        for layer in self.layers:
            x = layer(x, *given)
        return x if self.norm is None else self.norm(x)


class Encoder(Stack):
    """`n_layers` encoder layers in a row, each with weights of its own: `nn.TransformerEncoder`.

    `layers` holds them; with `final_norm` a LayerNorm, `norm`, comes after the last, which a stack with `norm_first=True`
    wants, since nothing else in it bounds what the layers add up. torch starts its layers as copies of one; these differ.

    >>> Encoder(d_model=4, n_heads=2, d_ff=16, n_layers=6)(torch.zeros(5, 3, 4)).shape
    torch.Size([5, 3, 4])

    Raises TypeError or ValueError for sizes that are not whole numbers of at least 1, and as EncoderLayer does.
    """

    layer_kind, torch_kind = EncoderLayer, nn.TransformerEncoder

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """(..., seq_len, d_model) to the same shape, through every layer with the same `mask` (see EncoderLayer)."""
        return self._run_layers(x, mask)
