"""Pictures of tensors in seaborn's style: every option by keyword, `ax=None` in, the Axes out (`stacked` makes its own)."""
from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from itertools import cycle

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from transformer_book import labels

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
    "svg.fonttype": "path",
    "svg.hashsalt": "transformer_book",
    "figure.constrained_layout.use": True,
}
SCALE = {"style": "ticks", "context": "notebook", "font_scale": 0.9, "palette": "colorblind"}
MOST_NUMBERS = 160
DIVERGING = "vlag"


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
    """The book's style for the figures made inside, whatever the session's own."""
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


def heatmap(
    table: Tensor,
    *,
    ax: Axes | None = None,
    title: str | None = None,
    xlabel: str = "column",
    ylabel: str = "position",
    rows: list[str] | None = None,
    columns: list[str] | None = None,
    limit: float = 1.0,
    mark: int | None = None,
    digits: int = 4,
    bar: bool = True,
) -> Axes:
    """A matrix `(rows, columns)` as colours from -limit to limit, and as numbers too while there are few.

    `rows` and `columns` name the rows and columns, `mark` frames a row, `digits` is how many decimals the numbers
    have, `bar` is the scale of colours beside it.
    """
    values = array(table)
    ax = ax or axes(width=6.4, height=min(4.8, 1.1 + 0.3 * len(values)))
    few = values.size <= MOST_NUMBERS and values.shape[1] <= 16
    sns.heatmap(
        values,
        ax=ax,
        cmap=DIVERGING,
        vmin=-limit,
        vmax=limit,
        annot=few,
        fmt=f".{digits}f",
        annot_kws={"size": 8},
        rasterized=not few,
        linewidths=0.5 if few else 0,
        linecolor=PAPER,
        xticklabels=columns if columns is not None else whole_ticks(values.shape[1]),
        yticklabels=rows if rows is not None else whole_ticks(values.shape[0]),
        cbar=bar,
        cbar_kws={"ticks": [-limit, 0, limit]} if bar else None,
    )
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.set_title(title or "", loc="left")
    ax.tick_params(rotation=0, length=0)
    for text, colour in zip(ax.texts, ax.collections[0].to_rgba(values.flatten()), strict=few):
        text.set_color("#ffffff" if relative_luminance(colour) < 0.179 else ON_COLOUR)
    if mark is not None:
        for colour, width in (("#ffffff", 4), (ON_COLOUR, 2)):
            frame = Rectangle((0, mark), values.shape[1], 1, fill=False, edgecolor=colour, linewidth=width)
            ax.add_patch(frame).set_clip_on(False)
    return ax


def stacked(
    matrices: dict[str, Tensor], *, rows: dict[str, list[str]], limit: float = 1.0
) -> np.ndarray:
    """Matrices one above the other, each under its name and with its own names of rows; gives the array of Axes."""
    height = sum(0.6 + 0.28 * len(matrix) for matrix in matrices.values()) + 0.3
    with style():
        panels = plt.subplots(len(matrices), figsize=(5, height), sharex=True, squeeze=False)[1][:, 0]
    for (name, matrix), ax in zip(matrices.items(), panels, strict=True):
        last = ax is panels[-1]
        heatmap(matrix, rows=rows[name], limit=limit, xlabel="column" if last else "", ylabel="", ax=ax, title=name)
    return panels


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
        heatmap(matrix, rows=names, mark=marked, digits=digits, bar=False, xlabel="column", ylabel="", ax=ax, title=title)
    return panels


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
    palette = dict(zip(names, zip(cycle(sns.color_palette("colorblind")), cycle("osD^vP*"))))
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


def row(
    values: Tensor, *, ax: Axes | None = None, title: str | None = None, halves: bool = False
) -> Axes:
    """One position's encoding `(d_model,)` over its columns: sines and cosines as two curves."""
    ax = ax or axes(width=6.4, height=2.4)
    values = array(values)
    columns = np.arange(len(values))
    cosine = columns >= len(values) // 2 if halves else columns % 2 == 1
    marker = {"marker": "o", "markersize": 5} if len(values) <= 64 else {}
    ax.plot(columns[~cosine], values[~cosine], color=SINE, label="sines", **marker)
    ax.plot(columns[cosine], values[cosine], color=COSINE, linestyle="--", label="cosines", **marker)
    ax.set(xlabel="column", ylabel="value", ylim=(-1.1, 1.1), xticks=columns[:: -(-len(columns) // 16)])
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
    sns.despine(ax=ax)
    return ax


def waves(
    table: Tensor, *, columns: list[int], ax: Axes | None = None, title: str | None = None
) -> Axes:
    """Columns of a table `(seq_len, d_model)` over the positions: dots at whole positions, joined by a thin line."""
    ax = ax or axes(width=6.4, height=3)
    values = array(table)
    for column, marker, line in zip(columns, cycle("osD^vP"), cycle(["-", "--", "-.", ":"])):
        ax.plot(values[:, column], marker=marker, markersize=3, linewidth=1, linestyle=line, label=f"column {column}")
    ax.set(xlabel="position", ylabel="value", ylim=(-1.1, 1.1))
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    sns.despine(ax=ax)
    return ax


def similarities(
    series: dict[str, Tensor], *, position: int, lowest: float = -1, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """How alike `position` and each of the positions 0, 1, ... are, one curve `(positions,)` for each name.

    Dots at whole positions while there is room for them; the position itself is marked. The axis goes down to `lowest`.
    """
    ax = ax or axes(width=6.4, height=3.2)
    for (name, values), colour in zip(series.items(), cycle(sns.color_palette("colorblind"))):
        few = len(values) <= 128
        ax.plot(array(values), color=colour, marker="o" if few else "", markersize=3, linewidth=0.8, label=name)
    ax.axvline(position, color=INK, linestyle=":", linewidth=1)
    ax.set(xlabel="other position", ylabel="similarity", ylim=(lowest - 0.05, 1.05))
    ax.set_title(title or "", loc="left")
    if len(series) > 1:
        ax.legend(frameon=False, ncols=len(series), loc="upper center", bbox_to_anchor=(0.5, -0.2))
    sns.despine(ax=ax)
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
        ax.plot(*zip((x, y), end), color=COSINE, linewidth=1.5, marker="o", markerfacecolor=SINE, markeredgecolor=SINE)
        label = f"{np.hypot(*(end - (x, y))):.4f}"
        ax.text(*((x, y) + end) / 2, label, ha="center", va="center", color=INK, backgroundcolor=PAPER, fontsize=9)
    ax.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-0.85, 1.2))
    ax.set_axis_off()
    ax.set_title(title or "", loc="left")
    return ax


def errors(
    positions: Tensor, *, series: dict[str, Tensor], ax: Axes | None = None, title: str | None = None
) -> Axes:
    """Absolute errors `(positions,)` of several ways to compute the same thing, on logarithmic scales."""
    ax = ax or axes(width=6.4, height=3.2)
    for (name, values), marker in zip(series.items(), cycle("osD^vP")):
        ax.plot(array(positions), array(values), marker=marker, markersize=4, label=name)
    ax.set(xscale="log", yscale="log", xlabel="position", ylabel="largest error")
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False)
    sns.despine(ax=ax)
    return ax


def curves(
    x: Tensor,
    *,
    series: dict[str, Tensor],
    xlabel: str,
    ylabel: str,
    log: bool = False,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Several quantities `(count,)` over the same `x`, one line each; `log` makes the upright scale logarithmic."""
    ax = ax or axes(width=6.4, height=3.2)
    for (name, values), line in zip(series.items(), cycle(["-", "--", "-.", ":"])):
        ax.plot(array(x), array(values), linestyle=line, label=name)
    ax.set(yscale="log" if log else "linear", xlabel=xlabel, ylabel=ylabel)
    ax.set_title(title or "", loc="left")
    ax.legend(frameon=False)
    sns.despine(ax=ax)
    return ax


def lanes(
    table: Tensor,
    *,
    names: list[str],
    steps: bool = False,
    low: float = 0.0,
    mark: int | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Columns of a table `(positions, columns)` of values from `low` to 1, one below the other, with a dot at each position.

    `steps` joins the dots by upright edges instead of slopes, `mark` draws a line at one position.
    """
    values = (array(table) - low) / (1 - low)
    ax = ax or axes(width=6.4, height=0.8 + 0.5 * values.shape[1])
    height = 1.5
    for column, name in enumerate(names):
        joined = {"drawstyle": "steps-post"} if steps else {}
        ax.plot(values[:, column] - height * column, marker="o", markersize=3, linewidth=1.2, label=name, **joined)
    if mark is not None:
        ax.axvline(mark, color=INK, linewidth=1, linestyle=":", zorder=0)
    ax.set(xlabel="position", yticks=[0.5 - height * column for column in range(len(names))], yticklabels=names)
    ax.set_title(title or "", loc="left")
    ax.tick_params(axis="y", length=0)
    sns.despine(ax=ax, left=True)
    return ax


def array(tensor: Tensor) -> np.ndarray:
    """The numbers of any tensor, wherever it lives and whatever its dtype."""
    return tensor.detach().cpu().double().numpy()


def relative_luminance(colour: np.ndarray) -> float:
    """Brightness as WCAG 2 defines it, 0 to 1; below 0.179 white text has more contrast than black."""
    channels = np.asarray(colour[:3])
    return float(np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722])


def axes(*, width: float, height: float) -> Axes:
    """New Axes of a size in inches."""
    with style():
        return plt.subplots(figsize=(width, height))[1]


def whole_ticks(count: int) -> int:
    """The step between labels of rows or columns: 1, or the power of two that leaves at most 8 of them."""
    return 1 if count <= 16 else 2 ** (-(-count // 8) - 1).bit_length()
