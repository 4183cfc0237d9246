"""The look of every figure, on a light page and on a dark one, and what the figures share."""
from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

INK = "#262626"
PAPER = "#fefefe"
GRID = "#d0d0d1"
ON_COLOUR = "#1b1b1b"  # dark text and frames on coloured cells: unlike INK it stays dark on a dark page
SINE, COSINE, *_ = sns.color_palette("colorblind", as_cmap=False)
STYLE = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "transformer_book",
    "figure.constrained_layout.use": True,
}
SCALE = {"style": "ticks", "context": "notebook", "font_scale": 0.9, "palette": "colorblind"}
DIVERGING = "vlag"
OUTLINE = {"markeredgecolor": INK, "markeredgewidth": 0.5}


def use_style() -> None:
    """Set seaborn's style for the figures to come and, in a notebook, show them as SVG that follows a dark page."""
    sns.set_theme(**SCALE, rc=STYLE)
    try:
        shell = get_ipython()  # type: ignore[name-defined]
    except NameError:
        return
    shell.run_line_magic("matplotlib", "inline")  # first: it sets formatters of its own
    formatters = shell.display_formatter.formatters
    formatters["image/png"].pop(Figure, None)
    formatters["image/svg+xml"].for_type(Figure, figure_to_svg)


@contextlib.contextmanager
def style() -> Iterator[None]:
    """The book's style for what is drawn inside, whatever the session's own; `@style()` draws a whole function in it."""
    with mpl.rc_context():
        sns.set_theme(**SCALE, rc=STYLE)
        yield


def figure_to_svg(figure: Figure) -> str:
    """The figure as SVG whose paper, ink and grid change places where its surroundings are dark; data keep colours."""
    text = io.StringIO()
    with style():
        figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None}, dpi=250)
    swap = {PAPER: "#14181e", INK: "#e4e4e7", GRID: "#3b3f48"}
    rules = "".join(
        f'[style*="{part}: {light}"]{{{part}:{dark} !important}}'
        for light, dark in swap.items()
        for part in ("fill", "stroke")
    )
    sheet = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    return re.sub(r"(<svg[^>]*>)", lambda tag: tag[0] + sheet, text.getvalue(), count=1)


def new_axes(width: float, height: float) -> Axes:
    """New Axes of a size in inches."""
    return plt.subplots(figsize=(width, height))[1]


def to_numpy(tensor: Tensor) -> np.ndarray:
    """The numbers of any tensor, wherever it lives and whatever its dtype."""
    return tensor.detach().cpu().double().numpy()
