"""The explorer of chapter 6 for the question which positions look alike: one position compared with every other."""
from __future__ import annotations

import torch
import traitlets
from ipywidgets import jslink
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.explorers.base import EvenInt, Explorer, View, choice, choices, slider, static
from transformer_book.geometry import similarity

WIDEST = 512
WINDOWS = (100, 2000)


class SimilarityView(View):
    """Traits: `d_model`, `position`, and `window`, the last of the positions that it is compared with."""

    _esm = static("similarity.js")
    d_model = EvenInt(4, min=2, max=WIDEST).tag(sync=True)
    position = traitlets.Int(1).tag(sync=True)
    last_position = traitlets.Int(WINDOWS[0]).tag(sync=True)
    windows = traitlets.List(list(WINDOWS), read_only=True).tag(sync=True)
    window = traitlets.Enum(WINDOWS, default_value=WINDOWS[0])
    window_index = traitlets.Int(0, min=0, max=len(WINDOWS) - 1).tag(sync=True)
    base = traitlets.Float(10000.0, read_only=True).tag(sync=True)

    def __init__(self, *, position: int = 1, **traits: object) -> None:
        super().__init__(**traits)
        choice(self, "window")
        self.position = position  # only now `window_index` agrees with the window

    @traitlets.validate("position")
    def _check_position(self, proposal: dict) -> int:
        last = self.windows[self.window_index]  # in a message from the browser, `window` follows later
        if not 0 <= proposal["value"] <= last:
            raise traitlets.TraitError(f"position must be from 0 to {last} at window = {last}, got {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("window_index")
    def _limit(self, change: object = None) -> None:
        """A smaller window takes a position outside it along to its end."""
        self.last_position = self.windows[self.window_index]
        self.position = min(self.position, self.last_position)

    @property
    def value(self) -> Tensor:
        """The similarity of `position` with each position from 0 to `window`, float64, (window + 1,)."""
        return similarity(torch.arange(self.window + 1) - self.position, self.d_model, base=self.base)


def similarity_explorer(d_model: int = 4, position: int = 1, window: int = WINDOWS[0]) -> Explorer:
    """PE(position) . PE(q) / (d_model / 2) over all positions q; the view is `.view`, the curve `.view.value`.

    Raises TraitError for an odd `d_model` or one outside 2..512, a `window` that is neither 100 nor 2000, and a
    `position` outside the window.
    """
    view = SimilarityView(d_model=d_model, position=position, window=window)
    labels = [f"0 to {last}" for last in WINDOWS]
    controls = [
        slider(view, "d_model", 2, WIDEST, 2, "how many numbers each position gets"),
        slider(view, "position", 0, view.last_position, 1, "the position that is compared with all the others"),
        choices(view, "window", labels, description="window", tooltip="the positions that it is compared with"),
    ]
    jslink((view, "last_position"), (controls[1], "max"))
    return Explorer(
        "similarity",
        controls,
        view,
        figure=lambda: draw(view),
        alt=lambda: (
            f"Curve of the similarity of position {view.position} with the positions 0 to {view.window} at d_model = "
            f"{view.d_model}: 1 at position {view.position} itself, {similarity([1], view.d_model)[0]:.4f} at its neighbours."
        ),
    )


def draw(view: SimilarityView) -> Figure:
    """The explorer on paper: the curve, and the chosen position marked."""
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    plots.similarities(
        {f"d_model = {view.d_model}": view.value},
        position=view.position,
        ax=figure.subplots(),
        title=f"Which positions look like position {view.position}? (d_model = {view.d_model})",
    )
    return figure
