"""Numbers over positions: waves, rows, similarities, errors."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book.plots.style import COSINE, INK, SINE, array, axes


def row(
    values: Tensor, *, ax: Axes | None = None, title: str | None = None, halves: bool = False
) -> Axes:
    """One position's encoding `(d_model,)` over its columns: sines and cosines as two curves."""
    ax = ax or axes(width=6.4, height=2.4)
    values = array(values)
    columns = np.arange(len(values))
    cosine = columns >= len(values) // 2 if halves else columns % 2 == 1
    marker = {"marker": "o", "markersize": 5} if len(values) <= 64 else {}
    ax.plot(columns[~cosine], values[~cosine], color=SINE, label="sines", **marker)
    ax.plot(columns[cosine], values[cosine], color=COSINE, linestyle="--", label="cosines", **marker)
    ax.set(xlabel="column", ylabel="value", ylim=(-1.1, 1.1), xticks=columns[:: -(-len(columns) // 16)])
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
    sns.despine(ax=ax)
    return ax


def waves(
    table: Tensor, *, columns: list[int], ax: Axes | None = None, title: str | None = None
) -> Axes:
    """Columns of a table `(seq_len, d_model)` over the positions: dots at whole positions, joined by a thin line."""
    ax = ax or axes(width=6.4, height=3)
    values = array(table)
    for column, marker, line in zip(columns, cycle("osD^vP"), cycle(["-", "--", "-.", ":"])):
        ax.plot(values[:, column], marker=marker, markersize=3, linewidth=1, linestyle=line, label=f"column {column}")
    ax.set(xlabel="position", ylabel="value", ylim=(-1.1, 1.1))
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    sns.despine(ax=ax)
    return ax


def similarities(
    series: dict[str, Tensor], *, position: int, lowest: float = -1, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """How alike `position` and each of the positions 0, 1, ... are, one curve `(positions,)` for each name.

    Dots at whole positions while there is room for them; the position itself is marked. The axis goes down to `lowest`.
    """
    ax = ax or axes(width=6.4, height=3.2)
    for (name, values), colour in zip(series.items(), cycle(sns.color_palette("colorblind"))):
        few = len(values) <= 128
        ax.plot(array(values), color=colour, marker="o" if few else "", markersize=3, linewidth=0.8, label=name)
    ax.axvline(position, color=INK, linestyle=":", linewidth=1)
    ax.set(xlabel="other position", ylabel="similarity", ylim=(lowest - 0.05, 1.05))
    ax.set_title(title or "", loc="left")
    if len(series) > 1:
        ax.legend(frameon=False, ncols=len(series), loc="upper center", bbox_to_anchor=(0.5, -0.2))
    sns.despine(ax=ax)
    return ax


def errors(
    positions: Tensor, *, series: dict[str, Tensor], ax: Axes | None = None, title: str | None = None
) -> Axes:
    """Absolute errors `(positions,)` of several ways to compute the same thing, on logarithmic scales."""
    scales = {"xscale": "log", "yscale": "log"}
    return lines(positions, series, ax, title, markers="osD^vP", dashes=["-"], xlabel="position", ylabel="largest error", **scales)


def curves(
    x: Tensor,
    *,
    series: dict[str, Tensor],
    xlabel: str,
    ylabel: str,
    log: bool = False,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Several quantities `(count,)` over the same `x`, one line each; `log` makes the upright scale logarithmic."""
    return lines(x, series, ax, title, yscale="log" if log else "linear", xlabel=xlabel, ylabel=ylabel)


def lines(
    x: Tensor,
    series: dict[str, Tensor],
    ax: Axes | None,
    title: str | None,
    *,
    markers: Sequence[str] = ("",),
    dashes: Sequence[str] = ("-", "--", "-.", ":"),
    legend: bool = True,
    **options: object,
) -> Axes:
    """What the pictures with a line for each name share: a colour, a dash and a marker for each, and options of the Axes.

    Narrow and with thick lines, so that they can be read on a phone.
    """
    ax = ax or axes(width=4.8, height=3)
    looks = zip(cycle(sns.color_palette("colorblind")), cycle(dashes), cycle(markers))
    for (name, values), (colour, dash, marker) in zip(series.items(), looks, strict=False):
        ax.plot(array(x), array(values), color=colour, linestyle=dash, linewidth=2, marker=marker, markersize=5, label=name)
    ax.set(**options)
    ax.set_title(title or "", loc="left")
    if legend:
        ax.legend(frameon=False)
    sns.despine(ax=ax)
    return ax


def lanes(
    table: Tensor,
    *,
    names: list[str],
    steps: bool = False,
    low: float = 0.0,
    mark: int | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Columns of a table `(positions, columns)` of values from `low` to 1, one below the other, with a dot at each position.

    `steps` joins the dots by upright edges instead of slopes, `mark` draws a line at one position.
    """
    values = (array(table) - low) / (1 - low)
    ax = ax or axes(width=6.4, height=0.8 + 0.5 * values.shape[1])
    height = 1.5
    for column, name in enumerate(names):
        joined = {"drawstyle": "steps-post"} if steps else {}
        ax.plot(values[:, column] - height * column, marker="o", markersize=3, linewidth=1.2, label=name, **joined)
    if mark is not None:
        ax.axvline(mark, color=INK, linewidth=1, linestyle=":", zorder=0)
    ax.set(xlabel="position", yticks=[0.5 - height * column for column in range(len(names))], yticklabels=names)
    ax.set_title(title or "", loc="left")
    ax.tick_params(axis="y", length=0)
    sns.despine(ax=ax, left=True)
    return ax
