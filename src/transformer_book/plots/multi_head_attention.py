"""Several heads: what each listens to, which numbers they are dealt, and how well models of one or more heads do their jobs."""
from __future__ import annotations

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.patches import Rectangle
from torch import Tensor

from transformer_book.plots.attention import heatmap_column
from transformer_book.plots.theme import INK, ON_COLOUR, PAPER, style, to_numpy


def head_heatmaps(weights: dict[str, Tensor], *, rows: list[str], columns: list[str], digits: int = 2) -> np.ndarray:
    """The shares `(rows, columns)` of each head under its name, one below the other: row by row, who is heard how much. Gives the Axes."""
    size = (1.4 + 0.55 * len(columns), 1.2 + 0.3 * len(rows))
    names = {"rows": dict.fromkeys(weights, rows), "columns": dict.fromkeys(weights, columns)}
    return heatmap_column(weights, **names, size=size, digits=digits)


def head_splits(x: Tensor, *, splits: dict[str, Tensor], words: list[str]) -> np.ndarray:
    """Small tables: on top x `(words, columns)`, under it for each way to split it `(n_heads, words, d_k)` one table a head, side by side.

    Each cell says which cell of x its number comes from: it has the colour and the name of the word, and the number of the
    column. So no two numbers of `x` may be the same. Gives the Axes of the splits, (splits, n_heads).
    """
    place = {value: divmod(at, x.shape[1]) for at, value in enumerate(x.flatten().tolist())}
    n_heads = len(next(iter(splits.values())))
    colours = [colour for colour, _ in zip(cycle(sns.color_palette("pastel")), words)]
    with style():
        figure = plt.figure(figsize=(1 + 0.85 * x.shape[1], (len(splits) + 1) * (0.6 + 0.26 * len(words))), layout="constrained")
        grid = figure.add_gridspec(len(splits) + 1, n_heads)
        whole = figure.add_subplot(grid[0, :])
        panels = np.array([[figure.add_subplot(grid[line, head]) for head in range(n_heads)] for line in range(1, len(splits) + 1)])
    drawn = [(whole, x, "before")]
    for line, (name, split) in zip(panels, splits.items(), strict=True):
        drawn += [(ax, matrix, f"{name}: head {head}") for head, (ax, matrix) in enumerate(zip(line, split, strict=True), 1)]
    for ax, matrix, title in drawn:
        for row, numbers in enumerate(matrix.tolist()):
            for column, number in enumerate(numbers):
                word, old = place[number]
                ax.add_patch(Rectangle((column, row), 1, 1, facecolor=colours[word], edgecolor=PAPER, linewidth=1.5))
                ax.text(column + 0.5, row + 0.5, f"{words[word]} {old}", ha="center", va="center", size=8, color=ON_COLOUR)
        ax.set(xlim=(0, matrix.shape[1]), ylim=(len(words), 0), xticks=[])
        ax.set(yticks=[row + 0.5 for row in range(len(words))], yticklabels=words)
        ax.set_title(title, loc="left")
        ax.tick_params(length=0)
        sns.despine(ax=ax, left=True, bottom=True)
    return panels


def accuracy_by_seed(runs: dict[str, Tensor], *, jobs: list[str], chance: dict[str, float] | None = None) -> np.ndarray:
    """A panel for each model: over each seed a mark for each job, as high as its share of right answers; `runs` has (seeds, jobs).

    The panels stand below one another, each job has a colour and a marker of its own. `chance` draws a dotted line under its name
    where guessing would be. Gives the Axes.
    """
    most = max(map(len, runs.values()))
    with style():
        panels = plt.subplots(len(runs), 1, figsize=(4.6, 0.8 + 1.6 * len(runs)), sharex=True, squeeze=False)[1][:, 0]
    for ax, (model, table) in zip(panels, runs.items(), strict=True):
        looks = zip(cycle(sns.color_palette("colorblind")), cycle("osD^"), cycle((9, 5)))    # so that one shows behind another
        for name, values, (colour, marker, size) in zip(jobs, to_numpy(table).T, looks, strict=False):
            look = {"marker": marker, "markersize": size, "linestyle": "none", "markeredgecolor": INK, "markeredgewidth": 0.5}
            ax.plot(range(len(values)), values, color=colour, label=name, **look)
        for name, height in (chance or {}).items():
            ax.axhline(height, color=INK, linewidth=1, linestyle=":", label=name)
        ax.set(xticks=range(most), xlim=(-0.5, most - 0.5), ylim=(-0.08, 1.1), yticks=[0, 0.5, 1], ylabel="right answers")
        ax.set_title(model, loc="left")
        sns.despine(ax=ax)
    panels[-1].set_xlabel("seed")
    panels[-1].legend(frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.32))
    return panels
