"""Attention: who listens to whom, and the whole way from queries and keys to the output."""
from __future__ import annotations

import math

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book.plots.lines import line_plot
from transformer_book.plots.matrices import heatmap
from transformer_book.plots.theme import style


@style()
def attention_heatmaps(
    weights: dict[str, Tensor], *, words: dict[str, list[str]], mark: int | None = None, digits: int = 4
) -> np.ndarray:
    """Matrices of shares `(words, words)` one below the other, each under its name: a row for each word that listens.

    `words` names the rows and columns of each, `mark` frames one row. Gives the array of Axes.
    """
    size = (3.8, 1.3 + 0.36 * max(len(shares) for shares in weights.values()))
    return heatmap_column(weights, rows=words, columns=words, size=size, mark=mark, digits=digits)


def heatmap_column(
    weights: dict[str, Tensor],
    *,
    rows: dict[str, list[str]],
    columns: dict[str, list[str]],
    size: tuple[float, float],
    **options: object,
) -> np.ndarray:
    """Shares one below the other, each panel under its name and of a size in inches."""
    panels = plt.subplots(len(weights), 1, figsize=(size[0], size[1] * len(weights)), squeeze=False)[1].flatten()
    for ax, (name, shares) in zip(panels, weights.items(), strict=True):
        names = {"rows": rows[name], "columns": columns[name], "xlabel": "is heard", "ylabel": "listens"}
        heatmap(shares, **names, **options, colorbar=False, ax=ax, title=name)
    return panels


@style()
def attention_steps(
    q: Tensor, k: Tensor, v: Tensor, *, scores: Tensor, weights: Tensor, output: Tensor, words: list[str], mark: int
) -> np.ndarray:
    """Six heatmaps in three lines, read like a text: Q @ K^T / the root of d_k = the scores, softmax -> the weights @ V = the output.

    `words` names the rows and columns, and the row `mark`, one word's, is framed in all but K^T and V. Gives the array of Axes, (3, 2).
    """
    grid = plt.subplots(3, 4, figsize=(4.7, 5.8), width_ratios=[4, 1.35, 4, 1])[1]
    signs = ("@", f"/ {math.sqrt(q.shape[1]):.3g} =", "softmax\n→", "@", "=", "")
    for ax, sign in zip(grid[:, 1::2].flat, signs, strict=True):
        ax.text(0.5, 0.5, sign, ha="center", va="center", size=9 if "\n" in sign else 12, transform=ax.transAxes)
        ax.set_axis_off()
    matrices = [
        ("queries Q", q, {"rows": words, "mark": mark}),
        ("keys Kᵀ", k.transpose(0, 1), {"rows": [], "columns": words}),
        ("scores", scores, {"rows": words, "columns": words, "mark": mark}),
        ("weights", weights, {"rows": [], "columns": words, "mark": mark}),
        ("values V", v, {"rows": words}),
        ("output", output, {"rows": [], "mark": mark}),
    ]
    for ax, (name, matrix, options) in zip(grid[:, ::2].flat, matrices, strict=True):
        limit = matrix.abs().max().item()
        options = {"columns": [], **options}
        heatmap(matrix, **options, limit=limit, digits=2, colorbar=False, xlabel="", ylabel="", ax=ax, title=name)
    return grid[:, ::2]


@style()
def by_key_size(
    sizes: list[int],
    *,
    series: dict[str, Tensor],
    ylabel: str,
    log: bool = False,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """A line with marks for each quantity `(sizes,)`, over the sizes of a key, which stand at equal steps however far apart they are.

    `log` makes the y-axis logarithmic, with plain numbers.
    """
    places = torch.arange(len(sizes))
    ticks = {"xticks": places, "xticklabels": sizes, "xlabel": "size of a key, d_k"}
    ax = line_plot(places, series, ax, title=title, markers="osD^", ylabel=ylabel, yscale="log" if log else "linear", **ticks)
    if log:
        ax.yaxis.set_major_formatter("{x:g}")
    ax.legend()
    return ax
