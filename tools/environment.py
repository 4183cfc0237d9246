"""Makes `.venv` what the lock files say, and leaves it alone where it already is.

    environment.py book    what builds and runs the book
    environment.py js      that, and node_modules: what bundles and checks the JavaScript
    environment.py test    that, and the tools of the tests and the benchmarks

`make` calls it through tools/python.sh, so it needs nothing but Python itself. What it finished it records in a stamp
in `.venv`, which is away while anything is being installed: without its stamp an environment counts as half made.
"""
from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
STAMP = VENV / "stamp.json"
PYTHON = VENV / "bin" / "python"
PACKAGES = VENV / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
# The scripts in .venv/bin and the editable install hold the repository's path, the packages are built for one Python.
MADE_BY = [str(ROOT), sys.version]
NODE_STAMP = ROOT / "node_modules" / ".installed"

ENVIRONMENT = {
    **os.environ,
    "PATH": f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
    "PIP_USER": "0",  # a user-wide `user = true` makes pip refuse every virtual environment
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def digest(*names: str) -> str:
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in names)).hexdigest()


def run(what: str, command: list[str | Path]) -> None:
    """Run a command, quiet where it succeeds; where it fails, show all it said and end with its exit status."""
    result = subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if result.returncode:
        print(result.stdout, end="")
        print(f"{what} failed; what it said is above.", file=sys.stderr)
        sys.exit(result.returncode)


def pip(*arguments: str) -> None:
    run("pip install", [PYTHON, "-m", "pip", "install", "--quiet", *arguments])


def installed() -> set[str]:
    """The distributions in the environment, with their versions, as their folders name them."""
    return {folder.name for folder in PACKAGES.glob("*.dist-info")}


def runs() -> bool:
    """Whether its Python starts, and as its own: one that has lost its pyvenv.cfg is the machine's."""
    inside = "import sys; sys.exit(sys.prefix == sys.base_prefix)"
    try:
        return subprocess.run([PYTHON, "-c", inside], capture_output=True).returncode == 0
    except OSError:
        return False


def read_stamp() -> dict | None:
    """The stamp, or None where the environment has to be made anew."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return None
    return stamp if stamp["made_by"] == MADE_BY and runs() else None


def write_stamp(parts: dict[str, str]) -> dict:
    stamp = {"made_by": MADE_BY, "parts": parts, "packages": sorted(installed())}
    STAMP.write_text(json.dumps(stamp, indent=1))
    return stamp


def make_venv() -> dict:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"Python {version} on this machine cannot make virtual environments: install its venv module "
            f"(on Debian and Ubuntu: apt-get install python{version}-venv), then run make again."
        )
    print(f"Making .venv with {sys.executable}", flush=True)
    run("python -m venv", [sys.executable, "-m", "venv", "--clear", VENV])
    return write_stamp({})


def install_cpu_torch() -> None:
    """PyTorch without CUDA, from its own index, for a Linux machine that has no NVIDIA driver: gigabytes less than
    the default. Where the index cannot be reached, the requirements bring the default."""
    index = os.environ.get("TORCH_INDEX")
    pin = re.search(r"^torch==\S+", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    if not index or not pin or sys.platform != "linux":
        return
    if shutil.which("nvidia-smi") or Path("/proc/driver/nvidia/version").exists():
        return
    if any(name.startswith(pin[0].replace("==", "-")) for name in installed()):
        return
    subprocess.run(
        [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--retries", "0", "--timeout", "15",
         "--index-url", index, pin[0]],
        cwd=ROOT, env=ENVIRONMENT, capture_output=True, stdin=subprocess.DEVNULL,
    )


def install_book() -> None:
    install_cpu_torch()
    pip("-r", "requirements.txt")


def install_test() -> None:
    pip("-r", "requirements-test.txt")


PARTS = {
    "book": (install_book, ["requirements.txt", "pyproject.toml"]),
    "test": (install_test, ["requirements-test.txt"]),
}


def make_environment(parts: list[str]) -> None:
    stamp = read_stamp() or make_venv()
    changed = not set(stamp["packages"]) <= installed()  # somebody uninstalled or upgraded by hand
    for part in parts:
        install, files = PARTS[part]
        if not changed and stamp["parts"].get(part) == digest(*files):
            continue
        print(f"Installing into .venv what the {part} needs (minutes the first time)", flush=True)
        STAMP.unlink()
        try:
            install()
        except SystemExit:
            # The installer gave up by itself, so what was there still is; only an interruption leaves no stamp.
            STAMP.write_text(json.dumps(stamp))
            raise
        stamp = write_stamp({**stamp["parts"], part: digest(*files)})


def install_node_modules() -> None:
    locked = digest("package.json", "package-lock.json")
    if NODE_STAMP.exists() and NODE_STAMP.read_text() == locked:
        return
    print("Installing into node_modules what bundles and checks the JavaScript", flush=True)
    run("npm ci", [VENV / "bin" / "npm", "ci", "--ignore-scripts"])  # begins by removing the folder, stamp and all
    NODE_STAMP.write_text(locked)


def main() -> None:
    wanted = sys.argv[1]
    with (ROOT / "pyproject.toml").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two `make` at a time take turns
        make_environment(["book", "test"] if wanted == "test" else ["book"])
        if wanted in ("js", "test"):
            install_node_modules()


if __name__ == "__main__":
    main()
