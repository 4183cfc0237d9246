"""Measure the budgets, and print them in one table; `make bench` runs it.

    python -m benchmarks             measure all of them, and write table and chart into README.md and chart.svg
    python -m benchmarks NAME ...    measure and print some of them

Exits with 1 if a budget is missed.
"""
from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("KINETO_LOG_LEVEL", "5")  # torch's profiler announces each start and stop

from benchmarks import report
from benchmarks.budgets import BUDGETS

README = Path(__file__).parents[1] / "README.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the budgets of the book.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"a row of the table: {', '.join(BUDGETS)}")
    names = parser.parse_args().names
    if unknown := [name for name in names if name not in BUDGETS]:
        parser.error(f"NAME must be one of {', '.join(BUDGETS)}, got {', '.join(unknown)}")
    measured = {}
    for name in names or BUDGETS:
        print(f"Measuring {name}", file=sys.stderr, flush=True)
        measured[name] = BUDGETS[name].measure()
    status, said = report.summary(BUDGETS, measured)
    print(f"\n{report.table(BUDGETS, measured)}\n\n{said}")
    if not names:
        report.write(README, BUDGETS, measured)
    return status


sys.exit(main())
