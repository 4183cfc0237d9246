"""The progress of a recording, in the terminal of the build: what a kernel prints would become an output of the cell."""
from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

Item = TypeVar("Item")
LINES = 10  # seconds between two lines where no bar can be drawn


def error_stream() -> TextIO | None:
    """The standard error with which the process was started; None if there is none."""
    for stream in (sys.stderr, sys.__stderr__):
        # A kernel reads what is written to its own file number 2, and keeps a copy of the one that it was given.
        with contextlib.suppress(AttributeError, OSError, ValueError, io.UnsupportedOperation):
            return os.fdopen(os.dup(stream.fileno()), "w", encoding="utf-8", errors="replace")
    return None


def progress(items: Iterable[Item], total: int, name: str) -> Iterator[Item]:
    """Yield the items, and show in the terminal how many there have been: a bar, or a few lines if it is no terminal."""
    stream = error_stream()
    if stream is None:
        yield from items
        return
    with stream:
        if stream.isatty():
            from tqdm import tqdm

            yield from tqdm(items, total=total, desc=f"recording {name}", unit="state", file=stream, dynamic_ncols=True)
            return
        began = said = time.monotonic()
        count = 0
        for count, item in enumerate(items, 1):
            yield item
            if time.monotonic() - said > LINES and count < total:
                said = time.monotonic()
                print(f"recording {name}: {count} of {total} states, {said - began:.0f} s", file=stream, flush=True)
        print(f"recording {name}: {count} of {total} states, {time.monotonic() - began:.1f} s", file=stream, flush=True)
