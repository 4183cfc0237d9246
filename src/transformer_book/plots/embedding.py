"""Words as rows of a table, looked up, and as points on a map."""
from __future__ import annotations

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book import labels
from transformer_book.plots.matrices import heatmap
from transformer_book.plots.theme import INK, new_axes, style, to_numpy


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
    ax = ax or new_axes(width=5.6, height=5.2)
    places = to_numpy(points)
    names = list(dict.fromkeys(kinds))
    looks = zip(cycle(sns.color_palette("colorblind")), cycle("osD^vP*"))
    palette = dict(zip(names, looks, strict=False))
    alone = [kinds.count(kind) == 1 for kind in kinds]  # whoever is alone is drawn on top, and named first
    for name, (colour, marker) in palette.items():
        members = [at for at, kind in enumerate(kinds) if kind == name]
        look = {"marker": marker, "s": 90 if marker == "*" else 32, "zorder": 2.5 if len(members) == 1 else 2}
        ax.scatter(*places[members].T, color=[colour], edgecolor=INK, linewidth=0.5, label=name, **look)
    frame = places if within is None else to_numpy(within).reshape(-1, 2)
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
    boxes = labels.place_labels(
        [labels.bounding_box(spots[group], 6) for group in groups],
        [(5 * len(text), 11) for text in texts],
        marks=np.array([labels.bounding_box(spot[None], 4.5) for spot in spots]),
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


def lookup(one_hot: Tensor, weight: Tensor, *, tokens: list[str], entries: list[str], mark: int = 0) -> np.ndarray:
    """one_hot @ weight = the rows looked up, side by side; one word's row is framed in all three. Gives the Axes."""
    left, table, right = one_hot, weight, one_hot.to(weight.dtype) @ weight
    height = 1 + 0.3 * max(len(left), len(table))
    with style():
        widths = [left.shape[1], table.shape[1], table.shape[1]]
        panels = plt.subplots(1, 3, figsize=(6.8, height), width_ratios=widths)[1]
    row = int(one_hot[mark].argmax())
    parts = [("one-hot", left, tokens, mark), ("@ weight", table, entries, row), ("= embedded", right, tokens, mark)]
    for (title, matrix, names, marked), ax in zip(parts, panels, strict=True):
        digits = 0 if title == "one-hot" else 1
        heatmap(matrix, rows=names, mark=marked, digits=digits, colorbar=False, xlabel="column", ylabel="", ax=ax, title=title)
    return panels
