"""The exercises of chapter 11: what a decoder is given, what is wanted and what it may see; and cross-attention."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from transformer_book.attention import causal_mask
from transformer_book.checks import leaves
from transformer_book.exercises.judge import answers, as_matrix, first_match, first_miss, wrapped

TARGETS = ((3, 5), (2, 7))  # batch and length
# target_len, source_len, d_model, d_k and d_v: in the first case every slip fits, in the others the lengths differ
SIZES = ((5, 5, 4, 6, 2), (3, 5, 4, 6, 2), (6, 2, 5, 3, 4))
TOLERANCE = 1e-4
SAME = "given and wanted are the same words, so that each row need only repeat itself: shift them by one"
SHIFTS = [
    ("", slice(None, -1), slice(1, None)),
    ("your shift goes in the wrong direction: each word is asked for the next one, and yours for the one before", slice(1, None), slice(None, -1)),
    (SAME, slice(None, -1), slice(None, -1)),
    (SAME, slice(1, None), slice(1, None)),
    ("nothing is shifted: given stops before the last word, wanted begins after the first", slice(None), slice(None)),
]
MASKS = {
    "": lambda seen: seen,
    "your mask is the other way round: True is where attending is allowed": lambda seen: ~seen,
    "your mask lets a word see what comes later and hides what came before: its rows are the words that ask": lambda seen: seen.T,
    "your mask hides the diagonal: a word may see itself, it is not the word that is wanted": lambda seen: seen.tril(-1),
    "your mask lets each word see one word too far, the very word that it is asked for": lambda seen: torch.ones_like(seen).tril(1),
    "your mask lets each word see only itself": lambda seen: seen & seen.T,
    "your mask hides nothing: each word sees the very word that it is asked for": lambda seen: seen | seen.T,
    "your mask is the one that torch adds to the scores, 0 and minus infinity": lambda seen: seen.double().log(),
}

NUMBERS = "your mask holds numbers, and torch would add them to the scores: it must hold True and False, dtype torch.bool"


@wrapped
def review_teaching(attempt: Callable[[Tensor], tuple[Tensor, Tensor, Tensor]]) -> str:
    """Judge `attempt(target)`, which gives from ids (batch, length) what is given and wanted, (batch, length - 1), and the causal
    mask, (length - 1, length - 1), of truths; the well-known slips of chapter 11 are called by name.

    >>> print(review_teaching(lambda target: (target[:, :-1], target[:, 1:], causal_mask(target.shape[1] - 1).T)))
    Not yet: your mask lets a word see what comes later and hides what came
    before: its rows are the words that ask.
    """
    cases = [torch.arange(batch * length).square().view(batch, length) for batch, length in TARGETS]
    given = answers(
        attempt,
        [(case.clone(),) for case in cases],
        wanted="three tensors: given, wanted, mask",
        read=read_three,
    )
    if isinstance(given, str):
        return given
    given, truths = [parts for parts, _ in given], all(truth for _, truth in given)
    for slips, rights in mixtures(cases):
        if all(first_match(list(mine), [("", right)]) is not None for mine, right in zip(given, rights, strict=True)):
            slips = "; ".join(filter(None, (slips, "" if truths else NUMBERS)))
            return f"Not yet: {slips}." if slips else "Right!"
    for case, mine in zip(cases, given, strict=True):
        seen = case.shape[1] - 1
        sizes = ((len(case), seen), (len(case), seen), (seen, seen))
        for name, part, size in zip(("given", "wanted", "the mask"), mine, sizes, strict=True):
            if part.shape != size:
                return f"Not yet: from {tuple(case.shape)} the shape of {name} is {size}, yours is {tuple(part.shape)}."
    return "Not yet: the shapes are right and the numbers are not. Write one sentence, word under word, as in the chapter, and compare."


def read_three(given: object) -> tuple[tuple[Tensor, ...], bool]:
    """Three tensors of numbers, or of truths, and whether the last one holds truths. Raises TypeError for anything else."""
    if not isinstance(given, tuple | list) or len(given) != 3:
        raise TypeError("three are wanted")
    parts = tuple(as_matrix(part) for part in given)
    return parts, all(torch.as_tensor(leaf).dtype == torch.bool for leaf in leaves(given[2]))


def mixtures(cases: list[Tensor]) -> Iterator[tuple[str, list[list[Tensor]]]]:
    """Every mixture of the slips in words, with what it gives in each case: the fewest slips first."""
    mixed = itertools.product(SHIFTS, MASKS.items())
    for (shift, first, second), (mask, made) in sorted(mixed, key=lambda pair: sum(bool(slip) for slip, *_ in pair)):
        pairs = [(case[:, first], case[:, second]) for case in cases]
        parts = [[x.double(), y.double(), made(causal_mask(x.shape[1])).double()] for x, y in pairs]
        yield "; ".join(filter(None, (shift, mask))), parts


@wrapped
def review_cross_attention(attempt: Callable[..., Tensor]) -> str:
    """Judge `attempt(y, memory, W_Q, W_K, W_V)`, one head of cross-attention, (target_len, d_v); well-known slips are called by name.

    >>> print(review_cross_attention(lambda y, memory, W_Q, W_K, W_V: attend(y, y, W_Q, W_K, W_V)))
    Not yet: the memory is not heard: keys and values come from it, and yours
    come from the target. That is self-attention.
    """
    generator = torch.Generator().manual_seed(11)
    cases = []
    for target_len, source_len, d_model, d_k, d_v in SIZES:
        shapes = ((target_len, d_model), (source_len, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))
        cases.append(tuple(torch.randn(*shape, generator=generator) for shape in shapes))
    wanted = "a tensor of real numbers, (target_len, d_v)"
    found = answers(attempt, [tuple(part.clone() for part in cases[0])], wanted=wanted)
    if isinstance(found, str):
        return found
    slip = first_match(found, slips_of(*cases[0]), tolerance=TOLERANCE)
    if slip:
        return f"Not yet: {slip}."
    rights = [attend(*case) for case in cases]
    rest = answers(attempt, [tuple(part.clone() for part in case) for case in cases[1:]], wanted=wanted) if slip == "" else []
    if isinstance(rest, str):
        return f"{rest} Your numbers are right where source and target have the same length, and these have not."
    found += rest
    for mine, right, (y, memory, *_) in zip(found, rights, cases, strict=False):
        if mine.shape != right.shape:
            sizes = f"{tuple(y.shape)} and {tuple(memory.shape)}"
            return f"Not yet: for y and memory of shapes {sizes} the output has the shape {tuple(right.shape)}, yours {tuple(mine.shape)}."
    miss = first_miss(found, rights[: len(found)], tolerance=TOLERANCE)
    if miss is None:
        return "Right!"
    case, row, column = miss
    return f"Not yet: row {row}, column {column} should be {rights[case][row, column]:.4f}, yours is {found[case][row, column]:.4f}."


def slips_of(y: Tensor, memory: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> list[tuple[str, list[Tensor]]]:
    """The well-known slips in words, and what each gives; no words for the right answer."""
    exchanged = "queries and keys have changed places: the target asks, the memory answers"
    own, weights = (W_Q, W_K, W_V), "the shares of one query sum to 1 over the source, the last axis, and yours do over the target"
    made = {
        "": attend(y, memory, *own),
        exchanged: attend(memory, y, *own, values=memory),
        f"{exchanged}, and gives the values": attend(memory, y, *own),
        "the values come from the memory too: your words hear themselves, with shares for others": attend(y, memory, *own, values=y),
        "the memory is not heard: keys and values come from it, and yours come from the target. That is self-attention": attend(y, y, *own),
        "the target does not ask: your queries come from the memory, as keys and values do": attend(memory, memory, *own),
        "the matrices of queries and keys have changed places": attend(y, memory, W_K, W_Q, W_V),
        "the scores are not divided by the square root of d_k": attend(y, memory, *own, scale=1),
        "the scores are divided by d_k, and it is its square root": attend(y, memory, *own, scale=W_Q.shape[1]),
        weights: attend(y, memory, *own, over=-2),
        "the keys come from the memory too: yours come from the target": attend(y, memory, *own, keys=y),
        "all of the source may be heard, and a causal mask hides some of it": attend(y, memory, *own, hidden=~causal_mask(len(y))),
        "softmax is missing: the scores are not yet shares": ((y @ W_Q) @ (memory @ W_K).T / W_Q.shape[1] ** 0.5) @ memory @ W_V,
    }
    return [(words, [output]) for words, output in made.items()]


def attend(
    y: Tensor,
    memory: Tensor,
    W_Q: Tensor,
    W_K: Tensor,
    W_V: Tensor,
    *,
    scale: float | None = None,
    over: int = -1,
    keys: Tensor | None = None,
    values: Tensor | None = None,
    hidden: Tensor | None = None,
) -> Tensor:
    """One head: queries from y, keys and values from the memory; the options make slips."""
    q, k, v = y @ W_Q, (memory if keys is None else keys) @ W_K, (memory if values is None else values) @ W_V
    scores = q @ k.T / (scale or q.shape[1] ** 0.5)
    scores = scores if hidden is None else scores.masked_fill(hidden, -torch.inf)
    return (scores.softmax(over) @ v).double()
