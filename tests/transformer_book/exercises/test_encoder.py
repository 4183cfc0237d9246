"""The judges of chapter 10's exercises: right answers pass, common mistakes are named."""
import pytest
import torch
from torch.nn import functional as F

from tests.transformer_book.exercises.verdicts import assert_rejected
from transformer_book.encoder import LayerNorm
from transformer_book.exercises import review_encoder_layer, review_layer_norm

EPS = 1e-5


def written(x, scale, shift, *, dim=-1, correction=0, inside=EPS, outside=0.0):
    variance = x.var(dim, correction=correction, keepdim=True)
    return (x - x.mean(dim, keepdim=True)) / ((variance + inside).sqrt() + outside) * scale + shift


def by_the_library(x, scale, shift):
    norm = LayerNorm(x.shape[-1])
    norm.load_state_dict({"scale": scale, "shift": shift})
    return norm(x)


def word_by_word(x, scale, shift):
    return [[written(word, scale, shift) for word in sentence] for sentence in x]


@pytest.mark.parametrize(
    "right", [written, by_the_library, word_by_word, lambda x, scale, shift: F.layer_norm(x, x.shape[-1:], scale, shift)]
)
def test_a_right_layer_norm_is_accepted(right):
    assert review_layer_norm(right) == "Right!"


def variant(**options):
    return lambda x, scale, shift: written(x, scale, shift, **options)


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (lambda x, scale, shift: (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True) * scale + shift,
     "0 / 0; and your variance is the unbiased"),
        (lambda x, scale, shift: (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True), "four things are missing: eps"),
        (lambda x, scale, shift: written(x, 1, 0, correction=1), "three things are missing: the biased"),
        (lambda x, scale, shift: written(x, 1, 0, inside=0), "three things are missing: eps"),
        (variant(inside=1e-6), "yours is 1e-6"),
        (lambda x, scale, shift: written(x, shift, scale), "yours are swapped"),
        (variant(correction=1), "yours is the unbiased one"),
        (variant(inside=0, outside=EPS), "eps belongs inside the root, added to the variance"),
        (variant(correction=1, inside=0, outside=EPS), "yours is the unbiased standard deviation plus eps"),
        (variant(inside=0), "without eps a row of equal numbers becomes 0 / 0, and"),
        (variant(dim=1), "you normalise over the words"),
        (variant(dim=0), "you normalise over the batch"),
        (variant(dim=(1, 2)), "those of the whole sentence"),
        (variant(dim=(0, 1, 2)), "those of the whole tensor"),
        (lambda x, scale, shift: F.layer_norm(x, x.shape[-1:]), "scale and shift are missing"),
        (lambda x, scale, shift: F.layer_norm(x, x.shape[-1:], scale), "the shift is missing"),
        (lambda x, scale, shift: F.layer_norm(x, x.shape[-1:]) + shift, "the scale is missing"),
        (lambda x, scale, shift: (F.layer_norm(x, x.shape[-1:]) + shift) * scale, "scales the shift, too"),
        (lambda x, scale, shift: x / (x.var(-1, correction=0, keepdim=True) + EPS).sqrt() * scale + shift, "the mean is not subtracted."),
        (lambda x, scale, shift: F.rms_norm(x, x.shape[-1:], scale, EPS) + shift, "you divide by the root of the mean square"),
        (
            lambda x, scale, shift: (x - x.mean(-1, keepdim=True)) / (x.var(-1, correction=0, keepdim=True) + EPS) * scale + shift,
            "not by the variance",
        ),
        (lambda x, scale, shift: (x - x.mean(-1, keepdim=True)) * scale + shift, "now divide by the root"),
        (variant(inside=1e-3), "index ["),
        (lambda x, scale, shift: written(x, scale, shift)[0], "should have the shape of x, (2, 3, 4); yours has (3, 4)"),
        (lambda x, scale, shift: None, "must return a tensor of real numbers, (batch, seq_len, d_model), but it returned None"),
        (lambda x, scale, shift: x.view(3), "raised RuntimeError"),
    ],
)
def test_a_common_mistake_in_the_norm_is_named(wrong, verdict):
    assert_rejected(review_layer_norm(wrong), verdict)


def layer(x, attend, feed_forward, norm_1, norm_2):
    y = norm_1(x + attend(x))
    return norm_2(y + feed_forward(y))


def half(x, a, f, m, n, *, then):
    return then(m(x + a(x)))


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (lambda x, a, f, m, n: f(m(x + a(x))), "the second residual and the second norm are missing"),
        (lambda x, a, f, m, n: half(x, a, f, m, n, then=lambda y: y + f(y)), "the second norm is missing"),
        (lambda x, a, f, m, n: half(x, a, f, m, n, then=lambda y: n(f(y))), "the second residual is missing"),
        (lambda x, a, f, m, n: m(x + a(x)), "this is the first half"),
        (lambda x, a, f, m, n: n(f(m(a(x)))), "both residuals are missing"),
        (lambda x, a, f, m, n: n(m(a(x)) + f(m(a(x)))), "the first residual is missing"),
        (lambda x, a, f, m, n: x + a(x) + f(x + a(x)), "both norms are missing"),
        (lambda x, a, f, m, n: n(x + a(x) + f(x + a(x))), "the first norm is missing"),
        (lambda x, a, f, m, n: x + a(m(x)) + f(n(x + a(m(x)))), "this is pre-norm"),
        (lambda x, a, f, m, n: half(x, a, f, m, n, then=lambda y: n(x + f(y))), "yours adds the input of the layer"),
        (lambda x, a, f, m, n: half(x, a, f, m, n, then=lambda y: n(y + f(x))), "yours takes the input of the layer"),
        (lambda x, a, f, m, n: n(x + a(x) + f(x)), "yours runs in parallel with attention"),
        (lambda x, a, f, m, n: layer(x, a, f, m, m), "you use norm_1 twice"),
        (lambda x, a, f, m, n: layer(x, a, f, n, n), "you use norm_2 twice"),
        (lambda x, a, f, m, n: layer(x, a, f, n, m), "yours are swapped"),
        (lambda x, a, f, m, n: x + m(a(x)) + n(f(x + m(a(x)))), "yours is applied to what is added"),
        (lambda x, a, f, m, n: layer(x, f, a, m, n), "attention comes first"),
        (lambda x, a, f, m, n: layer(x, a, f, m, n) + 1e-3, "index [0, 0, 0] (batch, word, column) should be"),
        (lambda x, a, f, m, n: x.mT, "the shape of x, (2, 3, 4); yours has (2, 4, 3)"),
        (lambda *parts: None, "but it returned None"),
        (lambda *parts: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_common_mistake_in_the_layer_is_named(wrong, verdict):
    assert_rejected(review_encoder_layer(wrong), verdict)


def test_the_layer_of_2017_is_accepted_and_the_global_random_state_is_untouched():
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    assert review_encoder_layer(layer) == "Right!"
    assert torch.equal(torch.rand(1), expected)
