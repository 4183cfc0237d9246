"""Where the book's repository is: known in one place, written wherever it is committed."""
from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from tools import repository

ROOT = Path(__file__).parents[2]
URL, REVISION = "https://github.com/some-owner/i-am-a-robot", "0123456789" * 4
CELLS = {"no address": repository.first_cell(None, None), "address": repository.first_cell(URL, REVISION)}


@pytest.mark.parametrize("code", CELLS.values(), ids=CELLS)
def test_first_cell_without_the_package_says_what_to_run(code: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": ""}
    command = [sys.executable, "-I", "-S", "-c", code]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert answer.returncode == 1
    what = f'run: pip install "git+{URL}@{REVISION}"' if URL in code else "the foot of this chapter's page has it and what to run"
    assert answer.stderr.splitlines()[-1] == f"ModuleNotFoundError: no helper package; {what}"


@pytest.mark.parametrize("code", CELLS.values(), ids=CELLS)
def test_first_cell_is_a_small_form(code: str) -> None:
    lines = code.splitlines()
    assert lines[0].startswith("# @title ")
    assert len(lines) <= 15 and max(map(len, lines)) <= 85


@pytest.fixture
def colab(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """As if in Colab, where pip fails on what is called broken; gives what was run."""
    ran: list[list[str]] = []

    def run(command: list[str], **options: object) -> SimpleNamespace:
        ran.append(command)
        return SimpleNamespace(returncode="broken" in command[-1], stdout="out, ", stderr="what pip said")

    monkeypatch.setitem(sys.modules, "google.colab", SimpleNamespace())
    monkeypatch.setattr(subprocess, "run", run)
    return ran


def test_first_cell_installs_in_colab_and_only_there(colab: list, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict = {}
    exec(CELLS["address"], names)
    options = ["--quiet", "--no-deps", "--force-reinstall"]  # another revision may call itself by the same version
    assert colab == [[sys.executable, "-m", "pip", "install", *options, f"git+{URL}@{REVISION}"]]
    assert {name for name in names if not name.startswith("_")} == {"importlib", "subprocess", "sys"}
    with pytest.raises(RuntimeError, match=r"^out, what pip said$"):
        exec(repository.first_cell("https://github.com/a/broken", REVISION), {})
    colab.clear()
    monkeypatch.delitem(sys.modules, "google.colab")
    exec(CELLS["address"], {})
    assert colab == []


def test_first_cell_without_an_address_says_so_in_colab(colab: list, monkeypatch: pytest.MonkeyPatch) -> None:
    exec(CELLS["no address"], {})
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="names no repository that Colab could get"):
        exec(CELLS["no address"], {})
    assert colab == []


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("https://github.com/o/n", "https://github.com/o/n"),
        ("https://github.com/o/n.git", "https://github.com/o/n"),
        ("https://github.com/o/n.git/", "https://github.com/o/n"),
        (" https://github.com/o/n/\n", "https://github.com/o/n"),
        ("https://user:token@github.com/o/n.git", "https://github.com/o/n"),
        ("https://token@github.com/o/n", "https://github.com/o/n"),
        ("git@github.com:o/n.git", "https://github.com/o/n"),
        ("ssh://git@github.com/o/n", "https://github.com/o/n"),
        ("ssh://git@ssh.github.com:443/o/n.git", "https://github.com/o/n"),
        ("git@altssh.gitlab.com:group/sub/n", "https://gitlab.com/group/sub/n"),
        ("git://codeberg.org/o/n.git", "https://codeberg.org/o/n"),
        ("git@GitHub.com:/o/n.git", "https://github.com/o/n"),
        ("HTTPS://www.GitHub.com:443/Own/N", "https://github.com/Own/N"),
        ("http://host.org:80/o/n", "http://host.org/o/n"),
        ("http://localhost:3000/o/n.git", "http://localhost:3000/o/n"),
        ("https://gitlab.com/group/sub.group/n_1", "https://gitlab.com/group/sub.group/n_1"),
        ("/srv/git/n.git", None),
        ("../n", None),
        ("file:///srv/git/n.git", None),
        (r"C:\git\n", None),
        ("git@github.com-personal:o/n.git", None),
        ("git@github-work:o/n", None),
        ("ssh://git@host.org:2222/o/n.git", None),
        ("me@nas:/srv/git/n.git", None),
        ("https://github.com", None),
        ("https://github.com/o", None),
        ("git@github.com:o.git", None),
        ("https://www.github.com/o/n/tree/main", None),
        ("https://host.org/o/../n", None),
        ("https://host.org/./n", None),
        ("https://host.org/o/%2E%2e", None),
        ("https://host.org/o/n?a=b", None),
        ('https://host.org/o/"n"', None),
        ("", None),
    ],
)
def test_web_address_of_a_remote(remote: str, expected: str | None) -> None:
    assert repository.web_address(remote) == expected


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a helper package and a chapter, of which nobody has said where it is."""
    for name in (repository.VARIABLE, "BOOK_BRANCH", "BOOK_DEFAULT_BRANCH"):
        monkeypatch.delenv(name, raising=False)
    for name in ("_config.yml", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "module.py").touch()
    (tmp_path / "book").mkdir()
    shutil.copy(ROOT / "book" / "01_one_hot.ipynb", tmp_path / "book")
    repository.write(None, None, tmp_path)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Change something")
    return git(folder, "rev-parse", "HEAD")


def test_variable_comes_before_the_config_and_that_before_git(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert repository.address(project) is None
    git(project, "remote", "add", "origin", "https://a:b@host.org/from/git.git")
    assert repository.address(project) == "https://host.org/from/git"
    repository.write("https://host.org/from/config", REVISION, project)
    assert repository.address(project) == "https://host.org/from/config"
    monkeypatch.setenv(repository.VARIABLE, "git@codeberg.org:from/variable")
    assert repository.address(project) == "https://codeberg.org/from/variable"
    monkeypatch.setenv(repository.VARIABLE, "")
    assert repository.address(project) == "https://host.org/from/config"


def test_nothing_is_known_without_git(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(project, "remote", "add", "origin", URL)
    monkeypatch.setenv("PATH", "")
    assert repository.address(project) is None
    monkeypatch.undo()
    monkeypatch.delenv(repository.VARIABLE, raising=False)
    assert repository.address(project) == URL
    shutil.rmtree(project / ".git")
    assert repository.address(project) is None


@pytest.mark.parametrize("wrong", ["here", "/srv/n", "https://github.com/o", "https://github.com/o/n/tree/main", "https:///o/n"])
def test_malformed_address_is_an_error_that_names_its_place(project: Path, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    repository.write(wrong, REVISION, project)
    with pytest.raises(ValueError, match=re.escape(f"repository.url in _config.yml is {wrong!r}") + ".*allowed are https://HOST"):
        repository.address(project)


@pytest.mark.parametrize(("address", "told"), [
    ("https://user:p@SECRET@github.com/o/n/x", "https://...@github.com/o/n/x"),
    ("https://user:pa/SECRET@github.com/o/n/x", "https://...@github.com/o/n/x"),
    ("user:SECRET@github.com/o/n", "...@github.com/o/n"),
    ("https://github.com/o/n?token=SECRET", "https://github.com/o/n"),
])
def test_no_secret_is_told(monkeypatch: pytest.MonkeyPatch, address: str, told: str) -> None:
    monkeypatch.setenv(repository.VARIABLE, address)
    with pytest.raises(ValueError, match=re.escape(f"the variable {repository.VARIABLE} is {told!r}, ")):
        repository.address()


@pytest.mark.parametrize(("written", "said"), [
    ("repository: https://a:b@host.org/o/n", "repository in _config.yml is of type str; allowed are entries url and branch"),
    ("repository: {url: 12}", "repository.url in _config.yml is '12'"),
])
def test_config_of_another_type_is_an_error_too(project: Path, written: str, said: str) -> None:
    (project / "_config.yml").write_text(written)
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        repository.address(project)


@pytest.mark.parametrize(("name", "mark"), [("README.md", "<!-- badges -->"), ("_config.yml", "url:")])
def test_address_is_written_everywhere_or_nowhere(project: Path, name: str, mark: str) -> None:
    text = (project / name).read_text(encoding="utf-8")
    (project / name).write_text(text.replace(mark, "other:"), encoding="utf-8")
    before = git(project, "diff")
    with pytest.raises(ValueError, match=f"^{name} needs one .* and has 0$"):
        repository.write(URL, REVISION, project)
    assert git(project, "diff") == before


def run(project: Path, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["repository.py", *arguments])
    repository.main(project)


def badges(project: Path) -> list[str]:
    """Where the badges lead."""
    written = repository.BADGES.search((project / "README.md").read_text(encoding="utf-8"))[2]
    return re.findall(r"\)\]\((\S+)\)$", written, re.MULTILINE)


def test_edited_branch_is_the_one_handed_over_else_the_configs(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (repository.branch(project), repository.notebooks_branch(project)) == ("main", "main")
    config = project / "_config.yml"
    config.write_text(config.read_text().replace("branch: main", "branch: draft"))
    assert (repository.branch(project), repository.notebooks_branch(project)) == ("draft", "draft")
    monkeypatch.setenv("BOOK_DEFAULT_BRANCH", "trunk")
    assert (repository.branch(project), repository.notebooks_branch(project)) == ("trunk", "trunk")
    monkeypatch.setenv("BOOK_BRANCH", "notebooks")
    assert (repository.branch(project), repository.notebooks_branch(project)) == ("trunk", "notebooks")


def test_written_address_is_in_every_place_and_leaves_no_trace(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    revision = git(project, "rev-parse", "HEAD")
    chapter = project / "book" / "01_one_hot.ipynb"
    run(project, f"{URL}.git", monkeypatch=monkeypatch)
    assert repository.address(project) == URL
    assert repository.install_from(chapter) == (URL, revision)
    assert badges(project) == [
        "https://colab.research.google.com/github/some-owner/i-am-a-robot/blob/main/book/01_one_hot.ipynb",
        "https://mybinder.org/v2/gh/some-owner/i-am-a-robot/main?urlpath=lab/tree/book/intro.md",
    ]
    monkeypatch.setenv("BOOK_BRANCH", "note/books")
    run(project, URL, monkeypatch=monkeypatch)
    assert badges(project) == [
        "https://colab.research.google.com/github/some-owner/i-am-a-robot/blob/note/books/book/01_one_hot.ipynb",
        "https://mybinder.org/v2/gh/some-owner/i-am-a-robot/note%2Fbooks?urlpath=lab/tree/book/intro.md",
    ]
    run(project, project.as_uri(), "--revision", revision[:8], monkeypatch=monkeypatch)
    assert repository.install_from(chapter) == (project.as_uri(), revision)
    assert badges(project) == []
    run(project, "", monkeypatch=monkeypatch)
    assert git(project, "status", "--porcelain") == ""


def test_revision_must_have_the_helper_package_of_today(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "src" / "module.py").write_text("new = True\n")
    (project / "src" / "other.py").touch()
    with pytest.raises(ValueError, match=r"has another src/module.py, src/other.py than lies here: commit first, or give a REVISION"):
        run(project, URL, monkeypatch=monkeypatch)
    assert git(project, "status", "--porcelain", "_config.yml", "book") == ""
    revision = commit(project)
    (project / "LICENSE").touch()
    run(project, URL, monkeypatch=monkeypatch)
    assert repository.install_from(project / "book" / "01_one_hot.ipynb") == (URL, revision)
    with pytest.raises(ValueError, match="'nonsense' is no revision that lies here: a shallow clone lacks it"):
        run(project, URL, "--revision", "nonsense", monkeypatch=monkeypatch)


def test_a_failing_git_is_told_in_its_own_words(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".git" / "HEAD").write_text("nonsense")
    with pytest.raises(ValueError, match=r"^git rev-parse failed: fatal: "):
        repository.full_revision("HEAD", project)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ValueError, match=r"^git cannot be run: "):
        repository.full_revision("HEAD", project)
    shutil.rmtree(project / ".git")
    with pytest.raises(ValueError, match=r" is no git repository$"):
        repository.full_revision("HEAD", project)


def test_every_committed_place_holds_one_address() -> None:
    found = {repository.install_from(path) for path in repository.chapters()}
    assert len(found) == 1
    url, revision = found.pop() or (None, None)
    assert repository.config()["url"] == (url or "")
    expected = repository.first_cell(url, revision)
    for path in repository.chapters():
        cell = nbformat.read(path, as_version=4).cells[0]
        assert (cell.id, cell.source) == (repository.FIRST_CELL, expected), path.stem
        assert cell.metadata == {"cellView": "form", "tags": ["remove-cell"]}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert repository.BADGES.search(readme)[2] == repository.badges(url)
    assert revision is None or repository.full_revision(revision) == revision
