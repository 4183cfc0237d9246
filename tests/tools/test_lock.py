"""Two processes that lock the same file take turns."""
from __future__ import annotations

import select
import subprocess
import sys
from pathlib import Path

import pytest

from tools.lock import exclusive

ROOT = Path(__file__).parents[2]
# Prints where it is, and holds the lock until it reads a line.
HOLD = """
import sys
from pathlib import Path
from tools.lock import exclusive
print("waiting", flush=True)
with exclusive(Path(sys.argv[1])):
    print("inside", flush=True)
    sys.stdin.readline()
"""


def start(path: Path) -> subprocess.Popen[bytes]:
    """Start a process that locks the file. Its output is unbuffered, so that `select` sees every line."""
    return subprocess.Popen([sys.executable, "-c", HOLD, path], cwd=ROOT, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_the_second_waits_for_the_first_and_another_file_for_neither(tmp_path: Path) -> None:
    one, another = tmp_path / "one", tmp_path / "another"
    for path in (one, another):
        path.write_text("its contents")
    with start(one) as first:
        assert [first.stdout.readline() for _ in range(2)] == [b"waiting\n", b"inside\n"]
        with start(one) as second, start(another) as other:
            assert [other.stdout.readline() for _ in range(2)] == [b"waiting\n", b"inside\n"]
            assert second.stdout.readline() == b"waiting\n"
            assert select.select([second.stdout], [], [], 0.5)[0] == []
            first.stdin.write(b"\n")
            assert second.stdout.readline() == b"inside\n"
            second.stdin.write(b"\n")
            other.stdin.write(b"\n")
    assert {first.returncode, second.returncode, other.returncode} == {0}
    assert one.read_text() == "its contents"


def test_waiting_ends_with_a_message(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.touch()
    with exclusive(path), pytest.raises(TimeoutError, match=f"another process .*{path}"), exclusive(path, limit_s=0.2):
        pass
