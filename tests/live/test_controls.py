"""Every control of the static page against ipywidgets itself in a real JupyterLab: the same keys, clicks and texts give the same values.

In JupyterLab the values are the kernel's; in the page they are those of a view that is linked to the controls.
"""
from __future__ import annotations

import ast
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client import BlockingKernelClient
from playwright.sync_api import Browser, Locator, Page

from tests.live.lab import PATIENCE, TOKEN, Lab
from tests.static_widgets.conftest import READY, SOURCES, build_widgets

NOTEBOOK = "controls.ipynb"
CELL = f"""
import json, sys
sys.path.insert(0, {str(SOURCES)!r})
import ipywidgets
from every import containers, every, trait
from IPython.display import display
controls = every()
rest = containers()
controls |= {{"tab": rest.children[0], "accordion": rest.children[1]}}
turn = ipywidgets.IntText(0)
def values():
    return {{name: control.get_state(trait(control))[trait(control)] for name, control in controls.items()}}
ipywidgets.VBox([*controls.values(), turn])
"""
# Where a part of a control is: in JupyterLab, and in the page.
PARTS = {
    "slider": (".noUi-handle", "input[type=range]"),
    "field": ("input:not([type=color]), textarea", "input:not([type=color]), textarea"),
    "chooser": ("input[type=color]", "input[type=color]"),
    "list": ("select", "select"),
    "box": ("input[type=checkbox]", "input[type=checkbox]"),
    "radio": ("input[type=radio]", "input[type=radio]"),
    "pressed": ("button", ".sw-buttons input"),
    "button": ("button", "button"),
    "tab": (".lm-TabBar-tab", "[role=tab]"),
    "fold": (".jupyter-widget-Collapse-header", "> button"),
}


@dataclass
class Step:
    """What a reader does to a part of a control: keys, `click`, `type TEXT`, `fill TEXT`, `option TEXT`.

    `wanted` is the value that it leads to. Where the page differs on purpose, `differs` is its own value and the reason.
    """

    control: str
    part: str
    acts: list[str]
    wanted: Any
    at: int = 0
    differs: tuple[Any, str] | None = None

    def do(self, place: Locator, side: int) -> None:
        target = place.locator(PARTS[self.part][side]).nth(self.at)
        if self.part == "button" and side == 0 and self.control == "toggle_button":
            target = place  # the widget is the button itself
        for act in self.acts:
            verb, _, text = act.partition(" ")
            if verb == "click":
                target.click(modifiers=["Control"] if text == "Control" else [])
            elif verb == "fill":
                target.fill(text)
            elif verb == "option":
                target.select_option(label=text.split("|"))
            else:
                target.focus()
                if verb == "type":
                    target.press_sequentially(text)
                else:
                    target.press(verb)

    def in_page(self) -> Any:
        return self.differs[0] if self.differs else self.wanted


ALL = ["Control+a", "Delete"]


def day(month: int, date: int, year: int = 2024) -> dict[str, int]:
    return {"year": year, "month": month - 1, "date": date}


def clock(hours: int, minutes: int) -> dict[str, int]:
    return {"hours": hours, "minutes": minutes, "seconds": 0, "milliseconds": 0}


NATIVE = "the page has the browser's own slider, whose Page keys move by a tenth of its length"
TAKEN = "JupyterLab takes this key for its own commands"
SAME_EACH_TIME = [
    ("int_slider", "slider", ["ArrowRight"], 4), ("int_slider", "slider", ["ArrowLeft", "ArrowLeft"], 2), ("int_slider", "slider", ["End"], 10),
    ("int_slider", "slider", ["ArrowRight"], 10), ("int_slider", "slider", ["Home"], 0), ("int_slider", "slider", ["ArrowUp"], 1),
    ("float_slider", "slider", ["ArrowRight"], 0.6), ("float_slider", "slider", ["End"], 1), ("float_slider", "slider", ["ArrowDown"], 0.9),
    ("float_log_slider", "slider", ["ArrowRight", "ArrowRight"], 10), ("float_log_slider", "slider", ["Home"], 0.01),
    ("selection_slider", "slider", ["ArrowRight"], 2), ("selection_slider", "slider", ["End"], 3), ("selection_slider", "slider", ["Home"], 0),
    ("checkbox", "box", ["Space"], True), ("checkbox", "box", ["click"], False),
    ("toggle_button", "button", ["click"], True), ("toggle_button", "button", ["Space"], False), ("toggle_button", "button", ["Enter"], True),
    ("dropdown", "list", ["option banana"], 1), ("dropdown", "list", ["option date"], 3),
    ("select", "list", ["option date"], 3), ("select", "list", ["option apple"], 0),
    ("select_multiple", "list", ["option banana|date"], [1, 3]), ("select_multiple", "list", ["option apple"], [0]),
    ("text", "field", ["End", "type !"], "am I!"), ("text", "field", [*ALL, "type <b>"], "<b>"), ("text", "field", [*ALL], ""),
    ("late_text", "field", ["type robot"], ""), ("late_text", "field", ["Enter"], "robot"), ("late_text", "field", ["type s", "Tab"], "robots"),
    ("textarea", "field", ["Control+End", "Enter", "type three"], "one\ntwo\nthree"), ("textarea", "field", ["fill  "], " "),
    ("password", "field", ["End", "type !"], "secret!"),
    ("combobox", "field", [*ALL, "type banan"], "apple"), ("combobox", "field", ["type a"], "banana"),
    ("combobox", "field", ["fill pear", "Tab"], "banana"),
    ("int_text", "field", ["ArrowUp"], 8), ("int_text", "field", [*ALL, "type -12", "Tab"], -12),
    ("int_text", "field", [*ALL, "type 3.7", "Tab"], 37),
    ("int_text", "field", [*ALL, "Tab"], 37), ("int_text", "field", [*ALL, "type -", "Tab"], 37),
    ("int_text", "field", [*ALL, "type 5e3", "Enter"], 53),
    ("float_text", "field", [*ALL, "type 1.25", "Enter"], 1.25), ("float_text", "field", [*ALL, "type -1e-3", "Tab"], -0.001),
    ("float_text", "field", [*ALL, "type e", "Tab"], -0.001), ("float_text", "field", [*ALL, "type 7"], -0.001),
    ("float_text", "field", ["Enter"], 7),
    ("bounded_int_text", "field", ["ArrowUp"], 6), ("bounded_int_text", "field", [*ALL, "type 99", "Tab"], 10),
    ("bounded_int_text", "field", [*ALL, "type -4", "Tab"], 0), ("bounded_int_text", "field", [*ALL, "type 4", "Enter"], 4),
    ("bounded_float_text", "field", ["ArrowUp"], 0.75), ("bounded_float_text", "field", [*ALL, "type .3"], 0.3),
    ("bounded_float_text", "field", [*ALL, "type 7", "Tab"], 1), ("bounded_float_text", "field", [*ALL, "Tab"], 1),
    ("color_picker", "field", [*ALL, "type teal", "Tab"], "teal"), ("color_picker", "field", [*ALL, "type #0F0", "Tab"], "#0F0"),
    ("color_picker", "field", [*ALL, "type nonsense", "Tab"], "#0F0"), ("color_picker", "field", [*ALL, "type #12", "Tab"], "#0F0"),
    ("color_picker", "field", [*ALL, "type canvas", "Tab"], "#0F0"), ("color_picker", "chooser", ["fill #123456"], "#123456"),
    ("concise_color", "chooser", ["fill #445566"], "#445566"),
    ("date_picker", "field", ["ArrowUp"], day(3, 28)), ("date_picker", "field", ["fill 2024-02-29"], day(2, 29)),
    ("date_picker", "field", ["fill 2025-06-07"], day(12, 31)), ("date_picker", "field", ["fill "], None),
    ("time_picker", "field", ["ArrowUp"], clock(13, 0)), ("time_picker", "field", ["fill 09:30"], clock(9, 30)),
    ("time_picker", "field", ["fill 06:30"], clock(8, 0)), ("time_picker", "field", ["fill "], None),
    ("naive_picker", "field", ["fill 2024-03-01T04:35"], day(3, 1) | clock(4, 35)), ("naive_picker", "field", ["fill "], None),
    ("zoned_picker", "field", ["fill 2024-03-01T04:35"], day(2, 29) | clock(23, 5)),
    ("play", "button", ["click"], 10),
]
STEPS = [
    *(Step(*step) for step in SAME_EACH_TIME),
    *(Step("int_range", "slider", keys, wanted, at) for at, keys, wanted in [
        (0, ["ArrowRight"], [4, 7]), (1, ["ArrowLeft"], [4, 6]), (0, ["End"], [6, 6]), (0, ["ArrowRight"], [6, 6]), (1, ["End"], [6, 10]),
        (0, ["Home"], [0, 10]), (1, ["Home"], [0, 0]),
    ]),
    *(Step("float_range", "slider", keys, wanted, at) for at, keys, wanted in [(0, ["ArrowLeft"], [0.1, 0.8]), (1, ["End"], [0.1, 1])]),
    *(Step("selection_range", "slider", keys, wanted, at) for at, keys, wanted in [
        (0, ["ArrowLeft"], [0, 2]), (1, ["End"], [0, 3]), (0, ["End"], [3, 3]),
    ]),
    *(Step("radio_buttons", "radio", acts, wanted, at) for at, acts, wanted in [(1, ["click"], 1), (3, ["click"], 3), (0, ["click"], 0)]),
    *(Step("toggle_buttons", "pressed", ["click"], at, at) for at in (2, 0, 3)),
    *(Step("tab", "tab", ["click"], at, at) for at in (1, 2, 0)),
    *(Step("accordion", "fold", ["click"], wanted, at) for at, wanted in [(0, 0), (1, 1), (1, None)]),
    Step("play", "button", ["click"], 0, 1),
    Step("int_slider", "slider", ["PageUp"], 6, differs=(2, NATIVE)),
    Step("dropdown", "list", ["ArrowUp"], 3, differs=(2, TAKEN)),
    Step("select", "list", ["ArrowDown"], 0, differs=(1, TAKEN)),
    Step("select_multiple", "list", ["Shift+ArrowDown"], [0], differs=([0, 1], TAKEN)),
    Step("color_picker", "field", [*ALL, "type navy", "Enter"], "#123456", differs=("navy", TAKEN)),
]
BOXES = ["tab", "accordion"]
NAMES = list(dict.fromkeys(step.control for step in STEPS))


class Both:
    """The same controls in JupyterLab and in the page."""

    def __init__(self, lab_page: Page, kernel: BlockingKernelClient, static: dict[str, Page]) -> None:
        self.lab_page, self.kernel, self.static = lab_page, kernel, static
        self.names, self.turns = self.ask("list(controls)"), 0

    def ask(self, expression: str) -> Any:
        how = {"store_history": False, "reply": True, "timeout": PATIENCE}
        answer = self.kernel.execute("", user_expressions={"answer": f"json.dumps({expression})"}, **how)["content"]["user_expressions"]["answer"]
        assert answer["status"] == "ok", answer
        return json.loads(ast.literal_eval(answer["data"]["text/plain"]))

    def page_of(self, name: str) -> Page:
        return self.static["containers" if name in BOXES else "every"]

    def places(self, name: str) -> tuple[Locator, Locator]:
        box = self.lab_page.locator(".jp-OutputArea-output .widget-vbox").first
        own = BOXES.index(name) if name in BOXES else self.names.index(name)
        page = self.page_of(name).locator(".sw-vbox").first
        return box.locator("> *").nth(self.names.index(name)), page.locator("> *").nth(own)

    def in_kernel(self, name: str) -> Any:
        return self.ask(f"values()[{name!r}]")

    def in_page(self, name: str) -> Any:
        return json.loads(self.page_of(name).locator(f"[data-trait='{name}']").inner_text())

    def flush(self) -> None:
        """Wait until the kernel has heard what JupyterLab had sent: another widget's value follows on the same way."""
        field = self.lab_page.locator(".jp-OutputArea-output .widget-vbox").first.locator("> *").last.locator("input")
        # Without taking the focus: a control may wait until the reader leaves it.
        field.evaluate("field => { field.stepUp(); field.dispatchEvent(new Event('change', { bubbles: true })); }")
        self.turns += 1
        until(lambda: self.ask("turn.value"), self.turns, "the widget that takes turns")


def until(question: Callable[[], Any], wanted: Any, what: str) -> None:
    end = time.monotonic() + 20
    while not alike(answer := question(), wanted):
        assert time.monotonic() < end, f"{what}: {answer!r} instead of {wanted!r}"
        time.sleep(0.05)


def alike(one: Any, other: Any) -> bool:
    """Whether two values are the same, but for the last digits of a float."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return isinstance(one, int | float) and one == pytest.approx(other, rel=1e-9)
    return type(one) is type(other) and one == other


@pytest.fixture(scope="module")
def both(lab: Lab, folder: Path, browser: Browser, once: Callable[..., Path]) -> Iterator[Both]:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(notebook, folder / "root" / NOTEBOOK)
    built = once("widgets", build_widgets) / "_build" / "html"
    context = browser.new_context(viewport={"width": 1000, "height": 2400}, timezone_id="Asia/Kolkata")
    static = {}
    for name in ("every", "containers"):
        static[name] = context.new_page()
        static[name].goto((built / f"{name}.html").as_uri())
        static[name].wait_for_function(READY)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{lab.address}/lab/tree/{NOTEBOOK}?reset&token={TOKEN}")
    page.locator(".jp-StatusBar-Widget").get_by_text("| Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.locator(".jp-OutputArea-output .widget-vbox .jupyter-widget-Collapse-header").first.wait_for()
    client = lab.kernel(NOTEBOOK)
    yield Both(page, client, static)
    client.stop_channels()
    context.close()


def test_there_are_steps_for_every_control(both: Both) -> None:
    assert set(NAMES) == set(both.names)
    assert len(STEPS) >= 50


@pytest.mark.parametrize("name", NAMES)
def test_the_page_does_what_ipywidgets_does(both: Both, name: str) -> None:
    assert alike(both.in_page(name), both.in_kernel(name)), "the first value"
    places = both.places(name)
    for step in (step for step in STEPS if step.control == name):
        both.lab_page.bring_to_front()
        step.do(places[0], 0)
        until(lambda: both.in_kernel(name), step.wanted, f"in JupyterLab after {step}")
        both.flush()
        assert alike(both.in_kernel(name), step.wanted), f"in JupyterLab after {step}"
        places[1].page.bring_to_front()
        step.do(places[1], 1)
        until(lambda: both.in_page(name), step.in_page(), f"in the page after {step}")
