"""The wheel of the helper package: complete, compatible with what Colab has installed, and valid on every Python it allows."""
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
    """The files below src/ that git knows, as paths in the wheel."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "src"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(name.removeprefix("src/") for name in names if name and (ROOT / name).exists())


@pytest.fixture(scope="module")
def wheel(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it from git: from a copy of these files, away from anything else in the working tree."""
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


def environment_without_pip_options() -> dict[str, str]:
    """The environment variables without those of pip, which name places to find packages: everything must be installed already."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}


class Environment:
    """A new virtual environment that can import the packages of another one without changing that one."""

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
        """What its Python prints when run in a folder without the book."""
        ran = subprocess.run([self.python, "-I", *arguments], cwd=self.folder, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def pip(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "pip", "--isolated", "--python", self.python, *arguments]
        ran = subprocess.run(command, cwd=self.folder, env=environment_without_pip_options(), capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def imports(self, names: list[str], *options: str) -> None:
        assert names
        places = self.run(*options, "-c", IMPORT, *names).splitlines()
        assert [place for place in places if not Path(place).is_relative_to(self.folder)] == []


def test_the_wheel_contains_exactly_the_files_of_git(wheel: Path, files: list[str]) -> None:
    """These include the bundled JavaScript, as Colab installs the package without Node."""
    assert any(name.endswith(".js") for name in files)
    with zipfile.ZipFile(wheel) as archive:
        contents = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert contents == {name: (ROOT / "src" / name).read_bytes() for name in files}


@pytest.fixture
def colab(tmp_path: Path) -> Environment:
    """Colab's packages without ours, which the tests of the chapters may be installing at the same time."""
    subprocess.run([sys.executable, ROOT / "tools" / "environment.py", "colab"], check=True)
    (packages,) = COLAB.glob("lib/python3.*/site-packages")
    others = tmp_path / "others"
    others.mkdir()
    for path in packages.iterdir():
        if not path.name.startswith((*OURS, "~")):  # pip renames a package so while removing it
            (others / path.name).symlink_to(path)
    # Colab has Jupyter Notebook too. No test uses it, so the lock file leaves it out, and only its metadata is here for pip.
    (others / "notebook-6.5.7.dist-info").mkdir()
    (others / "notebook-6.5.7.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: notebook\nVersion: 6.5.7\n")
    return Environment(tmp_path / "environment", COLAB / "bin" / "python", others)


def test_the_wheel_needs_nothing_that_colab_lacks(wheel: Path, files: list[str], colab: Environment) -> None:
    before = json.loads(colab.run("-c", INSTALLED))
    assert "torch" in before and "transformer-book" not in before
    colab.pip("install", "--quiet", "--no-index", "--no-compile", wheel)
    after = json.loads(colab.run("-c", INSTALLED))
    assert (after.pop("transformer-book"), after) == (wheel.name.split("-")[1], before)
    colab.pip("check")
    colab.imports(modules(files, "transformer_book"))


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_wheel_is_valid_on_every_python(version: str, wheel: Path, files: list[str], tmp_path: Path) -> None:
    """Every module compiles without a warning, and static_widgets can be imported with the installed Sphinx, which is pure Python.
    The modules that need torch are not imported: it is not available for every Python."""
    environment = Environment(tmp_path / "environment", version, Path(sysconfig.get_path("purelib")))
    environment.pip("install", "--quiet", "--no-index", "--no-deps", "--no-compile", wheel)
    (site,) = environment.folder.glob("lib/python3.*/site-packages")
    assert site.parent.name == f"python{version}"
    installed = [site / package for package in OURS]
    environment.run("-Werror", "-m", "compileall", "-q", *installed)
    compiled = [path for folder in installed for path in folder.rglob("*.pyc")]
    assert len(compiled) == len([name for name in files if name.endswith(".py")])
    environment.imports(modules(files, "static_widgets"), "-B")
