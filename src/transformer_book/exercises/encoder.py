"""The exercises of chapter 10: layer normalisation, and a whole encoder layer."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from transformer_book.exercises.judge import assess, explain_row, first_difference, in_words, over_cases, results
from transformer_book.exercises.multi_head_attention import side_by_side

SIZES = ((2, 3, 4), (4, 2, 5))  # batch, seq_len, d_model
LAYER_SIZES = ((2, 3, 2, 3, 5), (3, 5, 3, 2, 7))  # batch, seq_len, n_heads, d_k, d_ff
EPS = 1e-5
TOLERANCE = 1e-4  # what differs by more also differs in the four decimals shown
WANTED = "a tensor of real numbers, (batch, seq_len, d_model)"
Sublayer = Callable[[Tensor], Tensor]
Weights = dict[str, Tensor]


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
def review_encoder_layer(attempt: Callable[[Tensor, Weights, int], Tensor]) -> None:
    """Judge `attempt(x, w, n_heads)`, the whole encoder layer of 2017, and name common mistakes, also several at once.

    x is (batch, seq_len, d_model), `w` a dictionary: W_Q, W_K, W_V and W_O (d_model, d_model), W_1 (d_model, d_ff), b_1 (d_ff,),
    W_2 (d_ff, d_model), b_2 (d_model,), and the norms' scale_1, shift_1, scale_2 and shift_2 (d_model,). The matrices of attention
    have no bias, and eps is 1e-5.

    >>> print(review_encoder_layer(lambda x, w, n_heads: layer(*parts(x, {**w, "b_1": 0 * w["b_1"]}, n_heads))))
    Not yet: the bias b_1 is missing.
    """
    random = torch.Generator().manual_seed(2)
    cases = []
    for batch, seq_len, n_heads, d_k, d_ff in LAYER_SIZES:
        width = n_heads * d_k
        shapes = {**dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), (width, width)), "W_1": (width, d_ff), "b_1": (d_ff,), "W_2": (d_ff, width)}
        w = {name: torch.randn(*shape, generator=random) / 2 for name, shape in shapes.items()}
        for name in ("b_2", "scale_1", "shift_1", "scale_2", "shift_2"):
            w[name] = 0.5 + torch.rand(width, generator=random)
        cases.append((torch.randn(batch, seq_len, width, generator=random), w, n_heads))
    rights = [layer(*parts(*case)) for case in cases]
    found = results(attempt, cases, wanted=WANTED)
    assess(found, rights, mistakes_in_parts_and_order(cases, found), explain_row, tolerance=TOLERANCE)


def mistakes_in_parts_and_order(cases: list[tuple[Tensor, Weights, int]], found: list[Tensor]) -> Iterator[tuple[str, list[Tensor]]]:
    """The mistakes in attention, in the feed-forward part, in the norms and in the order of the parts that give what is found in the
    first case, with what they give in all cases. The fewest come first: two at most, or more where the layer is complete or half done.
    """
    combinations = itertools.product(ATTENTIONS, FEED_FORWARDS, NORMS, ORDERS)
    for *inside, order in sorted(combinations, key=lambda mistakes: sum(map(bool, mistakes))):
        mistakes = [*filter(None, (*inside, order))]
        if not mistakes or (len(mistakes) > 2 and order not in ("", *HALF_DONE)):
            continue
        first = ORDERS[order](*parts(*cases[0], *inside))
        if first_difference(found[:1], [first], tolerance=TOLERANCE) is None:
            yield " Also: ".join(mistakes), [first, *(ORDERS[order](*parts(*case, *inside)) for case in cases[1:])]


def parts(
    x: Tensor, w: Weights, n_heads: int, attending: str = "", feeding: str = "", norming: str = ""
) -> tuple[Tensor, Sublayer, Sublayer, Sublayer, Sublayer]:
    """What `layer` takes, in float64, each part with the mistake named or with none."""
    w = {name: weight.double() for name, weight in w.items()}

    def norm(number: int) -> Sublayer:
        return lambda rows: NORMS[norming](rows, w[f"scale_{number}"], w[f"shift_{number}"])

    return x.double(), lambda rows: ATTENTIONS[attending](rows, w, n_heads), lambda rows: FEED_FORWARDS[feeding](rows, w), norm(1), norm(2)


def attended(x: Tensor, w: Weights, n_heads: int, **options: object) -> Tensor:
    """Multi-head attention, not yet mixed by W_O; the options are those of `side_by_side`."""
    return side_by_side(x, w["W_Q"], w["W_K"], w["W_V"], n_heads, **options)


def layer(x: Tensor, attend: Sublayer, feed_forward: Sublayer, norm_1: Sublayer, norm_2: Sublayer) -> Tensor:
    """The encoder layer of 2017."""
    y = norm_1(x + attend(x))
    return norm_2(y + feed_forward(y))


def plus(x: Tensor, sublayer: Sublayer) -> Tensor:
    """A residual without a norm."""
    return x + sublayer(x)


# The parts of the layer, each under the mistake that is made in it: with rows x, the weights w and n_heads.
ATTENTIONS = {
    "": lambda x, w, n: attended(x, w, n) @ w["W_O"],
    "the scores are not divided by the square root of d_k.": lambda x, w, n: attended(x, w, n, size=1) @ w["W_O"],
    "divide by the square root of d_k, the size of one head, not of d_model.": lambda x, w, n: attended(x, w, n, size=x.shape[-1]) @ w["W_O"],
    "divide by the square root of d_k, not by d_k itself.": lambda x, w, n: attended(x, w, n, size=(x.shape[-1] // n) ** 2) @ w["W_O"],
    "your softmax runs over the queries; the weights of each query should sum to 1.": lambda x, w, n: attended(x, w, n, dim=-2) @ w["W_O"],
    "this is one head of size d_model; split the columns among the heads.": lambda x, w, n: attended(x, w, 1) @ w["W_O"],
    "W_O is missing.": attended,
    "W_O is transposed.": lambda x, w, n: attended(x, w, n) @ w["W_O"].mT,
    "joining must undo the split: swap the axes back before you flatten.": (
        lambda x, w, n: attended(x, w, n, merge=lambda heads: heads.reshape(x.shape)) @ w["W_O"]
    ),
    "your split is a plain view, which moves numbers into other words' rows.": (
        lambda x, w, n: attended(x, w, n, split=lambda rows, n: rows.reshape(len(rows), n, rows.shape[1], -1)) @ w["W_O"]
    ),
}
FEED_FORWARDS = {
    "": lambda x, w: (x @ w["W_1"] + w["b_1"]).relu() @ w["W_2"] + w["b_2"],
    "the ReLU between the two matrices of the feed-forward part is missing.": lambda x, w: (x @ w["W_1"] + w["b_1"]) @ w["W_2"] + w["b_2"],
    "ReLU stands between the two matrices of the feed-forward part, not after them.": (
        lambda x, w: ((x @ w["W_1"] + w["b_1"]) @ w["W_2"] + w["b_2"]).relu()
    ),
    "there is no ReLU after the second matrix of the feed-forward part.": (
        lambda x, w: ((x @ w["W_1"] + w["b_1"]).relu() @ w["W_2"] + w["b_2"]).relu()
    ),
    "the biases b_1 and b_2 are missing.": lambda x, w: (x @ w["W_1"]).relu() @ w["W_2"],
    "the bias b_1 is missing.": lambda x, w: (x @ w["W_1"]).relu() @ w["W_2"] + w["b_2"],
    "the bias b_2 is missing.": lambda x, w: (x @ w["W_1"] + w["b_1"]).relu() @ w["W_2"],
}
NORMS = {
    "": lambda x, scale, shift: normalised(x) * scale + shift,
    "the norms' scales and shifts are missing.": lambda x, scale, shift: normalised(x),
    "the variance of a norm is the mean of the squares; yours divides by n - 1.": lambda x, scale, shift: normalised(x, correction=1) * scale + shift,
    "the norms have the short form of exercise 10.2, without scale and shift and with n - 1.": lambda x, scale, shift: normalised(x, correction=1),
    "each word is normalised over its own columns; your norms run over the words.": lambda x, scale, shift: normalised(x, 1) * scale + shift,
}
HALF_DONE = {
    "the second residual and the second norm are missing, those around the feed-forward part.": lambda x, a, f, m, n: f(m(x + a(x))),
    "the second norm is missing.": lambda x, a, f, m, n: plus(m(x + a(x)), f),
    "the second residual is missing: add the output of norm_1.": lambda x, a, f, m, n: n(f(m(x + a(x)))),
    "this is the first half; the feed-forward part comes after it, with its own residual and norm.": lambda x, a, f, m, n: m(x + a(x)),
}
# The whole layer, from x, attention, the feed-forward part and both norms.
ORDERS = {
    "": layer,
    **HALF_DONE,
    "both residuals are missing.": lambda x, a, f, m, n: n(f(m(a(x)))),
    "the first residual is missing, the one around attention.": lambda x, a, f, m, n: n(plus(m(a(x)), f)),
    "both norms are missing.": lambda x, a, f, m, n: plus(plus(x, a), f),
    "the first norm is missing, the one after attention.": lambda x, a, f, m, n: n(plus(plus(x, a), f)),
    "this is pre-norm; in 2017 the norm came after the sum.": (
        lambda x, a, f, m, n: plus(plus(x, lambda rows: a(m(rows))), lambda rows: f(n(rows)))
    ),
    "the second residual adds the output of norm_1; yours adds the input of the layer.": lambda x, a, f, m, n: n(x + f(m(x + a(x)))),
    "the feed-forward part takes the output of norm_1; yours takes the input of the layer.": lambda x, a, f, m, n: n(m(x + a(x)) + f(x)),
    "each norm has its own scale and shift; you use norm_1 twice.": lambda x, a, f, m, n: layer(x, a, f, m, m),
    "each norm has its own scale and shift; you use norm_2 twice.": lambda x, a, f, m, n: layer(x, a, f, n, n),
    "norm_1 comes after attention, norm_2 at the end; yours are swapped.": lambda x, a, f, m, n: layer(x, a, f, n, m),
    "the norm is applied to the sum; yours is applied to what is added.": (
        lambda x, a, f, m, n: plus(plus(x, lambda rows: m(a(rows))), lambda rows: n(f(rows)))
    ),
    "the feed-forward part takes the output of norm_1; yours runs in parallel with attention, and both take the input of the layer.": (
        lambda x, a, f, m, n: n(x + a(x) + f(x))
    ),
    "attention comes first, then the feed-forward part.": lambda x, a, f, m, n: layer(x, f, a, m, n),
}
