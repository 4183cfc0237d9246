"""The page of chapter 4 as Jupyter Book builds it by default, with its loader of widgets and MathJax, beside the built book.

What it loads from three other hosts comes from npm, and is served from the page's own, which favours it.
"""
from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import nbformat
from jupyter_cache import get_cache

ROOT = Path(__file__).parents[1]
CHAPTER = "04_positional_encoding"
FOLDER = ROOT / "_build" / "stock"
HTML = FOLDER / "_build" / "html"
NPM = HTML / "npm"
# The page's address of each package, its version, and the digest of what npm has published as that.
PACKAGES = {
    "@jupyter-widgets/html-manager@1.0.6": (
        "1.0.6", "sha512-+Mn+Ra8wyIHrYaUpfmf9A3dsLkt/NuwzPQN8sthdxBD35VV5cOJbpmgMhNR27n/rmP3mKyEe0PWCJrtZrXTXDQ=="
    ),
    "mathjax@3": ("3.2.2", "sha512-Bt+SSVU8eBG27zChVewOicYs7Xsdt40qm4+UpHyX7k0/O9NliPc+x77k1/FEsPsjKPZGJvtRZM1vO+geW0OhGw=="),
    "requirejs@2.3.4": ("2.3.4", "sha512-qPD5gRrj6kGQ0ZySAJgqbArkaDqPMbQIT0zSZDkIv1mfA17w/tR2Faq5l2qqRf2CdQx6FWln9nUrgd2UDzb19A=="),
    "anywidget@~0.9.21": ("0.9.21", "sha512-0uQ9/zZmig/2DuI2OXTDI97msdfRH7cMKK+pxxFqArfNdXXCWalvsKGvl896EyNROXPVuqZB1r7T+RZN9ruQNg=="),
}
REQUIRE = re.compile(r'src="https://cdnjs\.cloudflare\.com/ajax/libs/require\.js/2\.3\.4/require\.min\.js"')
LOADER = ("requirejs@2.3.4/require.min.js", "@jupyter-widgets/html-manager@1.0.6/dist/embed-amd.js", "anywidget@~0.9.21/dist/index.js")


def unpack(place: str, version: str, integrity: str) -> None:
    """Fetch a package from npm, and unpack it where the page looks for it."""
    package = f"{place.rpartition('@')[0]}@{version}"
    packed = subprocess.run(["npm", "pack", "--json", "--pack-destination", FOLDER, package], capture_output=True, text=True, check=True)
    [about] = json.loads(packed.stdout)
    if about["integrity"] != integrity:
        raise ValueError(f"{package} must have the integrity {integrity}, got {about['integrity']}")
    with tarfile.open(FOLDER / about["filename"]) as archive:
        archive.extractall(FOLDER / "unpacked", filter="data")
    (NPM / place).parent.mkdir(parents=True, exist_ok=True)
    (FOLDER / "unpacked" / "package").rename(NPM / place)


def build() -> Path:
    """Build the page from the outputs that the book's own page shows; returns the folder of its site."""
    if (FOLDER / "built").exists():
        return HTML
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    notebook = nbformat.read(ROOT / "book" / f"{CHAPTER}.ipynb", as_version=4)
    nbformat.write(get_cache(ROOT / "_build" / ".jupyter_cache").merge_match_into_notebook(notebook)[1], FOLDER / f"{CHAPTER}.ipynb")
    (FOLDER / "_config.yml").write_text("title: Stock\nexecute: {execute_notebooks: 'off'}\nonly_build_toc_files: true\n")
    (FOLDER / "_toc.yml").write_text(f"format: jb-book\nroot: {CHAPTER}\n")
    subprocess.run([Path(sys.executable).parent / "jupyter-book", "build", FOLDER], check=True, capture_output=True)
    for place, (version, integrity) in PACKAGES.items():
        unpack(place, version, integrity)
    minify = [ROOT / "node_modules/.bin/esbuild", "--minify", NPM / "requirejs@2.3.4/require.js", f"--outfile={NPM / LOADER[0]}"]
    subprocess.run(minify, check=True, capture_output=True)
    page = HTML / f"{CHAPTER}.html"
    text = REQUIRE.sub(f'src="/npm/{LOADER[0]}"', page.read_text("utf-8"))
    text = re.sub(r"https://(cdn\.jsdelivr\.net/npm|unpkg\.com)/", "/npm/", re.sub(r' integrity="[^"]*"', "", text))
    page.write_text(text, "utf-8")
    (FOLDER / "built").touch()
    return HTML


if __name__ == "__main__":
    build()
