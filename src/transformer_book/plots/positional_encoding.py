"""A positional encoding: one of its rows, its columns as waves, and its errors."""
from __future__ import annotations

from itertools import cycle

import numpy as np
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book.plots.lines import line_plot
from transformer_book.plots.theme import COSINE, SINE, new_axes, style, to_numpy


@style()
def encoding_row(values: Tensor, *, ax: Axes | None = None, title: str | None = None, halves: bool = False) -> Axes:
    """The encoding `(d_model,)` of one position over its columns, sines and cosines as two curves."""
    ax = ax or new_axes(6.4, 2.4)
    values = to_numpy(values)
    columns = np.arange(len(values))
    cosine = columns >= len(values) // 2 if halves else columns % 2 == 1
    marker = {"marker": "o", "markersize": 5} if len(values) <= 64 else {}
    ax.plot(columns[~cosine], values[~cosine], color=SINE, label="sines", **marker)
    ax.plot(columns[cosine], values[cosine], color=COSINE, linestyle="--", label="cosines", **marker)
    ax.set(xlabel="column", ylabel="value", ylim=(-1.1, 1.1), xticks=columns[:: -(-len(columns) // 16)], title=title)
    ax.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
    return ax


@style()
def waves(table: Tensor, *, columns: list[int], ax: Axes | None = None, title: str | None = None) -> Axes:
    """Some columns of a table `(seq_len, d_model)` over the positions: dots at the positions, joined by thin lines."""
    ax = ax or new_axes(6.4, 3)
    values = to_numpy(table)
    for column, marker, dash in zip(columns, cycle("osD^vP"), cycle(["-", "--", "-.", ":"]), strict=False):
        ax.plot(values[:, column], marker=marker, markersize=3, linewidth=1, linestyle=dash, label=f"column {column}")
    ax.set(xlabel="position", ylabel="value", ylim=(-1.1, 1.1), title=title)
    ax.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    return ax


@style()
def error_curves(positions: Tensor, *, series: dict[str, Tensor], ax: Axes | None = None, title: str | None = None) -> Axes:
    """Absolute errors `(positions,)` of several ways to compute the same table, on logarithmic axes."""
    labels = {"xlabel": "position", "ylabel": "largest error", "title": title}
    ax = line_plot(positions, series, ax, markers="osD^vP", dashes=["-"], xscale="log", yscale="log", **labels)
    ax.legend()
    return ax
