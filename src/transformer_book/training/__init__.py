"""Train small causal transformers on three tasks, with six ways to know positions, and measure them at lengths never seen.

The tasks are in `tasks`, the model and its settings in `models`.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_book.checks import check_size
from transformer_book.training.models import ENCODINGS, LONGEST, CausalModel, Settings
from transformer_book.training.tasks import NOT_PREDICTED, TASKS, chance, make_batch

DTYPE = torch.float32


def train(settings: Settings, progress: Callable[[Iterable[int]], Iterable[int]] = iter) -> CausalModel:
    generator = torch.Generator().manual_seed(settings.seed)
    model = new_model(settings)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.learning_rate, fused=True)
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.learning_rate, total_steps=settings.steps)
    for _ in progress(range(settings.steps)):
        inputs, targets = make_batch(settings.task, settings.batch_size, settings.seq_len, generator, settings.n_symbols)
        offsets = None
        if settings.encoding == "random_offsets":
            offsets = torch.randint((LONGEST - 1) * settings.seq_len + 1, (settings.batch_size,), generator=generator)
        scores = model(inputs, offsets)
        loss = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=NOT_PREDICTED)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        cycle.step()
    return model.eval()


def new_model(settings: Settings) -> CausalModel:
    """The model before its first step."""
    with torch.random.fork_rng(devices=[]):
        torch.random.default_generator.manual_seed(settings.seed)
        model = CausalModel(
            settings.encoding, settings.n_layers, settings.d_model, settings.n_heads, settings.seq_len, settings.n_symbols
        )
    return model.to(DTYPE)


@torch.no_grad()
def accuracy_by_position(model: Callable[[Tensor], Tensor], task: str, *, seq_len: int = 64, n_symbols: int = 16, sequences: int = 512,
                         seed: int = 0) -> tuple[Tensor, Tensor]:
    check_size("sequences", sequences)
    inputs, targets = make_batch(task, sequences, seq_len, torch.Generator().manual_seed(10**9 + seed), n_symbols)
    right = model(inputs).argmax(dim=-1) == targets
    return right.sum(dim=0), (targets != NOT_PREDICTED).sum(dim=0)


def accuracy_by_length(model, task: str, *, seq_len: int = 16, n_symbols: int = 16, sequences: int = 512, seed: int = 0) -> dict[str, float]:
    right, asked = accuracy_by_position(model, task, seq_len=4 * seq_len, n_symbols=n_symbols, sequences=sequences, seed=seed)
    parts = {"1x": slice(0, seq_len), "2x": slice(seq_len, 2 * seq_len), "4x": slice(2 * seq_len, 4 * seq_len)}
    return {name: (right[part].sum() / asked[part].sum()).item() for name, part in parts.items()}
