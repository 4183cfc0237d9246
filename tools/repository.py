"""The one place that knows where on the web the book's repository is; `make repository` writes it where it is committed.

    repository.py                               say what the pages will take it to be
    repository.py URL [--revision REVISION]     write it into _config.yml, the first cells and README.md
    repository.py ""                            take it out of them again

The chapters' first cells install the helper package from there, at that revision, where they run in Colab.
"""
from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote

import yaml

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = "BOOK_REPOSITORY"
HELPER_PACKAGE = ["src", "pyproject.toml"]
FIRST_CELL = "helper-package"
BADGES = re.compile(r"(?<=<!-- badges -->\n).*(?=<!-- end of badges -->)", re.DOTALL)
PATH = r"(?P<path>[\w.~%+-]+(/[\w.~%+-]+)*)"
WEB = re.compile(rf"(?P<scheme>https?)://([^/@\s]*@)?(?P<host>[\w.-]+(:\d+)?)/{PATH}", re.ASCII)
SSH = re.compile(rf"((ssh|git)://([\w.-]+@)?(?P<host>[\w.-]+)(:\d+)?/|[\w.-]+@(?P<host2>[\w.-]+):/?){PATH}", re.ASCII)
FOLDER = re.compile(rf"file:///{PATH}", re.ASCII)


def web_address(remote: str) -> str | None:
    """What git calls a remote, as the address of a web page, without a name or a password; None for a folder."""
    plain = remote.strip().rstrip("/").removesuffix(".git").rstrip("/")
    if found := WEB.fullmatch(plain):
        return f"{found['scheme']}://{found['host']}/{found['path']}"
    if found := SSH.fullmatch(plain):
        return f"https://{found['host'] or found['host2']}/{found['path']}"
    return None


def checked(address: str, place: str) -> str:
    """An address that somebody wrote down, in its plain form."""
    found = web_address(address) or (address.rstrip("/") if FOLDER.fullmatch(address.rstrip("/")) else None)
    if not found or "//github.com/" in found and not on_github(found):
        secretless = re.sub(r"//[^/@]*@", "//...@", address)
        raise ValueError(
            f"{place} is {secretless!r}, which is no address of a repository; "
            "allowed are https://HOST/OWNER/NAME, git@HOST:OWNER/NAME and, for trying out, file:///FOLDER"
        )
    return found


def config(root: Path = ROOT) -> dict[str, str]:
    """What _config.yml says of the repository."""
    return yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8")).get("repository") or {}


def git(root: Path, *arguments: str) -> str | None:
    """What git answers, or None where it fails, is missing, or speaks of a repository further up."""
    if not (root / ".git").exists():
        return None
    try:
        answer = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except OSError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def address(root: Path = ROOT) -> str | None:
    """From the variable, else from _config.yml, else from git; None where nothing tells it."""
    if given := os.environ.get(VARIABLE):
        return checked(given, f"the variable {VARIABLE}")
    if written := config(root).get("url"):
        return checked(written, "repository.url in _config.yml")
    return web_address(git(root, "remote", "get-url", "origin") or "")


def on_github(address: str | None) -> str | None:
    """OWNER/NAME, where the repository is on GitHub."""
    found = re.fullmatch(r"https?://(www\.)?github\.com/([^/]+/[^/]+)", address or "")
    return found and found[2]


def branch(root: Path = ROOT) -> str:
    """The branch that is edited."""
    return config(root).get("branch") or "main"


def notebooks_branch(root: Path = ROOT) -> str:
    """The branch whose notebooks Colab and Binder open."""
    return os.environ.get("BOOK_BRANCH") or branch(root)


def colab(name: str, branch: str, path: str) -> str:
    return f"https://colab.research.google.com/github/{name}/blob/{quote(branch)}/{path}"


def binder(name: str, branch: str, path: str) -> str:
    return f"https://mybinder.org/v2/gh/{name}/{quote(branch, safe='')}?urlpath=lab/tree/{path}"


def wheel(root: Path = ROOT) -> str:
    """The file name of the helper package's wheel."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['name'].replace('-', '_')}-{project['version']}-py3-none-any.whl"


WITH_ADDRESS = """\
# @title First: the helper package of the book
import importlib.util, subprocess, sys
_package = (
    "git+{url}"
    "@{revision}"
)
if "google.colab" in sys.modules:
    _pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", _package]
    _ran = subprocess.run(_pip, capture_output=True, text=True)
    if _ran.returncode:
        raise RuntimeError(_ran.stdout + _ran.stderr)
    importlib.invalidate_caches()
elif not importlib.util.find_spec("transformer_book"):
    raise ModuleNotFoundError(f'no helper package; run: pip install "{{_package}}"')"""
WITHOUT_ADDRESS = """\
# @title First: the helper package of the book
import importlib.util, sys

if not importlib.util.find_spec("transformer_book"):
    raise ModuleNotFoundError(
        "this book names no repository that Colab could get its helper package from"
        if "google.colab" in sys.modules else
        "no helper package; get it from the page of this chapter, then run:"
        " pip install {wheel}"
    )"""


def first_cell(url: str | None, revision: str | None, root: Path = ROOT) -> str:
    """The code of every chapter's first cell: gets the helper package in Colab, and asks for it anywhere else."""
    if not url:
        return WITHOUT_ADDRESS.format(wheel=wheel(root))
    return WITH_ADDRESS.format(url=url, revision=revision)


def read_first_cell(code: str) -> tuple[str, str] | None:
    """The address and the revision in a first cell."""
    found = re.search(r'^    "git\+(.+)"\n    "@(.+)"$', code, re.MULTILINE)
    return found and (found[1], found[2])


def chapters(root: Path = ROOT) -> list[Path]:
    return sorted((root / "book").glob("*.ipynb"))


def install_from(notebook: Path) -> tuple[str, str] | None:
    """The address and the revision that a chapter's first cell installs the helper package from."""
    cell = json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]
    return read_first_cell("".join(cell["source"])) if cell.get("id") == FIRST_CELL else None


def write_first_cells(notebooks: list[Path], url: str | None, revision: str | None, root: Path = ROOT) -> None:
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "id": FIRST_CELL,
        "metadata": {"cellView": "form", "tags": ["remove-cell"]},
        "outputs": [],
        "source": first_cell(url, revision, root),
    }
    for path in notebooks:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        others = [other for other in notebook["cells"] if other.get("id") != FIRST_CELL]
        notebook["cells"] = [cell, *others]
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def badges(url: str | None, root: Path = ROOT) -> str:
    """What README.md shows of the address: a way into Colab and one into Binder."""
    name = on_github(url)
    if not name:
        return ""
    (first, *_), edited = chapters(root), branch(root)
    opened = colab(name, edited, f"book/{first.name}"), binder(name, edited, "book/intro.md")
    pictures = "https://colab.research.google.com/assets/colab-badge.svg", "https://mybinder.org/badge_logo.svg"
    titles = "Open chapter 1 in Colab", "Open the book in Binder"
    return "".join(f"[![{title}]({picture})]({link})\n" for title, picture, link in zip(titles, pictures, opened))


def write(url: str | None, revision: str | None, root: Path = ROOT) -> None:
    """Write the address wherever it is committed."""
    place = root / "_config.yml"
    entry = re.compile(r"^(repository:\n(?:  .*\n)*?  url:).*$", re.MULTILINE)
    text, count = entry.subn(lambda found: f'{found[1]} "{url or ""}"', place.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"_config.yml needs one entry repository.url to be written to, and has {count}")
    place.write_text(text, encoding="utf-8", newline="\n")
    write_first_cells(chapters(root), url, revision, root)
    readme = root / "README.md"
    text = BADGES.sub(lambda found: badges(url, root), readme.read_text(encoding="utf-8"))
    readme.write_text(text, encoding="utf-8", newline="\n")


def full_revision(revision: str, root: Path = ROOT) -> str:
    """The full hash of a revision, whose helper package is the one that lies here."""
    found = git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if not found:
        raise ValueError(f"{revision!r} is no revision of this repository")
    changed = git(root, "diff", "--name-only", found, "--", *HELPER_PACKAGE)
    added = git(root, "ls-files", "--others", "--exclude-standard", "--", *HELPER_PACKAGE)
    if differing := f"{changed}\n{added}".split():
        raise ValueError(f"commit first: revision {found[:12]} has another {', '.join(differing)}")
    return found


def main(root: Path = ROOT) -> None:
    parser = argparse.ArgumentParser(description="Where on the web the book's repository is.")
    parser.add_argument("url", nargs="?", metavar="URL", help="the address to write down; empty: take it out again")
    parser.add_argument("--revision", default="HEAD", help="what the first cells install (default: the latest commit)")
    options = parser.parse_args()
    if options.url is None:
        print(address(root) or "No address of the book's repository is known.")
        return
    url = checked(options.url, "URL") if options.url else None
    revision = full_revision(options.revision, root) if url else None
    write(url, revision, root)
    print(f"_config.yml, README.md and every chapter now say: {f'{url} at {revision}' if url else 'no address'}.")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(f"repository.py: {error}")
