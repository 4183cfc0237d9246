"""The budgets of the book, each with the function that measures its row."""
from __future__ import annotations

from functools import partial

from benchmarks import functions, light, pages
from benchmarks.functions import POSITIONS, WORDS, peaks, timed
from benchmarks.table import Budget

TABLE = "a table of 1,024 to 65,536 positions by 512 columns"
ATTENTION = "multi-head attention in evaluation, 256 to 2,048 words, 8 heads of 64"
ENCODER = "an encoder layer in evaluation, 256 to 2,048 words, 8 heads of 64"
FIRST = ENCODER.replace("layer", "layer with norms first")
USUAL = "the usual code"
REDRAW = "a step of `d_model` in a heatmap of 128 x 64 to 128 x 512, script alone"

BUDGETS: dict[str, Budget] = {
    # Pages
    "loader": Budget("the runtime of the pages and the largest explorer, scripts by gzip", pages.loader, "B", "the stock loader", most=20e3),
    "answer": Budget(
        "from navigation to a slider that answers", pages.answer, "s", "the stock page", most=1 / 3, of_ratio=True
    ),
    "shift": Budget("layout shift while the page loads", pages.shift, "", "the stock page", most=0.02),
    "hosts": Budget("foreign hosts that the page loads from", pages.hosts, "", "the stock page", most=0),
    "weight": Budget("the heaviest page until it is quiet, all requests, compressed", light.weight, "B", most=300e3),
    "requests": Budget("most requests of a page until it is quiet", light.requests, most=20),
    "lighthouse-mobile": Budget("Lighthouse, performance on a phone, the lowest of three pages", partial(light.performance, "mobile"), least=0.9),
    "lighthouse-desktop": Budget("Lighthouse, performance on a desktop, likewise", partial(light.performance, "desktop"), least=0.95),
    "lighthouse-rest": Budget("Lighthouse, everything else, the lowest of three pages", light.rest, least=1),
    # Sliders
    "frame": Budget(
        "from a key on `d_model` at 128 x 512 to the painted frame, 95th percentile; a frame at 60 Hz and 2 ms",
        pages.frame, "s", "a slider that does nothing", most=1 / 60 + 0.002, idle=True,
    ),
    "redraw": Budget(REDRAW, pages.redraw, "s", "Observable Plot", most=0.001),
    "kernel": Budget(REDRAW, pages.kernel, "s", "seaborn in a kernel"),
    "events": Budget("heap that 10,000 random events leave behind", pages.events, "B", most=5e6),
    # Functions
    "table-time": Budget(f"{TABLE}, time", partial(timed, POSITIONS, functions.tables), "s", USUAL, most=1 / 4, of_ratio=True),
    "table-memory": Budget(f"{TABLE}, peak memory", partial(peaks, POSITIONS, functions.tables), "B", USUAL, most=0.55, of_ratio=True),
    "table-fill": Budget(f"{TABLE}, time", partial(timed, POSITIONS, functions.filling), "s", "filling that memory", most=1.2, of_ratio=True),
    "table-error": Budget(
        "largest error of a table in float32 up to position 1,000 to 1,000,000", functions.table_error, "", USUAL, most=2e-7
    ),
    "module": Budget(
        "a module made for 5,000 positions and applied to 8 x 256 to 8 x 2,048 words, time",
        partial(timed, WORDS, functions.modules), "s", "the usual buffered table",
    ),
    "attention-time": Budget(f"{ATTENTION}, time", partial(timed, WORDS, functions.attentions), "s", "`torch.nn`", most=0.8, of_ratio=True),
    "attention-weights": Budget(
        f"{ATTENTION}, time; weights asked for here alone", partial(timed, WORDS, partial(functions.attentions, need_weights=True)),
        "s", "`torch.nn`", most=1.2, of_ratio=True,
    ),
    "attention-memory": Budget(f"{ATTENTION}, peak memory", partial(peaks, WORDS, functions.attentions), "B", "`torch.nn`"),
    "encoder-time": Budget(f"{ENCODER}, time", partial(timed, WORDS, functions.layers), "s", "`torch.nn`", most=0.85, of_ratio=True),
    "encoder-memory": Budget(f"{ENCODER}, peak memory", partial(peaks, WORDS, functions.layers), "B", "`torch.nn`", most=1 / 3, of_ratio=True),
    "encoder-first-time": Budget(
        f"{FIRST}, time", partial(timed, WORDS, partial(functions.layers, norm_first=True)),
        "s", "`torch.nn`", most=0.85, of_ratio=True,
    ),
    "encoder-first-memory": Budget(
        f"{FIRST}, peak memory", partial(peaks, WORDS, partial(functions.layers, norm_first=True)), "B", "`torch.nn`", most=1 / 3, of_ratio=True
    ),
    "trainings": Budget("the three trainings that chapter 12 runs", functions.trainings, "s", most=60),
}
