"""Several heads: what each listens to, which numbers they are dealt, and how well models of one or more heads do their jobs."""
from __future__ import annotations

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from torch import Tensor

from transformer_book.plots.attention import listening
from transformer_book.plots.style import INK, ON_COLOUR, PAPER, array, axes, style


def heads(weights: dict[str, Tensor], *, rows: list[str], columns: list[str], digits: int = 2) -> np.ndarray:
    """The shares `(rows, columns)` of each head under its name, side by side: row by row, who is heard how much. Gives the Axes."""
    size = (1 + 0.45 * len(columns), 1.2 + 0.33 * len(rows))
    names = {"rows": dict.fromkeys(weights, rows), "columns": dict.fromkeys(weights, columns)}
    return listening(weights, **names, size=size, digits=digits)


def dealt(x: Tensor, *, ways: dict[str, Tensor], words: list[str]) -> np.ndarray:
    """Small tables: on top x `(words, columns)`, under it for each way of dealing `(n_heads, words, d_k)` one table a head, side by side.

    Each cell says which cell of x its number comes from: it has the colour and the name of the word, and the number of the
    column. So no two numbers of `x` may be the same. Gives the Axes of the ways, (ways, n_heads).
    """
    place = {value: divmod(at, x.shape[1]) for at, value in enumerate(x.flatten().tolist())}
    n_heads = len(next(iter(ways.values())))
    colours = [colour for colour, _ in zip(cycle(sns.color_palette("pastel")), words)]
    with style():
        grid = plt.subplots(len(ways) + 1, n_heads, figsize=(6.4, (len(ways) + 1) * (0.6 + 0.26 * len(words))), squeeze=False)[1]
    whole, panels = grid[0], grid[1:]
    for ax in whole[1:]:
        ax.set_axis_off()
    drawn = [(whole[0], x, "before")]
    for line, (name, deal) in zip(panels, ways.items(), strict=True):
        drawn += [(ax, matrix, f"{name}: head {head}") for head, (ax, matrix) in enumerate(zip(line, deal, strict=True), 1)]
    for ax, matrix, title in drawn:
        for row, numbers in enumerate(matrix.tolist()):
            for column, number in enumerate(numbers):
                word, old = place[number]
                ax.add_patch(Rectangle((column, row), 1, 1, facecolor=colours[word], edgecolor=PAPER, linewidth=1.5))
                ax.text(column + 0.5, row + 0.5, f"{words[word]} {old}", ha="center", va="center", size=8, color=ON_COLOUR)
        ax.set(xlim=(0, x.shape[1]), ylim=(len(words), 0), xticks=[])
        ax.set(yticks=[row + 0.5 for row in range(len(words))], yticklabels=words)
        ax.set_title(title, loc="left")
        ax.tick_params(length=0)
        sns.despine(ax=ax, left=True, bottom=True)
    return panels


def trials(
    runs: dict[str, Tensor], *, jobs: list[str], chance: float | None = None, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """A column of marks for each model and job, one a seed, as high as its share of right answers: `runs` has (seeds, jobs).

    The models stand side by side under their names, the jobs of each next to one another, each in a colour and a marker of its
    own. `chance` draws a dotted line at what guessing would get.
    """
    ax = ax or axes(width=6.4, height=3.2)
    names = list(runs)
    for job, (name, colour, marker) in enumerate(zip(jobs, cycle(sns.color_palette("colorblind")), cycle("osD^"))):
        for at, model in enumerate(names):
            values = array(runs[model])[:, job]
            middle = at + 0.4 * (job - (len(jobs) - 1) / 2)
            spread = np.linspace(-0.12, 0.12, len(values)) if len(values) > 1 else np.zeros(1)
            look = {"marker": marker, "markersize": 5, "linestyle": "none", "markeredgecolor": INK, "markeredgewidth": 0.5}
            ax.plot(middle + spread, values, color=colour, label=name if at == 0 else "_", **look)
    if chance is not None:
        ax.axhline(chance, color=INK, linewidth=1, linestyle=":", label="guessing")
    ax.set(xticks=range(len(names)), xticklabels=names, xlim=(-0.5, len(names) - 0.5), ylim=(-0.03, 1.06))
    ax.set(ylabel="right answers")
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False, ncols=len(jobs) + 1, loc="upper center", bbox_to_anchor=(0.5, -0.12))
    ax.tick_params(axis="x", length=0)
    sns.despine(ax=ax)
    return ax
