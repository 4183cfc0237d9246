"""A Sphinx extension: turns the plain Markdown of the notebooks, which reads well everywhere, into the book's own boxes and exercises.

    > **Title.** ...              a box; a warning if its title begins as one of WARNINGS does
    <details>                     a folded box, with an empty line after <summary> and one before </details>
    **Exercise 4.1.** ...         an exercise, up to a folded box, a heading, the next exercise or the end of its cell
    <summary>Solution</summary>   the folded box with its solution, to which the code cells right after it belong that are tagged `solution`

The files themselves stay as they are. In a Markdown page, the directive `exercise-list` lists the exercises of the whole book.
"""
from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from docutils import nodes
from markdown_it import MarkdownIt
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import exercise_enumerable_node, solution_node

WARNINGS = ("What is usually said", "What is often", "A common slip", "A trap")
SOLUTION = "Solution"
COLAB_TITLE = f"#@title {SOLUTION}\n"  # with `cellView` in the metadata, Colab shows this line in place of the code
TITLE = re.compile(r"\A# \d+\. ")
BOX = re.compile(r"^> \*\*(?P<title>[^*\n]+?)\.?\*\*(?P<body>[^\n]*(?:\n>[^\n]*)*)", re.M)
FOLDED = re.compile(r"^<details>\n<summary>(?P<title>[^\n<]+)</summary>\n\n(?P<body>.*?)\n\n</details>$", re.M | re.S)
EXERCISE = re.compile(r"^\*\*Exercise (?P<number>\d+\.\d+)\.\*\* (?P<body>.*?)(?=^\*\*Exercise|^<details>|^#{1,6} |\Z)", re.M | re.S)
START, END = ":::{solution-start} %s\n:label: %s\n:class: dropdown\n:::\n\n%s\n\n", ":::{solution-end}\n:::"
# What remains when every form has been found.
STRAY = {
    r"^(?::{3,}|`{3,}) ?\{.*": "a directive, which other programs show as text; write a box as `> **Title.** ...`, a folded one as <details>",
    r"^\*\*Exercise.*": "an exercise, which must begin like `**Exercise 4.1.** What`",
    r"</?(?:details|summary)\b.*": "a folded box, which must be `<details>`, `<summary>words</summary>`, an empty line, its text, an empty line "
                                   "and `</details>`, each on lines of its own and all in one cell",
}


def refuse(what: str, came: str) -> NoReturn:
    raise ValueError(f"{what}; got {came[:80]!r}")


def directive(name: str, argument: str, options: dict[str, str], body: str) -> str:
    fence = ":" * max([3, *(len(run) + 1 for run in re.findall(r"^:{3,}", body, re.M))])
    head = "".join(f":{key}: {value}\n" for key, value in options.items())
    return f"{fence}{{{name}}} {argument}".rstrip() + f"\n{head}\n{body.strip()}\n{fence}"


def box(match: re.Match[str]) -> str:
    body = "\n".join(line.removeprefix(">").removeprefix(" ") for line in match["body"].split("\n"))
    return directive("admonition", match["title"], {"class": "warning" if match["title"].startswith(WARNINGS) else "tip"}, body)


def label(number: str, what: str = "exercise") -> str:
    return f"{what}-{number.replace('.', '-')}"


class Forms:
    """Rewrites the cells of one notebook, in their order. Raises ValueError for what is nearly one of the forms."""

    def __init__(self) -> None:
        self.exercise = self.solved = ""  # the number of the last exercise, and of the last with a solution

    def asked(self, match: re.Match[str]) -> str:
        self.exercise = match["number"]
        return directive("exercise", "", {"label": label(self.exercise)}, match["body"]) + "\n\n"

    def folded(self, match: re.Match[str]) -> str:
        title, body = match["title"], match["body"]
        if any(token.type == "heading_open" for token in MarkdownIt().parse(body)):
            refuse("a folded box holds no heading", body)
        if not title.startswith(SOLUTION):
            return directive("admonition", title, {"class": "dropdown"}, body)
        if title != SOLUTION:
            refuse(f"the summary of a solution is {SOLUTION!r} and nothing more", title)
        if self.solved == self.exercise:
            refuse("a solution follows its exercise, and each exercise has at most one", body)
        self.solved = self.exercise
        return START % (label(self.exercise), label(self.exercise, "solution"), body) + END

    def markdown(self, text: str) -> str:
        for part in (parts := re.split(r"(?=^\*\*Exercise |^<details>$)", text, flags=re.M)):
            plain = EXERCISE.sub("", FOLDED.sub(lambda match: match["body"], part))
            for stray, what in STRAY.items():
                if found := re.search(stray, plain, re.M):
                    refuse(what, found[0])
        return "".join(FOLDED.sub(self.folded, EXERCISE.sub(self.asked, BOX.sub(box, part))) for part in parts)

    def cells(self, cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for cell in cells:
            cell["source"] = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                cell["source"] = self.markdown(cell["source"])
            found.append(cell)
            if "solution" in cell["metadata"].get("tags", []):
                if len(found) < 2 or not found[-2]["source"].endswith(END):
                    refuse("code tagged `solution` follows a folded box with the summary 'Solution', at the end of its cell", cell["source"])
                found[-2]["source"] = found[-2]["source"].removesuffix(END)
                found.append({"cell_type": "markdown", "id": f"end-{len(found)}", "metadata": {}, "source": END})
        return found


def rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    if not app.env.doc2path(page).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    try:
        notebook["cells"] = Forms().cells(notebook["cells"])
    except ValueError as error:
        raise ExtensionError(f"{page}: {error}") from None
    for cell in notebook["cells"][:2]:  # the contents number the pages, in the same way
        cell["source"] = TITLE.sub("# ", cell["source"])
    source[0] = json.dumps(notebook)


def tidy(app: Sphinx, doctree: nodes.document) -> None:
    """Take away the sections, all of one id, in which exercises and solutions hold their text, and the titles of code for Colab."""
    for node in doctree.findall(lambda node: isinstance(node, exercise_enumerable_node | solution_node)):
        for section in [child for child in node if isinstance(child, nodes.section)]:
            node.replace(section, section.children)
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "tag_solution" in node["classes"]):
        code = next(cell.findall(nodes.literal_block))
        code.rawsource = code.astext().removeprefix(COLAB_TITLE)
        code[:] = [nodes.Text(code.rawsource)]


def leave_figures_unnumbered(app: Sphinx) -> None:
    """To number the exercises, sphinx-exercise has everything numbered that can be."""
    numbered = app.env.get_domain("std").enumerable_nodes
    for kind in (nodes.figure, nodes.table, nodes.container):
        numbered.pop(kind, None)


def exercises(env: BuildEnvironment) -> list[tuple[tuple[int, ...], str, exercise_enumerable_node]]:
    """Number, page and node of each exercise, in the order of the book."""
    found = []
    for name, entry in getattr(env, "sphinx_exercise_registry", {}).items():
        if entry["type"] == "exercise":
            page = entry["docname"]
            found.append((env.toc_fignumbers.get(page, {}).get("exercise", {}).get(name, ()), page, entry["node"]))
    return sorted(found, key=lambda one: one[0])


def compare_numbers(app: Sphinx, env: BuildEnvironment) -> None:
    """Raise an error for an exercise whose number in the notebook is not the one that the contents give it."""
    for number, page, node in exercises(env):
        right = ".".join(map(str, number))
        if node["label"] != label(right):
            came = node["label"].removeprefix("exercise-").replace("-", ".")
            raise ExtensionError(f"{page}: the next exercise of the book is Exercise {right or '(its page has no number)'}; got Exercise {came}")


class exercise_list(nodes.General, nodes.Element):  # noqa: N801
    """Stands for the list until all pages have been read."""


class ExerciseList(SphinxDirective):
    """A list of all exercises, by chapter."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        return [exercise_list()]


def first_paragraph(exercise: nodes.Element) -> nodes.paragraph:
    """A copy, without links and ids."""
    copy = next(exercise.findall(nodes.paragraph)).deepcopy()
    for link in list(copy.findall(lambda node: isinstance(node, pending_xref | nodes.reference))):
        link.replace_self(link.children)
    for node in copy.findall(nodes.Element):
        node["ids"] = node["names"] = []
    return copy


def write_list(app: Sphinx, doctree: nodes.document, page: str) -> None:
    def link(to: str, text: str, anchor: str = "") -> nodes.reference:
        return nodes.reference("", text, refuri=app.builder.get_relative_uri(page, to) + anchor, internal=True)

    for place in list(doctree.findall(exercise_list)):
        chapters: dict[str, nodes.section] = {}
        for (chapter, number), held, exercise in exercises(app.env):
            if held not in chapters:
                chapters[held] = nodes.section(ids=[f"exercises-{chapter}"])
                chapters[held] += nodes.title("", "", link(held, f"{chapter}. {app.env.titles[held].astext()}"))
            first = first_paragraph(exercise)
            first.insert(0, [link(held, f"{chapter}.{number}", f"#{exercise['label']}"), nodes.Text("  ")])
            chapters[held] += first
        place.replace_self(list(chapters.values()))


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("sphinx_exercise")
    app.add_node(exercise_list)
    app.add_directive("exercise-list", ExerciseList)
    app.connect("builder-inited", leave_figures_unnumbered)
    app.connect("source-read", rewrite)
    app.connect("doctree-read", tidy)
    app.connect("env-check-consistency", compare_numbers)
    app.connect("doctree-resolved", write_list)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
