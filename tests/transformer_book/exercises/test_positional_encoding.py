"""The judge of chapter 4's exercise: right answers pass, common mistakes are named."""
import math

import pytest
import torch

from tests.transformer_book.exercises.verdicts import assert_rejected
from transformer_book.exercises import review_encoding
from transformer_book.positional_encoding import encode_positions


def attempt(exponent, odd=math.cos):
    return lambda p, c, d: (odd if c % 2 else math.sin)(p / 10000 ** exponent(c, d))


def test_the_right_formula_is_accepted():
    assert review_encoding(attempt(lambda c, d: 2 * (c // 2) / d)) == "Right!"


def test_the_librarys_numbers_are_accepted():
    assert review_encoding(lambda p, c, d: encode_positions([p], d)[0, c]) == "Right!"


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        (attempt(lambda c, d: 2 * (c // 2) / d, math.sin), "odd columns take the cosine"),
        (attempt(lambda c, d: 2 * c / d), "i counts pairs, not columns."),
        (attempt(lambda c, d: 2 * c / d, math.sin), "i counts pairs, not columns, and the odd columns"),
        (attempt(lambda c, d: c / d), "share one denominator"),
        (attempt(lambda c, d: (c - 2 if c % 2 else c) / d), "2i - 1"),
        (attempt(lambda c, d: 3 / 4), "position 1, column 0 should be"),
        (lambda p, c, d: 1 / 0, "ZeroDivisionError"),
        (lambda p, c, d: math.nan, "yours is nan"),
        (lambda p, c, d: None, "must return a number, but it returned None"),
        (lambda p, c, d: torch.tensor(1j), "must return a number, but it returned a tensor of shape () and dtype torch.complex64"),
        (lambda p, c, d: encode_positions([p], d), "must return a number, but it returned a tensor of shape (1, 6)"),
        (lambda p, c, d: 10**400, "must return a number"),
    ],
)
def test_a_common_mistake_is_named(wrong, verdict):
    assert_rejected(review_encoding(wrong), verdict)


def test_verdicts_fit_the_page():
    long = review_encoding(attempt(lambda c, d: (c - 2 if c % 2 else c) / d))
    assert "\n" in long and max(map(len, long.splitlines())) <= 75
