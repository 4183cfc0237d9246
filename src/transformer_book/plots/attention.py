"""Attention: who listens to whom, and the whole way from queries and keys to the output."""
from __future__ import annotations

import math
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book.plots.matrices import heatmap
from transformer_book.plots.style import array, axes, style


def attention_weights(
    weights: dict[str, Tensor], *, words: dict[str, list[str]], mark: int | None = None, digits: int = 4
) -> np.ndarray:
    """Matrices of shares `(words, words)` side by side, each under its name: a row for each word that listens.

    `words` names the rows and columns of each, `mark` frames one row. Gives the array of Axes.
    """
    height = 1.4 + 0.36 * max(len(shares) for shares in weights.values())
    with style():
        panels = plt.subplots(1, len(weights), figsize=(3.4 * len(weights), height), squeeze=False)[1][0]
    for at, (ax, (name, shares)) in enumerate(zip(panels, weights.items(), strict=True)):
        names = {"rows": words[name], "columns": words[name]}
        labels = {"xlabel": "is heard", "ylabel": "" if at else "listens"}
        heatmap(shares, **names, **labels, mark=mark, digits=digits, bar=False, ax=ax, title=name)
    return panels


def attention_walk(
    q: Tensor, k: Tensor, v: Tensor, *, scores: Tensor, weights: Tensor, output: Tensor, words: list[str], mark: int
) -> np.ndarray:
    """The whole way of a short sentence: q @ k^T and the scale give the scores, and the weights @ v the output.

    The row `mark`, one word's, is framed wherever it is a row of its own. Gives the array of Axes, those of the six matrices.
    """
    with style():
        grid = plt.subplots(2, 5, figsize=(8.2, 4.4), width_ratios=[4, 0.9, 4, 0.9, 4])[1]
    signs = ("@", f"/ {math.sqrt(q.shape[1]):.3g} =", "@", "=")
    for ax, sign in zip(grid[:, 1::2].flat, signs, strict=True):
        ax.text(0.5, 0.5, sign, ha="center", va="center", size=13, transform=ax.transAxes)
        ax.set_axis_off()
    matrices = [
        ("queries Q", q, {"rows": words, "mark": mark}),
        ("keys as columns: Kᵀ", k.transpose(0, 1), {"columns": words}),
        ("scores, scaled", scores, {"rows": words, "columns": words, "mark": mark}),
        ("weights: softmax", weights, {"rows": words, "columns": words, "mark": mark}),
        ("values V", v, {"rows": words}),
        ("output", output, {"rows": words, "mark": mark}),
    ]
    for ax, (name, matrix, options) in zip(grid[:, ::2].flat, matrices, strict=True):
        limit = matrix.abs().max().item()
        heatmap(matrix, **options, limit=limit, digits=2, bar=False, xlabel="", ylabel="", ax=ax, title=name)
    return grid[:, ::2]


def over_sizes(
    sizes: list[int],
    *,
    series: dict[str, Tensor],
    ylabel: str,
    log: bool = False,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Several quantities `(sizes,)` over the size of a key, which doubles from mark to mark; `log` for the upright scale."""
    ax = ax or axes(width=6.4, height=3.2)
    for (name, values), marker, line in zip(series.items(), cycle("osD^"), cycle(["-", "--", "-.", ":"])):
        ax.plot(range(len(sizes)), array(values), marker=marker, markersize=4, linestyle=line, label=name)
    ax.set(xticks=range(len(sizes)), xticklabels=sizes, xlabel="size of a key, d_k", ylabel=ylabel)
    if log:
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter("{x:g}")
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False)
    sns.despine(ax=ax)
    return ax
