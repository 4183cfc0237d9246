"""The exercise of chapter 2: the gradient of an embedding table."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.attempt import WrongAnswerError
from transformer_book.exercises.judge import Difference, assess, in_words, over_cases, results

# More ids than columns and more entries than ids, so that every swap shows; a word occurs twice or three times.
CASES = [
    (
        torch.tensor([2, 0, 2, 4, 2]),
        torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [-2.0, 3.0, 1.0], [0.75, -0.25, 4.0], [5.0, 0.125, -3.0]], dtype=torch.float32),
        6,
    ),
    (torch.tensor([5, 5, 1]), torch.tensor([[1.25, -0.5], [0.75, 2.0], [-3.0, 0.5]], dtype=torch.float32), 8),
]


@in_words
def review_gradient(attempt: Callable[[Tensor, Tensor, int], Tensor]) -> None:
    """Judge `attempt(ids, g, vocab_size)`, the gradient of an embedding table, and name common mistakes.

    >>> review_gradient(lambda ids, g, vocab_size: torch.zeros(vocab_size, g.shape[1]).index_add(0, ids, g))
    'Right!'
    """
    rights = [gradient(*case) for case in CASES]

    def explain(difference: Difference) -> WrongAnswerError:
        ids, g, _ = CASES[difference.case]
        right, mine = rights[difference.case], found[difference.case]
        if difference.found == tuple(g.shape):
            return WrongAnswerError("the gradient has one row for each vocabulary entry; yours has one for each word of the sentence.")
        if difference.index is None:
            return WrongAnswerError(f"the gradient should have the shape of the table, {difference.right}; yours has {difference.found}.")
        row = int((mine - right).abs().sum(1).nan_to_num(math.inf).argmax())
        return WrongAnswerError(f"for the ids {ids.tolist()} row {row} should be {right[row].tolist()}, yours is {mine[row].tolist()}.")

    found = results(attempt, CASES)
    assess(found, rights, over_cases(mistakes_in_the_gradient, CASES), explain)


def gradient(ids: Tensor, g: Tensor, vocab_size: int) -> Tensor:
    """The sum of the rows of g for each word."""
    return torch.zeros(vocab_size, g.shape[1]).index_add(0, ids, g)


def mistakes_in_the_gradient(ids: Tensor, g: Tensor, vocab_size: int) -> dict[str, Tensor]:
    """Common mistakes, and the gradient that each gives."""
    right = gradient(ids, g, vocab_size)
    counts = ids.bincount(minlength=vocab_size)[:, None]
    one_left = "only one occurrence of a repeated word is left. Add up all of them"
    last, first = torch.zeros_like(right), torch.zeros_like(right)
    for at, word in enumerate(ids.tolist()):
        last[word] = g[at]
        first[word] = g[at] if word not in ids[:at].tolist() else first[word]
    return {
        f"{one_left}.": last,
        f"{one_left}, not the first alone.": first,
        "a repeated word should get the sum of its rows of g; yours gets their mean.": right / counts.clamp_min(1),
        "the sum is multiplied by the number of occurrences. Add up the rows of g, and nothing more.": right * counts,
        "you count how often each word occurs; add up its rows of g instead.": counts.expand(-1, g.shape[1]),
        "every row gets the sum of all of g; only rows of words that occur should get a gradient.": g.sum(0).expand(vocab_size, -1),
        "the gradient is that of a sum; you divide by the number of words.": right / len(ids),
        "this is the step downhill: the gradient has no minus.": -right,
        "a row of g belongs to the row of the word's id, not to that of its position.": gradient(torch.arange(len(ids)), g, vocab_size),
        "ids count from 0, so the gradient of id 0 is in row 0.": right.roll(1, 0),
        "the gradient has one row for each vocabulary entry; yours has one for each different word.": right[ids.unique()],
        "no row has a gradient: nothing is added up.": 0 * right,
    }
