"""The explorer of chapter 4: the table, a row as a curve, and the formula of any number."""
from __future__ import annotations

import torch
import traitlets
from ipywidgets import jslink
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.explorers.base import EvenInt, Explorer, View, choice, choices, slider, static
from transformer_book.positional_encoding import positional_encoding

LONGEST = 128
WIDEST = 512
ARRANGEMENTS = {"interleaved": "sin, cos, sin, cos, ...", "halves": "all sin, then all cos"}


class PositionalEncodingView(View):
    """Traits: `d_model`, `seq_len`, the number chosen (`position`, `column`) and the `arrangement` of the columns."""

    _esm = static("positional_encoding.js")
    d_model = EvenInt(6, min=2, max=WIDEST).tag(sync=True)
    seq_len = traitlets.Int(10, min=1, max=LONGEST).tag(sync=True)
    position = traitlets.Int(1).tag(sync=True)
    column = traitlets.Int(2).tag(sync=True)
    last_position = traitlets.Int(9).tag(sync=True)
    last_column = traitlets.Int(5).tag(sync=True)
    arrangements = traitlets.List(list(ARRANGEMENTS), read_only=True).tag(sync=True)
    arrangement = traitlets.Enum(list(ARRANGEMENTS), default_value="interleaved")
    arrangement_index = traitlets.Int(0, min=0, max=len(ARRANGEMENTS) - 1).tag(sync=True)
    base = traitlets.Float(10000.0, read_only=True).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        choice(self, "arrangement")
        self._limit()

    @traitlets.validate("position", "column")
    def _check_choice(self, proposal: dict) -> int:
        name, chosen = proposal["trait"].name, proposal["value"]
        size_name = "seq_len" if name == "position" else "d_model"
        size = getattr(self, size_name)
        if not 0 <= chosen < size:
            raise traitlets.TraitError(f"{name} must be from 0 to {size - 1} at {size_name} = {size}, got {chosen}")
        return chosen

    @traitlets.observe("d_model", "seq_len")
    def _limit(self, change: object = None) -> None:
        """A smaller table takes a choice outside it along to its last row or column."""
        self.last_position, self.last_column = self.seq_len - 1, self.d_model - 1
        self.position, self.column = min(self.position, self.last_position), min(self.column, self.last_column)

    @property
    def value(self) -> Tensor:
        """The table on screen, float64 as there, (seq_len, d_model)."""
        table = positional_encoding(self.seq_len, self.d_model, base=self.base, dtype=torch.float64)
        if self.arrangement == "halves":
            return torch.cat((table[:, 0::2], table[:, 1::2]), dim=1)
        return table


def positional_encoding_explorer(
    d_model: int = 6, seq_len: int = 10, position: int = 1, column: int = 2, arrangement: str = "interleaved"
) -> Explorer:
    """Sliders over the table of positional encodings; the view is `.view`, the tensor on screen `.view.value`.

    Raises TraitError for an odd `d_model` or one outside 2..512, a `seq_len` outside 1..128, a `position` or
    `column` outside the table, and an `arrangement` that is neither "interleaved" nor "halves".
    """
    view = PositionalEncodingView(
        d_model=d_model, seq_len=seq_len, position=position, column=column, arrangement=arrangement
    )

    controls = [
        slider(view, "d_model", 2, WIDEST, 2, "how many numbers each position gets"),
        slider(view, "seq_len", 1, LONGEST, 1, "how many positions the table has"),
        slider(view, "position", 0, view.last_position, 1, "the row to look at"),
        slider(view, "column", 0, view.last_column, 1, "the number of that row to look at"),
    ]
    jslink((view, "last_position"), (controls[2], "max"))
    jslink((view, "last_column"), (controls[3], "max"))
    labels = list(ARRANGEMENTS.values())
    order = choices(view, "arrangement", labels, description="order", tooltip="the order of the columns")
    return Explorer(
        "positional-encoding",
        [*controls, order],
        view,
        figure=lambda: draw(view),
        alt=lambda: (
            f"Heatmap of the sinusoidal positional encoding, {view.seq_len} positions by {view.d_model} columns, "
            f"values from -1 to 1, and row {view.position} as a curve."
        ),
    )


def draw(view: PositionalEncodingView) -> Figure:
    """The explorer on paper: the table, its row marked, and the row as curves."""
    figure = Figure(figsize=(6.4, 5.6), layout="constrained")
    upper, lower = figure.subplots(2, height_ratios=(2.4, 1))
    table = view.value
    plots.heatmap(table, mark=view.position, ax=upper, title=f"Positional encoding, d_model = {view.d_model}")
    plots.row(table[view.position], halves=view.arrangement == "halves", ax=lower, title=f"Row {view.position}")
    return figure
