"""The page of chapter 4 as Jupyter Book builds it by default, with its loader of widgets and MathJax, beside the built book.

What it loads from three other hosts comes from npm, and is served from the page's own, which favours it.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

import anywidget
import nbformat
from jupyter_cache import get_cache

from tools import processes

ROOT = Path(__file__).parents[1]
CHAPTER = "04_positional_encoding"
FOLDER = ROOT / "_build" / "stock"
HTML = FOLDER / "_build" / "html"
NPM = HTML / "npm"
HOSTS = FOLDER / "hosts"  # written at the end of a build
# The page's address of each package, its version, and the digest of what npm has published as that.
PACKAGES = {
    "@jupyter-widgets/html-manager@1.0.6": (
        "1.0.6", "sha512-+Mn+Ra8wyIHrYaUpfmf9A3dsLkt/NuwzPQN8sthdxBD35VV5cOJbpmgMhNR27n/rmP3mKyEe0PWCJrtZrXTXDQ=="
    ),
    "mathjax@3": ("3.2.2", "sha512-Bt+SSVU8eBG27zChVewOicYs7Xsdt40qm4+UpHyX7k0/O9NliPc+x77k1/FEsPsjKPZGJvtRZM1vO+geW0OhGw=="),
    "requirejs@2.3.4": ("2.3.4", "sha512-qPD5gRrj6kGQ0ZySAJgqbArkaDqPMbQIT0zSZDkIv1mfA17w/tR2Faq5l2qqRf2CdQx6FWln9nUrgd2UDzb19A=="),
}
# The scripts of the loader. That of anywidget comes with the Python package; its address names the version in the widgets' state.
REQUIRE = "requirejs@2.3.4/require.min.js"
MANAGER = "@jupyter-widgets/html-manager@1.0.6/dist/embed-amd.js"
ANYWIDGET = f"anywidget@{anywidget.AnyWidget._view_module_version.default_value}/dist/index.js"
ADDRESSES = {
    "https://cdnjs.cloudflare.com/ajax/libs/require.js/2.3.4/require.min.js": f"/npm/{REQUIRE}",
    "https://cdn.jsdelivr.net/npm/": "/npm/",
}
ESBUILD = ROOT / "node_modules/.bin/esbuild"
BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}  # of what calls npm and node


def run(*command: str | Path) -> str:
    """What a command prints. If it fails, its errors are raised."""
    done = processes.run(command, env=ENVIRONMENT, seconds=600)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def unpack(place: str, version: str, integrity: str, npm: Path) -> None:
    """Fetch a package from npm, and unpack it into the folder `npm`, where the page looks for it."""
    package = f"{place.rpartition('@')[0]}@{version}"
    [about] = json.loads(run("npm", "pack", "--json", "--pack-destination", npm, package))
    if about["integrity"] != integrity:
        raise ValueError(f"{package} must have the integrity {integrity}, got {about['integrity']}")
    with tarfile.open(npm / about["filename"]) as archive:
        archive.extractall(npm / "unpacked", filter="data")
    (npm / place).parent.mkdir(parents=True, exist_ok=True)
    (npm / "unpacked" / "package").rename(npm / place)


def serve_packages(npm: Path) -> None:
    """Put all scripts of the loader into the folder `npm` of a site."""
    npm.mkdir(parents=True)
    for place, (version, integrity) in PACKAGES.items():
        unpack(place, version, integrity, npm)
    run(ESBUILD, "--minify", "--tsconfig-raw={}", npm / "requirejs@2.3.4/require.js", f"--outfile={npm / REQUIRE}")
    (npm / ANYWIDGET).parent.mkdir(parents=True)
    shutil.copyfile(Path(anywidget.__file__).parent / "nbextension" / "index.js", npm / ANYWIDGET)


def build() -> Path:
    """Build the page from the outputs that the book's own page shows; returns the folder of its site."""
    if HOSTS.exists() and HOSTS.stat().st_mtime > page_of_the_book().stat().st_mtime:
        return HTML
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    notebook = nbformat.read(ROOT / "book" / f"{CHAPTER}.ipynb", as_version=4)
    nbformat.write(get_cache(ROOT / "_build" / ".jupyter_cache").merge_match_into_notebook(notebook)[1], FOLDER / f"{CHAPTER}.ipynb")
    (FOLDER / "_config.yml").write_text("title: Stock\nexecute: {execute_notebooks: 'off'}\nonly_build_toc_files: true\n")
    (FOLDER / "_toc.yml").write_text(f"format: jb-book\nroot: {CHAPTER}\n")
    run(BIN / "jupyter-book", "build", FOLDER)
    serve_packages(NPM)
    page = HTML / f"{CHAPTER}.html"
    text = page.read_text("utf-8")
    found = sorted(set(re.findall(r'<(?:script|link)[^>]* (?:src|href)="https://([^/"]+)', text)))
    text = re.sub(r' integrity="[^"]*"', "", text)
    for address, own in ADDRESSES.items():
        if address not in text:
            raise RuntimeError(f"The page that Jupyter Book builds by default must load {address}")
        text = text.replace(address, own)
    page.write_text(text, "utf-8")
    HOSTS.write_text("\n".join(found))
    return HTML


def page_of_the_book() -> Path:
    """The same chapter in the built book."""
    page = ROOT / "_build" / "html" / "book" / f"{CHAPTER}.html"
    if not page.exists():
        raise RuntimeError(f"The rows about pages need the built book: run make book first. There is no {page.relative_to(ROOT)}")
    return page


def hosts() -> list[str]:
    """The foreign hosts that the page as built names."""
    build()
    return HOSTS.read_text().splitlines()

