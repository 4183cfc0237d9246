"""The explorer of chapter 2: words on their way through a training, one of them beside those nearest to it."""
from __future__ import annotations

from collections.abc import Sequence

import seaborn as sns
import torch
import traitlets
from ipywidgets import Dropdown
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.checks import check_numbers, check_size, check_words
from transformer_book.explorers.base import CONTROL, Explorer, View, choice, choices, linked, slider, static

DECIMALS = 4
NEAREST = "the nearest"


class WordMapView(View):
    """Traits: `step` of the training, `start` (which of the runs), `word`, and `other`, what it is compared with.

    What was recorded is given once: `runs[start][record][word]` is a place of two numbers, with one record every
    `every` steps; `company` counts the sentences that two words share.
    """

    _esm = static("embedding.js")
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    kinds = traitlets.List(traitlets.Unicode()).tag(sync=True)
    colours = traitlets.List([to_hex(colour) for colour in sns.color_palette("colorblind")], read_only=True).tag(sync=True)
    runs = traitlets.List().tag(sync=True)
    company = traitlets.List().tag(sync=True)
    every = traitlets.Int(min=1).tag(sync=True)
    last_step = traitlets.Int().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    starts = traitlets.List(traitlets.Unicode()).tag(sync=True)
    start = traitlets.Unicode()
    start_index = traitlets.Int(0, min=0).tag(sync=True)
    word = traitlets.Unicode()
    word_index = traitlets.Int(0, min=0).tag(sync=True)
    others = traitlets.List(traitlets.Unicode())
    other = traitlets.Unicode()
    other_index = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        choice(self, "start")
        choice(self, "word")
        choice(self, "other")

    @traitlets.validate("step")
    def _check_step(self, proposal: dict) -> int:
        step = proposal["value"]
        if not 0 <= step <= self.last_step or step % self.every:
            raise traitlets.TraitError(f"step must be one of 0, {self.every}, ..., {self.last_step}, got {step}")
        return step

    @traitlets.validate("word", "other", "start")
    def _check_name(self, proposal: dict) -> str:
        names = getattr(self, f"{proposal['trait'].name}s")
        if proposal["value"] not in names:
            raise traitlets.TraitError(f"{proposal['trait'].name} must be one of {', '.join(names)}, got {proposal['value']!r}")
        return proposal["value"]

    @traitlets.validate("word_index", "other_index", "start_index")
    def _check_index(self, proposal: dict) -> int:
        name = proposal["trait"].name
        count = len(getattr(self, f"{name.removesuffix('_index')}s"))
        if proposal["value"] >= count:
            raise traitlets.TraitError(f"{name} must be from 0 to {count - 1}, got {proposal['value']}")
        return proposal["value"]

    @property
    def value(self) -> Tensor:
        """The places on screen, float32, rounded to four decimals, (words, 2)."""
        return torch.tensor(self.runs[self.start_index][self.step // self.every])


def embedding_explorer(
    words: Sequence[str],
    kinds: Sequence[str],
    runs: Tensor,
    company: Tensor,
    *,
    every: int = 1,
    step: int = 0,
    start: int = 0,
    word: str | None = None,
    other: str = NEAREST,
) -> Explorer:
    """Play back how words found their places; the view is `.view`, the places on screen `.view.value`.

    `runs` holds the places, (starts, records, words, 2), one record every `every` steps of training; `kinds` names the
    kind of each word; `company`, (words, words), counts the sentences that two words share. `start` is the number of
    a run; `word` is compared with `other`. Raises TypeError or ValueError for what was recorded, where it does not fit
    or is no place, count or word; TraitError for a step, start or word that is not there.
    """
    check_recorded(words, kinds, runs, company, every)
    view = WordMapView(
        words=list(words),
        kinds=list(kinds),
        runs=torch.round(runs.detach().double(), decimals=DECIMALS).tolist(),
        company=company.long().tolist(),
        every=int(every),
        last_step=int(every) * (runs.shape[1] - 1),
        step=step,
        starts=[f"seed {number}" for number in range(len(runs))],
        start=f"seed {start}",
        word=words[0] if word is None else word,
        others=[NEAREST, *words],
        other=other,
    )
    menu = Dropdown(options=view.words, index=view.word_index, description="word", **CONTROL)
    second = Dropdown(options=view.others, index=view.other_index, description="compare with", **CONTROL)
    controls = [
        slider(view, "step", 0, view.last_step, view.every, "how many steps of training the words have behind them"),
        linked(view, "word_index", menu, source="index", tooltip="the word to look at"),
        linked(view, "other_index", second, source="index", tooltip="the word to measure its distance from"),
        choices(view, "start", view.starts, description="start", tooltip="the random numbers that the training began with"),
    ]
    return Explorer(
        "embedding",
        controls,
        view,
        figure=lambda: draw(view),
        alt=lambda: (
            f"Map of {len(view.words)} words at step {view.step} of {view.last_step} of the training, {view.start}: "
            f"each word is a point, its two numbers are its place."
        ),
    )


def check_recorded(words: object, kinds: object, runs: object, company: object, every: object) -> None:
    """Refuse recordings that do not fit the words, and what is no place and no count."""
    check_words("words", words, least=2, distinct=True)
    check_words("kinds", kinds)
    check_size("every", every)
    count = len(words)
    if len(kinds) != count:
        raise ValueError(f"kinds must name a kind for each of the {count} words, got {len(kinds)}")
    check_real("runs", runs, f"(starts, records, {count}, 2)")
    if runs.dim() != 4 or runs.shape[2:] != (count, 2) or 0 in runs.shape:
        raise ValueError(f"runs must have the shape (starts, records, {count}, 2), got {tuple(runs.shape)}")
    check_real("company", company, f"({count}, {count})")
    if company.shape != (count, count):
        raise ValueError(f"company must have the shape ({count}, {count}), got {tuple(company.shape)}")
    wrong = company[(company < 0) | (company != company.long())]
    if wrong.numel():
        raise ValueError(f"company must count sentences in whole numbers of at least 0, got {wrong[0].item():g} among them")


def check_real(name: str, values: object, shape: str) -> None:
    """Refuse what is not a tensor of finite real numbers."""
    if not isinstance(values, Tensor):
        raise TypeError(f"{name} must be a tensor of shape {shape}, got {type(values).__name__}")
    check_numbers(name, values)


def draw(view: WordMapView) -> Figure:
    """The explorer on paper: the map at the step at hand."""
    figure = Figure(figsize=(5.6, 5.2), layout="constrained")
    title = f"Step {view.step} of {view.last_step}, {view.start}"
    within = torch.tensor(view.runs).flatten(0, 2)
    plots.word_map(view.value, words=view.words, kinds=view.kinds, within=within, ax=figure.subplots(), title=title)
    return figure
