"""What a budget is, whether a measurement meets it, and the table of all of them."""
from __future__ import annotations

import functools
import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.ticker import EngFormatter

# Group 1 comes before the text to be replaced.
FIGURES = re.compile(r"(<!-- figures -->\n).*(?=<!-- end of figures -->)", re.DOTALL)
HEAD = ("budget", "this book", "otherwise", "ratio", "met")


@dataclass(frozen=True)
class Measured:
    """Repeated runs of this book, and of what a reader would otherwise use, at growing sizes. The budget is about the last size.

    `ours[s][r]` is run r at size s: seconds, bytes or a plain number. `other[s][r]` was measured beside it; `other` is empty where nothing
    else does the same.
    """

    ours: Sequence[Sequence[float]]
    other: Sequence[Sequence[float]] = ()
    sizes: Sequence[int] = ()

    @property
    def ratios(self) -> list[list[float]]:
        """This book / the other, run by run, at each size."""
        pairs = [zip(*both, strict=True) for both in zip(self.ours, self.other)]  # noqa: B905  the other may be empty
        return [[mine / theirs if theirs else math.nan for mine, theirs in runs] for runs in pairs]


@dataclass(frozen=True)
class Budget:
    """A promise: the median of this book's runs, or of their ratios to the other's, is at least `least` and at most `most`.

    `measure` makes the measurement, for this row alone. With `idle`, the other does nothing at all: where it misses the budget too, the machine
    cannot judge.
    """

    what: str
    measure: Callable[[], Measured]
    unit: str = ""
    other: str = ""
    least: float = -math.inf
    most: float = math.inf
    of_ratio: bool = False
    idle: bool = False

    @property
    def limits(self) -> dict[str, float]:
        return {word: bound for word, bound in (("at least", self.least), ("at most", self.most)) if math.isfinite(bound)}

    def accepts(self, value: float) -> bool:
        return self.least <= value <= self.most

    def verdict(self, measured: Measured) -> str:
        """`yes`, `missed`, or `too noisy`, if the median misses what a quartile meets. Empty without a limit."""
        if not self.limits:
            return ""
        runs = (measured.ratios if self.of_ratio else measured.ours)[-1]
        if self.accepts(statistics.median(runs)):
            return "yes"
        noisy = any(map(self.accepts, quartiles(runs))) or (self.idle and not self.accepts(statistics.median(measured.other[-1])))
        return "too noisy" if noisy else "missed"

    def cells(self, name: str, measured: Measured) -> tuple[str, ...]:
        """A row of the table."""
        show = functools.partial(number, unit=self.unit)
        limits = ", ".join(f"{word} {f'{number(bound)} of it' if self.of_ratio else show(bound)}" for word, bound in self.limits.items())
        ours, ratio = show(statistics.median(measured.ours[-1])), ""
        of_ours = not self.of_ratio and (self.limits or not measured.other)  # which of both has its quartiles beside it
        if of_ours:
            ours += spread(measured.ours[-1], self.unit)
        if measured.other:
            *smaller, last = measured.ratios
            ratios = [*(number(statistics.median(runs)) for runs in smaller), f"**{number(statistics.median(last))}**"]
            ratio = ", ".join(ratios) + ("" if of_ours else spread(last))
        other = f"{show(statistics.median(measured.other[-1]))}, {self.other}" if measured.other else ""
        return f"`{name}`: {self.what}" + (f"; **{limits}**" if limits else ""), ours, other, ratio, self.verdict(measured)


def quartiles(runs: Sequence[float]) -> tuple[float, float]:
    if len(runs) == 1:
        return runs[0], runs[0]
    low, _, high = statistics.quantiles(runs, n=4, method="inclusive")
    return low, high


def spread(runs: Sequence[float], unit: str = "") -> str:
    """The quartiles of repeated runs, in brackets."""
    low, high = (number(value, unit) for value in quartiles(runs))
    return f" ({low} to {high})" if low != high else ""


def number(value: float, unit: str = "") -> str:
    """Three digits, and a unit with the prefix that fits: `number(0.1704, "s")` is 170 ms."""
    if math.isnan(value):
        return "none"
    return EngFormatter(unit)(float(f"{value:.3g}")) if unit else f"{value:.3g}"


def table(budgets: Mapping[str, Budget], measured: Mapping[str, Measured]) -> str:
    """One row for each measurement, in Markdown, aligned for a terminal too."""
    rows = [HEAD, *(budgets[name].cells(name, found) for name, found in measured.items())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(f"| {line} |" for line in [lines[0], " | ".join("-" * width for width in widths), *lines[1:]])


def summary(budgets: Mapping[str, Budget], measured: Mapping[str, Measured]) -> tuple[int, str]:
    """The exit status, 1 if a budget is missed, and sentences that say so."""
    verdicts = {name: budgets[name].verdict(found) for name, found in measured.items()}
    missed, noisy = ([name for name, verdict in verdicts.items() if verdict == wanted] for wanted in ("missed", "too noisy"))
    said = [f"Missed: {', '.join(missed)}." if missed else "No budget was missed."]
    if noisy:
        said.append(f"The machine was too noisy to judge {', '.join(noisy)}: repeated runs lie on both sides of the limit, or even idling misses it.")
    return int(bool(missed)), " ".join(said)


def replaced(text: str, figures: str, name: str) -> str:
    """The text of a file with new figures between its pair of comments. Raises ValueError, naming the file, if that is missing."""
    written, count = FIGURES.subn(lambda found: found[1] + figures, text)
    if count != 1:
        raise ValueError(f"{name} must have one pair of comments for the figures, got {count}")
    return written
