"""The exercises' judge: right answers pass, each well-known slip is called by its name."""
import math

import pytest
import torch

from transformer_book.embedding import TokenEmbedding
from transformer_book.exercises import review_encoding, review_gradient, review_one_hot, review_shift
from transformer_book.geometry import shift_matrix
from transformer_book.one_hot import one_hot
from transformer_book.positional_encoding import encode_positions


def attempt(exponent, odd=math.cos):
    return lambda p, c, d: (odd if c % 2 else math.sin)(p / 10000 ** exponent(c, d))


def test_the_right_formula_is_right():
    assert review_encoding(attempt(lambda c, d: 2 * (c // 2) / d)) == "Right!"


def test_the_librarys_numbers_are_right():
    assert review_encoding(lambda p, c, d: encode_positions([p], d)[0, c]) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (attempt(lambda c, d: 2 * (c // 2) / d, math.sin), "odd columns take the cosine"),
        (attempt(lambda c, d: 2 * c / d), "i counts pairs, not columns."),
        (attempt(lambda c, d: 2 * c / d, math.sin), "i counts pairs, not columns, and the odd columns"),
        (attempt(lambda c, d: c / d), "share one denominator"),
        (attempt(lambda c, d: (c - 2 if c % 2 else c) / d), "2i - 1"),
        (attempt(lambda c, d: 3 / 4), "position 1, column 0 you give"),
        (lambda p, c, d: 1 / 0, "ZeroDivisionError"),
        (lambda p, c, d: math.nan, "you give nan"),
        (lambda p, c, d: None, "must return a number, it gave None"),
        (lambda p, c, d: torch.tensor(1j), "must return a number, it gave tensor(0.+1.j)"),
        (lambda p, c, d: encode_positions([p], d), "must return a number, it gave tensor([["),
        (lambda p, c, d: 10**400, "must return a number"),
    ],
)
def test_a_slip_is_called_by_its_name(wrong, verdict):
    answer = review_encoding(wrong)
    assert answer.startswith("Not yet") and verdict in " ".join(answer.split())


def test_verdicts_fit_the_page():
    long = review_encoding(attempt(lambda c, d: (c - 2 if c % 2 else c) / d))
    assert "\n" in long and max(map(len, long.splitlines())) <= 75


def by_loop(ids, g, vocab_size):
    gradient = torch.zeros(vocab_size, g.shape[1])
    for number, row in zip(ids, g, strict=True):
        gradient[number] += row
    return gradient


def by_torch(ids, g, vocab_size):
    table = TokenEmbedding(vocab_size, g.shape[1])
    (table(ids) * g).sum().backward()
    return table.weight.grad


def by_sparse_torch(ids, g, vocab_size):
    table = torch.nn.Embedding(vocab_size, g.shape[1], sparse=True)
    (table(ids) * g).sum().backward()
    return table.weight.grad


def by_rows(ids, g, vocab_size):
    return [g[ids == word].sum(0).requires_grad_() for word in range(vocab_size)]


@pytest.mark.parametrize("right", [by_loop, by_torch, by_sparse_torch, by_rows, lambda ids, g, size: one_hot(ids, size).T @ g])
def test_the_gradient_of_a_table_by_several_roads(right):
    assert review_gradient(right) == "Right!"


def trap(ids, g, vocab_size):
    gradient = torch.zeros(vocab_size, g.shape[1])
    gradient[ids] += g
    return gradient


def first_visit(ids, g, vocab_size):
    return trap(ids.flip(0), g.flip(0), vocab_size)


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (trap, "only one visit is left"),
        (first_visit, "only one visit is left"),
        (lambda ids, g, size: g, "one for each word of the sentence"),
        (lambda ids, g, size: by_loop(ids, g, size).T, "the shape of the table, (6, 3), and yours has (3, 6)"),
        (lambda ids, g, size: by_loop(ids, torch.ones_like(g), size), "you count the visits"),
        (lambda ids, g, size: by_loop(ids, g, size) / ids.bincount(minlength=size).clamp_min(1)[:, None], "the mean of its visits"),
        (lambda ids, g, size: g.sum(0).expand(size, -1), "every row gets everything"),
        (lambda ids, g, size: by_loop(ids, g, size) * 2, "row 2 should be"),
        (lambda ids, g, size: by_loop(ids, g, size) + math.nan, "row 0 should be"),
        (lambda ids, g, size: None, "must return a matrix of real numbers, as a tensor or as lists of equal length, it gave None"),
        (lambda ids, g, size: by_loop(ids, g, size) * (1 + 1j), "must return a matrix of real numbers"),
        (lambda ids, g, size: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_slip_with_the_gradient_is_called_by_its_name(wrong, verdict):
    answer = review_gradient(wrong)
    assert answer.startswith("Not yet") and verdict in " ".join(answer.split())


def lists(number):
    """A one-hot function in plain lists, with `number(row, id, column)` in each place."""
    return lambda ids, size: [[number(row, id, column) for column in range(size)] for row, id in enumerate(ids)]


@pytest.mark.parametrize(
    "right",
    [
        one_hot,
        lambda ids, size: torch.eye(size, dtype=torch.int64)[ids],
        lists(lambda row, id, column: id == column),
        lambda ids, size: torch.nn.functional.one_hot(torch.tensor(ids), size).double(),
        lambda ids, size: one_hot(ids, size).to_sparse(),
        lambda ids, size: list(one_hot(ids, size).requires_grad_()),
        lambda ids, size: [[value.requires_grad_() for value in row] for row in one_hot(ids, size)],
        lambda ids, size: [row.tolist() if row[0] else row for row in one_hot(ids, size)],
        lambda ids, size: one_hot(ids, size).flip(0).numpy()[::-1],
    ],
)
def test_any_right_one_hot_function_is_right(right):
    assert review_one_hot(right) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (lambda ids, size: one_hot(ids, size).T, "yours are the other way round"),
        (lists(lambda row, id, column: row == column), "not of its place in the sentence"),
        (lambda ids, size: one_hot(ids, max(ids) + 1), "one column for each entry"),
        (lambda ids, size: torch.eye(size)[[i - 1 for i in ids]], "ids count from 0"),
        (lambda ids, size: one_hot(ids, size).sum(0), "yours are added up in one"),
        (lambda ids, size: [int(column in ids) for column in range(size)], "yours share one"),
        (lists(lambda row, id, column: id * (id == column)), "not the id itself"),
        (lists(lambda row, id, column: id != column), "1 in the column of the id and 0 elsewhere"),
        (lambda ids, size: ids, "the shape is (4, 5), yours is (4,)"),
        (lists(lambda row, id, column: 2 * (id == column)), "row 0, column 2 is 1, you give 2"),
        (lists(lambda row, id, column: math.nan), "you give nan"),
        (lambda ids, size: ids[99], "IndexError"),
        (lambda ids, size: None, "must return a matrix"),
        (lambda ids, size: [[1], [0, 1]], "must return a matrix"),
        (lambda ids, size: [torch.ones(1), torch.ones(2)], "must return a matrix"),
        (lambda ids, size: one_hot(ids, size) * (1 + 1j), "must return a matrix of real numbers"),
        (lambda ids, size: (one_hot(ids, size) * (1 + 1j)).numpy(), "must return a matrix of real numbers"),
        (lambda ids, size: [[complex(value) for value in row] for row in one_hot(ids, size)], "must return a matrix of real"),
    ],
)
def test_a_slip_with_one_hot_is_called_by_its_name(wrong, verdict):
    answer = review_one_hot(wrong)
    assert answer.startswith("Not yet") and verdict in " ".join(answer.split())


def turn(angle, minus=-1.0):
    return torch.tensor([[math.cos(angle), math.sin(angle)], [minus * math.sin(angle), math.cos(angle)]])


def blocks(angle, minus=-1.0):
    return lambda k, d: torch.block_diag(*(turn(angle(k, i, d), minus) for i in range(d // 2)))


def right_angle(k, i, d):
    return k / 10000 ** (2 * i / d)


def test_the_right_turn_is_right():
    assert review_shift(blocks(right_angle)) == "Right!"
    assert review_shift(lambda k, d: blocks(right_angle)(k, d).tolist()) == "Right!"
    assert review_shift(lambda k, d: list(blocks(right_angle)(k, d))) == "Right!"
    assert review_shift(lambda k, d: blocks(right_angle)(k, d).to_sparse()) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (lambda k, d: torch.eye(d) * k, "for offset 1, row 0, column 0 you give 1.0000, and the turn has 0.5403"),
        (blocks(lambda k, i, d: -right_angle(k, i, d)), "turn backwards"),
        (blocks(lambda k, i, d: k), "at the speed of the first"),
        (blocks(lambda k, i, d: k / 10000 ** (i / d)), "i counts pairs."),
        (blocks(lambda k, i, d: k / 10000 ** (4 * i / d)), "i counts pairs, not columns."),
        (blocks(lambda k, i, d: right_angle(1, i, d)), "whatever the offset"),
        (blocks(right_angle, minus=1.0), "row 1, column 0"),
        (lambda k, d: shift_matrix(k, d) * torch.tensor([1.0, -1.0] * 3), "mirrors"),
        (lambda k, d: shift_matrix(k, d)[[0, 2, 4, 1, 3, 5]][:, [0, 2, 4, 1, 3, 5]], "side by side"),
        (lambda k, d: torch.block_diag(*[math.sin(k) * torch.eye(2)] * 3), "you give"),
        (lambda k, d: torch.full((d, d), math.nan), "you give nan"),
        (lambda k, d: shift_matrix(k, 4), "the shape (6, 6), yours (4, 4)"),
        (lambda k, d: None, "must return a matrix of real numbers"),
        (lambda k, d: shift_matrix(k, d) * 1j, "must return a matrix of real numbers"),
        (lambda k, d: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_slip_of_the_shift_is_called_by_its_name(wrong, verdict):
    answer = review_shift(wrong)
    assert answer.startswith("Not yet") and verdict in " ".join(answer.split())
