"""A lock between processes, for work that must not run twice at the same time."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file, waiting for any other process that holds it. The file's contents are not touched.

    Windows has no such locks: there, nothing waits.
    """
    with path.open() as file:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
