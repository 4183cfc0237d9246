"""Build the book in the current folder into `_build/html`, treating every warning as an error. `make book` calls it in .venv.

First tools/execute_chapters.py runs the chapters that have changed. The outputs of all chapters are then in the notebook cache in `_build`, and
Sphinx only reads them. When the build ends, tools/reaper.py ends whatever it started.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

HTML = Path("_build/html")
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


def write_pages() -> bool:
    """Write the pages as `jupyter-book build . -W -n --keep-going --quiet` does. Return whether there were no warnings."""
    from jupyter_book.sphinx import build_sphinx
    from myst_nb.core import render

    # If a kernel sends one line of output in two pieces, myst-nb would put a line break between them.
    merge = render.coalesce_streams
    render.coalesce_streams = lambda outputs: merge(merge_streams(outputs))
    overrides = {"external_toc_path": "_toc.yml", "latex_individualpages": False, "nitpicky": True}
    status = build_sphinx(
        Path.cwd(), HTML.absolute(), noconfig=True, path_config="_config.yml", confoverrides=overrides,
        warningiserror=True, keep_going=True, quiet=True,
    )
    return status == 0  # else a number, or the exception that Sphinx has printed


def build() -> int:
    started = time.monotonic()
    from execute_chapters import KEPT, execute_chapters
    from sphinx_external_toc.parsing import parse_toc_yaml
    from valid_html import mend_pages

    documents = {document.removesuffix(".ipynb").removesuffix(".md") for document in parse_toc_yaml("_toc.yml")}
    forget_unfinished_build()
    forget_removed_chapters(documents)

    chapters, ran, failures = execute_chapters(documents)
    if failures:
        print("\n", *failures, f"The book was not built: {len(failures)} of its chapters failed, see above. {KEPT}", sep="\n", file=sys.stderr)
        return 1
    print("Writing the pages ...", flush=True)
    if not write_pages():
        print("\nThe book was not built: every WARNING above counts as an error.", file=sys.stderr)
        return 1
    FINISHED.write_text(environment_time())
    mend_pages(HTML)
    put_wheel_beside_the_pages()
    link_pdf()
    seconds = time.monotonic() - started
    print(f"\nRan {ran} of {chapters} chapters ({chapters - ran} were up to date) in {seconds:.0f} seconds.")
    print(f"Open {(HTML / 'index.html').resolve()}")
    return 0


def stop(reason: str) -> None:
    """Say why the build stops. The reaper ends what it started."""
    with contextlib.suppress(OSError):  # nobody may be reading any more
        os.write(2, f"\n{reason}: the build has stopped. The chapters that ran are kept; `make book` continues with the others.\n".encode())


def stop_by_signal(number: int, frame: object) -> None:
    stop(f"Interrupted by {signal.Signals(number).name}")
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)  # so that `make` and shells know what ended it


def stop_with_make() -> None:
    stop("`make` has ended")
    os._exit(1)


if __name__ == "__main__":
    import reaper
    from lock import exclusive

    sys.modules["rfc3987_syntax"] = None  # jsonschema would spend 1.5 s on importing this optional module
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, stop_by_signal)
    reaper.stop_with_parent(stop_with_make)
    reaper.start()
    with exclusive(Path("_config.yml")):
        sys.exit(build())
