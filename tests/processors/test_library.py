"""The library's tests under the settings of older processors, each in a process of its own: torch reads them as it is loaded."""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import processors

ROOT = Path(__file__).parents[2]
OTHERS = [name for name in processors.settings() if name != processors.OWN]


def python(setting: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in processors.environment(setting).items() if not name.startswith("PYTEST_")}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, text=True, capture_output=True)


@pytest.mark.parametrize("setting", OTHERS)
def test_torch_does_as_it_is_told(setting):
    told = python(setting, "-c", "import torch; print(torch.backends.cpu.get_cpu_capability(), torch.get_num_threads())")
    assert told.stdout.split() == [processors.OLDER[setting]["ATEN_CPU_CAPABILITY"].upper(), "1"]


@pytest.mark.parametrize("setting", OTHERS)
def test_the_library_holds_on_another_processor(setting):
    result = python(setting, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/transformer_book")
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr
    assert int(re.search(r"(\d+) passed", result.stdout)[1]) > 500


def test_this_machine_keeps_its_own_way_whatever_is_exported(monkeypatch):
    for variables in processors.OLDER.values():
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
    assert not any(name in processors.environment(processors.OWN) for variables in processors.OLDER.values() for name in variables)
    assert processors.environment(processors.OWN)["PATH"] == os.environ["PATH"]


def test_a_processor_without_such_settings_runs_what_there_is(monkeypatch, capsys):
    monkeypatch.setattr(processors.platform, "machine", lambda: "aarch64")
    assert list(processors.settings()) == [processors.OWN]
    monkeypatch.setattr(sys, "argv", ["processors.py", "any.ipynb"])
    with pytest.raises(SystemExit, match="PyTorch has no settings for older processors of the kind aarch64"):
        processors.main()
