"""Executes notebooks again when what they import or read has changed: jupyter-cache compares the notebooks alone, and would
keep their old outputs."""
from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

SUFFIXES = {".py", ".js", ".css", ".json", ".npz"}
STAMP = ".static_widgets_sources"


def digest(folders: list[Path], variables: list[str]) -> str:
    """The hash of the names and contents of all watched files in `folders`, and of these environment variables."""
    total = hashlib.sha256()
    for name in variables:
        total.update(f"{name}={os.environ.get(name)}\0".encode())
    for folder in folders:
        for path in sorted(found for found in folder.rglob("*") if found.suffix in SUFFIXES and found.is_file()):
            content = path.read_bytes()
            total.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()


def clear_if_sources_changed(app: Sphinx, config: Config) -> None:
    """Delete executed notebooks and parsed documents if a watched file or variable has changed since the last build."""
    build = Path(app.outdir).parent
    stamp = build / STAMP
    folders = [Path(app.srcdir, folder) for folder in config.static_widgets_watch]
    now = digest(folders, config.static_widgets_watch_environment)
    if stamp.exists() and stamp.read_text("utf-8") == now:
        return
    executed = getattr(config, "nb_execution_cache_path", "") or build / ".jupyter_cache"
    for folder in (executed, app.doctreedir):
        shutil.rmtree(folder, ignore_errors=True)
    build.mkdir(parents=True, exist_ok=True)
    stamp.write_text(now, "utf-8")
