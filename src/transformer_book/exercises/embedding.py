"""The exercise of chapter 2: the gradient of an embedding table."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import Difference, WrongAnswerError, assess, in_words, results


@in_words
def review_gradient(attempt: Callable[[Tensor, Tensor, int], Tensor]) -> None:
    """Judge `attempt(ids, g, vocab_size)`, the gradient of an embedding table, and name common mistakes.

    >>> review_gradient(lambda ids, g, vocab_size: torch.zeros(vocab_size, g.shape[1]).index_add(0, ids, g))
    'Right!'
    """
    ids, vocab_size = torch.tensor([2, 0, 2, 4, 2]), 6
    g = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [-2.0, 3.0, 1.0], [0.75, -0.25, 4.0], [5.0, 0.125, -3.0]])
    right = torch.zeros(vocab_size, 3).index_add(0, ids, g)
    counts = ids.bincount(minlength=vocab_size)[:, None]
    one_left = "only one occurrence of a repeated word is left. Add up all of them."
    mistakes = [
        ("a repeated word should get the sum of its rows of g; yours gets their mean.", right / counts.clamp_min(1)),
        ("you count how often each word occurs; add up its rows of g instead.", counts.expand(-1, 3)),
        ("every row gets the sum of all of g; only rows of words that occur should get a gradient.", g.sum(0).expand(vocab_size, -1)),
        *((one_left, right.index_copy(0, torch.tensor([2]), g[at : at + 1])) for at in (0, 2, 4)),
    ]
    (found,) = results(attempt, [(ids, g, vocab_size)])

    def explain(difference: Difference) -> WrongAnswerError:
        if difference.found == tuple(g.shape):
            return WrongAnswerError("the gradient has one row for each vocabulary entry; yours has one for each word of the sentence.")
        if difference.index is None:
            return WrongAnswerError(f"the gradient should have the shape of the table, {difference.right}; yours has {difference.found}.")
        row = int((found - right).abs().sum(1).nan_to_num(math.inf).argmax())
        return WrongAnswerError(f"for the ids {ids.tolist()} row {row} should be {right[row].tolist()}, yours is {found[row].tolist()}.")

    assess([found], [right], ((words, [gradient]) for words, gradient in mistakes), explain)
