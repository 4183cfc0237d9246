"""Looks up every external link of the chapters and of README.md, and fails where one is dead. `make links` calls it.

Links within the book need no network: the build checks them, anchors included.
"""
from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from jupyter_book.sphinx import build_sphinx

# Directly in _build, where the extensions find the outputs of the chapters, which therefore do not run again.
README, BOOK = Path("_build/links-of-readme"), Path("_build/links")
SETTINGS = {
    "linkcheck_retries": 3,
    "linkcheck_report_timeouts_as_broken": 0,  # Sphinx 7 warns of its own default
    # The publishers behind them turn programs away (403): they are for readers to follow.
    "linkcheck_ignore": r"https://doi\.org/",
}
ALONE = {"extensions": "myst_parser", "root_doc": "README", "include_patterns": "README.md"}


def check() -> list[dict]:
    """What Sphinx finds out about each external link. Raises RuntimeError where it stopped before the last."""
    for folder in (README, BOOK):
        shutil.rmtree(folder, ignore_errors=True)
    options = [f"-D{name}={value}" for name, value in {**SETTINGS, **ALONE}.items()]
    ended = [subprocess.run([sys.executable, "-m", "sphinx", "-Q", "-C", "-blinkcheck", *options, ".", README]).returncode]
    ended.append(build_sphinx(
        ".", BOOK, doctreedir="_build/.doctrees-of-links", path_config="_config.yml", noconfig=True,
        builder="linkcheck", really_quiet=True, confoverrides={**SETTINGS, "latex_individualpages": False},
    ))
    if any(status not in (0, 1) for status in ended):  # 1: some are dead
        raise RuntimeError(f"the links of README.md and of the chapters were not all looked up: {ended}")
    reports = [(folder / "output.json").read_text("utf-8").splitlines() for folder in (README, BOOK)]
    found = [json.loads(line) for report in reports for line in report]
    return [link for link in found if link["uri"].startswith(("http:", "https:"))]


def main() -> int:
    links = check()
    dead = [link for link in links if link["status"] in ("broken", "timeout")]
    for link in dead:
        print(f"{link['filename']}: {link['uri']}: {link['info']}", file=sys.stderr)
    print(f"{len(links)} external links, {len(dead)} of them dead.")
    return bool(dead)


if __name__ == "__main__":
    sys.exit(main())
