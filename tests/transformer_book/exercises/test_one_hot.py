"""The judge of chapter 1's exercise: right answers pass, common mistakes are named."""
import math

import pytest
import torch

from tests.transformer_book.exercises.verdicts import assert_rejected
from transformer_book.exercises import review_one_hot
from transformer_book.one_hot import one_hot


def lists(number):
    """A one-hot function in plain lists, with `number(row, id, column)` at each index."""
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
def test_a_right_one_hot_function_is_accepted(right):
    assert review_one_hot(right) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (lambda ids, size: one_hot(ids, size).T, "yours are swapped"),
        (lists(lambda row, id, column: row == column), "not of its position in the sentence"),
        (lambda ids, size: one_hot(ids, max(ids) + 1), "one column for each vocabulary entry"),
        (lambda ids, size: torch.eye(size)[[i - 1 for i in ids]], "ids count from 0"),
        (lambda ids, size: one_hot(ids, size).sum(0), "yours are added up into one"),
        (lambda ids, size: [int(column in ids) for column in range(size)], "yours share one"),
        (lists(lambda row, id, column: id * (id == column)), "not the id itself"),
        (lists(lambda row, id, column: id != column), "1 in the column of the id and 0 elsewhere"),
        (lambda ids, size: ids, "the shape should be (4, 5), yours is (4,)"),
        (lists(lambda row, id, column: 2 * (id == column)), "row 0, column 2 should be 1, yours is 2"),
        (lists(lambda row, id, column: math.nan), "yours is nan"),
        (lambda ids, size: ids[99], "IndexError"),
        (lambda ids, size: None, "must return a matrix"),
        (lambda ids, size: [[1], [0, 1]], "must return a matrix"),
        (lambda ids, size: [torch.ones(1), torch.ones(2)], "must return a matrix"),
        (lambda ids, size: one_hot(ids, size) * (1 + 1j), "must return a matrix of real numbers"),
        (lambda ids, size: (one_hot(ids, size) * (1 + 1j)).numpy(), "must return a matrix of real numbers"),
        (lambda ids, size: [[complex(value) for value in row] for row in one_hot(ids, size)], "must return a matrix of real"),
    ],
)
def test_a_common_mistake_in_one_hot_is_named(wrong, verdict):
    assert_rejected(review_one_hot(wrong), verdict)
