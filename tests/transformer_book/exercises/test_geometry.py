"""The judge of chapter 6's exercise: right answers pass, common mistakes are named."""
import math

import pytest
import torch

from tests.transformer_book.exercises.verdicts import assert_rejected
from transformer_book.exercises import review_shift
from transformer_book.geometry import shift_matrix


def turn(angle, minus=-1.0):
    return torch.tensor([[math.cos(angle), math.sin(angle)], [minus * math.sin(angle), math.cos(angle)]])


def blocks(angle, minus=-1.0):
    return lambda k, d: torch.block_diag(*(turn(angle(k, i, d), minus) for i in range(d // 2)))


def right_angle(k, i, d):
    return k / 10000 ** (2 * i / d)


def test_the_right_rotation_is_accepted():
    assert review_shift(blocks(right_angle)) == "Right!"
    assert review_shift(lambda k, d: blocks(right_angle)(k, d).tolist()) == "Right!"
    assert review_shift(lambda k, d: list(blocks(right_angle)(k, d))) == "Right!"
    assert review_shift(lambda k, d: blocks(right_angle)(k, d).to_sparse()) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (lambda k, d: torch.eye(d) * k, "for offset 1, row 0, column 0 should be 0.5403, yours is 1.0000"),
        (blocks(lambda k, i, d: -right_angle(k, i, d)), "turn backwards"),
        (blocks(lambda k, i, d: k), "at the speed of the first"),
        (blocks(lambda k, i, d: k / 10000 ** (i / d)), "i counts pairs."),
        (blocks(lambda k, i, d: k / 10000 ** (4 * i / d)), "i counts pairs, not columns."),
        (blocks(lambda k, i, d: right_angle(1, i, d)), "whatever the offset is"),
        (blocks(right_angle, minus=1.0), "row 1, column 0"),
        (lambda k, d: shift_matrix(k, d) * torch.tensor([1.0, -1.0] * 3), "this is a reflection"),
        (lambda k, d: shift_matrix(k, d)[[0, 2, 4, 1, 3, 5]][:, [0, 2, 4, 1, 3, 5]], "neighbours"),
        (lambda k, d: torch.block_diag(*[math.sin(k) * torch.eye(2)] * 3), "should be"),
        (lambda k, d: torch.full((d, d), math.nan), "yours is nan"),
        (lambda k, d: shift_matrix(k, 4), "the shape (6, 6), yours has (4, 4)"),
        (lambda k, d: None, "must return a matrix of real numbers"),
        (lambda k, d: shift_matrix(k, d) * 1j, "must return a matrix of real numbers"),
        (lambda k, d: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_common_mistake_in_the_shift_is_named(wrong, verdict):
    assert_rejected(review_shift(wrong), verdict)
