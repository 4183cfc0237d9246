"""The exercises of chapter 10: layer normalisation, and the order of the parts of an encoder layer."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.encoder import FeedForward, LayerNorm
from transformer_book.exercises.judge import answers, first_match, miss_in_rows, wrapped
from transformer_book.multi_head_attention import MultiHeadAttention

SIZES = ((2, 3, 4), (4, 2, 5))  # batch, seq_len, d_model
EPS = 1e-5
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown
Sublayer = Callable[[Tensor], Tensor]


@wrapped
def review_layer_norm(attempt: Callable[[Tensor, Tensor, Tensor], Tensor]) -> str:
    """Judge `attempt(x, scale, shift)`, the layer norm of x (batch, seq_len, d_model) with eps = 1e-5; slips are called by name.

    >>> print(review_layer_norm(lambda x, scale, shift: torch.nn.functional.layer_norm(x, x.shape[-1:])))
    Not yet: the rows are right; scale and shift are missing.
    """
    random = torch.Generator().manual_seed(1)
    cases = []
    for batch, seq_len, d_model in SIZES:
        x = 2 * torch.randn(batch, seq_len, d_model, generator=random) + 1
        x[0, 1] = 0.003 * torch.randn(d_model, generator=random)  # so quiet a row that eps is as large as its variance
        x[1, 0] = 0.5                                             # and one whose variance is 0
        cases.append((x, 1 + torch.rand(d_model, generator=random), torch.randn(d_model, generator=random)))
    return verdict_on(attempt, cases, [norms(*case) for case in cases])


def norms(x: Tensor, scale: Tensor, shift: Tensor) -> dict[str, Tensor]:
    """Each verdict and the result that it belongs to, the right one first."""
    x, scale, shift = x.double(), scale.double(), shift.double()

    def made(dim: int | tuple[int, ...] = -1, *, correction: int = 0, eps: float = EPS, outside: float = 0) -> Tensor:
        variance = x.var(dim, correction=correction, keepdim=True)
        return (x - x.mean(dim, keepdim=True)) / ((variance + eps).sqrt() + outside)

    centred, plain = x - x.mean(-1, keepdim=True), made()
    return {
        "Right!": plain * scale + shift,
        "Not yet: the variance is the mean of the squares; yours is the unbiased one, divided by one less (torch's default).": (
            made(correction=1) * scale + shift
        ),
        "Not yet: eps belongs inside the root, beside the variance; yours is added to the deviation.": (
            made(eps=0, outside=EPS) * scale + shift
        ),
        "Not yet: eps belongs inside the root, and the variance is the mean of the squares; yours is the unbiased deviation plus eps.": (
            made(correction=1, eps=0, outside=EPS) * scale + shift
        ),
        "Not yet: without eps a row of equal numbers becomes 0 / 0, and a quiet row is blown up.": made(eps=0) * scale + shift,
        "Not yet: without eps a row of equal numbers becomes 0 / 0; and your variance is the unbiased one, divided by one less.": (
            made(correction=1, eps=0) * scale + shift
        ),
        "Not yet: four things are missing: eps inside the root, the biased variance, the scale and the shift.": made(correction=1, eps=0),
        "Not yet: three things are missing: the biased variance, the scale and the shift.": made(correction=1),
        "Not yet: three things are missing: eps inside the root, the scale and the shift.": made(eps=0),
        "Not yet: eps is 1e-5 here; yours is 1e-6.": made(eps=1e-6) * scale + shift,
        "Not yet: each word is normalised over its own columns; yours goes over the words.": made(1) * scale + shift,
        "Not yet: each word is normalised over its own columns; yours goes over the batch.": made(0) * scale + shift,
        "Not yet: each word has a mean and a variance of its own; yours takes those of a whole sentence.": made((1, 2)) * scale + shift,
        "Not yet: each word has a mean and a variance of its own; yours takes those of the whole tensor.": made((0, 1, 2)) * scale + shift,
        "Not yet: the rows are right; scale and shift are missing.": plain,
        "Not yet: the shift is missing.": plain * scale,
        "Not yet: the scale is missing.": plain + shift,
        "Not yet: scale multiplies and shift is added; yours are exchanged.": plain * shift + scale,
        "Not yet: first the scale, then the shift; yours stretches the shift, too.": (plain + shift) * scale,
        "Not yet: the mean is not taken off.": x / (x.var(-1, correction=0, keepdim=True) + EPS).sqrt() * scale + shift,
        "Not yet: the mean is not taken off; yours divides by the root of the mean square.": (
            x / (x.square().mean(-1, keepdim=True) + EPS).sqrt() * scale + shift
        ),
        "Not yet: divide by the root of the variance, not by the variance.": (
            centred / (centred.square().mean(-1, keepdim=True) + EPS) * scale + shift
        ),
        "Not yet: the mean is off; now divide by the root of the variance and eps.": centred * scale + shift,
    }


@wrapped
def review_encoder_layer(attempt: Callable[[Tensor, Sublayer, Sublayer, Sublayer, Sublayer], Tensor]) -> str:
    """Judge `attempt(x, attend, feed_forward, norm_1, norm_2)`, an encoder layer as in 2017 made of its parts; slips are called by name.

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
            rights = [layers(*case) for case in cases]
    return verdict_on(attempt, cases, rights)


def layers(x: Tensor, attend: Sublayer, feed_forward: Sublayer, norm_1: Sublayer, norm_2: Sublayer) -> dict[str, Tensor]:
    """Each verdict and the result that it belongs to, the right one first."""
    y = norm_1(x + attend(x))
    bare = x + attend(x)
    before = x + attend(norm_1(x))
    turned = norm_1(x + feed_forward(x))
    alone = norm_1(attend(x))
    return {
        "Right!": norm_2(y + feed_forward(y)),
        "Not yet: the second residual and the second norm are missing, those around the feed-forward part.": feed_forward(y),
        "Not yet: the second norm is missing.": y + feed_forward(y),
        "Not yet: the second residual is missing: what came out of norm_1 is to be added, too.": norm_2(feed_forward(y)),
        "Not yet: this is the first half; the feed-forward part comes after it, with a residual and a norm of its own.": y,
        "Not yet: both residuals are missing.": norm_2(feed_forward(alone)),
        "Not yet: the first residual is missing, the one around attention.": norm_2(alone + feed_forward(alone)),
        "Not yet: both norms are missing.": bare + feed_forward(bare),
        "Not yet: the first norm is missing, the one after attention.": norm_2(bare + feed_forward(bare)),
        "Not yet: this is pre-norm; in 2017 the norm came after the sum.": before + feed_forward(norm_2(before)),
        "Not yet: the second residual adds what came out of norm_1, and yours adds the input of the layer.": norm_2(x + feed_forward(y)),
        "Not yet: the feed-forward part reads what came out of norm_1, and yours reads the input of the layer.": norm_2(y + feed_forward(x)),
        "Not yet: each norm has a scale and a shift of its own; yours uses norm_1 twice.": norm_1(y + feed_forward(y)),
        "Not yet: each norm has a scale and a shift of its own; yours uses norm_2 twice.": (
            norm_2((z := norm_2(x + attend(x))) + feed_forward(z))
        ),
        "Not yet: norm_1 comes after attention, norm_2 at the end; yours are exchanged.": (
            norm_1((z := norm_2(x + attend(x))) + feed_forward(z))
        ),
        "Not yet: the norm goes around the sum, and yours around what is added.": (z := x + norm_1(attend(x))) + norm_2(feed_forward(z)),
        "Not yet: the feed-forward part reads what came out of norm_1; yours stands beside attention, and both read the input of the layer.": (
            norm_2(bare + feed_forward(x))
        ),
        "Not yet: attention comes first, then the feed-forward part.": norm_2(turned + attend(turned)),
    }


def verdict_on(attempt: Callable[..., Tensor], cases: list[tuple], known: list[dict[str, Tensor]]) -> str:
    """What to say of rows (batch, seq_len, d_model), where for each case the result of every known answer is at hand."""
    copies = [tuple(part.clone() if isinstance(part, Tensor) else part for part in case) for case in cases]
    found = answers(attempt, copies, wanted="a tensor of real numbers, (batch, seq_len, d_model)")
    if isinstance(found, str):
        return found
    verdict = first_match(found, ((words, [one[words] for one in known]) for words in known[0]), tolerance=TOLERANCE)
    if verdict is not None:
        return verdict
    rights = [one["Right!"] for one in known]
    return miss_in_rows(found, rights, tolerance=TOLERANCE)
