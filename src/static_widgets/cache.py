"""jupyter-cache compares notebooks alone: what they import may change, and the page would keep the old outputs."""
from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

SUFFIXES = {".py", ".js", ".css"}
STAMP = ".static_widgets_sources"


def digest(folders: list[Path]) -> str:
    """The hash of the names and contents of all watched files in `folders`."""
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(found for found in folder.rglob("*") if found.suffix in SUFFIXES and found.is_file()):
            content = path.read_bytes()
            total.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()


def clear_if_sources_changed(app: Sphinx, config: Config) -> None:
    """Forget executed notebooks and parsed documents if a watched file differs from the last build's."""
    build = Path(app.outdir).parent
    stamp = build / STAMP
    now = digest([Path(app.srcdir, folder) for folder in config.static_widgets_watch])
    if stamp.exists() and stamp.read_text("utf-8") == now:
        return
    executed = getattr(config, "nb_execution_cache_path", "") or build / ".jupyter_cache"
    for folder in (executed, app.doctreedir):
        shutil.rmtree(folder, ignore_errors=True)
    build.mkdir(parents=True, exist_ok=True)
    stamp.write_text(now, "utf-8")
