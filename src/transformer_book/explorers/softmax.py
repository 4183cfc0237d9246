"""The explorer of chapter 7's softmax: four scores become four shares, at a temperature and after a common shift."""
from __future__ import annotations

import seaborn as sns
import torch
from ipywidgets import HBox
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.activations import softmax
from transformer_book.explorers.base import Explorer, View, make_controls, series_colours, static
from transformer_book.explorers.traits import Choice, LogReal, Real

LETTERS = ("a", "b", "c", "d")


class SoftmaxView(View):
    """Traits: the scores `a`, `b`, `c` and `d`, the `temperature`, the `shift` added to every score, and the `letter`
    of the score whose share is worked out."""

    _esm = static("softmax.js")
    a = Real(0.0, least=-5, most=5, label="score a", tooltip="score a, before the shift")
    b = Real(2.0, least=-5, most=5, label="score b", tooltip="score b, before the shift")
    c = Real(-2.0, least=-5, most=5, label="score c", tooltip="score c, before the shift")
    d = Real(1.0, least=-5, most=5, label="score d", tooltip="score d, before the shift")
    temperature = LogReal(1.0, least=0.1, most=10, tooltip="every score is divided by it before the powers are taken")
    shift = Real(0.0, least=-20, most=20, tooltip="added to all four scores alike")
    letter = Choice(LETTERS, "b", label="formula of", tooltip="the score whose share is worked out")

    @property
    def scores(self) -> Tensor:
        """The four scores, the shift added: float64, (4,)."""
        return torch.tensor([self.a, self.b, self.c, self.d], dtype=torch.float64) + self.shift

    @property
    def value(self) -> Tensor:
        """The shares of the four scores: float64, (4,)."""
        return softmax(self.scores, temperature=self.temperature)

    @property
    def plain(self) -> Tensor:
        """What exp(score / temperature) over its sum gives in float32 with no score taken off first: (4,), NaN where
        the powers are too large or too small."""
        powers = (self.scores.float() / self.temperature).exp()
        return powers / powers.sum()

    @property
    def entropy(self) -> float:
        """How spread the shares are, in bits: from 0, one has all, to 2, all four alike."""
        return -(self.value * self.value.log2()).sum().item()


def softmax_explorer(
    a: float = 0.0,
    b: float = 2.0,
    c: float = -2.0,
    d: float = 1.0,
    temperature: float = 1.0,
    shift: float = 0.0,
    letter: str = "b",
) -> Explorer:
    """Sliders over four scores; the view is `.view`, the shares on screen `.view.value`, and what the plain formula gives
    in float32 `.view.plain`.

    The sliders go in tenths, that of the temperature in twentieths of a power of ten: a value between two becomes the
    nearest, 3 the temperature 3.162. Raises TraitError for a score outside -5..5, a `temperature` outside 0.1..10,
    a `shift` outside -20..20 and a `letter` that is none of a, b, c, d.
    """
    view = SoftmaxView(a=a, b=b, c=c, d=d, temperature=temperature, shift=shift, letter=letter)
    *scores, scale, shift, formula = make_controls(view)
    rows = [HBox(scores[:2]), HBox(scores[2:]), HBox([shift, scale]), formula]
    return Explorer("softmax", view, draw=draw, describe=describe, controls=rows)


def list_values(values: Tensor, digits: int) -> str:
    """A number for each letter, in words."""
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in zip(LETTERS, values.tolist(), strict=True))


def describe(view: SoftmaxView) -> str:
    """The figure in words."""
    return (
        f"Four scores, {list_values(view.scores, 1)}, and beside them their shares at temperature {view.temperature:.4g}: "
        f"{list_values(view.value, 4)}. The shares sum to 1; their entropy is {view.entropy:.4f} of at most 2 bits."
    )


def draw(view: SoftmaxView) -> Figure:
    """The explorer on paper: the scores, and beside them the shares that they become."""
    figure = Figure(figsize=(6.4, 2.6), layout="constrained")
    panels = figure.subplots(1, 2)
    titles = ("score" if view.shift == 0 else f"score, {view.shift:+g} for each", f"share at temperature {view.temperature:.4g}")
    for ax, values, title, digits in zip(panels, (view.scores, view.value), titles, (1, 4), strict=True):
        bars = ax.barh(LETTERS, values.tolist(), color=series_colours(), edgecolor=plots.INK)
        ax.bar_label(bars, fmt=f"%.{digits}f", padding=3)
        ax.invert_yaxis()
        ax.set_title(title, loc="left")
        ax.margins(x=0.25)
        ax.tick_params(axis="y", length=0)
        sns.despine(ax=ax, left=True)
    panels[0].axvline(0, color=plots.INK, linewidth=1)
    panels[1].set_xlim(0, 1.25)
    panels[1].set_xticks([0, 0.5, 1])
    return figure
