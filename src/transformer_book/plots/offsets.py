"""Scores over the offset from query to key."""
from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from torch import Tensor

from transformer_book.plots.lines import line_plot
from transformer_book.plots.theme import INK, style


@style()
def scores_by_offset(offsets: Tensor, *, methods: dict[str, dict[str, Tensor]], ylabel: str = "score") -> np.ndarray:
    """A panel for each of the `methods`, one below the other: scores `(offsets,)` over the offset, a curve for each name.

    The curves take turns in being dashed, so that two show even where they coincide. `ylabel` names the scores. A vertical line
    marks offset 0. Returns the array of Axes.

    >>> offsets = torch.arange(-10, 11)
    >>> scores_by_offset(offsets, methods={"ALiBi": {"slope 1/2": -offsets.abs() / 2}}).shape
    (1,)
    """
    panels = plt.subplots(len(methods), figsize=(4.8, 0.9 + 1.5 * len(methods)), sharex=True, squeeze=False)[1][:, 0]
    for (name, series), ax in zip(methods.items(), panels, strict=True):
        line_plot(offsets, series, ax, title=name, ylabel=ylabel)
        ax.axvline(0, color=INK, linestyle=":", linewidth=1, zorder=0)
        if len(series) > 1 and ax is panels[0]:
            ax.legend()
    panels[-1].set_xlabel("offset: position of the key minus that of the query")
    return panels
