"""Lets one process at a time do what two must not do at once."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Wait until no other process holds this file, and hold it meanwhile. Any file serves; its contents stay as they are.

    Windows has no such locks, and does not wait.
    """
    with path.open() as file:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
