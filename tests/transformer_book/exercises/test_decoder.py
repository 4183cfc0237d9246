"""The judges of chapter 11's exercises: right answers pass, common mistakes are named."""
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from tests.transformer_book.exercises.verdicts import assert_rejected
from transformer_book.attention import causal_mask
from transformer_book.exercises import review_cross_attention, review_teaching


def teaching(given=slice(None, -1), wanted=slice(1, None), mask=causal_mask):
    return lambda target: (target[:, given], target[:, wanted], mask(target[:, given].shape[1]))


def test_a_shifted_target_with_a_causal_mask_is_accepted():
    assert review_teaching(teaching()) == "Right!"
    assert review_teaching(lambda target: [part.tolist() for part in teaching()(target)]) == "Right!"
    assert review_teaching(lambda target: [list(part) for part in teaching()(target)]) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (teaching(slice(1, None), slice(None, -1)), "your shift goes the wrong way"),
        (teaching(slice(1, None), slice(1, None)), "given and wanted are the same words"),
        (teaching(slice(None, -1), slice(None, -1)), "given and wanted are the same words"),
        (teaching(slice(None), slice(None)), "nothing is shifted"),
        (teaching(mask=lambda n: ~causal_mask(n)), "your mask is inverted"),
        (teaching(mask=lambda n: causal_mask(n).T), "lets a word see later words and hides earlier ones"),
        (teaching(mask=lambda n: causal_mask(n).tril(-1)), "your mask hides the diagonal"),
        (teaching(mask=lambda n: torch.ones(n, n, dtype=torch.bool).tril(1)), "one word too far"),
        (teaching(mask=lambda n: torch.ones(n, n).tril()), "your mask contains numbers"),
        (teaching(mask=nn.Transformer.generate_square_subsequent_mask), "the kind that torch adds to the scores"),
        (teaching(mask=lambda n: causal_mask(n).int()), "your mask contains numbers"),
        (teaching(mask=lambda n: (~causal_mask(n)).float()), "inverted: True means that attending is allowed; your mask contains numbers"),
        (teaching(mask=lambda n: causal_mask(n)[None]), "the shape of the mask should be (4, 4), yours is (1, 4, 4)"),
        (teaching(mask=lambda n: torch.eye(n, dtype=torch.bool)), "only itself"),
        (teaching(mask=lambda n: torch.ones(n, n, dtype=torch.bool)), "your mask hides nothing"),
        (teaching(slice(1, None), slice(None, -1), lambda n: causal_mask(n).T),
     "the wrong way: each word should predict the next one, not the one before; your mask lets"),
        (teaching(mask=lambda n: causal_mask(n + 1)), "the shape of the mask should be (4, 4), yours is (5, 5)"),
        (teaching(mask=lambda n: causal_mask(4)), "the shape of the mask should be (6, 6), yours is (4, 4)"),
        (lambda target: (target[:, :-1] + 1, target[:, 1:], causal_mask(target.shape[1] - 1)), "the numbers are not"),
        (lambda target: target, "must return three tensors"),
        (lambda target: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_common_mistake_in_teaching_is_named(wrong, verdict):
    assert_rejected(review_teaching(wrong), verdict)


def cross(ask="y", key="memory", value="memory", scale=lambda k: k.shape[1] ** 0.5, over=-1, turned=False):
    def attempt(y, memory, W_Q, W_K, W_V):
        rows = {"y": y, "memory": memory}
        W_Q, W_K = (W_K, W_Q) if turned else (W_Q, W_K)
        q, k, v = rows[ask] @ W_Q, rows[key] @ W_K, rows[value] @ W_V
        return (q @ k.T / scale(k)).softmax(over) @ v

    return attempt


def by_torch(y, memory, W_Q, W_K, W_V):
    return F.scaled_dot_product_attention(y[None] @ W_Q, memory[None] @ W_K, memory[None] @ W_V)[0]


@pytest.mark.parametrize("right", [cross(), by_torch])
def test_right_cross_attention_is_accepted(right):
    assert review_cross_attention(right) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (cross("memory", "y", "memory"), "queries and keys are swapped: the target asks, the memory answers."),
        (cross("memory", "y", "y"), "queries and keys are swapped: the target asks, the memory answers, and gives"),
        (cross("y", "memory", "y"), "the values come from the memory too"),
        (cross("y", "y", "y"), "That is self-attention"),
        (cross("memory", "memory", "memory"), "the target does not ask"),
        (cross(turned=True), "the matrices of queries and keys are swapped"),
        (cross(scale=lambda k: 1), "are not divided"),
        (cross(scale=lambda k: k.shape[1]), "divided by d_k instead of its square root"),
        (cross(over=-2), "sum to 1 over the source"),
        (lambda y, memory, q, k, v: F.scaled_dot_product_attention(y @ q, y @ k, memory @ v), "yours come from the target"),
        (lambda y, memory, q, k, v: F.scaled_dot_product_attention(y @ q, memory @ k, memory @ v, is_causal=True), "a causal mask hides"),
        (lambda y, memory, q, k, v: (y @ q) @ (memory @ k).T / q.shape[1] ** 0.5 @ (memory @ v), "softmax is missing"),
        (lambda y, memory, *rest: cross()(y, memory, *rest)[:5].reshape(5, 2), "right where source and target have the same length"),
        (cross(scale=lambda k: 6**0.5), "row 0, column 0 should be"),
        (lambda *case: cross()(*case).T, "the output should have the shape (5, 2), yours has (2, 5)"),
        (lambda *case: cross()(*case) * torch.nan, "yours is nan"),
        (lambda *case: None, "must return a tensor of real numbers"),
        (lambda *case: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_common_mistake_in_cross_attention_is_named(wrong, verdict):
    assert_rejected(review_cross_attention(wrong), verdict)
