"""Makes an environment what the lock files say, and leaves it alone where it already is.

    environment.py book    what builds and runs the book
    environment.py js      that, and node_modules: what bundles and checks the JavaScript
    environment.py test    that, and the tools of the tests and the benchmarks
    environment.py colab   another environment, `.venv-colab`, with the versions of Google Colab

`make` calls it through tools/python.sh, so it needs nothing but Python itself. What it finished it records in a stamp
in the environment, which is away while anything is being installed: without its stamp it counts as half made.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lock import exclusive

ROOT = Path(__file__).resolve().parents[1]
# The scripts in .venv/bin and the editable install hold the repository's path, the packages are built for one Python.
MADE_BY = [str(ROOT), sys.version]
NODE_STAMP = ROOT / "node_modules" / ".installed"

ENVIRONMENT = {
    **os.environ,
    "PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
    "PIP_USER": "0",  # a user-wide `user = true` makes pip refuse every virtual environment
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def digest(*names: str) -> str:
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in names)).hexdigest()


def run_quietly(what: str, command: list[str | Path]) -> None:
    """Run a command, quiet where it succeeds; where it fails, show all it said and end with its exit status."""
    result = subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if result.returncode:
        print(result.stdout, end="")
        print(f"{what} failed; what it said is above.", file=sys.stderr)
        sys.exit(result.returncode)


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and the parts it is made of: what installs each, and the files that say what."""

    name: str
    parts: dict[str, tuple[Callable[[Environment], None], list[str]]]

    @property
    def folder(self) -> Path:
        return ROOT / self.name

    @property
    def stamp(self) -> Path:
        return self.folder / "stamp.json"

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def pip(self, *arguments: str) -> None:
        run_quietly("pip install", [self.python, "-m", "pip", "install", "--quiet", *arguments])

    def installed(self) -> set[str]:
        """The distributions in the environment, with their versions, as their folders name them."""
        packages = self.folder / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
        return {folder.name for folder in packages.glob("*.dist-info")}

    def python_starts(self) -> bool:
        """Whether its Python starts, and as its own: one that has lost its pyvenv.cfg is the machine's."""
        inside = "import sys; sys.exit(sys.prefix == sys.base_prefix)"
        try:
            return subprocess.run([self.python, "-c", inside], capture_output=True).returncode == 0
        except OSError:
            return False

    def read_stamp(self) -> dict | None:
        """The stamp, or None where the environment has to be made anew."""
        try:
            stamp = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return None
        return stamp if stamp["made_by"] == MADE_BY and self.python_starts() else None

    def write_stamp(self, parts: dict[str, str]) -> dict:
        stamp = {"made_by": MADE_BY, "parts": parts, "packages": sorted(self.installed())}
        self.stamp.write_text(json.dumps(stamp, indent=1))
        return stamp

    def create(self) -> dict:
        try:
            import ensurepip  # noqa: F401
            import venv  # noqa: F401
        except ImportError:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            sys.exit(
                f"Python {version} on this machine cannot make virtual environments: install its venv module "
                f"(on Debian and Ubuntu: apt-get install python{version}-venv), then run make again."
            )
        print(f"Making {self.name} with {sys.executable}", flush=True)
        run_quietly("python -m venv", [sys.executable, "-m", "venv", "--clear", self.folder])
        return self.write_stamp({})

    def make(self, parts: list[str]) -> None:
        stamp = self.read_stamp() or self.create()
        changed = not set(stamp["packages"]) <= self.installed()  # somebody uninstalled or upgraded by hand
        for part in parts:
            install, files = self.parts[part]
            if not changed and stamp["parts"].get(part) == digest(*files):
                continue
            print(f"Installing {files[0]} into {self.name} (minutes the first time)", flush=True)
            self.stamp.unlink()
            try:
                install(self)
            except SystemExit:
                # The installer gave up by itself, so what was there still is; only an interruption leaves no stamp.
                self.stamp.write_text(json.dumps(stamp))
                raise
            stamp = self.write_stamp({**stamp["parts"], part: digest(*files)})


def torch_pin(lock: str) -> str | None:
    pin = re.search(r"^torch==\S+", (ROOT / lock).read_text(), re.MULTILINE)
    return pin and pin[0]


def install_cpu_torch(environment: Environment, pin: str | None) -> None:
    """PyTorch without CUDA, from its own index, for a Linux machine that has no NVIDIA driver: gigabytes less than
    the default. Where the index cannot be reached, the requirements bring the default."""
    index = os.environ.get("TORCH_INDEX")
    if not index or not pin or sys.platform != "linux":
        return
    if shutil.which("nvidia-smi") or Path("/proc/driver/nvidia/version").exists():
        return
    if any(name.startswith(pin.replace("==", "-")) for name in environment.installed()):
        return
    subprocess.run(
        [environment.python, "-m", "pip", "install", "--quiet", "--no-deps", "--retries", "0", "--timeout", "15",
         "--index-url", index, pin],
        cwd=ROOT, env=ENVIRONMENT, capture_output=True, stdin=subprocess.DEVNULL,
    )


def install_book(environment: Environment) -> None:
    install_cpu_torch(environment, torch_pin("requirements.txt"))
    environment.pip("-r", "requirements.txt")


def install_colab(environment: Environment) -> None:
    """The lock leaves out what nothing here uses (see pyproject.toml), so only PyTorch brings what it depends on."""
    lock = "requirements-colab.txt"
    pin = torch_pin(lock)
    install_cpu_torch(environment, pin)
    if pin:
        environment.pip("--no-compile", "--constraint", lock, pin)
    environment.pip("--no-compile", "--no-deps", "-r", lock)


BOOK = Environment(".venv", {
    "book": (install_book, ["requirements.txt", "pyproject.toml"]),
    "test": (lambda environment: environment.pip("-r", "requirements-test.txt"), ["requirements-test.txt"]),
})
COLAB = Environment(".venv-colab", {"colab": (install_colab, ["requirements-colab.txt"])})


def install_node_modules() -> None:
    locked = digest("package.json", "package-lock.json")
    if NODE_STAMP.exists() and NODE_STAMP.read_text() == locked:
        return
    print("Installing into node_modules what bundles and checks the JavaScript", flush=True)
    # It begins by removing the folder, stamp and all.
    run_quietly("npm ci", [BOOK.folder / "bin" / "npm", "ci", "--ignore-scripts"])
    NODE_STAMP.write_text(locked)


def main() -> None:
    wanted = sys.argv[1]
    # Two `make` at a time take turns; the two environments need not wait for each other.
    with exclusive(ROOT / ("requirements-colab.txt" if wanted == "colab" else "pyproject.toml")):
        if wanted == "colab":
            return COLAB.make(["colab"])
        BOOK.make(["book", "test"] if wanted == "test" else ["book"])
        if wanted in ("js", "test"):
            install_node_modules()


if __name__ == "__main__":
    main()
