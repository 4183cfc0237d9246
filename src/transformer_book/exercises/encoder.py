"""The exercises of chapter 10: layer normalisation, and the order of the parts of an encoder layer."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.encoder import FeedForward, LayerNorm
from transformer_book.exercises.judge import assess, explain_row, in_words, over_cases, results
from transformer_book.multi_head_attention import MultiHeadAttention

SIZES = ((2, 3, 4), (4, 2, 5))  # batch, seq_len, d_model
EPS = 1e-5
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown
WANTED = "a tensor of real numbers, (batch, seq_len, d_model)"
Sublayer = Callable[[Tensor], Tensor]


@in_words
def review_layer_norm(attempt: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
    """Judge `attempt(x, scale, shift)`, the layer norm of x (batch, seq_len, d_model) with eps = 1e-5, and name common mistakes.

    >>> print(review_layer_norm(lambda x, scale, shift: torch.nn.functional.layer_norm(x, x.shape[-1:])))
    Not yet: the rows are right; scale and shift are missing.
    """
    random = torch.Generator().manual_seed(1)
    cases = []
    for batch, seq_len, d_model in SIZES:
        x = 2 * torch.randn(batch, seq_len, d_model, generator=random) + 1
        x[0, 1] = 0.003 * torch.randn(d_model, generator=random)  # a row whose variance is as small as eps
        x[1, 0] = 0.5                                             # a row whose variance is 0
        cases.append((x, 1 + torch.rand(d_model, generator=random), torch.randn(d_model, generator=random)))
    rights = [normalised(x.double()) * scale + shift for x, scale, shift in cases]
    assess(results(attempt, cases, wanted=WANTED), rights, over_cases(mistakes_in_the_norm, cases), explain_row, tolerance=TOLERANCE)


def mistakes_in_the_norm(x: Tensor, scale: Tensor, shift: Tensor) -> dict[str, Tensor]:
    """Common mistakes, and the rows that each gives."""
    x, scale, shift = x.double(), scale.double(), shift.double()
    centred, plain = x - x.mean(-1, keepdim=True), normalised(x)

    def rows(dim: int | tuple[int, ...] = -1, **options: float) -> Tensor:
        return normalised(x, dim, **options) * scale + shift

    return {
        "the variance is the mean of the squares; yours is the unbiased one, which divides by n - 1 (torch's default).": rows(correction=1),
        "eps belongs inside the root, added to the variance; yours is added to the standard deviation.": rows(eps=0, outside=EPS),
        "eps belongs inside the root, and the variance is the mean of the squares; yours is the unbiased standard deviation plus eps.": (
            rows(correction=1, eps=0, outside=EPS)
        ),
        "without eps a row of equal numbers becomes 0 / 0, and one of nearly equal numbers is blown up.": rows(eps=0),
        "without eps a row of equal numbers becomes 0 / 0; and your variance is the unbiased one, which divides by n - 1.": (
            rows(correction=1, eps=0)
        ),
        "four things are missing: eps inside the root, the biased variance, the scale and the shift.": normalised(x, correction=1, eps=0),
        "three things are missing: the biased variance, the scale and the shift.": normalised(x, correction=1),
        "three things are missing: eps inside the root, the scale and the shift.": normalised(x, eps=0),
        "eps is 1e-5 here; yours is 1e-6.": rows(eps=1e-6),
        "each word is normalised over its own columns; you normalise over the words.": rows(1),
        "each word is normalised over its own columns; you normalise over the batch.": rows(0),
        "each word has its own mean and variance; you take those of the whole sentence.": rows((1, 2)),
        "each word has its own mean and variance; you take those of the whole tensor.": rows((0, 1, 2)),
        "the rows are right; scale and shift are missing.": plain,
        "the shift is missing.": plain * scale,
        "the scale is missing.": plain + shift,
        "scale multiplies and shift is added; yours are swapped.": plain * shift + scale,
        "first the scale, then the shift; yours scales the shift, too.": (plain + shift) * scale,
        "the mean is not subtracted.": x / (x.var(-1, correction=0, keepdim=True) + EPS).sqrt() * scale + shift,
        "the mean is not subtracted; you divide by the root of the mean square.": (
            x / (x.square().mean(-1, keepdim=True) + EPS).sqrt() * scale + shift
        ),
        "divide by the root of the variance, not by the variance.": (
            centred / (centred.square().mean(-1, keepdim=True) + EPS) * scale + shift
        ),
        "the mean is subtracted; now divide by the root of variance plus eps.": centred * scale + shift,
    }


def normalised(x: Tensor, dim: int | tuple[int, ...] = -1, *, correction: int = 0, eps: float = EPS, outside: float = 0) -> Tensor:
    """x with mean 0 and variance 1 along some axes; the options make mistakes."""
    variance = x.var(dim, correction=correction, keepdim=True)
    return (x - x.mean(dim, keepdim=True)) / ((variance + eps).sqrt() + outside)


@in_words
def review_encoder_layer(attempt: Callable[[Tensor, Sublayer, Sublayer, Sublayer, Sublayer], Tensor]) -> None:
    """Judge `attempt(x, attend, feed_forward, norm_1, norm_2)`, the encoder layer of 2017 from its parts, and name common mistakes.

    >>> print(review_encoder_layer(lambda x, attend, feed_forward, norm_1, norm_2: feed_forward(norm_1(x + attend(x)))))
    Not yet: the second residual and the second norm are missing, those around
    the feed-forward part.
    """
    cases = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(2)
        for batch, seq_len, d_model in SIZES:
            attention = MultiHeadAttention(d_model, 1).double()
            feed_forward = FeedForward(d_model, 3 * d_model).double()
            first, second = (LayerNorm(d_model).double() for _ in range(2))
            for parameter in [*first.parameters(), *second.parameters()]:
                torch.nn.init.normal_(parameter, mean=1, std=0.5)
            x = torch.randn(batch, seq_len, d_model).double()
            cases.append((x, lambda y, attention=attention: attention(y, y, y), feed_forward, first, second))
        with torch.no_grad():
            rights = [layer(*case) for case in cases]
    found = results(attempt, cases, wanted=WANTED)
    with torch.no_grad():
        assess(found, rights, over_cases(mistakes_in_the_layer, cases), explain_row, tolerance=TOLERANCE)


def layer(x: Tensor, attend: Sublayer, feed_forward: Sublayer, norm_1: Sublayer, norm_2: Sublayer) -> Tensor:
    """The encoder layer of 2017."""
    y = norm_1(x + attend(x))
    return norm_2(y + feed_forward(y))


def mistakes_in_the_layer(x: Tensor, attend: Sublayer, feed_forward: Sublayer, norm_1: Sublayer, norm_2: Sublayer) -> dict[str, Tensor]:
    """Common mistakes, and what each gives."""
    sum_1 = x + attend(x)
    y = norm_1(sum_1)
    attended = norm_1(attend(x))
    pre_norm = x + attend(norm_1(x))
    norm_inside = x + norm_1(attend(x))
    return {
        "the second residual and the second norm are missing, those around the feed-forward part.": feed_forward(y),
        "the second norm is missing.": y + feed_forward(y),
        "the second residual is missing: add the output of norm_1.": norm_2(feed_forward(y)),
        "this is the first half; the feed-forward part comes after it, with its own residual and norm.": y,
        "both residuals are missing.": norm_2(feed_forward(attended)),
        "the first residual is missing, the one around attention.": norm_2(attended + feed_forward(attended)),
        "both norms are missing.": sum_1 + feed_forward(sum_1),
        "the first norm is missing, the one after attention.": norm_2(sum_1 + feed_forward(sum_1)),
        "this is pre-norm; in 2017 the norm came after the sum.": pre_norm + feed_forward(norm_2(pre_norm)),
        "the second residual adds the output of norm_1; yours adds the input of the layer.": norm_2(x + feed_forward(y)),
        "the feed-forward part takes the output of norm_1; yours takes the input of the layer.": norm_2(y + feed_forward(x)),
        "each norm has its own scale and shift; you use norm_1 twice.": layer(x, attend, feed_forward, norm_1, norm_1),
        "each norm has its own scale and shift; you use norm_2 twice.": layer(x, attend, feed_forward, norm_2, norm_2),
        "norm_1 comes after attention, norm_2 at the end; yours are swapped.": layer(x, attend, feed_forward, norm_2, norm_1),
        "the norm is applied to the sum; yours is applied to what is added.": norm_inside + norm_2(feed_forward(norm_inside)),
        "the feed-forward part takes the output of norm_1; yours runs in parallel with attention, and both take the input of the layer.": (
            norm_2(sum_1 + feed_forward(x))
        ),
        "attention comes first, then the feed-forward part.": layer(x, feed_forward, attend, norm_1, norm_2),
    }
