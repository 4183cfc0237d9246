"""How alike two positions are."""
from __future__ import annotations

from itertools import cycle

import seaborn as sns
from matplotlib.axes import Axes
from torch import Tensor

from transformer_book.plots.theme import INK, new_axes, to_numpy


def similarities(
    series: dict[str, Tensor], *, position: int, lowest: float = -1, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """How alike `position` and each of the positions 0, 1, ... are, one curve `(positions,)` for each name.

    Dots at whole positions while there is room for them; the position itself is marked. The axis goes down to `lowest`.
    """
    ax = ax or new_axes(width=6.4, height=3.2)
    for (name, values), colour in zip(series.items(), cycle(sns.color_palette("colorblind"))):
        few = len(values) <= 128
        ax.plot(to_numpy(values), color=colour, marker="o" if few else "", markersize=3, linewidth=0.8, label=name)
    ax.axvline(position, color=INK, linestyle=":", linewidth=1)
    ax.set(xlabel="other position", ylabel="similarity", ylim=(lowest - 0.05, 1.05))
    ax.set_title(title or "", loc="left")
    if len(series) > 1:
        ax.legend(frameon=False, ncols=len(series), loc="upper center", bbox_to_anchor=(0.5, -0.2))
    sns.despine(ax=ax)
    return ax
