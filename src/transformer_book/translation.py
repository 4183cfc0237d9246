"""Translation: words in, words out, one after another; and what the machine saw and weighed on the way."""
from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, eq=False)
class Generation:
    """One sentence written by a trained model, step by step: row t of each tensor belongs to the word output[t].

    When output[t] was chosen, the decoder had read the start token and output[:t]; both weights are those of its last layer.
    """

    source: list[str]
    """The words that were read, (source_len)."""
    output: list[str]
    """The words that were written, (output_len); the last one is the end token, unless the writing was stopped before."""
    probabilities: Tensor
    """For each step the share of every word in `vocabulary` as the next one, float32, (output_len, target_vocab)."""
    self_weights: Tensor
    """For each head and step the shares of the start token and output[:-1]; 0 for what comes later: (n_heads, output_len, output_len)."""
    cross_weights: Tensor
    """For each head and step the shares of the source words: (n_heads, output_len, source_len)."""
    vocabulary: list[str]
    """The target's words, start and end token among them, in the order of their ids."""
