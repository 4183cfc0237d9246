"""A lock between processes, for work that must not run twice at the same time."""
from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

LIMIT_S = 1800  # longer than the longest work under a lock, the first installation or a book built on a busy machine
POLL_S = 0.1


@contextlib.contextmanager
def exclusive(path: Path, limit_s: float = LIMIT_S) -> Iterator[None]:
    """Hold an exclusive lock on a file, waiting for any other process that holds it. The file's contents are not touched.

    Raises TimeoutError if another process still holds it after `limit_s` seconds. Windows has no such locks: there, nothing waits.
    """
    with path.open() as file:
        with contextlib.suppress(ImportError):
            import fcntl

            deadline = time.monotonic() + limit_s
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise TimeoutError(f"waited {limit_s:.0f} s for another process that holds the lock on {path.absolute()}") from None
                    time.sleep(POLL_S)
        yield
