"""The wheel of the helper package: whole, content with what Colab has installed, and valid on every Python it allows."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COLAB = ROOT / ".venv-colab"
OURS = ("transformer_book", "static_widgets")
INSTALLED = "import importlib.metadata as m, json; print(json.dumps({d.name: d.version for d in m.distributions()}))"
IMPORT = "import importlib, sys; print(*(importlib.import_module(name).__file__ for name in sys.argv[1:]), sep='\\n')"


@pytest.fixture(scope="module")
def files() -> list[str]:
    """What git has below src/, as a path in the wheel."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "src"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(name.removeprefix("src/") for name in names if name and (ROOT / name).exists())


@pytest.fixture(scope="module")
def wheel(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it from git: away from the working tree and whatever else lies there."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in files:
        (source / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "src" / name, source / "src" / name)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*command, folder, source], check=True)
    (built,) = folder.glob("*.whl")
    return built


def modules(files: list[str], package: str) -> list[str]:
    names = [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files if name.endswith(".py")]
    return [name for name in names if name.split(".")[0] == package]


def without_pips_own() -> dict[str, str]:
    """The variables without those that tell pip where else to look: it shall find everything installed."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}


class Environment:
    """A fresh virtual environment that finds the packages of another one, and leaves that one as it is."""

    def __init__(self, folder: Path, python: str | Path, packages: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        found = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin"))
        path = os.pathsep.join([os.environ["PATH"], *map(str, found)])
        command = [Path(sys.executable).parent / "uv", "venv", "--quiet", "--no-project", "--python", python, folder]
        downloads = str(ROOT / ".venv" / "pythons")
        subprocess.run(command, env={**os.environ, "PATH": path, "UV_PYTHON_INSTALL_DIR": downloads}, check=True)
        (site,) = folder.glob("lib/python3.*/site-packages")
        site.joinpath("underneath.pth").write_text(f"{packages}\n")

    def run(self, *arguments: str | Path) -> str:
        """What its Python prints, in a folder without the book."""
        ran = subprocess.run([self.python, "-I", *arguments], cwd=self.folder, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def pip(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "pip", "--isolated", "--python", self.python, *arguments]
        ran = subprocess.run(command, cwd=self.folder, env=without_pips_own(), capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def imports(self, names: list[str], *options: str) -> None:
        assert names
        places = self.run(*options, "-c", IMPORT, *names).splitlines()
        assert [place for place in places if not Path(place).is_relative_to(self.folder)] == []


def test_wheel_holds_what_git_has_and_nothing_else(wheel: Path, files: list[str]) -> None:
    """Colab installs the package without Node, so the bundled JavaScript has to come along."""
    assert any(name.endswith(".js") for name in files)
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert held == {name: (ROOT / "src" / name).read_bytes() for name in files}


@pytest.fixture
def colab(tmp_path: Path) -> Environment:
    """Colab's packages without ours, whatever the tests of the chapters are just installing."""
    subprocess.run([sys.executable, ROOT / "tools" / "environment.py", "colab"], check=True)
    (packages,) = COLAB.glob("lib/python3.*/site-packages")
    others = tmp_path / "others"
    others.mkdir()
    for path in packages.iterdir():
        if not path.name.startswith((*OURS, "~")):  # pip's name for what it is removing
            (others / path.name).symlink_to(path)
    # Colab has Jupyter Notebook too, which nothing here opens: the lock leaves it out, and here pip hears of it.
    (others / "notebook-6.5.7.dist-info").mkdir()
    (others / "notebook-6.5.7.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: notebook\nVersion: 6.5.7\n")
    return Environment(tmp_path / "environment", COLAB / "bin" / "python", others)


def test_wheel_is_content_with_what_colab_has(wheel: Path, files: list[str], colab: Environment) -> None:
    before = json.loads(colab.run("-c", INSTALLED))
    assert "torch" in before and "transformer-book" not in before
    colab.pip("install", "--quiet", "--no-index", "--no-compile", wheel)
    after = json.loads(colab.run("-c", INSTALLED))
    assert (after.pop("transformer-book"), after) == (wheel.name.split("-")[1], before)
    colab.pip("check")
    colab.imports(modules(files, "transformer_book"))


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_wheel_is_valid_on_every_python(version: str, wheel: Path, files: list[str], tmp_path: Path) -> None:
    """Compiled throughout, warnings counting as errors. static_widgets needs Sphinx, which is pure Python: the lock's
    own serves them all. torch is not had for every Python, and is not needed here."""
    environment = Environment(tmp_path / "environment", version, Path(sysconfig.get_path("purelib")))
    environment.pip("install", "--quiet", "--no-index", "--no-deps", "--no-compile", wheel)
    (site,) = environment.folder.glob("lib/python3.*/site-packages")
    assert site.parent.name == f"python{version}"
    installed = [site / package for package in OURS]
    environment.run("-Werror", "-m", "compileall", "-q", *installed)
    compiled = [path for folder in installed for path in folder.rglob("*.pyc")]
    assert len(compiled) == len([name for name in files if name.endswith(".py")])
    environment.imports(modules(files, "static_widgets"), "-B")
