"""The encoder: rows on a number line, the two places of a norm, and what is left after each of many layers."""
from __future__ import annotations

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from torch import Tensor

from transformer_book.checks import check_words
from transformer_book.plots.theme import INK, ON_COLOUR, PAPER, new_axes, style, to_numpy

STREAM, BRANCH = 0.0, 1.3    # where the two lines of a block stand, from left to right


def number_lines(stages: dict[str, Tensor], *, words: list[str]) -> np.ndarray:
    """Each stage `(words, d_model)` under its name, a number line for each word with a mark for each column. Gives the Axes.

    All stages share one scale, and each line shows with a thin stroke where the mean of its word is. Raises TypeError or
    ValueError for no stages, and for those that are not tables of numbers with a row for each word.
    """
    check_stages(stages, words)
    with style():
        size = (4.6, 0.7 + len(stages) * (0.5 + 0.32 * len(words)))
        panels = plt.subplots(len(stages), 1, figsize=size, sharex=True, squeeze=False)[1][:, 0]
    for (name, matrix), ax in zip(stages.items(), panels, strict=True):
        values = to_numpy(matrix)
        for row, numbers in enumerate(values):
            ax.axhline(row, color=INK, linewidth=0.4, zorder=0)
            ax.plot([numbers.mean()] * 2, [row - 0.35, row + 0.35], color=INK, linewidth=1.5, zorder=1)
        looks = zip(cycle(sns.color_palette("colorblind")), cycle("osD^vP"))
        for column, (colour, marker) in zip(range(values.shape[1]), looks, strict=False):
            look = {"color": colour, "marker": marker, "markersize": 7, "markeredgecolor": INK, "markeredgewidth": 0.5}
            ax.plot(values[:, column], range(len(values)), linestyle="none", label=f"column {column}", **look)
        ax.set(yticks=range(len(words)), yticklabels=words, ylim=(len(words) - 0.5, -0.5))
        for label in ax.get_yticklabels():
            label.set_parse_math(False)
        for label in ax.get_yticklabels():
            label.set_parse_math(False)
        ax.set_title(name, loc="left")
        ax.tick_params(axis="y", length=0)
        sns.despine(ax=ax, left=True)
    handles = panels[0].get_legend_handles_labels()
    panels[0].figure.legend(*handles, frameon=False, ncols=2, loc="outside lower center")
    return panels


def norm_placements() -> np.ndarray:
    """One encoder layer from bottom to top, with its norms after the sums (2017) and before the sublayers. Gives the two Axes.

    The left line of each is what the residual connection carries on; the boxes to its right are what is added to it.
    """
    with style():
        panels = plt.subplots(1, 2, figsize=(4.8, 4.8))[1]
    plans = {
        "post-norm, 2017": ((1.2, "attention", None, 2.5), (4.0, "feed-forward", None, 5.3)),
        "pre-norm": ((1.8, "attention", 0.8, None), (4.6, "feed-forward", 3.6, None)),
    }
    for (title, halves), ax in zip(plans.items(), panels, strict=True):
        wire = {"color": INK, "linewidth": 2, "zorder": 0}
        ax.annotate("", (STREAM, 6.5), (STREAM, -0.4), arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 2}, zorder=0)
        for at, sublayer, norm_before, norm_after in halves:
            start, plus = (at if norm_before is None else norm_before) - 0.6, at + 0.6
            ax.plot([STREAM, BRANCH, BRANCH, STREAM], [start, start, plus, plus], **wire)
            ax.plot(STREAM, plus, marker="o", markersize=15, color=PAPER, markeredgecolor=INK, markeredgewidth=1.5)
            ax.text(STREAM, plus, "+", ha="center", va="center_baseline", size=13, color=INK)
            draw_box(ax, BRANCH, at, sublayer)
            if norm_before is not None:
                draw_box(ax, BRANCH, norm_before, "norm")
            if norm_after is not None:
                draw_box(ax, STREAM, norm_after, "norm")
        ax.text(STREAM, -0.45, "x", ha="center", va="top", color=INK)
        ax.text(STREAM, 6.55, "output", ha="center", va="bottom", color=INK)
        ax.set(xlim=(-0.7, 2.2), ylim=(-0.9, 7))
        ax.set_title(title, loc="left")
        ax.set_axis_off()
    return panels


def draw_box(ax: Axes, x: float, y: float, name: str) -> None:
    """A named box with its middle at (x, y): a norm is small and of one colour, a sublayer wide and of another."""
    norm = name == "norm"
    width, colour = (0.9, sns.color_palette("pastel")[1]) if norm else (1.5, sns.color_palette("pastel")[0])
    look = {"boxstyle": "round,pad=0,rounding_size=0.08", "facecolor": colour, "edgecolor": INK}
    ax.add_patch(FancyBboxPatch((x - width / 2, y - 0.25), width, 0.5, **look))
    ax.text(x, y, name, ha="center", va="center", size=9, color=ON_COLOUR)


def by_layer(
    runs: dict[str, Tensor], *, ylabel: str, floor: float = 1e-17, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """A quantity at each layer, `(seeds, layers)` under each name: the middle seed as a line, all of them as a band.

    The scale is logarithmic; what is smaller than `floor` is drawn there.
    """
    ax = ax or new_axes(width=4.8, height=3.6)
    looks = zip(cycle(sns.color_palette("colorblind")), cycle(("-", "--", "-.", ":")), cycle("osD^v"))
    for (name, table), (colour, dash, marker) in zip(runs.items(), looks, strict=False):
        values = to_numpy(table).clip(min=floor)
        layers = np.arange(1, values.shape[1] + 1)
        ax.fill_between(layers, values.min(axis=0), values.max(axis=0), color=colour, alpha=0.25, linewidth=0)
        look = {"linestyle": dash, "marker": marker, "markevery": 8, "markersize": 5, "linewidth": 2}
        ax.plot(layers, np.median(values, axis=0), color=colour, label=name, **look)
    ax.set(yscale="log", xlabel="layer", ylabel=ylabel)
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.45, -0.2))
    sns.despine(ax=ax)
    return ax


def check_stages(stages: object, words: object) -> None:
    """Refuse what is not tables of numbers by their names, each with a row for every word."""
    check_words("words", words, least=1)
    if not isinstance(stages, dict):
        raise TypeError(f"stages must be tensors by their names, got {type(stages).__name__}")
    if not stages:
        raise ValueError("stages must hold at least one tensor, got none")
    for name, matrix in stages.items():
        if not isinstance(matrix, Tensor):
            raise TypeError(f"stages[{name!r}] must be a tensor, got {type(matrix).__name__}")
        if matrix.dim() != 2 or matrix.shape[0] != len(words) or not matrix.shape[1]:
            raise ValueError(f"stages[{name!r}] must have the shape ({len(words)}, d_model), got {tuple(matrix.shape)}")
