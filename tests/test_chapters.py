"""The chapters as written: code that the library holds too, numbers that cells compute, figures that everybody can read."""
from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted((ROOT / "book").glob("[0-9]*.ipynb"))
NUMBER = re.compile(r"(?<![\w.^])-?\d+\.\d{2,}(?![\w^])")


def cells(path: Path, kind: str) -> list:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def essence(node: ast.AST) -> str:
    """A definition without docstrings, annotations and leading `check_...(...)` calls."""
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            body = part.body
            if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                body = body[1:]
            if isinstance(part, ast.FunctionDef):
                while isinstance(body[0], ast.Expr) and getattr(getattr(body[0].value, "func", None), "id", "").startswith(
                    "check_"
                ):
                    body = body[1:]
                part.returns = None
                for argument in [*part.args.args, *part.args.kwonlyargs]:
                    argument.annotation = None
            part.body = [statement for statement in body if not isinstance(statement, ast.AnnAssign) or statement.value]
    return ast.dump(node, indent=1)


def saved() -> list[tuple[str, ast.AST]]:
    found = []
    for path in CHAPTERS:
        for cell in cells(path, "code"):
            marked = {number for number, line in enumerate(cell.source.splitlines(), 1) if "#@save" in line}
            if marked:
                found += [(path.stem, node) for node in ast.parse(cell.source).body if node.lineno in marked]
    return found


def test_definitions_marked_save_are_the_librarys():
    library = {}
    for path in sorted((ROOT / "src/transformer_book").glob("*.py")):
        library |= {node.name: node for node in ast.parse(path.read_text()).body if hasattr(node, "name")}
    marked = saved()
    assert marked
    for chapter, node in marked:
        assert essence(node) == essence(library[node.name]), f"{chapter}: {node.name} differs from the library's"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_numbers_in_prose_come_from_cells(path, executed):
    """Every number with two decimals or more that the prose states stands in the code or the output of some cell."""
    seen = []
    for cell in executed(path.stem).cells:
        if cell.cell_type == "code":
            seen.append(cell.source)
            seen += [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    computed = {float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", " ".join(seen).replace(",", ""))}
    stray = []
    for cell in cells(path, "markdown"):
        prose = re.sub(r"\$[^$]*\$|https?://\S+|!\[.*?\]\(.*?\)", " ", cell.source)
        stray += [number for number in NUMBER.findall(prose) if float(number) not in computed]
    assert not stray


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_figure_has_a_caption_and_alternative_text(path):
    drawn = [cell for cell in cells(path, "code") if re.search(r"^plots\.(?!use_style)", cell.source, re.M)]
    assert drawn
    for cell in drawn:
        options = cell.metadata.get("mystnb", {})
        assert len(options.get("figure", {}).get("caption", "")) > 40, cell.id
        assert len(options.get("image", {}).get("alt", "")) > 40, cell.id


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_cells_are_short_and_fit_the_page(path):
    for cell in cells(path, "code"):
        lines = cell.source.splitlines()
        assert len(lines) <= 15, cell.id
        assert max(map(len, lines)) <= 85, cell.id
