"""What all judges share: an answer in 16 bits may be off by their rounding, one in 32 bits may not."""
import math

import pytest
import torch
from torch.nn import functional as F

from tests.transformer_book.exercises.verdicts import assert_rejected
from transformer_book import exercises
from transformer_book.exercises.judge import Difference, first_difference
from transformer_book.geometry import shift_matrix
from transformer_book.positional_encoding import encode_positions

HALVES = [torch.float16, torch.bfloat16]


def split_columns(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


def multi_head(x, W_Q, W_K, W_V, W_O, n_heads):
    q, k, v = (split_columns(x @ W, n_heads) for W in (W_Q, W_K, W_V))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ W_O


def layer(x, attend, feed_forward, norm_1, norm_2):
    y = norm_1(x + attend(x))
    return norm_2(y + feed_forward(y))


RIGHT = {
    "attention": (exercises.review_attention, lambda q, k, v, mask: F.scaled_dot_product_attention(q, k, v, mask).nan_to_num()),
    "heads": (exercises.review_multi_head, multi_head),
    "split": (exercises.review_split_heads, split_columns),
    "norm": (exercises.review_layer_norm, lambda x, scale, shift: F.layer_norm(x, x.shape[-1:], scale, shift)),
    "layer": (exercises.review_encoder_layer, layer),
    "softmax": (exercises.review_softmax, lambda scores, temperature: torch.softmax(scores / temperature, 1)),
    "cross-attention": (
        exercises.review_cross_attention,
        lambda y, memory, W_Q, W_K, W_V: F.scaled_dot_product_attention((y @ W_Q)[None], (memory @ W_K)[None], (memory @ W_V)[None])[0],
    ),
    "shift": (exercises.review_shift, shift_matrix),
    "encoding": (exercises.review_encoding, lambda position, column, d_model: encode_positions([position], d_model)[0, column]),
    "gradient": (exercises.review_gradient, lambda ids, g, size: torch.zeros(size, g.shape[1]).to(g).index_add(0, ids, g)),
}


@pytest.mark.parametrize("dtype", [*HALVES, torch.float32, torch.float64])
@pytest.mark.parametrize(("review", "right"), RIGHT.values(), ids=RIGHT)
def test_right_answers_of_every_precision_are_accepted(review, right, dtype):
    assert review(lambda *given: right(*given).to(dtype)) == "Right!"


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", ["heads", "norm", "cross-attention", "gradient"])
def test_right_answers_computed_in_16_bits_are_accepted(name, dtype):
    review, right = RIGHT[name]

    def rounded(*given):
        return right(*(x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in given))

    assert review(rounded) == "Right!"


@pytest.mark.parametrize("dtype", HALVES)
def test_a_common_mistake_in_16_bits_is_still_named(dtype):
    def attend(q, k, v, mask):
        return ((q @ k.mT).masked_fill(~mask, -math.inf).softmax(-1).nan_to_num() @ v).to(dtype)

    def norm(x, scale, shift):
        return ((x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() * scale + shift).to(dtype)

    assert_rejected(exercises.review_attention(attend), "not divided by the square root")
    assert_rejected(exercises.review_layer_norm(norm), "yours is the unbiased one")


@pytest.mark.parametrize("dtype", HALVES)
def test_the_wider_tolerance_is_only_for_numbers_rounded_to_16_bits(dtype):
    right = torch.tensor([0.1, 0.2, 0.7], dtype=torch.float64)
    in_half = right.to(dtype).double()
    assert first_difference([in_half], [right]) is None
    assert first_difference([in_half + 1e-9], [right]) is not None, "this number is not exact in 16 bits"
    whole = torch.tensor([100.0, 101.0], dtype=torch.float64)
    assert first_difference([whole], [whole.new_full((2,), 100.0)]) == Difference(0, (1,), 101.0, 100.0), "these are exact in 16 bits"
