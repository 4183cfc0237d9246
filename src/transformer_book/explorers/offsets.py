"""The offsets explorer of chapter 13: the score of one query and one key by how far apart they stand, in two methods at a time."""
from __future__ import annotations

import random

import torch
from ipywidgets import HBox
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.alibi import alibi_bias
from transformer_book.explorers.base import Explorer, View, make_controls, static
from transformer_book.explorers.traits import Choice, Given, Whole
from transformer_book.positional_encoding import encode_positions
from transformer_book.rotary import apply_rotary

METHODS = {"sinusoidal": "sinusoidal", "rotary": "rotary", "alibi": "ALiBi", "learned": "learned, untrained", "none": "none"}
BASES = (10, 100, 1000, 10000, 500000)
WINDOW = 10  # the largest offset
LAST = 40  # the last position of the query
N_HEADS = 8
REFERENCES = (10, 20)
ROUNDING = 1e-9  # scores that differ by less differ by rounding alone


def untrained_table() -> list[list[float]]:
    """A row of 4 random numbers for each position, normal with standard deviation 0.5, rounded to tenths."""
    chance = random.Random(0)
    return [[round(chance.gauss(0, 0.5), 1) + 0.0 for _ in range(4)] for _ in range(LAST + WINDOW + 1)]


class OffsetsView(View):
    """Traits: the `method` and the one `beside` it, the `offset` of the key from the query, the `position` of the query, the
    `base` of the angles, and the `head` whose slope ALiBi takes.

    The `query` and the `key` are the same four numbers at every position, before the method tells them where they stand.
    """

    _esm = static("offsets.js")
    method = Choice(tuple(METHODS), "sinusoidal", labels=tuple(METHODS.values()), menu=True, tooltip="how the first score learns of positions")
    beside = Choice(
        tuple(METHODS), "rotary", plural="others", labels=tuple(METHODS.values()), menu=True, tooltip="the method to compare it with"
    )
    offset = Whole(-1, least=-WINDOW, most=WINDOW, tooltip="how far after the query the key stands; negative: before it")
    position = Whole(15, least=WINDOW, most=LAST, tooltip="where the query stands")
    base = Choice(BASES, 10000, labels=[f"{base:,}" for base in BASES], menu=True, tooltip="the base of the angles, sinusoidal and rotary")
    head = Whole(1, least=1, most=N_HEADS, tooltip=f"which of the {N_HEADS} heads; each has a slope of its own in ALiBi")
    window = Given(WINDOW)
    n_heads = Given(N_HEADS)
    references = Given(list(REFERENCES))
    query = Given([2, 0, 1, 0])
    key = Given([1, 2, 0, 1])
    table = Given(untrained_table())

    @property
    def offsets(self) -> Tensor:
        """The offsets of the curves, from the key before the query to the one after it: `(2 * window + 1,)`."""
        return torch.arange(-self.window, self.window + 1)

    @property
    def positions(self) -> list[int]:
        """Where the query stands: the chosen position, then those that every picture compares it with."""
        return [self.position, *self.references]

    @property
    def value(self) -> Tensor:
        """The curves on screen: the scores of `method` and of `beside`, for a query at each of `positions`, by offset.

        float64, `(2, 3, 2 * window + 1)`.
        """
        methods = (self.method, self.beside)
        return torch.stack([torch.stack([self.scores(method, position) for position in self.positions]) for method in methods])

    @property
    def slope(self) -> float:
        """What ALiBi takes off the chosen head's score per position."""
        return -alibi_bias(self.n_heads, 2, dtype=torch.float64)[self.head - 1, 0, 1].item()

    def scores(self, method: str, position: int) -> Tensor:
        """The scaled scores of a query at a position with the key at each offset: float64, `(2 * window + 1,)`."""
        query, key = (torch.tensor(vector, dtype=torch.float64).expand(len(self.offsets), -1) for vector in (self.query, self.key))
        at, keys = torch.tensor([position] * len(self.offsets)), position + self.offsets
        if method == "sinusoidal":
            query, key = (x + encode_positions(where, 4, base=self.base, dtype=torch.float64) for x, where in ((query, at), (key, keys)))
        elif method == "rotary":
            query, key = (apply_rotary(x, where, base=self.base) for x, where in ((query, at), (key, keys)))
        elif method == "learned":
            query, key = (x + torch.tensor(self.table, dtype=torch.float64)[where] for x, where in ((query, at), (key, keys)))
        scores = (query * key).sum(-1) / 2
        if method != "alibi":
            return scores
        bias = alibi_bias(self.n_heads, position + self.window + 1, dtype=torch.float64)
        return scores + bias[self.head - 1, position, keys]


def offsets_explorer(
    method: str = "sinusoidal", beside: str = "rotary", offset: int = -1, position: int = 15, base: int = 10000, head: int = 1
) -> Explorer:
    """Scores by offset in `method` and in the one `beside` it, two of "sinusoidal", "rotary", "alibi", "learned" and "none", from
    several positions of the query; the view is `.view`, the curves on screen are `.view.value`.

    >>> explorer = offsets_explorer("alibi", "none")
    >>> explorer.view.value.shape
    torch.Size([2, 3, 21])
    >>> explorer.view.slope
    0.5

    Raises TraitError for another method, an `offset` outside -10..10, a `position` outside 10..40, a `base` that is not 10,
    100, 1000, 10000 or 500000, and a `head` outside 1..8.
    """
    view = OffsetsView(method=method, beside=beside, offset=offset, position=position, base=base, head=head)
    controls = make_controls(view)
    rows = [HBox(controls[at : at + 2]) for at in (0, 2, 4)]
    return Explorer("offsets", view, draw=draw, describe=describe, controls=rows)


def describe(view: OffsetsView) -> str:
    """The alternative text of the figure."""
    at = view.offset + view.window
    parts = [
        f"{METHODS[method]}: "
        + ("the three curves are one" if spread(curves) < ROUNDING else f"the three curves are up to {spread(curves):.4f} apart")
        + f", and the score at offset {view.offset} from position {view.position} is {curves[0, at]:.4f}"
        for method, curves in zip((view.method, view.beside), view.value, strict=True)
    ]
    positions = ", ".join(map(str, view.positions[:-1]))
    return (
        f"Scores by offset from -{view.window} to {view.window}, for a query at positions {positions} and {view.positions[-1]}. "
        + ". ".join(part[0].upper() + part[1:] for part in parts)
        + "."
    )


def spread(curves: Tensor) -> float:
    """How far apart the curves are where they are farthest apart."""
    return (curves.amax(0) - curves.amin(0)).max().item()


def draw(view: OffsetsView) -> Figure:
    """The figure: a panel for each of the two methods, with a curve for each position of the query."""
    figure = Figure(figsize=(6.8, 3.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    styles = list(zip(view.positions, plots.PALETTE, "os^", ("-", "--", ":"), strict=False))
    for ax, method, curves in zip(panels, (view.method, view.beside), view.value, strict=True):
        for (position, colour, mark, line), scores in reversed(list(zip(styles, curves, strict=True))):
            ax.plot(view.offsets, scores, line, color=colour, marker=mark, markersize=3, linewidth=1.2, label=f"query at {position}")
        ax.plot(view.offset, curves[0, view.offset + view.window], "o", color=plots.INK, markersize=9, fillstyle="none")
        ax.axvline(0, color=plots.INK, linestyle=":", linewidth=1)
        ax.set_title(f"{METHODS[method]}: {'one curve' if spread(curves) < ROUNDING else 'three curves'}", loc="left", fontsize="medium")
        ax.set(xlabel="offset of the key", ylim=(-4.3, 5.3))
    panels[0].set_ylabel("score")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], ncols=3, loc="outside lower center")
    return figure
