"""The sentence that the book follows, "I am a robot", with every number on its way through the machine."""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from transformer_book.one_hot import Vocabulary, one_hot, tokenize
from transformer_book.positional_encoding import positional_encoding

SENTENCE = "I am a robot"
D_MODEL = 4
MAX_WORDS = 8

# Chosen by hand, so that every sum can be checked on paper; nothing was learned.
EMBEDDINGS = {
    "I": (1.0, 0.5, 0.3, 0.2),
    "a": (0.4, 0.7, 0.6, 0.1),
    "am": (0.8, 0.2, 0.5, 0.9),
    "robot": (0.9, 0.3, 0.8, 0.5),
}
VOCABULARY = Vocabulary(list(EMBEDDINGS))

# Found by a search for small numbers that show something: queries are input @ W_Q, and so on. As one head, "robot" asks
# "I". As two heads (columns 0 and 1, columns 2 and 3), one asks who came first, the other where "robot" is.
W_V = ((0.5, 0, 0, 0.5), (0, 0.5, 0.5, 0), (0, 0.5, -0.5, 0), (0.5, 0, 0, -0.5))
ONE_HEAD = {
    "W_Q": ((1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 1)),
    "W_K": ((-3, 0, 0, 0), (0, -4, 0, 4), (0, 0, 0, 0), (0, 0, 4, 0)),
    "W_V": W_V,
}
TWO_HEADS = {
    "W_Q": ((1, 0, 0, 0), (0, 0, 0, 0), (0, 1, 1, 0), (0, 0, 0, 1)),
    "W_K": ((0, -1, 0, 0), (1, 0, -0.5, 0), (0, 0, 0, 3), (0, 0, 0, 0)),
    "W_V": W_V,
    "W_O": ((0.5, 0, 0.5, 0), (0, 0.5, 0, 0.5), (0.5, 0, -0.5, 0), (0, 0.5, 0, -0.5)),
}


@dataclass(frozen=True, eq=False)
class Robot:
    """Each stage of the sentence, in the order in which the machine computes them; float32, d_model = 4."""

    tokens: list[str]
    """The words."""
    ids: Tensor
    """Their places in the sorted vocabulary I, a, am, robot: whole numbers, (seq_len,)."""
    one_hot: Tensor
    """One row a word, a single 1 in the column of its id, (seq_len, 4)."""
    embedding: Tensor
    """One row a word, (seq_len, 4)."""
    positions: Tensor
    """0, 1, 2, ...: (seq_len,)."""
    encoding: Tensor
    """One row a position, (seq_len, 4)."""
    input: Tensor
    """embedding + encoding, (seq_len, 4)."""


def robot(sentence: str = SENTENCE) -> Robot:
    """Follow a sentence of one to eight of the four known words, in any order, through every stage.

    >>> robot().input[1]
    tensor([1.6415, 0.7403, 0.5100, 1.9000])

    Raises TypeError for what is not text, ValueError for an unknown word and for none or more than eight.
    """
    check_sentence(sentence)
    tokens = tokenize(sentence)
    ids = torch.tensor(VOCABULARY.encode(tokens))
    embedding = torch.tensor([EMBEDDINGS[token] for token in tokens], dtype=torch.float32)
    encoding = positional_encoding(len(tokens), D_MODEL)
    return Robot(
        tokens=tokens,
        ids=ids,
        one_hot=one_hot(ids, len(VOCABULARY)),
        embedding=embedding,
        positions=torch.arange(len(tokens)),
        encoding=encoding,
        input=embedding + encoding,
    )


def check_sentence(sentence: object) -> None:
    """Refuse what is not one to eight of the known words."""
    known = ", ".join(EMBEDDINGS)
    if not isinstance(sentence, str):
        raise TypeError(f"sentence must be text made of the words {known}, got {type(sentence).__name__}")
    tokens = tokenize(sentence)
    for token in tokens:
        if token not in EMBEDDINGS:
            raise ValueError(f"sentence may hold the words {known} (capitals count), got {token!r}")
    if not 1 <= len(tokens) <= MAX_WORDS:
        raise ValueError(f"sentence must hold 1 to {MAX_WORDS} words, got {len(tokens)}")
