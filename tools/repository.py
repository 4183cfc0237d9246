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
from pathlib import Path
from urllib.parse import quote

import yaml

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = "BOOK_REPOSITORY"
HELPER_PACKAGE = ["src", "pyproject.toml"]
FIRST_CELL = "helper-package"
# What comes before what is written, and what is written.
URL_ENTRY = re.compile(r"^(repository:\n(?:  .*\n)*?  url:)(.*)$", re.MULTILINE)
BADGES = re.compile(r"(<!-- badges -->\n)(.*)(?=<!-- end of badges -->)", re.DOTALL)
SEGMENT = r"(?!(\.|%2e){1,2}(/|$))[\w.~%+-]+"
PATH = rf"(?P<path>{SEGMENT}(/{SEGMENT})*)"
WEB = re.compile(rf"(?P<scheme>https?)://([^/@\s]*@)?(?P<host>[\w.-]+(:\d+)?)/{PATH}", re.ASCII | re.IGNORECASE)
# A host of ssh may be an alias of one machine; these are on the web, and may have a host of their own for ssh.
SSH_HOSTS = ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"]
SSH_HOST = rf"(alt)?(ssh\.)?(?P<host>{'|'.join(map(re.escape, SSH_HOSTS))})"
SSH = re.compile(rf"((ssh|git)://([\w.-]+@)?{SSH_HOST}(:\d+)?/|[\w.-]+@{SSH_HOST.replace('<host>', '<host2>')}:/?){PATH}", re.ASCII | re.IGNORECASE)
FOLDER = re.compile(rf"file:///{PATH}", re.ASCII | re.IGNORECASE)


def web_address(remote: str) -> str | None:
    """What git calls a remote, as the address of a web page, without a name or a password; None where it has none."""
    plain = remote.strip().rstrip("/").removesuffix(".git").rstrip("/")
    if found := WEB.fullmatch(plain):
        scheme, host = found["scheme"].lower(), found["host"].lower().removeprefix("www.")
        host = host.removesuffix(":443" if scheme == "https" else ":80")
    elif found := SSH.fullmatch(plain):
        scheme, host = "https", (found["host"] or found["host2"]).lower()
    else:
        return None
    web = f"{scheme}://{host}/{found['path']}"
    return web if host != "github.com" or on_github(web) else None


def checked(address: str, place: str) -> str:
    """An address that somebody wrote down, in its plain form."""
    found = web_address(address) or (address.rstrip("/") if FOLDER.fullmatch(address.rstrip("/")) else None)
    if not found:
        secretless = re.sub(r"(?s)^(\w+://)?.*@", r"\1...@", address).partition("?")[0]
        raise ValueError(
            f"{place} is {secretless!r}, which is no address of a repository; allowed are https://HOST/OWNER/NAME, "
            f"git@HOST:OWNER/NAME with {', '.join(SSH_HOSTS)} and, for trying out, file:///FOLDER"
        )
    return found


def config(root: Path = ROOT) -> dict[str, str]:
    """What _config.yml says of the repository."""
    entry = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8")).get("repository") or {}
    if not isinstance(entry, dict):
        raise ValueError(f"repository in _config.yml is of type {type(entry).__name__}; allowed are entries url and branch")
    return {name: "" if value is None else str(value) for name, value in entry.items()}


def git(root: Path, *arguments: str) -> str:
    """What git answers. Raises ValueError with its own words where it fails, or would speak of a repository further up."""
    if not (root / ".git").exists():
        raise ValueError(f"{root} is no git repository")
    try:
        answer = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except OSError as error:
        raise ValueError(f"git cannot be run: {error}") from error
    if answer.returncode:
        raise ValueError(f"git {arguments[0]} failed: {answer.stderr.strip()}")
    return answer.stdout.strip()


def address(root: Path = ROOT) -> str | None:
    """From the variable, else from _config.yml, else from git; None where nothing tells it."""
    if given := os.environ.get(VARIABLE):
        return checked(given, f"the variable {VARIABLE}")
    if written := config(root).get("url"):
        return checked(written, "repository.url in _config.yml")
    try:
        return web_address(git(root, "remote", "get-url", "origin"))
    except ValueError:
        return None


def on_github(address: str | None) -> str | None:
    """OWNER/NAME, where the repository is on GitHub."""
    found = re.fullmatch(r"https?://github\.com/([^/]+/[^/]+)", address or "")
    return found and found[1]


def branch(root: Path = ROOT) -> str:
    """The branch that is edited: the workflow hands over the default one of its repository."""
    return os.environ.get("BOOK_DEFAULT_BRANCH") or config(root).get("branch") or "main"


def notebooks_branch(root: Path = ROOT) -> str:
    """The branch whose notebooks Colab and Binder open."""
    return os.environ.get("BOOK_BRANCH") or branch(root)


def colab(name: str, branch: str, path: str) -> str:
    return f"https://colab.research.google.com/github/{name}/blob/{quote(branch)}/{path}"


def binder(name: str, branch: str, path: str) -> str:
    return f"https://mybinder.org/v2/gh/{name}/{quote(branch, safe='')}?urlpath=lab/tree/{path}"


WITH_ADDRESS = """\
# @title First: the helper package of the book
import importlib.util, subprocess, sys
_package = (
    "git+{url}"
    "@{revision}"
)
if "google.colab" in sys.modules:
    _pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    _pip += ["--force-reinstall", _package]
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
        "no helper package; the foot of this chapter's page has it and what to run"
    )"""


def first_cell(url: str | None, revision: str | None) -> str:
    """The code of every chapter's first cell: gets the helper package in Colab, and asks for it anywhere else."""
    return WITH_ADDRESS.format(url=url, revision=revision) if url else WITHOUT_ADDRESS


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


def write_first_cells(notebooks: list[Path], url: str | None, revision: str | None) -> None:
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "id": FIRST_CELL,
        "metadata": {"cellView": "form", "tags": ["remove-cell"]},
        "outputs": [],
        "source": first_cell(url, revision),
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
    (first, *_), opens = chapters(root), notebooks_branch(root)
    opened = colab(name, opens, f"book/{first.name}"), binder(name, opens, "book/intro.md")
    pictures = "https://colab.research.google.com/assets/colab-badge.svg", "https://mybinder.org/badge_logo.svg"
    titles = "Open chapter 1 in Colab", "Open the book in Binder"
    return "".join(f"[![{title}]({picture})]({link})\n" for title, picture, link in zip(titles, pictures, opened, strict=True))


def write(url: str | None, revision: str | None, root: Path = ROOT) -> None:
    """Write the address wherever it is committed."""
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
    write_first_cells(chapters(root), url, revision)


def full_revision(revision: str, root: Path = ROOT) -> str:
    """The full hash of a revision, whose helper package is the one that lies here."""
    git(root, "rev-parse", "--git-dir")  # whatever is wrong with git itself is not the revision's fault
    try:
        found = git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except ValueError as error:
        raise ValueError(
            f"{revision!r} is no revision that lies here: a shallow clone lacks it (git fetch --unshallow gets it), "
            "and every clone does once it was merged by squashing (make repository then writes another)"
        ) from error
    changed = git(root, "diff", "--name-only", found, "--", *HELPER_PACKAGE)
    added = git(root, "ls-files", "--others", "--exclude-standard", "--", *HELPER_PACKAGE)
    if differing := f"{changed}\n{added}".split():
        raise ValueError(
            f"revision {found[:12]} has another {', '.join(differing)} than lies here: "
            "commit first, or give a REVISION that has the same"
        )
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
