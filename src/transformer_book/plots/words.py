"""Words as points: near each other, apart, and fitted to what they should be."""
from __future__ import annotations

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book import labels
from transformer_book.plots.style import COSINE, INK, PAPER, SINE, array, axes, style


def word_map(
    points: Tensor,
    *,
    words: list[str],
    kinds: list[str],
    within: Tensor | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Words at their places `(words, 2)`, a colour and a marker for each kind; names move aside for one another.

    Words of one kind whose marks touch share a label. `within`, places `(..., 2)`, sets the frame: pass a whole run to
    keep it the same from step to step.
    """
    ax = ax or axes(width=5.6, height=5.2)
    places = array(points)
    names = list(dict.fromkeys(kinds))
    looks = zip(cycle(sns.color_palette("colorblind")), cycle("osD^vP*"))
    palette = dict(zip(names, looks, strict=False))
    alone = [kinds.count(kind) == 1 for kind in kinds]  # whoever is alone is drawn on top, and named first
    for name, (colour, marker) in palette.items():
        members = [at for at, kind in enumerate(kinds) if kind == name]
        look = {"marker": marker, "s": 90 if marker == "*" else 32, "zorder": 2.5 if len(members) == 1 else 2}
        ax.scatter(*places[members].T, color=[colour], edgecolor=INK, linewidth=0.5, label=name, **look)
    frame = places if within is None else array(within).reshape(-1, 2)
    (left, bottom), (right, top) = frame.min(axis=0), frame.max(axis=0)
    room = 0.1 * (max(right - left, top - bottom) or 1)
    ax.set_aspect("equal")
    ax.set(xlim=(left - 2 * room, right + 2 * room), ylim=(bottom - room, top + room))  # names need room
    ax.set(xlabel="column 0", ylabel="column 1")
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=9)
    sns.despine(ax=ax)
    ax.figure.draw_without_rendering()
    point = ax.figure.dpi / 72  # pixels
    spots = ax.transData.transform(places) / point
    groups = sorted(labels.clusters(spots, kinds, 9), key=lambda group: not alone[group[0]])
    texts = [", ".join(words[at] for at in group) for group in groups]
    boxes = labels.arrange(
        [labels.around(spots[group], 6) for group in groups],
        [(5 * len(text), 11) for text in texts],
        marks=np.array([labels.around(spot[None], 4.5) for spot in spots]),
        bounds=ax.bbox.extents / point,
    )
    for group, text, (low, floor, high, ceiling) in zip(groups, texts, boxes, strict=True):
        spot, middle = spots[group[0]], (floor + ceiling) / 2
        if np.hypot(*(spot - spot.clip((low, floor), (high, ceiling)))) > 10:
            ends = np.array([spot, spot.clip((low, floor), (high, ceiling))]) * point
            ax.plot(*ax.transData.inverted().transform(ends).T, color=INK, linewidth=0.5, zorder=1)
        side = "left" if low > spot[0] else "right" if high < spot[0] else "center"
        x = {"left": low, "right": high, "center": (low + high) / 2}[side]
        ax.text(*ax.transData.inverted().transform((x * point, middle * point)), text, fontsize=8.5, va="center", ha=side, zorder=3)
    return ax


def corners(words: list[str], *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Three words as the three one-hot vectors (1, 0, 0), (0, 1, 0), (0, 0, 1), seen from where they look equally far.

    Looked at along (1, 1, 1), the triangle between them lies flat in the picture, its sides as long as they are.
    """
    ax = ax or axes(width=4.2, height=3.6)
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


def fits(words: dict[str, list[str]], *, wanted: dict[str, Tensor], scores: dict[str, Tensor]) -> np.ndarray:
    """For each name its words along their ids, what was wanted of each, and the line of scores that comes nearest to it.

    The highest score is ringed. Gives the array of Axes.
    """
    with style():
        panels = plt.subplots(1, len(words), figsize=(6.8, 3), sharey=True, squeeze=False)[1][0]
    for (name, entries), ax in zip(words.items(), panels, strict=True):
        line, goal = array(scores[name]), array(wanted[name])
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
