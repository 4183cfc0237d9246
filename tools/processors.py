"""Let PyTorch calculate as on older processors, by restricting the instructions that it uses.

    processors.py NOTEBOOK...    run notebooks with each setting, and print where their outputs differ

The tests require that no chapter differs. Only x86 processors have such settings; on others, the command says so.
PyTorch reads the settings when it is imported, so each run is a process of its own.
"""
from __future__ import annotations

import argparse
import base64
import difflib
import io
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
import numpy as np
import processes
from nbformat import NotebookNode
from PIL import Image

TOOLS = Path(__file__).parent
VARIES = "varies"  # the tag of a cell whose output may differ
OWN = "own"
SECONDS = 3600  # for all chapters with one setting
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # sums depend on the number of threads, and the runs are simultaneous
OLDER = {
    "avx2": {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"},
    "default": {"ATEN_CPU_CAPABILITY": "default", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "ONEDNN_MAX_CPU_ISA": "SSE41"},
}
POINTS, SHADES = 0.05, 2  # how far rounding may move a line, in points, and a colour, out of 255
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
NAME = re.compile(r"\b[mp][0-9a-f]{10}\b")  # matplotlib's names of SVG parts, which are hashes of their contents
IMAGE = re.compile(r"(?<=data:image/png;base64,)[^\"]+")
REFERENCE = "IPY_MODEL_"


def settings() -> dict[str, dict[str, str]]:
    """The environment variables for this machine's own instructions, and for those of each older processor."""
    older = OLDER if platform.machine().lower() in ("x86_64", "amd64") else {}
    return {name: {**variables, **ONE_THREAD} for name, variables in {OWN: {}, **older}.items()}


def environment(name: str) -> dict[str, str]:
    """The environment of a process with one of the settings, whatever the setting of this process."""
    ours = {variable for variables in OLDER.values() for variable in variables}
    return {**{name: value for name, value in os.environ.items() if name not in ours}, **settings()[name]}


def start(name: str, notebooks: list[Path], folder: Path) -> processes.Process:
    """Start to run notebooks with a setting; the executed notebooks go into the folder."""
    command = [sys.executable, TOOLS / "run_alone.py", "--outside", "--output", folder, *notebooks]
    return processes.Process(command, env=environment(name), stderr=subprocess.STDOUT)


def printed_text(cell: NotebookNode) -> str:
    """The printed text of a cell, and the text of its results."""
    parts = []
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stdout":
            parts.append(output.text)
        elif output.output_type in ("execute_result", "display_data") and "image/svg+xml" not in output.data:
            shown = {kind: text for kind, text in output.data.items() if kind != "application/vnd.jupyter.widget-view+json"}
            parts += [shown[kind] for kind in sorted(shown) if isinstance(shown[kind], str)]
    return "".join(parts)


def drawings(cell: NotebookNode) -> list[str]:
    return [output.data["image/svg+xml"] for output in cell.outputs if "image/svg+xml" in output.get("data", {})]


def drawings_agree(one: str, other: str) -> bool:
    """Whether two drawings have the same parts and texts, at positions that differ by no more than rounding."""
    images = [IMAGE.findall(drawing) for drawing in (one, other)]
    mine, yours = (NAME.sub("", IMAGE.sub("", drawing)) for drawing in (one, other))
    if len(images[0]) != len(images[1]) or NUMBER.sub("", mine) != NUMBER.sub("", yours):
        return False
    pairs = zip(NUMBER.findall(mine), NUMBER.findall(yours), strict=True)
    return all(abs(float(a) - float(b)) <= POINTS for a, b in pairs) and all(map(images_agree, *images))


def images_agree(one: str, other: str) -> bool:
    mine, yours = (np.asarray(Image.open(io.BytesIO(base64.b64decode(text))), dtype=int) for text in (one, other))
    return mine.shape == yours.shape and abs(mine - yours).max() <= SHADES


def widgets(notebook: NotebookNode) -> Counter[str]:
    """The initial state of every widget, without the random ids with which they refer to each other."""
    states = notebook.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})

    def without_ids(value: object) -> object:
        if isinstance(value, dict):
            return {key: without_ids(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [without_ids(inner) for inner in value]
        return "" if isinstance(value, str) and value.startswith(REFERENCE) else value

    return Counter(f"{state['model_name']} {json.dumps(without_ids(state['state']), sort_keys=True)}" for state in states.values())


def differences(one: NotebookNode, other: NotebookNode, label: str) -> Iterator[str]:
    """The differences between the outputs of two runs of a notebook, except in cells tagged `varies`."""
    for mine, yours in zip(one.cells, other.cells, strict=True):
        if mine.cell_type != "code" or VARIES in mine.metadata.get("tags", []):
            continue
        if (before := printed_text(mine)) != (after := printed_text(yours)):
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), OWN, label, n=0, lineterm="")
            yield f"cell {mine.id} prints another text:\n" + "\n".join(lines)
        drawn, again = drawings(mine), drawings(yours)
        if len(drawn) != len(again) or not all(map(drawings_agree, drawn, again)):
            yield f"cell {mine.id} draws another picture with the setting {label}"
    for state in (widgets(one) - widgets(other)).elements():
        yield f"with the setting {label}, no widget has the initial state {state[:200]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", type=Path, nargs="+", metavar="NOTEBOOK")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="keep the executed notebooks here, in a folder for each setting")
    options = parser.parse_args()
    if len(settings()) == 1:
        sys.exit(f"PyTorch has no settings for older processors of the kind {platform.machine()}: nothing to compare.")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.output or Path(scratch)
        running = {name: start(name, options.notebooks, folder / name) for name in settings()}
        said = {name: process.finish(SECONDS, f"the chapters with the setting {name}").stdout for name, process in running.items()}
        for name, process in running.items():
            if process.returncode:
                sys.exit(f"{said[name]}\nThe run with the setting {name} stopped.")
        found = 0
        for path in options.notebooks:
            own, *others = (nbformat.read(folder / name / path.name, as_version=4) for name in settings())
            for name, other in zip(list(settings())[1:], others, strict=True):
                for difference in differences(own, other, name):
                    print(f"{path.name}: {difference}")
                    found += 1
    print(f"{found} differences between {', '.join(settings())}.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
