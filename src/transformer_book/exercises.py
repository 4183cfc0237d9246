"""Answers to the chapters' exercises, judged: right, one of the well-known slips, or simply not the same numbers."""
from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from textwrap import fill

import torch
from torch import Tensor

from transformer_book.checks import from_numpy, leaves, read_numbers
from transformer_book.geometry import shift_matrix
from transformer_book.one_hot import one_hot

PLACES = [(position, column) for position in (1, 3, 7) for column in range(6)]


def as_matrix(given: object) -> Tensor:
    """What a reader's code gives, a tensor (also a sparse one, or one with a gradient), an array, or lists of numbers or of
    rows, as a float64 tensor on the CPU. Raises TypeError, ValueError or RuntimeError for all else, complex numbers too.
    """
    if isinstance(given, list | tuple) and any(isinstance(leaf, Tensor) for leaf in leaves(given)):
        return torch.stack([as_matrix(row) for row in given])
    given = from_numpy(given)
    tensor = given.detach().to_dense() if isinstance(given, Tensor) else read_numbers(given)
    if tensor.is_complex():
        raise TypeError(f"real numbers are wanted, not {tensor.dtype}")
    return tensor.cpu().double()


def answers(
    attempt: Callable[..., object],
    cases: list[tuple],
    *,
    wanted: str = "a matrix of real numbers, as a tensor or as lists of equal length",
    read: Callable[[object], object] = as_matrix,
) -> list | str:
    """What `attempt` gives in each case, read; or, where it fails or cannot be read, the words for the reader."""
    try:
        given = [attempt(*case) for case in cases]
    except Exception as error:  # whatever the reader's own code raises is for the reader to see
        return f"Not yet: your code raised {type(error).__name__}: {error}"
    found = []
    for value in given:
        try:
            found.append(read(value))
        except (TypeError, ValueError, RuntimeError, OverflowError):
            return f"Not yet: your code must return {wanted}, it gave {value!r}."
    return found


def wrapped(review: Callable[..., str]) -> Callable[..., str]:
    """The same verdict in lines of at most 75 signs, which fit the page."""

    @wraps(review)
    def judge(attempt: Callable) -> str:
        return fill(review(attempt), 75)

    return judge


@wrapped
def review_encoding(attempt: Callable[[int, int, int], float]) -> str:
    """Judge `attempt(position, column, d_model)` at d_model = 6 against the sinusoidal table; a slip of chapter 4 is called by name.

    >>> review_encoding(lambda position, column, d_model: math.sin(position / 10000 ** (column // 2 * 2 / d_model)))
    'Not yet: the odd columns take the cosine.'
    """
    d_model = 6

    def numbers(exponent: Callable[[int], float], odd: Callable[[float], float] = math.cos) -> list[float]:
        return [(odd if c % 2 else math.sin)(p / 10000 ** exponent(c)) for p, c in PLACES]

    def pair(column: int) -> float:
        return 2 * (column // 2) / d_model

    verdicts = {
        "Right!": numbers(pair),
        "Not yet: the odd columns take the cosine.": numbers(pair, math.sin),
        "Not yet: i counts pairs, not columns.": numbers(lambda c: 2 * c / d_model),
        "Not yet: i counts pairs, not columns, and the odd columns take the cosine.": numbers(
            lambda c: 2 * c / d_model, math.sin
        ),
        "Not yet: both columns of a pair share one denominator.": numbers(lambda c: c / d_model),
        "Not yet: the odd columns share the denominator of the column before them (the exponent is not 2i - 1).": numbers(
            lambda c: (c - 2) / d_model if c % 2 else c / d_model
        ),
    }
    cases = [(position, column, d_model) for position, column in PLACES]
    found = answers(attempt, cases, wanted="a number", read=lambda given: as_matrix(given).item())
    if isinstance(found, str):
        return found
    for verdict, expected in verdicts.items():
        if all(math.isclose(mine, other, abs_tol=1e-6) for mine, other in zip(found, expected, strict=True)):
            return verdict
    misses = zip(PLACES, found, verdicts["Right!"], strict=True)
    (position, column), mine, right = next(miss for miss in misses if not math.isclose(miss[1], miss[2], abs_tol=1e-6))
    return f"Not yet: at position {position}, column {column} you give {mine:.4f}, and the table has {right:.4f}."


@wrapped
def review_gradient(attempt: Callable[[Tensor, Tensor, int], Tensor]) -> str:
    """Judge `attempt(ids, g, vocab_size)`, the gradient of an embedding table; a slip of chapter 2 is called by name.

    >>> review_gradient(lambda ids, g, vocab_size: torch.zeros(vocab_size, g.shape[1]).index_add(0, ids, g))
    'Right!'
    """
    ids, vocab_size = torch.tensor([2, 0, 2, 4, 2]), 6
    g = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [-2.0, 3.0, 1.0], [0.75, -0.25, 4.0], [5.0, 0.125, -3.0]])
    table = torch.zeros(vocab_size, 3)
    right = table.index_add(0, ids, g)
    counts = ids.bincount(minlength=vocab_size)[:, None]
    slips = {
        "Not yet: a word that stands there more than once gets the mean of its visits, and it should get their sum.": right
        / counts.clamp_min(1),
        "Not yet: you count the visits of each word, and what arrives is in g.": counts.expand(-1, 3).float(),
        "Not yet: every row gets everything, and only the rows of the words that stand there should.": g.sum(0).expand(vocab_size, -1),
    }
    given = answers(attempt, [(ids.clone(), g.clone(), vocab_size)])
    if isinstance(given, str):
        return given
    found = given[0].float()
    if found.shape == g.shape:
        return "Not yet: the gradient has a row for each entry of the vocabulary, and yours has one for each word of the sentence."
    if found.shape != right.shape:
        return f"Not yet: the gradient has the shape of the table, {tuple(right.shape)}, and yours has {tuple(found.shape)}."
    for verdict, expected in {"Right!": right, **slips}.items():
        if torch.allclose(found, expected, atol=1e-6):
            return verdict
    single = [torch.allclose(found, right.index_copy(0, torch.tensor([2]), g[visit : visit + 1])) for visit in (0, 2, 4)]
    if any(single):
        return "Not yet: of a word that stands there more than once, only one visit is left. Add all of them."
    row = int((found - right).abs().sum(1).nan_to_num(math.inf).argmax())
    return f"Not yet: for the ids {ids.tolist()} row {row} should be {right[row].tolist()}, and yours is {found[row].tolist()}."


@wrapped
def review_one_hot(attempt: Callable[[list[int], int], object]) -> str:
    """Judge `attempt(ids, vocab_size)`, given as a tensor or as lists; a slip of chapter 1 is called by name.

    >>> print(review_one_hot(lambda ids, vocab_size: [[float(id == column) for id in ids] for column in range(vocab_size)]))
    Not yet: words are the rows and entries the columns; yours are the other
    way round.
    """
    cases = [([2, 0, 1, 2], 5), ([1, 1, 4], 6)]
    verdicts: dict[str, Callable[[list[int], int], Tensor]] = {
        "Right!": one_hot,
        "Not yet: words are the rows and entries the columns; yours are the other way round.": lambda ids, size: one_hot(
            ids, size
        ).T,
        "Not yet: the 1 stands in the column of the word's id, not of its place in the sentence.": lambda ids, size: one_hot(
            range(len(ids)), size
        ),
        "Not yet: there is one column for each entry of the vocabulary, also for those that the sentence does not use.": (
            lambda ids, size: one_hot(ids, max(ids) + 1)
        ),
        "Not yet: ids count from 0, so id 0 has its 1 in column 0.": lambda ids, size: one_hot(ids, size).roll(-1, 1),
        "Not yet: each word has a row of its own; yours are added up in one.": lambda ids, size: one_hot(ids, size).sum(0),
        "Not yet: each word has a row of its own; yours share one.": lambda ids, size: one_hot(ids, size).amax(0),
        "Not yet: write 1 in the column of the id, not the id itself.": lambda ids, size: one_hot(ids, size)
        * torch.tensor(ids)[:, None],
        "Not yet: the other way round, 1 in the column of the id and 0 elsewhere.": lambda ids, size: 1 - one_hot(ids, size),
    }
    found = answers(attempt, [(list(ids), size) for ids, size in cases])
    if isinstance(found, str):
        return found
    for verdict, matrix in verdicts.items():
        if all(torch.equal(mine, matrix(ids, size).double()) for mine, (ids, size) in zip(found, cases, strict=True)):
            return verdict
    for mine, (ids, size) in zip(found, cases, strict=True):
        right = one_hot(ids, size)
        if mine.shape != right.shape:
            return f"Not yet: for ids {ids} and vocab_size {size} the shape is {tuple(right.shape)}, yours is {tuple(mine.shape)}."
        for row, column in (mine != right).nonzero().tolist():
            return f"Not yet: for ids {ids}, row {row}, column {column} is {right[row, column]:.0f}, you give {mine[row, column]:g}."
    raise AssertionError("what differs from the right answer differs somewhere")


@wrapped
def review_shift(attempt: Callable[[float, int], Tensor]) -> str:
    """Judge `attempt(offset, d_model)`, a matrix that should move positions by `offset`; a slip of chapter 6 is called by name.

    >>> review_shift(lambda offset, d_model: shift_matrix(-offset, d_model))
    'Not yet: your hands turn backwards, the minus belongs below the diagonal.'
    """
    offsets, d_model = (1, 5, -2, 30), 6
    apart = [0, 2, 4, 1, 3, 5]  # all sines, then all cosines

    def speeds(exponent: Callable[[int], float]) -> list[Tensor]:
        """For each offset the turns of three hands, at 1 / 10000 ** exponent(pair) radians a step."""
        return [torch.block_diag(*(shift_matrix(k / 10000 ** exponent(pair), 2) for pair in range(3))) for k in offsets]

    right = [shift_matrix(k, d_model) for k in offsets]
    verdicts = {
        "Right!": right,
        "Not yet: your hands turn backwards, the minus belongs below the diagonal.": [matrix.T for matrix in right],
        "Not yet: all your hands turn at the speed of the first.": speeds(lambda pair: 0),
        "Not yet: the exponent is 2i / d_model, and i counts pairs.": speeds(lambda pair: pair / d_model),
        "Not yet: the exponent is 2i / d_model, and i counts pairs, not columns.": speeds(lambda pair: 4 * pair / d_model),
        "Not yet: this mirrors the hands, and a turn has its minus below the diagonal.": [
            matrix * torch.tensor([1.0, -1.0] * 3) for matrix in right
        ],
        "Not yet: both columns of a pair stand side by side, sin, cos, sin, cos, ...": [
            matrix[apart][:, apart] for matrix in right
        ],
        "Not yet: this moves by one, whatever the offset.": [right[0]] * len(offsets),
    }
    given = answers(attempt, [(offset, d_model) for offset in offsets])
    if isinstance(given, str):
        return given
    wrong = next((tuple(matrix.shape) for matrix in given if matrix.shape != (d_model, d_model)), None)
    if wrong is not None:
        return f"Not yet: at d_model = {d_model} the matrix has the shape {(d_model, d_model)}, yours {wrong}."
    for verdict, expected in verdicts.items():
        if all(torch.allclose(mine, other, rtol=0, atol=1e-6) for mine, other in zip(given, expected, strict=True)):
            return verdict
    misses = zip(offsets, given, right, strict=True)
    offset, mine, other = next(miss for miss in misses if not torch.allclose(miss[1], miss[2], rtol=0, atol=1e-6))
    row, column = (int(place) for place in ((mine - other).abs().nan_to_num(torch.inf) > 1e-6).nonzero()[0])
    return (
        f"Not yet: for offset {offset}, row {row}, column {column} you give {mine[row, column]:.4f}, "
        f"and the turn has {other[row, column]:.4f}."
    )
