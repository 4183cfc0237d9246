"""Writes the address of the book's repository wherever it is committed; `make repository` calls it.

    python -m tools.repository                             say what the pages will take it to be
    python -m tools.repository URL [--revision REVISION]   write it into _config.yml, the first cells and README.md
    python -m tools.repository ""                          take it out of them again

The chapters' first cells install the helper package from there, at that revision, where they run in Colab.
"""
from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tools import address, first_cell

ROOT = Path(__file__).resolve().parents[1]
HELPER_PACKAGE = ["src", "pyproject.toml"]
# What comes before what is written, and what is written.
URL_ENTRY = re.compile(r"^(repository:\n(?:  .*\n)*?  url:)(.*)$", re.MULTILINE)
BADGES = re.compile(r"(<!-- badges -->\n)(.*)(?=<!-- end of badges -->)", re.DOTALL)


def badges(url: str | None, root: Path = ROOT) -> str:
    """What README.md shows of the address: a way into Colab and one into Binder."""
    name = address.on_github(url)
    if not name:
        return ""
    (first, *_), opens = first_cell.notebooks(root), address.notebooks_branch(root)
    opened = address.colab(name, opens, f"book/{first.name}"), address.binder(name, opens, "book/intro.md")
    pictures = "https://colab.research.google.com/assets/colab-badge.svg", "https://mybinder.org/badge_logo.svg"
    titles = "Open chapter 1 in Colab", "Open the book in Binder"
    return "".join(f"[![{title}]({picture})]({link})\n" for title, picture, link in zip(titles, pictures, opened, strict=True))


def write(url: str | None, revision: str | None, root: Path = ROOT) -> None:
    """Write the address wherever it is committed: everywhere, or, where a place for it is missing, nowhere."""
    texts = {}
    for name, what, place, written in [
        ("_config.yml", "entry repository.url", URL_ENTRY, f' "{url or ""}"'),
        ("README.md", "place between the comments for badges", BADGES, badges(url, root)),
    ]:
        texts[name], count = place.subn(lambda found, written=written: found[1] + written, (root / name).read_text(encoding="utf-8"))
        if count != 1:
            raise ValueError(f"{name} needs one {what} to be written to, and has {count}")
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")
    first_cell.write(first_cell.notebooks(root), url, revision)


def full_revision(revision: str, root: Path = ROOT) -> str:
    """The full hash of a revision, whose helper package is the one that lies here."""
    address.git(root, "rev-parse", "--git-dir")  # whatever is wrong with git itself is not the revision's fault
    try:
        found = address.git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except ValueError as error:
        raise ValueError(
            f"{revision!r} is no revision that lies here: a shallow clone lacks it (git fetch --unshallow gets it), "
            "and every clone does once it was merged by squashing (make repository then writes another)"
        ) from error
    changed = address.git(root, "diff", "--name-only", found, "--", *HELPER_PACKAGE)
    added = address.git(root, "ls-files", "--others", "--exclude-standard", "--", *HELPER_PACKAGE)
    if differing := f"{changed}\n{added}".split():
        raise ValueError(
            f"revision {found[:12]} has another {', '.join(differing)} than lies here: "
            "commit first, or give a REVISION that has the same"
        )
    return found


def main(root: Path = ROOT) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.repository", description="Where on the web the book's repository is.")
    parser.add_argument("url", nargs="?", metavar="URL", help="the address to write down; empty: take it out again")
    parser.add_argument("--revision", default="HEAD", help="what the first cells install (default: the latest commit)")
    options = parser.parse_args()
    if options.url is None:
        print(address.known(root) or "No address of the book's repository is known.")
        return
    url = address.checked(options.url, "URL") if options.url else None
    revision = full_revision(options.revision, root) if url else None
    write(url, revision, root)
    print(f"_config.yml, README.md and every chapter now say: {f'{url} at {revision}' if url else 'no address'}.")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(f"repository.py: {error}")
