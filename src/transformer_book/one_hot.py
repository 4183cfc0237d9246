"""From text to numbers that rank nothing: tokens, their ids in a sorted vocabulary, and a single 1 in a row of zeros."""
from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_book.checks import check_ids, check_size, check_words


def tokenize(text: str) -> list[str]:
    """The words of a text: whatever stands between white space, as it stands there.

    Case is kept and punctuation stays with its word, so "Robot", "robot" and "robot." are three tokens. Nothing is
    added: no mark for a beginning, an end or an unknown word.

    >>> tokenize("I am a robot.")
    ['I', 'am', 'a', 'robot.']

    Raises TypeError for what is not text.
    """
    check_text(text)
    return text.split()


class Vocabulary:
    """The different tokens of a list, sorted; the id of a token is its place, counted from 0.

    Sorted, so that the ids depend on which tokens there are and not on which was met first. Python sorts by code
    point: capitals come before small letters.

    >>> vocabulary = Vocabulary(["am", "I", "a", "robot", "I"])
    >>> vocabulary.entries
    ['I', 'a', 'am', 'robot']
    >>> vocabulary.encode(["am", "I"])
    [2, 0]
    >>> vocabulary.decode([2, 0]), len(vocabulary)
    (['am', 'I'], 4)

    Raises TypeError for what is not a list of text (a bare text is none: `tokenize` it), ValueError for no tokens.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        check_words("tokens", tokens, least=1)
        self.entries = sorted(set(tokens))
        self.ids = {token: number for number, token in enumerate(self.entries)}

    def __len__(self) -> int:
        return len(self.entries)

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """The id of each token, in order. Raises ValueError for a token that the vocabulary does not hold."""
        check_words("tokens", tokens)
        check_known(tokens, self.ids)
        return [self.ids[token] for token in tokens]

    def decode(self, ids: Sequence[int] | Tensor) -> list[str]:
        """The token of each id, in order.

        Raises TypeError for what is no list of ids, ValueError for lists in lists and for an unknown id.
        """
        check_ids("ids", ids, len(self), dimensions=1)
        return [self.entries[number] for number in ids]


def one_hot(ids: Sequence[int] | Tensor, vocab_size: int) -> Tensor:
    """A row of zeros for each id, with a single 1 in the column of that id: float32, `(..., seq_len, vocab_size)`.

    X[row, column] = 1 if column = ids[row], else 0. Ids come as a tensor or as lists, with any number of leading axes;
    the result stands where the ids stand.

    >>> one_hot([2, 0, 1, 3], 4)
    tensor([[0., 0., 1., 0.],
            [1., 0., 0., 0.],
            [0., 1., 0., 0.],
            [0., 0., 0., 1.]])

    Raises TypeError for ids that are not whole numbers, ValueError for an id outside 0..vocab_size - 1, and either
    for a `vocab_size` that is not a whole number of at least 1.
    """
    check_size("vocab_size", vocab_size)
    check_ids("ids", ids, vocab_size)
    ids = torch.as_tensor(ids, dtype=torch.long)
    columns = torch.arange(vocab_size, device=ids.device)
    return (ids[..., None] == columns).float()


def check_text(text: object) -> None:
    """Refuse what is not text."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, got {type(text).__name__}")


def check_known(tokens: Sequence[str], ids: dict[str, int]) -> None:
    """Refuse a token that has no id, and name it and those that have one (the first ones, where there are many)."""
    for token in tokens:
        if token not in ids:
            first = ", ".join(list(ids)[:8])
            more = f" and {len(ids) - 8} more" if len(ids) > 8 else ""
            raise ValueError(
                f"tokens must be in the vocabulary, which holds {first}{more} "
                f"(capitals and punctuation count), got {token!r}"
            )
