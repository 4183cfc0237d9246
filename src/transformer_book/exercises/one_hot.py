"""The exercise of chapter 1: one-hot rows."""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_book.exercises.judge import answers, first_match, first_miss, wrapped
from transformer_book.one_hot import one_hot


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
    expected = ((words, [matrix(*case) for case in cases]) for words, matrix in verdicts.items())
    verdict = first_match(found, expected, tolerance=0)
    if verdict is not None:
        return verdict
    rights = [one_hot(*case) for case in cases]
    for mine, right, (ids, size) in zip(found, rights, cases, strict=True):
        if mine.shape != right.shape:
            return f"Not yet: for ids {ids} and vocab_size {size} the shape is {tuple(right.shape)}, yours is {tuple(mine.shape)}."
    case, row, column = first_miss(found, rights, tolerance=0)
    return (
        f"Not yet: for ids {cases[case][0]}, row {row}, column {column} is {rights[case][row, column]:.0f}, "
        f"you give {found[case][row, column]:g}."
    )
