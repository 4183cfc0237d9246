"""The explorer of chapter 11: a sentence written word by word, and where each word looked in the source."""
from __future__ import annotations

from collections.abc import Sequence

import seaborn as sns
import torch
import traitlets
from ipywidgets import Dropdown, jslink
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book.explorers.base import CONTROL, Explorer, View, choice, choices, linked, series_colours, slider, static
from transformer_book.explorers.generations import by_hand, check_generations, likeliest, rounded
from transformer_book.plots.style import GRID
from transformer_book.translation import START, Generation


class GenerationView(View):
    """Traits: the `sentence` that is read; the `step`, how many words are written already; and the `head`, "mean" for
    the mean of all heads, or the number of one, from "1".

    What a page is sent of each generation: the weights of the heads, rounded to six decimals, and for each step the five
    likeliest words with their probabilities to seven digits (the last of them the chosen one if it is less likely).
    """

    _esm = static("generation.js")
    sources = traitlets.List(read_only=True).tag(sync=True)
    outputs = traitlets.List(read_only=True).tag(sync=True)
    cross_weights = traitlets.List(read_only=True).tag(sync=True)
    self_weights = traitlets.List(read_only=True).tag(sync=True)
    candidates = traitlets.List(read_only=True).tag(sync=True)
    sentences = traitlets.List(traitlets.Unicode(), read_only=True)
    sentence = traitlets.Unicode()
    sentence_index = traitlets.Int(0, min=0).tag(sync=True)
    heads = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    head = traitlets.Unicode("mean")
    head_index = traitlets.Int(0, min=0).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    last_step = traitlets.Int(read_only=True).tag(sync=True)

    _step_given = False

    def __init__(self, generations: Sequence[Generation], *, sentence: str, step: int, head: str) -> None:
        super().__init__()
        self.set_trait("sources", [list(one.source) for one in generations])
        self.set_trait("outputs", [list(one.output) for one in generations])
        self.set_trait("cross_weights", [rounded(one.cross_weights).tolist() for one in generations])
        self.set_trait("self_weights", [rounded(one.self_weights).tolist() for one in generations])
        self.set_trait("candidates", [likeliest(one) for one in generations])
        self.set_trait("sentences", [" ".join(one.source) for one in generations])
        self.set_trait("heads", ["mean", *(str(number + 1) for number in range(len(generations[0].cross_weights)))])
        self.sentence, self.head = sentence, head
        choice(self, "sentence")
        choice(self, "head")
        self._restart()
        self.step = step  # only now `last_step` is that of the sentence

    def set_state(self, sync_data: dict) -> None:
        """A message that holds a step has the one that the reader went to after the sentence changed."""
        self._step_given = "step" in sync_data
        try:
            super().set_state(sync_data)
        finally:
            self._step_given = False

    @traitlets.validate("sentence", "head")
    def _check_choice(self, proposal: dict) -> str:
        name = proposal["trait"].name
        allowed = getattr(self, f"{name}s")
        if proposal["value"] not in allowed:
            raise traitlets.TraitError(f"{name} must be one of {', '.join(allowed)}, got {proposal['value']!r}")
        return proposal["value"]

    @traitlets.validate("sentence_index", "head_index")
    def _check_index(self, proposal: dict) -> int:
        name = proposal["trait"].name
        count = len(getattr(self, name.replace("_index", "s")))
        if proposal["value"] >= count:
            raise traitlets.TraitError(f"{name} must be from 0 to {count - 1}, got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("last_step")
    def _check_last_step(self, proposal: dict) -> int:
        """Whatever a page says, it is the last word's."""
        return len(self.output) - 1

    @traitlets.validate("step")
    def _check_step(self, proposal: dict) -> int:
        last = len(self.output) - 1
        if not 0 <= proposal["value"] <= last:
            raise traitlets.TraitError(f"step must be from 0 to {last}, a word of the output, got {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("sentence_index")
    def _restart(self, change: object = None) -> None:
        """Another sentence begins with its first word."""
        self.set_trait("last_step", len(self.output) - 1)
        if not self._step_given:
            self.step = 0

    @property
    def source(self) -> list[str]:
        """The words that are read."""
        return self.sources[self.sentence_index]  # in a message from the browser, `sentence` follows later

    @property
    def output(self) -> list[str]:
        """The words that are written, from the first step to the last."""
        return self.outputs[self.sentence_index]

    @property
    def value(self) -> Tensor:
        """The lines on screen: for each step so far the shares of the source words, float64, (step + 1, source_len)."""
        return self._shares(self.cross_weights)[: self.step + 1]

    @property
    def written(self) -> Tensor:
        """The shares of the start token and the words written so far, float64, (step + 1)."""
        return self._shares(self.self_weights)[self.step, : self.step + 1]

    @property
    def probabilities(self) -> dict[str, float]:
        """The candidates on screen with their probabilities, the likeliest first."""
        return dict(self.candidates[self.sentence_index][self.step])

    def _shares(self, weights: list) -> Tensor:
        heads = torch.tensor(weights[self.sentence_index], dtype=torch.float64)
        return heads.mean(0) if self.head_index == 0 else heads[self.head_index - 1]


def generation_explorer(
    generations: list[Generation] | None = None, *, sentence: str | None = None, step: int = 0, head: str = "mean"
) -> Explorer:
    """How sentences are written, word by word; the view is `.view`, and `.view.value` the lines on screen: for each step so
    far the shares of the source words, (step + 1, source_len). `.view.written` are those of the words written so far,
    `.view.probabilities` the candidates for the next.

    `generations` are up to 12 of what a trained model left behind, for different sources, with equally many heads (at
    most 8) and at most 12 words to a sentence. Without them, three examples stand in, whose numbers are made by hand and
    not those of a model. `sentence` is one of the sources, its words with spaces between them, `step` from 0 to
    the last word of its output, `head` "mean" or a number from "1".

    Raises TypeError or ValueError for generations that do not fit together, and TraitError for a sentence, step or head
    that is not there.
    """
    if generations is None:
        generations = by_hand()
    check_generations(generations)
    first = " ".join(generations[0].source)
    view = GenerationView(generations, sentence=first if sentence is None else sentence, step=step, head=head)
    menu = Dropdown(options=view.sentences, index=view.sentence_index, description="sentence", **CONTROL)
    steps = slider(view, "step", 0, view.last_step, 1, "how many words are written already")
    jslink((view, "last_step"), (steps, "max"))
    controls = [linked(view, "sentence_index", menu, source="index", tooltip="the words that are read"), steps]
    if len(view.heads) > 2:
        controls.append(choices(view, "head", view.heads, description="head", tooltip="whose shares are shown"))
    explorer = Explorer("generation", controls, view, figure=lambda: draw(view), alt=lambda: describe(view))
    explorer.add_class(f"tb-rows-{rows(view)}")
    return explorer


def rows(view: GenerationView) -> int:
    """How many places the longest column of any sentence has, that of the start token included."""
    return 1 + max(map(len, (*view.sources, *view.outputs)))


def describe(view: GenerationView) -> str:
    """The figure in words."""
    source, so_far = " ".join(view.source), " ".join(view.output[: view.step])
    word, shares = view.output[view.step], view.value[view.step]
    place = f'after "{so_far}"' if so_far else "first"
    top = int(shares.argmax())
    best = "; ".join(f'"{candidate}" {probability:.4f}' for candidate, probability in view.probabilities.items())
    return (
        f'"{source}" is read, and step {view.step} writes "{word}" {place}. Lines lead from the words written so far to the '
        f'source words; the thickest of "{word}" leads to "{view.source[top]}", {shares[top]:.4f}. '
        f"The candidates: {best}."
    )


def draw(view: GenerationView) -> Figure:
    """The explorer on paper: lines between the source and the words so far, and the candidates."""
    places = rows(view)
    figure = Figure(figsize=(6.8, 0.9 + 0.32 * places), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
    strong, pale = series_colours()[3], GRID
    for step, shares in enumerate(view.value):
        now = step == view.step
        for at, share in enumerate(shares.tolist()):
            left.plot((0, 1), (at + 1, step + 1), color=strong if now else pale, linewidth=7 * share, solid_capstyle="butt")
    for at, (word, share) in enumerate(zip(view.source, view.value[view.step].tolist(), strict=True), 1):
        left.text(-0.05, at, f"{word}  {share:.2f}", ha="right", va="center", parse_math=False)
    for at, word in enumerate([START, *view.output][: view.step + 3]):
        seen = at <= view.step
        share = f"  {view.written[at]:.2f}" if seen else ""
        look = {"va": "center", "fontweight": "bold" if at == view.step + 1 else "normal", "parse_math": False}
        left.text(1.05, at, f"{word}{share}" if at <= view.step + 1 else "(to come)", **look)
    left.set(xlim=(-0.8, 1.8), ylim=(places - 0.5, -0.5), title="source and words so far")
    left.set_axis_off()
    names, probabilities = list(view.probabilities), list(view.probabilities.values())
    bars = right.barh(names, probabilities, color=[strong if name == view.output[view.step] else pale for name in names])
    right.bar_label(bars, fmt="%.4f", padding=3)
    right.invert_yaxis()
    right.set(xlim=(0, 1.4), xticks=[0, 0.5, 1], title="candidates", xlabel="probability")
    right.tick_params(axis="y", length=0)
    for label in right.get_yticklabels():
        label.set_parse_math(False)
    sns.despine(ax=right, left=True)
    return figure
