"""Where on the web the book's repository is, and what follows from that for a page.

The variable BOOK_REPOSITORY says it, else `repository.url` in _config.yml, else git's remote `origin`.
"""
from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import quote

import yaml

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = "BOOK_REPOSITORY"
# What git is given for these hosts by default, and the address of any host that has pages.
WEB = re.compile(
    r"(https://([^/@\s]+@)?(?P<host>[\w.-]+)/|git@(?P<ssh_host>github\.com|gitlab\.com|bitbucket\.org|codeberg\.org):)"
    r"(?P<path>[\w~][\w.-]*(/[\w~][\w.-]*)+)",
    re.ASCII,
)
FOLDER = re.compile(r"file://(/[\w.~%+-]+)+", re.ASCII)
ALLOWED = "https://HOST/OWNER/NAME, git@HOST:OWNER/NAME of the hosts that everybody knows and, for trying out, file:///FOLDER"


def web_address(remote: str) -> str | None:
    """`https://HOST/OWNER/NAME` for what git calls a remote, without a name or a password; None where it is no such address."""
    found = WEB.fullmatch(remote.rstrip("/").removesuffix(".git"))
    if not found:
        return None
    web = f"https://{(found['host'] or found['ssh_host']).lower()}/{found['path']}"
    return web if on_github(web) or not web.startswith("https://github.com/") else None


def checked(address: str, place: str) -> str:
    """An address that somebody wrote down, in its plain form. Raises ValueError for any other text, without the password in it."""
    found = web_address(address) or (address if FOLDER.fullmatch(address) else None)
    if not found:
        public = re.sub(r"(?s)^(\w+://)?.*@", r"\1...@", address).partition("?")[0]
        raise ValueError(f"{place} is {public!r}, which is no address of a repository; allowed are {ALLOWED}")
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


def known(root: Path = ROOT) -> str | None:
    """The address of the repository; None where nothing tells it."""
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
    found = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", address or "")
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
