"""Measure the figures of README.md and print them with their budgets, as ratios within this run."""
from __future__ import annotations

import functools
import math
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import torch
from playwright.sync_api import Locator, Page, sync_playwright
from torch import Tensor, nn

from benchmarks.light import measure_pages
from tools import chromium
from transformer_book import plots
from transformer_book.encoder import EncoderLayer
from transformer_book.multi_head_attention import MultiHeadAttention
from transformer_book.positional_encoding import encode_positions, positional_encoding
from transformer_book.training import Settings, train

ROOT = Path(__file__).parents[1]
FRAME = 1000 / 60

# Time of the page's own handlers, and time from the key until its frame has been painted.
MEASURE = """
() => {
  window.measured = [];
  let pressed = 0;
  let started = 0;
  window.addEventListener('keydown', (event) => { pressed = event.timeStamp; }, { capture: true });
  document.addEventListener('input', () => { started = performance.now(); }, { capture: true });
  document.addEventListener('input', () => {
    const script = performance.now() - started;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.measured.push([script, performance.now() - pressed]);
      channel.port2.postMessage(0);
    });
  });
}
"""


def fastest(*calls: Callable[[], object], runs: int = 12) -> list[float]:
    """The seconds of each call's fastest run. The calls take turns, so that noise on the machine affects all of them."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(runs):
        for call, taken in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def plain_table(seq_len: int, d_model: int) -> Tensor:
    """The table as in the most copied tutorials: in float32, with a sine and a cosine computed for each angle."""
    table = torch.zeros(seq_len, d_model)
    position = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table


def peak_bytes(call: Callable[[], object]) -> int:
    """The peak of the memory that torch allocated during the call."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        call()
    allocated = peak = 0
    changes = [event for event in profile.profiler.kineto_results.events() if event.name() == "[memory]"]
    for event in sorted(changes, key=lambda event: event.start_ns()):
        allocated += event.nbytes()
        peak = max(peak, allocated)
    return peak


def measure_table() -> None:
    size = (65536, 512)
    usual, library = fastest(lambda: plain_table(*size), lambda: positional_encoding(*size))
    print("\nThe table of 65,536 positions by 512 columns")
    print(f"  as usually written / this library, time     {usual / library:6.1f} x    (budget: at least 4)")
    for name, call, budget in (
        ("this library", positional_encoding, "(budget: at most 1.1)"),
        ("as usually written", plain_table, ""),
    ):
        tables = peak_bytes(functools.partial(call, *size)) / (4 * math.prod(size))
        print(f"  {f'peak memory in tables, {name}':43} {tables:6.2f}      {budget}")
    exact = encode_positions(torch.arange(990_000, 1_000_001), 64, dtype=torch.float64)
    library = (positional_encoding(1_000_001, 64)[990_000:] - exact).abs().max()
    usual = (plain_table(1_000_001, 64)[990_000:] - exact).abs().max()
    print(f"  largest error up to position 1,000,000      {library:8.1e}    (budget: at most 2e-7; usually {usual:.0e})")


def measure_attention() -> None:
    theirs = nn.MultiheadAttention(512, 8, batch_first=True).eval()
    ours = MultiHeadAttention.from_torch(theirs)
    x = torch.randn(1, 2048, 512)

    def attend(need_weights: bool) -> Callable[[], object]:
        return lambda: ours(x, x, x, need_weights=need_weights)

    with torch.no_grad():
        torchs, fast, slow = fastest(lambda: theirs(x, x, x, need_weights=False), attend(False), attend(True), runs=8)
    print("\nMulti-head attention in evaluation: 2048 words, 8 heads of 64")
    print(f"  this library / torch's module, time          {fast / torchs:5.2f} x    (budget: at most 0.8)")
    print(f"  the same where the weights are asked for     {slow / torchs:5.2f} x    (budget: at most 1.2)")


def measure_encoder() -> None:
    x = torch.randn(1, 2048, 512)
    print("\nAn encoder layer in evaluation: 2048 words, 8 heads of 64, 2048 numbers in between")
    for norms, norm_first in (("after, as in 2017", False), ("first", True)):
        theirs = nn.TransformerEncoderLayer(512, 8, 2048, dropout=0.0, batch_first=True, norm_first=norm_first).eval()
        ours = EncoderLayer.from_torch(theirs)
        with torch.no_grad():
            calls = [functools.partial(layer, x) for layer in (ours, theirs)]
            fast, torchs = fastest(*calls)
            memory = peak_bytes(calls[0]) / peak_bytes(calls[1])
        print(f"  norms {norms}")
        print(f"    this library / torch's layer, time         {fast / torchs:5.2f} x    (budget: at most 1)")
        print(f"    peak memory                                {memory:5.2f} x    (budget: at most 1)")


def measure_trainings() -> None:
    start = time.perf_counter()
    for encoding in ("sinusoidal", "learned", "rotary"):
        train(Settings("shift", encoding, n_layers=1, seed=0))
    share = (time.perf_counter() - start) / 60
    print("\nThe three trainings that chapter 12 runs")
    print(f"  together / one minute                        {share:5.2f} x    (budget: at most 1)")


def time_keys(page: Page, slider: Locator, keys: list[str]) -> tuple[float, float, float]:
    """Press keys on a slider. Returns milliseconds: script (median), key to painted frame (median, 95th percentile)."""
    slider.focus()
    page.evaluate("window.measured.length = 0")
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(33)
    measured = page.evaluate("window.measured")
    painted = sorted(frame for _, frame in measured)
    return statistics.median(script for script, _ in measured), statistics.median(painted), painted[int(0.95 * len(painted))]


def measure_redraw(rounds: int = 5) -> None:
    mpl.use("agg")
    table = positional_encoding(128, 512)

    def seaborn_redraw() -> None:
        plots.heatmap(table).figure.canvas.draw()
        mpl.pyplot.close("all")

    kernel = 1000 * fastest(seaborn_redraw)[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto((ROOT / "_build/html/book/04_positional_encoding.html").as_uri())
        page.locator("[data-static-widget=ready]").last.wait_for()
        explorer = page.locator("[id='positional_encoding-2']")
        explorer.evaluate("explorer => explorer.before(Object.assign(document.createElement('input'), { type: 'range', ariaLabel: 'plain' }))")
        page.evaluate(MEASURE)
        sliders = {
            "d_model": (explorer.get_by_role("slider", name="d_model", exact=True), ["ArrowLeft"] * 50 + ["ArrowRight"] * 50),
            "position": (explorer.get_by_role("slider", name="position", exact=True), ["ArrowRight", "ArrowLeft"] * 50),
            "a slider of this page that does nothing": (page.get_by_role("slider", name="plain"), ["ArrowRight", "ArrowLeft"] * 50),
        }
        measured = {name: [] for name in sliders}
        for _ in range(rounds):
            for name, (slider, keys) in sliders.items():
                measured[name].append(time_keys(page, slider, keys))
        browser.close()
    print("\nA slider of the explorer at 128 x 512, from the key to the painted frame")
    print(f"  {rounds} rounds of 100 keys each, in turns; the best round counts, as the best run does elsewhere")
    for name, runs in measured.items():
        scripts, medians, slow = (sorted(times) for times in zip(*runs, strict=True))
        print(f"  {name}")
        all_rounds = ", ".join(f"{time / FRAME:.2f}" for time in slow)
        budget = f"(budget: at most {1 + 2 / FRAME:.2f}; the rounds: {all_rounds})"
        print(f"    95th percentile / a frame at 60 Hz        {slow[0] / FRAME:6.2f} x    {budget}")
        print(f"    median / a frame at 60 Hz                 {medians[0] / FRAME:6.2f} x")
        if name in ("d_model", "position"):
            print(f"    script alone, median                      {scripts[0]:6.2f} ms   (budget: at most 1)")
            print(f"    redraw by seaborn in a kernel / script    {kernel / scripts[0]:6.0f} x")


if __name__ == "__main__":
    print("Every figure is of this run on this machine; compare ratios, not times.")
    measure_table()
    measure_attention()
    measure_encoder()
    measure_trainings()
    measure_redraw()
    measure_pages()
