"""Which changes of the sources execute the notebooks again."""
from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from static_widgets.cache import clear_if_sources_changed, digest


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "package"
    folder.mkdir(parents=True)
    (folder / "module.py").write_text("x = 1")
    return tmp_path / "src"


def test_a_changed_name_or_content_of_code_counts(source: Path) -> None:
    seen = {digest([source], [])}
    changes = {"package/module.py": "x = 2", "package/view.js": "", "package/view.css": "p {}", "data.json": "{}", "data.npz": "", "new.py": ""}
    for name, text in changes.items():
        (source / name).write_text(text)
        seen.add(digest([source], []))
    (source / "new.py").rename(source / "newer.py")
    seen.add(digest([source], []))
    assert len(seen) == 8


def test_a_changed_watched_variable_counts(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAY", raising=False)
    seen = {digest([source], []), digest([source], ["WAY"])}
    for value in ("", "one", "another"):
        monkeypatch.setenv("WAY", value)
        seen.add(digest([source], ["WAY"]))
    assert len(seen) == 5
    assert digest([source], []) in seen


def test_other_files_do_not_count(source: Path) -> None:
    before = digest([source], [])
    (source / "notes.txt").write_text("x")
    (source / "package" / "module.pyc").write_text("x")
    assert digest([source, source.parent / "never there"], []) == before


def test_only_watched_folders_count_and_nothing_is_deleted_but_what_was_kept(source: Path) -> None:
    root = source.parent
    app = SimpleNamespace(outdir=root / "_build" / "html", srcdir=root, doctreedir=root / "_build" / ".doctrees")
    usual = root / "_build" / ".jupyter_cache"

    def cleared(config: SimpleNamespace, cache: Path = usual) -> bool:
        kept = [cache / "global.db", cache / "executed" / "1" / "base.ipynb", app.doctreedir / "environment.pickle"]
        others = [cache / "precious.txt", app.doctreedir / "precious.txt"]
        for path in [*kept, *others]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        clear_if_sources_changed(app, config)
        assert all(path.exists() for path in others)
        left = {path.exists() for path in kept}
        assert len(left) == 1
        return left == {False}

    def settings(*folders: str, **limits: int) -> SimpleNamespace:
        usual = {"static_widgets_states": 500, "static_widgets_bytes": 2_000_000, "nb_execution_timeout": 30}
        return SimpleNamespace(static_widgets_watch=list(folders), static_widgets_watch_environment=[], **usual | limits)

    config = settings("src")
    assert cleared(config)
    assert not cleared(config)
    (root / "elsewhere.py").write_text("y = 1")
    assert not cleared(config)
    (source / "package" / "module.py").write_text("x = 3")
    assert cleared(config)
    assert cleared(settings("src", "."))
    for limit in ("static_widgets_states", "static_widgets_bytes", "nb_execution_timeout"):
        assert cleared(settings("src", ".", **{limit: 7})), limit

    config = settings("src", ".")
    config.nb_execution_cache_path = str(root)  # the folder of the book itself
    clear_if_sources_changed(app, config)
    (source / "package" / "module.py").write_text("x = 4")
    assert cleared(config, root)
    (source / "package" / "module.py").write_text("x = 5")
    (root / "executed").mkdir(exist_ok=True)
    clear_if_sources_changed(app, config)
    assert (root / "executed").exists(), "without its database, it is a folder of the author's"
