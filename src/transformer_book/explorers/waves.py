"""The explorer of chapter 6's waves: a pair of columns over the positions, and where a position stands in its turn."""
from __future__ import annotations

import math

import numpy as np
import seaborn as sns
import torch
import traitlets
from ipywidgets import Checkbox, jslink
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.explorers.base import EvenInt, Explorer, PairView, linked, slider, static
from transformer_book.geometry import wavelengths
from transformer_book.positional_encoding import encode_positions

WIDEST = 512
LAST_POSITION = 30
MOST_DOTS = 64


class WavesView(PairView):
    """Traits: `d_model`, the `pair` of columns, the `position` chosen, and whether the axis is `one_wavelength` long."""

    _esm = static("waves.js")
    d_model = EvenInt(4, min=2, max=WIDEST).tag(sync=True)
    position = traitlets.Int(6).tag(sync=True)
    one_wavelength = traitlets.Bool(False).tag(sync=True)
    last_position = traitlets.Int(LAST_POSITION).tag(sync=True)
    window = traitlets.Int(LAST_POSITION, read_only=True).tag(sync=True)
    most_dots = traitlets.Int(MOST_DOTS, read_only=True).tag(sync=True)
    base = traitlets.Float(10000.0, read_only=True).tag(sync=True)

    @traitlets.validate("position")
    def _check_position(self, proposal: dict) -> int:
        last = math.floor(self.end)
        if not 0 <= proposal["value"] <= last:
            raise traitlets.TraitError(f"position must be from 0 to {last}, where the axis ends, got {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("d_model", "pair", "one_wavelength")
    def _limit(self, change: object = None) -> None:
        """A shorter axis takes a choice beyond its end along to the last position that is left."""
        super()._limit()
        self.last_position = math.floor(self.end)
        self.position = min(self.position, self.last_position)

    @property
    def wavelength(self) -> float:
        """Positions in one turn of the chosen pair."""
        return wavelengths(self.d_model, base=self.base)[min(self.pair, self.d_model // 2 - 1)].item()

    @property
    def end(self) -> float:
        """Where the axis ends, in positions."""
        return self.wavelength if self.one_wavelength else float(self.window)

    @property
    def dots(self) -> Tensor:
        """The positions that have a dot, at the least step of 1, 2, 5, 10, ... that gives at most `most_dots` steps."""
        steps = (digit * 10**power for power in range(10) for digit in (1, 2, 5))
        step = next(step for step in steps if self.end / step <= self.most_dots)
        return torch.arange(0, math.floor(self.end) + 1, step)

    @property
    def value(self) -> Tensor:
        """The dots on screen, the pair's sine and cosine at each of `dots`: float64, (len(dots), 2)."""
        table = encode_positions(self.dots, self.d_model, base=self.base, dtype=torch.float64)
        return table[:, 2 * self.pair : 2 * self.pair + 2]


def waves_explorer(d_model: int = 4, pair: int = 0, position: int = 6, one_wavelength: bool = False) -> Explorer:
    """Sliders over one pair's sine and cosine; the view is `.view`, the dots on screen `.view.value`.

    Raises TraitError for an odd `d_model` or one outside 2..512, a `pair` outside 0..d_model/2 - 1, and a `position`
    outside the axis, which ends at 30 or, with `one_wavelength`, after one turn of the pair.
    """
    view = WavesView(d_model=d_model, pair=pair, position=position, one_wavelength=one_wavelength)

    controls = [
        slider(view, "d_model", 2, WIDEST, 2, "how many numbers each position gets: half as many pairs"),
        slider(view, "pair", 0, view.last_pair, 1, "which pair of columns: 0 is the fastest"),
        slider(view, "position", 0, view.last_position, 1, "the position to look at"),
    ]
    jslink((view, "last_pair"), (controls[1], "max"))
    jslink((view, "last_position"), (controls[2], "max"))
    whole = Checkbox(view.one_wavelength, description="show one wavelength", indent=False)
    tooltip = "end the axis after one turn of this pair, instead of at position 30"
    return Explorer(
        "waves",
        [*controls, linked(view, "one_wavelength", whole, tooltip=tooltip)],
        view,
        figure=lambda: draw(view),
        alt=lambda: (
            f"Sine and cosine of pair {view.pair} at d_model = {view.d_model}, from position 0 to {view.end:.4g}, with dots "
            f"at whole positions; one wave is {view.wavelength:.4f} positions long and position {view.position} is marked."
        ),
    )


def draw(view: WavesView) -> Figure:
    """The explorer on paper: the two curves, their dots, and the chosen position."""
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    ax = figure.subplots()
    positions, angle = view.dots.numpy(), 2 * np.pi / view.wavelength
    fine = np.linspace(0, view.end, 600)
    for wave, name, colour, line in ((np.sin, "sine", plots.SINE, "-"), (np.cos, "cosine", plots.COSINE, "--")):
        ax.plot(fine, wave(fine * angle), color=colour, linewidth=1, linestyle=line)
        ax.plot(positions, wave(positions * angle), "o", color=colour, markersize=4, label=f"{name} of pair {view.pair}")
        ax.plot(view.position, wave(view.position * angle), "o", color=plots.INK, markersize=9, fillstyle="none")
    ax.axvline(view.position, color=plots.INK, linewidth=1)
    ax.set(xlabel="position", ylabel="value", ylim=(-1.1, 1.1), xlim=(-0.02 * view.end, 1.02 * view.end))
    ax.set_title(f"d_model = {view.d_model}: one turn is {view.wavelength:.4f} positions", loc="left")
    ax.legend(frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    sns.despine(ax=ax)
    return figure
