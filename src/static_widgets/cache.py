"""Executes notebooks again when what they import or read has changed: jupyter-cache compares the notebooks alone, and would
keep their old outputs."""
from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

SUFFIXES = {".py", ".js", ".css", ".json", ".npz"}
STAMP = ".static_widgets_sources"
# What static_widgets.recording reads in the kernel, and the number of the format of what it leaves in the notebook.
RECORDING = "STATIC_WIDGETS_RECORDING"
FORMAT = 1


def digest(folders: list[Path], variables: list[str], settings: str = "") -> str:
    """The hash of the names and contents of all watched files in `folders`, of these environment variables, and of `settings`."""
    total = hashlib.sha256(settings.encode())
    for name in variables:
        total.update(f"{name}={os.environ.get(name)}\0".encode())
    for folder in folders:
        for path in sorted(found for found in folder.rglob("*") if found.suffix in SUFFIXES and found.is_file()):
            content = path.read_bytes()
            total.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()


def clear_if_sources_changed(app: Sphinx, config: Config) -> None:
    """Forget executed notebooks and parsed documents if a watched file or variable has changed since the last build. What else lies in
    their folders, which the author may have named, stays."""
    build = Path(app.outdir).parent
    stamp = build / STAMP
    folders = [Path(app.srcdir, folder) for folder in config.static_widgets_watch]
    now = digest(folders, config.static_widgets_watch_environment, f"{FORMAT} {asked(config)}")
    if stamp.exists() and stamp.read_text("utf-8") == now:
        return
    executed = Path(getattr(config, "nb_execution_cache_path", "") or build / ".jupyter_cache")
    if (executed / "global.db").is_file():
        (executed / "global.db").unlink()
        shutil.rmtree(executed / "executed", ignore_errors=True)
    Path(app.doctreedir, "environment.pickle").unlink(missing_ok=True)
    build.mkdir(parents=True, exist_ok=True)
    stamp.write_text(now, "utf-8")


def asked(config: Config) -> str:
    """What the kernels are told about recordings: their limits, and the seconds that a cell may take."""
    seconds = getattr(config, "nb_execution_timeout", None)
    limits = {"states": config.static_widgets_states, "bytes": config.static_widgets_bytes}
    return json.dumps({**limits, "seconds": seconds if seconds and seconds > 0 else None})


def ask_for_recordings(app: Sphinx, config: Config) -> None:
    """Tell the kernels of this build to record what `interact` shows."""
    os.environ[RECORDING] = asked(config)


def ask_no_longer(app: Sphinx, exception: Exception | None) -> None:
    os.environ.pop(RECORDING, None)
