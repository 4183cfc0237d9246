"""The cases of test_controls.py: every control, what is done to it, and the values that JupyterLab and the page then have."""
from __future__ import annotations

from tests.live.controls import Case, Step, choose, click, drag, drop, fill, pick, press, type_over

LETTERS = "options=['a', 'b', 'c', 'd']"
INDEX = ("w.index",)
# Why a value in the page differs from JupyterLab's.
ARROWS = "JupyterLab takes the arrow keys to go from cell to cell"
OWN_GRID = "a browser's own slider stays on its grid, also where the maximum does not lie on it"

SLIDERS = [
    Case("IntSlider", "w = widgets.IntSlider(value=3, min=-3, max=9, step=3, description='whole')", [
        Step((), 3),
        Step(press("slider", "ArrowRight"), 6),
        Step(press("slider", "ArrowLeft", "ArrowDown"), 0),
        Step(press("slider", "ArrowUp"), 3),
        Step(press("slider", "End"), 9),
        Step(press("slider", "ArrowRight"), 9),
        Step(press("slider", "Home"), -3),
        Step(press("slider", "ArrowLeft"), -3),
        Step(drag("slider"), 9),
        Step(drop(), 9),
    ]),
    Case("IntSlider off its grid", "w = widgets.IntSlider(value=2, max=10, step=3)", [
        Step((), 3),
        Step(press("slider", "ArrowRight"), 6),
        Step(press("slider", "End"), 10, 9, OWN_GRID),
        Step(press("slider", "ArrowLeft"), 9, 6, OWN_GRID),
        Step(press("slider", "Home"), 0),
    ]),
    Case("IntSlider when released", "w = widgets.IntSlider(max=4, continuous_update=False)", [
        Step((), 0),
        Step(drag("slider"), 0),
        Step(drop(), 4),
        Step(press("slider", "ArrowLeft"), 3),
    ]),
    Case("FloatSlider", "w = widgets.FloatSlider(value=.1, min=0, max=1, step=.05)", [
        Step((), .1),
        Step(press("slider", "ArrowRight"), .15),
        Step(press("slider", "ArrowRight"), .2),
        Step(press("slider", *["ArrowRight"] * 3), .35),
        Step(press("slider", "End", "ArrowLeft"), .95),
        Step(press("slider", "Home"), 0),
    ]),
    Case("FloatLogSlider", "w = widgets.FloatLogSlider(value=10, base=10, min=-1, max=3, step=.5)", [
        Step((), 10),
        Step(press("slider", "ArrowRight"), 10**1.5),
        Step(press("slider", "End"), 1000),
        Step(press("slider", "Home"), .1),
    ]),
    Case("IntRangeSlider", "w = widgets.IntRangeSlider(value=[2, 6], min=0, max=10, step=2)", [
        Step((), [2, 6]),
        Step(press("slider", "ArrowRight"), [4, 6]),
        Step(press("slider", "ArrowRight", at=1), [4, 8]),
        Step(press("slider", "End", at=1), [4, 10]),
        Step(press("slider", "Home"), [0, 10]),
        Step(press("slider", "End"), [10, 10]),
        Step(press("slider", "Home", at=1), [10, 10]),
        Step(press("slider", "ArrowLeft", at=1), [10, 10]),
        Step(press("slider", "ArrowLeft"), [8, 10]),
    ]),
    Case("FloatRangeSlider", "w = widgets.FloatRangeSlider(value=[.1, .3], min=0, max=1, step=.05)", [
        Step((), [.1, .3]),
        Step(press("slider", "ArrowRight"), [.15, .3]),
        Step(press("slider", "ArrowLeft", at=1), [.15, .25]),
        Step(press("slider", "Home", at=1), [.15, .15]),
        Step(press("slider", "End", at=1), [.15, 1]),
    ]),
    Case("SelectionSlider", f"w = widgets.SelectionSlider({LETTERS}, value='b')", [
        Step((), 1),
        Step(press("slider", "ArrowRight"), 2),
        Step(press("slider", "End"), 3),
        Step(press("slider", "Home"), 0),
        Step(drag("slider"), 3),
        Step(drop(), 3),
    ], INDEX),
    Case("SelectionRangeSlider", f"w = widgets.SelectionRangeSlider({LETTERS}, index=(1, 2))", [
        Step((), [1, 2]),
        Step(press("slider", "ArrowLeft"), [0, 2]),
        Step(press("slider", "End", at=1), [0, 3]),
        Step(press("slider", "End"), [3, 3]),
        Step(press("slider", "Home"), [0, 3]),
    ], INDEX),
]
PLAY = [
    Case("Play", "w = widgets.Play(value=2, min=1, max=5, interval=10 ** 7)", [
        Step((), [2, False, False]),
        Step(click("play"), [3, True, False]),
        Step(click("play"), [3, False, False]),
        Step(click("play"), [4, True, False]),
        Step(click("stop"), [1, False, False]),
        Step(click("repeat"), [1, False, True]),
        Step(click("repeat"), [1, False, False]),
    ], ("w.value", "w.playing", "w.repeat")),
    Case("Play to its end", "w = widgets.Play(min=0, max=7, step=2, interval=20)", [
        Step(click("play"), [6, False, False]),
        Step(click("repeat"), [6, False, True]),
        Step(press("play", "Enter"), [6, True, True]),
        Step(press("stop", "Enter"), [0, False, True]),
    ], ("w.value", "w.playing", "w.repeat")),
    Case("Play again", "w = widgets.Play(value=5, min=1, max=5, interval=10 ** 7)", [
        Step(click("play"), [1, True, False]),
        Step(click("play"), [1, False, False]),
    ], ("w.value", "w.playing", "w.repeat")),
    Case("Play linked to a slider", (
        "w = widgets.Play(max=6, step=2, interval=20)\n"
        "b = widgets.IntSlider(max=6)\n"
        "jslink((w, 'value'), (b, 'value'))"
    ), [
        Step(press("slider", "ArrowRight"), [1, False, 1]),
        Step(click("play"), [5, False, 5]),
    ], ("w.value", "w.playing", "b.value")),
]
CHOICES = [
    Case("Checkbox", "w = widgets.Checkbox(value=True, description='on')", [
        Step((), True),
        Step(press("input", "Space"), False),
        Step(click("input"), True),
    ]),
    Case("ToggleButton", "w = widgets.ToggleButton(description='on')", [
        Step((), False),
        Step(click("button"), True),
        Step(press("button", "Enter"), False),
        Step(press("button", "Space"), True),
    ]),
    Case("ToggleButtons", f"w = widgets.ToggleButtons({LETTERS}, value=None)", [
        Step((), None),
        Step(click("choice", at=2), 2),
        Step(click("choice", at=2), 2),
        Step(click("choice", at=0), 0),
    ], INDEX),
    Case("RadioButtons", f"w = widgets.RadioButtons({LETTERS})", [
        Step((), 0),
        Step(click("input", at=2), 2),
        Step(press("input", "ArrowDown", at=2), 2, 3, ARROWS),
        Step(press("input", "ArrowDown", at=3), 2, 0, ARROWS),
        Step(press("input", "Space", at=1), 1),
    ], INDEX),
    Case("Dropdown", "w = widgets.Dropdown(options=[('one', 1), ('two', 2), ('three', 3)], value=2)", [
        Step((), 1),
        Step(choose("three"), 2),
        Step(press("select", "ArrowUp"), 2, 1, ARROWS),
        Step(press("select", "Home"), 0),
    ], INDEX),
    Case("Dropdown without a choice", f"w = widgets.Dropdown({LETTERS}, value=None)", [
        Step((), None),
        Step(press("select", "ArrowDown"), None, 0, ARROWS),
        Step(press("select", "End"), 3),
    ], INDEX),
    Case("Select", f"w = widgets.Select({LETTERS}, rows=4)", [
        Step((), 0),
        Step(press("select", "ArrowDown"), 0, 1, ARROWS),
        Step(press("select", "End"), 3),
        Step(click("option", at=2), 2),
    ], INDEX),
    Case("SelectMultiple", f"w = widgets.SelectMultiple({LETTERS}, value=['b'])", [
        Step((), [1]),
        Step(click("option", at=3), [3]),
        Step(press("select", "ArrowUp"), [3], [2], ARROWS),
        Step(pick("option", 0, "Control"), [0, 3], [0, 2], ARROWS),
        Step(pick("option", 0, "Control"), [3], [2], ARROWS),
        Step((*click("option", at=1), *pick("option", 3, "Shift")), [1, 2, 3]),
        Step(choose(), []),
        Step(press("select", "Home"), [0]),
    ], INDEX),
]
TEXTS = [
    Case("Text", "w = widgets.Text('a', description='said')", [
        Step((), "a"),
        Step(type_over("input", "a <b>robot</b>"), "a <b>robot</b>"),
        Step(press("input", "Backspace"), "a <b>robot</b"),
        Step(press("input", "Control+a", "Delete"), ""),
        Step(press("input", " ", "Enter", "Tab"), " "),
    ]),
    Case("Text when left", "w = widgets.Text('a', continuous_update=False)", [
        Step(type_over("input", "robot"), "a"),
        Step(press("input", "Enter"), "robot"),
        Step(press("input", "s"), "robot"),
        Step(press("input", "Tab"), "robots"),
    ]),
    Case("Textarea", "w = widgets.Textarea('a')", [
        Step((), "a"),
        Step(type_over("textarea", "two"), "two"),
        Step(press("textarea", "Enter", "2"), "two\n2"),
    ]),
    Case("Textarea when left", "w = widgets.Textarea('a', continuous_update=False)", [
        Step(type_over("textarea", "two"), "a"),
        Step(press("textarea", "Enter"), "a"),
        Step(press("textarea", "Tab"), "two\n"),
    ]),
    Case("Combobox", f"w = widgets.Combobox({LETTERS}, value='b')", [
        Step((), "b"),
        Step(type_over("input", "robot"), "robot"),
        Step(type_over("input", "a"), "a"),
    ]),
    Case("Combobox of its options alone", "w = widgets.Combobox(options=['one', 'two'], value='one', ensure_option=True)", [
        Step(type_over("input", "tw"), "one"),
        Step(press("input", "o"), "two"),
        Step(press("input", "x", "Tab"), "two"),
    ]),
    Case("Password", "w = widgets.Password(value='a')", [
        Step((), "a"),
        Step(type_over("input", "secret"), "secret"),
    ]),
    Case("IntText", "w = widgets.IntText(7)", [
        Step((), 7),
        Step(type_over("input", "-12"), 7),
        Step(press("input", "Tab"), -12),
        Step((*type_over("input", "5"), *press("input", "Enter")), 5),
        Step(press("input", "ArrowUp"), 6),
        Step((*type_over("input", "1e3"), *press("input", "Tab")), 13),
        Step((*type_over("input", "2.75"), *press("input", "Tab")), 275),
        Step((*type_over("input", "abc"), *press("input", "Tab")), 275),
        Step((*type_over("input", ""), *press("input", "Tab")), 275),
    ]),
    Case("IntText at each key", "w = widgets.IntText(7, continuous_update=True)", [
        Step(type_over("input", "-"), 7),
        Step(press("input", "1"), -1),
        Step(press("input", "2"), -12),
    ]),
    Case("FloatText", "w = widgets.FloatText(.5)", [
        Step((), .5),
        Step((*type_over("input", "-2.75"), *press("input", "Tab")), -2.75),
        Step((*type_over("input", "1e3"), *press("input", "Tab")), 1000),
        Step((*type_over("input", "x"), *press("input", "Tab")), 1000),
        Step((*type_over("input", ""), *press("input", "Tab")), 1000),
        Step((*type_over("input", "1e"), *press("input", "Tab")), 1000),
    ]),
    Case("BoundedIntText", "w = widgets.BoundedIntText(5, min=-2, max=20, step=3)", [
        Step((), 5),
        Step((*type_over("input", "200"), *press("input", "Tab")), 20),
        Step((*type_over("input", "-7"), *press("input", "Tab")), -2),
        Step((*type_over("input", "11"), *press("input", "Enter")), 11),
        Step((*type_over("input", ""), *press("input", "Tab")), 11),
        Step((*type_over("input", "-"), *press("input", "Tab")), 11),
        Step(press("input", "ArrowUp"), 13),
    ]),
    Case("BoundedFloatText", "w = widgets.BoundedFloatText(.3, min=0, max=1, step=.05)", [
        Step((), .3),
        Step((*type_over("input", "1.5"), *press("input", "Tab")), 1),
        Step((*type_over("input", "-.1"), *press("input", "Tab")), 0),
        Step((*type_over("input", ".123"), *press("input", "Tab")), .123),
        Step((*type_over("input", "ten"), *press("input", "Tab")), .123),
        Step(press("input", "ArrowDown"), .1),
        Step(press("input", "ArrowUp"), .15),
    ]),
]
PICKERS = [
    Case("ColorPicker", "w = widgets.ColorPicker(value='teal')", [
        Step((), "teal"),
        Step(fill("input[type=color]", "#ff8000"), "#ff8000"),
    ]),
    Case("ColorPicker in words", "w = widgets.ColorPicker(value='teal')", [
        Step((*type_over("input[type=text]", "red"), *press("input[type=text]", "Tab")), "red"),
        Step((*type_over("input[type=text]", "#123"), *press("input[type=text]", "Tab")), "#123"),
        Step((*type_over("input[type=text]", "mud"), *press("input[type=text]", "Tab")), "#123"),
    ]),
    Case("DatePicker", "w = widgets.DatePicker(value=datetime.date(2024, 2, 28))", [
        Step((), {"year": 2024, "month": 1, "date": 28}),
        Step(fill("input", "2024-02-29"), {"year": 2024, "month": 1, "date": 29}),
        Step(press("input", "ArrowUp"), {"year": 2024, "month": 2, "date": 29}),
        Step(fill("input", ""), None),
        Step(fill("input", "0099-12-31"), {"year": 99, "month": 11, "date": 31}),
    ]),
    Case("DatePicker between two days", (
        "day = datetime.date\n"
        "w = widgets.DatePicker(value=day(2024, 5, 5), min=day(2024, 5, 1), max=day(2024, 5, 31))"
    ), [
        Step(fill("input", "2024-06-01"), {"year": 2024, "month": 4, "date": 31}),
        Step(fill("input", "2024-04-01"), {"year": 2024, "month": 4, "date": 1}),
    ]),
    Case("TimePicker", "w = widgets.TimePicker(value=datetime.time(12, 30))", [
        Step((), {"hours": 12, "minutes": 30, "seconds": 0, "milliseconds": 0}),
        Step(fill("input", "23:59"), {"hours": 23, "minutes": 59, "seconds": 0, "milliseconds": 0}),
        Step(fill("input", ""), None),
    ]),
    Case("TimePicker between two times", "w = widgets.TimePicker(value=datetime.time(12, 30), min=datetime.time(9), max=datetime.time(17))", [
        Step(fill("input", "18:00"), {"hours": 17, "minutes": 0, "seconds": 0, "milliseconds": 0}),
        Step(fill("input", "08:00"), {"hours": 9, "minutes": 0, "seconds": 0, "milliseconds": 0}),
    ]),
]
PANES = [
    Case("Tab", "w = widgets.Tab([widgets.Label('one'), widgets.Label('two'), widgets.Label('three')], titles=['1', '2', '3'])", [
        Step((), 0),
        Step(click("tab", at=2), 2),
        Step(click("tab", at=2), 2),
        Step(click("tab", at=1), 1),
    ], ("w.selected_index",)),
    Case("Accordion", "w = widgets.Accordion([widgets.Label('one'), widgets.Label('two')], titles=['1', '2'])", [
        Step((), None),
        Step(click("header", at=1), 1),
        Step(click("header", at=0), 0),
        Step(click("header", at=0), None),
    ], ("w.selected_index",)),
]
LINKS = [
    Case("jslink of narrower bounds", (
        "w = widgets.IntSlider(value=2, max=10)\n"
        "b = widgets.IntSlider(value=1, max=5)\n"
        "jslink((w, 'value'), (b, 'value'))"
    ), [
        Step((), [2, 2]),
        Step(press("slider", "End"), [10, 5], [5, 5], "in a page both ends of a link have what both can have"),
        Step(press("slider", "ArrowLeft", at=1), [4, 4]),
    ], ("w.value", "b.value")),
    Case("jsdlink of narrower bounds", (
        "w = widgets.IntSlider(value=2, max=10)\n"
        "b = widgets.IntSlider(value=1, max=5)\n"
        "jsdlink((w, 'value'), (b, 'value'))"
    ), [
        Step((), [2, 2]),
        Step(press("slider", "End"), [10, 5]),
        Step(press("slider", "ArrowLeft", at=1), [10, 4]),
    ], ("w.value", "b.value")),
    Case("jslink to a text", (
        "w = widgets.IntSlider(value=2, max=10)\n"
        "b = widgets.BoundedIntText(value=1, max=5)\n"
        "jslink((w, 'value'), (b, 'value'))"
    ), [
        Step((), [2, 2]),
        Step(press("slider", "End"), [5, 5]),
        Step((*type_over("input[type=number]", "3"), *press("input[type=number]", "Tab")), [3, 3]),
    ], ("w.value", "b.value")),
    Case("jsdlink of a maximum", (
        "w = widgets.IntSlider(value=5, max=10)\n"
        "b = widgets.IntSlider(value=4, max=10)\n"
        "jsdlink((w, 'value'), (b, 'max'))"
    ), [
        Step((), [5, 5, 4]),
        Step(press("slider", "Home"), [0, 0, 0]),
        Step(press("slider", "End"), [10, 10, 0]),
    ], ("w.value", "b.max", "b.value")),
    Case("jslink of choices", f"w = widgets.Dropdown({LETTERS})\nb = widgets.ToggleButtons({LETTERS})\njslink((w, 'index'), (b, 'index'))", [
        Step((), [0, 0]),
        Step(choose("d"), [3, 3]),
        Step(click("choice", at=1), [1, 1]),
    ], ("w.index", "b.index")),
]
CASES = [*SLIDERS, *PLAY, *CHOICES, *TEXTS, *PICKERS, *PANES, *LINKS]
