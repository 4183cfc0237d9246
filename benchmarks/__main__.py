"""Measure the budgets, and print them in one table; `make bench` runs it.

    python -m benchmarks             measure all of them, and write the table into README.md, with a chart
    python -m benchmarks NAME ...    measure and print some of them

Exits with 1 if a budget is missed.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks import chart
from benchmarks.budgets import BUDGETS
from benchmarks.table import Budget, Measured, replaced, summary, table

README = Path(__file__).parents[1] / "README.md"
CHART = Path(__file__).parent / "chart.svg"


def write(text: str, measured: Mapping[str, Measured], budgets: Mapping[str, Budget]) -> str:
    """README.md with the chart, the table and what it says. Raises ValueError if its pair of comments is missing."""
    alt = chart.alternative(budgets, measured)
    figures = f"![{alt}](benchmarks/chart.svg)\n\n{table(budgets, measured)}\n\n{summary(budgets, measured)[1]}\n"
    return replaced(text, figures, README.name)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the budgets of the book.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"a row of the table: {', '.join(BUDGETS)}")
    names = parser.parse_args(arguments).names
    if unknown := [name for name in names if name not in BUDGETS]:
        parser.error(f"NAME must be one of {', '.join(BUDGETS)}, got {', '.join(unknown)}")
    measured = {}
    for name in names or BUDGETS:
        print(f"Measuring {name}", file=sys.stderr, flush=True)
        measured[name] = BUDGETS[name].measure()
    status, said = summary(BUDGETS, measured)
    print(f"{table(BUDGETS, measured)}\n\n{said}")
    if not names:
        README.write_text(write(README.read_text("utf-8"), measured, BUDGETS), "utf-8", newline="\n")
        CHART.write_text(chart.draw(BUDGETS, measured), "utf-8", newline="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
