"""The exercise of chapter 2: the gradient of an embedding table."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import Difference, WrongAnswerError, assess, in_words, results


@in_words
def review_gradient(attempt: Callable[[Tensor, Tensor, int], Tensor]) -> None:
    """Judge `attempt(ids, g, vocab_size)`, the gradient of an embedding table; a slip of chapter 2 is called by name.

    >>> review_gradient(lambda ids, g, vocab_size: torch.zeros(vocab_size, g.shape[1]).index_add(0, ids, g))
    'Right!'
    """
    ids, vocab_size = torch.tensor([2, 0, 2, 4, 2]), 6
    g = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [-2.0, 3.0, 1.0], [0.75, -0.25, 4.0], [5.0, 0.125, -3.0]])
    right = torch.zeros(vocab_size, 3).index_add(0, ids, g)
    counts = ids.bincount(minlength=vocab_size)[:, None]
    one_visit = "of a word that stands there more than once, only one visit is left. Add all of them."
    slips = [
        ("a word that stands there more than once gets the mean of its visits, and it should get their sum.", right / counts.clamp_min(1)),
        ("you count the visits of each word, and what arrives is in g.", counts.expand(-1, 3)),
        ("every row gets everything, and only the rows of the words that stand there should.", g.sum(0).expand(vocab_size, -1)),
        *((one_visit, right.index_copy(0, torch.tensor([2]), g[visit : visit + 1])) for visit in (0, 2, 4)),
    ]
    (found,) = results(attempt, [(ids, g, vocab_size)])

    def explain(difference: Difference) -> WrongAnswerError:
        if difference.found == tuple(g.shape):
            return WrongAnswerError("the gradient has a row for each entry of the vocabulary, and yours has one for each word of the sentence.")
        if difference.place is None:
            return WrongAnswerError(f"the gradient has the shape of the table, {difference.right}, and yours has {difference.found}.")
        row = int((found - right).abs().sum(1).nan_to_num(math.inf).argmax())
        return WrongAnswerError(f"for the ids {ids.tolist()} row {row} should be {right[row].tolist()}, and yours is {found[row].tolist()}.")

    assess([found], [right], ((words, [gradient]) for words, gradient in slips), explain)
