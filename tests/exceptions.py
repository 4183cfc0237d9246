"""Rules that some pages do not keep yet: a test names these pages in a table of exceptions, and fails when one of them keeps the rule."""
from __future__ import annotations

from collections.abc import Container


def assert_kept(kept: bool, by: object, exceptions: Container[object], what_to_do: str) -> None:
    """Everything keeps the rule except the exceptions, and these do not."""
    if by in exceptions:
        assert not kept, f"{by} keeps the rule now: take it out of the exceptions"
    else:
        assert kept, what_to_do
