"""One-hot vectors in space, and what a line through ids can say of words."""
from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book.plots.theme import COSINE, INK, PAPER, SINE, new_axes, style, to_numpy


def one_hot_vectors(words: list[str], *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Three words as the three one-hot vectors (1, 0, 0), (0, 1, 0), (0, 0, 1), seen from where they look equally far.

    Looked at along (1, 1, 1), the triangle between them lies flat in the picture, its sides as long as they are.
    """
    ax = ax or new_axes(width=4.2, height=3.6)
    angles = np.deg2rad([90, 210, 330])
    tips = np.sqrt(2 / 3) * np.stack((np.cos(angles), np.sin(angles)), axis=1)
    for at, (word, (x, y)) in enumerate(zip(words, tips, strict=True)):
        ax.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 4})
        left = str(tuple(int(at == column) for column in range(3)))
        above = y > 0
        place = (0, 9) if above else (0, -9)
        ax.annotate(
            f"{word}\n{left}" if above else f"{left}\n{word}", (x, y), place,
            textcoords="offset points", ha="center", va="bottom" if above else "top", weight="bold", color=INK,
        )
        end = tips[(at + 1) % 3]
        ax.plot(*zip((x, y), end, strict=True), color=COSINE, linewidth=1.5, marker="o", markerfacecolor=SINE, markeredgecolor=SINE)
        label = f"{np.hypot(*(end - (x, y))):.4f}"
        ax.text(*np.add((x, y), end) / 2, label, ha="center", va="center", color=INK, backgroundcolor=PAPER, fontsize=9)
    ax.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-0.85, 1.2))
    ax.set_axis_off()
    ax.set_title(title or "", loc="left")
    return ax


def linear_fits(words: dict[str, list[str]], *, targets: dict[str, Tensor], scores: dict[str, Tensor]) -> np.ndarray:
    """For each name its words along their ids, what was wanted of each, and the line of scores that comes nearest to it.

    The highest score is ringed. Gives the array of Axes.
    """
    with style():
        panels = plt.subplots(1, len(words), figsize=(6.8, 3), sharey=True, squeeze=False)[1][0]
    for (name, entries), ax in zip(words.items(), panels, strict=True):
        line, goal = to_numpy(scores[name]), to_numpy(targets[name])
        ax.plot(goal, color=INK, marker="o", markersize=7, linestyle="none", label="wanted")
        ax.plot(line, color=COSINE, marker="s", markersize=5, label="best line")
        ring = {"marker": "o", "markersize": 15, "markerfacecolor": "none", "markeredgecolor": COSINE, "markeredgewidth": 2}
        ax.plot(line.argmax(), line.max(), linestyle="none", label="its highest score", **ring)
        ax.set(xticks=range(len(entries)), xticklabels=[f"{at}\n{word}" for at, word in enumerate(entries)])
        ax.set(xlabel="id", xlim=(-0.4, len(entries) - 0.6), ylim=(-0.1, 1.15))
        ax.set_title(name, loc="left")
        sns.despine(ax=ax)
    panels[0].set_ylabel("score")
    panels[0].figure.legend(*ax.get_legend_handles_labels(), frameon=False, ncols=3, loc="outside lower center")
    return panels
