"""The lengths explorer of chapter 12: how often small models are right at the length of their training, at twice and at four times
it."""
from __future__ import annotations

from collections.abc import Iterable

import torch
from ipywidgets import HBox
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from torch import Tensor

from transformer_book import plots
from transformer_book.explorers.base import Explorer, View, make_controls, static
from transformer_book.explorers.traits import CONTROL, Choice, Given, Switch, Whole
from transformer_book.sweep import shipped_runs
from transformer_book.training import ENCODINGS, LENGTHS, TASKS, chance

LAYERS = (1, 2)
NAMES = {name: name.replace("_", " ").replace("alibi", "ALiBi") for name in ENCODINGS}
SPANS = ("up to 15", "16 to 31", "32 to 63")  # the positions at which each length is measured


class LengthsView(View):
    """Traits: the `task`, `n_layers` and `encoding` whose models are shown, the reader's `guess` of their accuracy at positions 16
    to 31, in percent, and whether the `longer` lengths are shown.

    A page is sent the accuracies as whole hundredths of a percent: by task, encoding, number of layers, length and seed.
    """

    _esm = static("lengths.js")
    accuracies = Given()
    task = Choice(TASKS, tooltip="what the models predict")
    n_layers = Choice(LAYERS, plural="layers", label="layers", tooltip="how many layers the models have")
    encoding = Choice(ENCODINGS, "sinusoidal", labels=tuple(NAMES.values()), menu=True, tooltip="how the models know positions")
    guess = Whole(50, most=100, label="guess for 2x", tooltip="the accuracy, in percent, that you expect at positions 16 to 31")
    longer = Switch(False, label="show the longer lengths", tooltip="what was measured at positions that the training never had")
    spans = Given(list(SPANS))
    chance = Given(chance(TASKS[0]))  # the same in each task

    @property
    def lengths(self) -> list[str]:
        """The lengths on screen, "1x" alone or all three."""
        return list(LENGTHS) if self.longer else list(LENGTHS)[:1]

    @property
    def value(self) -> Tensor:
        """The dots on screen, the accuracy of each seed at each of `lengths`: float64, `(lengths, seeds)`."""
        return self.dots(self.encoding)[: len(self.lengths)]

    @property
    def means(self) -> Tensor:
        """The mean accuracy of each encoding at each of `lengths`: float64, `(encodings, lengths)`."""
        return torch.stack([self.dots(encoding).mean(1)[: len(self.lengths)] for encoding in self.encodings])

    def dots(self, encoding: str) -> Tensor:
        """The accuracies of an encoding in the chosen task, with the chosen layers: float64, `(3, seeds)`."""
        by_length = self.accuracies[self.task_index][self.encodings.index(encoding)][self.n_layers_index]
        return torch.tensor(by_length, dtype=torch.float64) / 10_000


def lengths_explorer(
    runs: Iterable[dict] | None = None,
    *,
    task: str = "shift",
    encoding: str = "sinusoidal",
    n_layers: int = 1,
    guess: int = 50,
    longer: bool = False,
) -> Explorer:
    """A dot for each seed of a sweep, by default that of the book; the view is `.view`, the accuracies on screen are `.view.value`.

    `runs` are dictionaries, as `sweep` returns them.

    >>> explorer = lengths_explorer(task="shift", encoding="rotary", longer=True)
    >>> explorer.view.value.shape
    torch.Size([3, 10])

    Raises ValueError if there is none for a task, encoding and number of layers, and TraitError for another `task`,
    `encoding` or `n_layers`, a `guess` outside 0..100 and a `longer` that is neither True nor False.
    """
    runs = shipped_runs() if runs is None else list(runs)
    given = [[[hundredths(runs, each, kind, count) for count in LAYERS] for kind in ENCODINGS] for each in TASKS]
    view = LengthsView({"accuracies": given}, task=task, encoding=encoding, n_layers=n_layers, guess=guess, longer=longer)
    what, layers, how, guessed, shown = make_controls(view)
    shown.layout = CONTROL["layout"]
    return Explorer("lengths", view, draw=draw, describe=describe, controls=[HBox([what, layers]), HBox([how, guessed]), shown])


def hundredths(runs: list[dict], task: str, encoding: str, n_layers: int) -> list[list[int]]:
    """The accuracies of all seeds at each length, in whole hundredths of a percent, as exact as a sweep gives them."""
    wanted = {"task": task, "encoding": encoding, "n_layers": n_layers}
    found = sorted((run for run in runs if wanted.items() <= run.items()), key=lambda run: run["seed"])
    if not found:
        raise ValueError(f"runs must have at least one for each task, encoding and number of layers, got none for {wanted}")
    return [[round(10_000 * run[length]) for run in found] for length in LENGTHS]


def describe(view: LengthsView) -> str:
    """The alternative text of the figure, which shows all lengths."""
    dots = view.dots(view.encoding)
    parts = [
        f"{100 * row.mean():.1f}% at positions {span} (from {100 * row.min():.1f} to {100 * row.max():.1f})"
        for span, row in zip(view.spans, dots, strict=True)
    ]
    return (
        f"Accuracy in the task {view.task} with {view.n_layers} layer{'s' * (view.n_layers > 1)} at three lengths, a panel for each of "
        f"{len(view.encodings)} encodings with a dot for each of {dots.shape[1]} seeds. With {NAMES[view.encoding]}: "
        f"{', '.join(parts)}. Guessing gives {100 * view.chance:g}%."
    )


def draw(view: LengthsView) -> Figure:
    """The figure: a panel for each encoding, with the dots and the means at all lengths; the chosen encoding in colour."""
    figure = Figure(figsize=(6.8, 4.2), layout="constrained")
    panels = figure.subplots(2, 3, sharex=True, sharey=True)
    for ax, encoding in zip(panels.flat, view.encodings, strict=True):
        dots, colour = view.dots(encoding), plots.PALETTE[0] if encoding == view.encoding else "0.55"
        places = torch.arange(len(dots))[:, None] + (torch.arange(dots.shape[1]) + 0.5) / (2 * dots.shape[1]) - 0.25
        ax.plot(dots.mean(1), color=colour, linewidth=2, marker="_", markersize=16)
        ax.plot(places.flatten(), dots.flatten(), "o", color=colour, markersize=3)
        ax.axhline(view.chance, color=plots.INK, linestyle=":", linewidth=1)
        ax.set_title(NAMES[encoding], loc="left", fontsize="medium")
        ax.set(xticks=range(len(LENGTHS)), xticklabels=list(LENGTHS), xlim=(-0.5, 2.5), ylim=(-0.05, 1.05))
        ax.yaxis.set_major_formatter(PercentFormatter(1))
    figure.supylabel(f"accuracy in {view.task}", fontsize="medium")
    figure.supxlabel("length, in lengths of the training; dotted: guessing", fontsize="medium")
    return figure
