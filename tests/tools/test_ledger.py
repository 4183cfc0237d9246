"""The rows of the ledger: what tools/ledger.py reads, and what it refuses."""
from __future__ import annotations

import pytest

from tools.ledger import rows

ROW = """\
### "Odd columns are sines."

**False.** With sines alone, position 0 is empty.
So it is.

Off by **0.8738**, or by **more than 0.6**.

Shown in [chapter 4](04_x.ipynb#cell-a) and [chapter 5](05_y.ipynb#b). Computed by `sines_alone`.
"""


def test_a_row_is_read():
    (row, other) = rows(f"# The ledger\n\nText.\n\n## A theme\n\n{ROW}\n## Another\n\n{ROW.replace('False.', 'True only if')}")
    assert (row.claim, row.verdict, other.verdict) == ("Odd columns are sines.", "false", "only-if")
    assert row.why == "With sines alone, position 0 is empty.\nSo it is."
    assert row.numbers == ["0.8738", "more than 0.6"]
    assert row.links == [("04_x", "cell-a"), ("05_y", "b")]
    assert (row.function, row.anchor) == ("sines_alone", "sines-alone")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"Odd columns are sines."', "Odd columns are sines.", "must be a heading like"),
        ("**False.**", "**Wrong.**", "must begin with"),
        ("**False.** ", "False. ", "must begin with"),
        ("Off by **0.8738**, or by **more than 0.6**.\n\n", "", "three paragraphs"),
        ("**0.8738**, or by **more than 0.6**", "0.8738", "in \\*\\*bold\\*\\*"),
        (".ipynb#cell-a", ".ipynb", "must be like"),
        ("`sines_alone`", "sines_alone", "must be like"),
        ("`sines_alone`.", "`sines_alone`.\n\nAnd more.", "three paragraphs"),
    ],
)
def test_what_is_nearly_a_row_is_refused(old, new, complaint):
    assert old in ROW
    with pytest.raises(ValueError, match=complaint):
        rows("## A theme\n\n" + ROW.replace(old, new))
