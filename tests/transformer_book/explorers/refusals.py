"""What an explorer refuses, it refuses from its function and from its view alike."""
from __future__ import annotations

from collections.abc import Callable

import pytest
from traitlets import TraitError

from transformer_book.explorers.base import Explorer


def assert_refused(make: Callable[..., Explorer], name: str, value: object, message: str) -> None:
    """A wrong value of a trait raises where the explorer is made with it, and where its view is given it."""
    with pytest.raises(TraitError, match=message):
        make(**{name: value})
    view = make().view
    with pytest.raises(TraitError, match=message):
        setattr(view, name, value)
