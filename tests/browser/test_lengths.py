"""The explorer of chapter 12's lengths: every control moved by key and by pointer, the dots held to the runs of the sweep."""
from __future__ import annotations

import re

import pytest
import torch
from playwright.sync_api import Locator, expect

from tests.browser.controls import check_radio
from tests.browser.pictures import exact_values, lengths, points
from tests.browser.sliders import address_with, assert_other_ink_in_the_dark, drag_each, slider
from transformer_book.explorers import lengths_explorer
from transformer_book.training import ENCODINGS, TASKS

CHAPTER, NAME = "12_does_it_extrapolate", "lengths"
GUESS = "guess for 2x"
START = {"task": "shift", "encoding": "sinusoidal", "n_layers": 1, "guess": 50, "longer": False}


def menu(explorer: Locator) -> Locator:
    return explorer.get_by_role("combobox", name="encoding", exact=True)


def tick(explorer: Locator) -> Locator:
    return explorer.get_by_role("checkbox", name="show the longer lengths")


def state(explorer: Locator) -> dict:
    """What the controls show."""
    task, layers = checked(explorer)
    return {
        "task": task,
        "encoding": ENCODINGS[menu(explorer).evaluate("menu => menu.selectedIndex")],
        "n_layers": int(layers),
        "guess": int(slider(explorer, GUESS).input_value()),
        "longer": tick(explorer).is_checked(),
    }


def checked(explorer: Locator) -> list[str]:
    """The labels of the radio buttons that are checked."""
    return [name for name in (*TASKS, "1", "2") if explorer.get_by_role("radio", name=name, exact=True).is_checked()]


def assert_picture(explorer: Locator) -> None:
    """Dots, means, the small pictures, the guess, the description and the formula show the state of the controls."""
    now = state(explorer)
    view = lengths_explorer(**now).view
    shown, plot = len(view.lengths), explorer.locator(".tb-lengths")
    grid = lengths(plot.locator(".tb-grid"), "y1")
    (floor,), (top,) = grid[0], grid[4]

    def share(y: float) -> float:
        return (floor - y) / (floor - top)

    dots = [tuple(map(float, each.split())) for each in re.split("M|h0", plot.locator(".tb-lengths-dots").get_attribute("d")) if each]
    assert [share(y) for _, y in dots] == pytest.approx(view.value.flatten().tolist(), abs=5e-4)
    assert [x for x, _ in dots] == sorted(x for x, _ in dots), "every seed has its own place, in the column of its length"
    means = view.means[ENCODINGS.index(now["encoding"])].tolist()
    assert [share(y) for _, y in points(plot.locator(".tb-lengths-line"))] == pytest.approx(means, abs=5e-4)
    assert plot.locator(".tb-lengths-hidden").count() == 3 - shown
    assert share(lengths(plot.locator(".tb-lengths-guess"), "y1")[0][0]) == pytest.approx(now["guess"] / 100, abs=5e-4)
    assert share(lengths(plot.locator(".tb-lengths-chance"), "y1")[0][0]) == pytest.approx(1 / 16, abs=5e-4)
    small = explorer.locator(".tb-lengths-small")
    assert [ENCODINGS[at] for at in range(6) if "tb-lengths-chosen" in small.nth(at).get_attribute("class")] == [now["encoding"]]
    for at, means in enumerate(view.means.tolist()):
        drawn = points(small.nth(at).locator(".tb-lengths-line"))
        assert [(58 - y) / 50 for _, y in drawn] == pytest.approx(means, abs=2e-3)
    words = explorer.locator(".tb-description").inner_text()
    assert words.startswith(f"{now['task']}, ")
    for span, row in zip(view.spans, view.value.tolist(), strict=False):
        said, *_ = re.findall(rf"([\d.]+)% at positions {span}", words)
        assert float(said) == pytest.approx(100 * sum(row) / len(row), abs=0.051)
    assert ("at positions 32 to 63" in words) == now["longer"]
    result = explorer.locator(".tb-formula strong").inner_text()
    assert float(result.removesuffix("%")) == pytest.approx(100 * view.value[1 if now["longer"] else 0].mean().item(), abs=0.051)


def test_it_hides_the_longer_lengths_until_the_reader_has_guessed(open_anywhere):
    explorer = open_anywhere(CHAPTER, NAME)
    words = explorer.locator(".tb-description")
    assert state(explorer) == START
    expect(words).to_contain_text("And at positions 16 to 31? Your guess is 50%. Move it, then show the longer lengths.")
    expect(explorer.locator(".tb-lengths-question")).to_have_text(["", "?", "?"])
    assert_picture(explorer)
    slider(explorer, GUESS).press("ArrowRight")
    expect(words).to_contain_text("Your guess is 51%.")
    tick(explorer).press("Space")
    assert state(explorer) == START | {"guess": 51, "longer": True}
    expect(words).to_contain_text("You guessed 51% at positions 16 to 31")
    assert_picture(explorer)
    tick(explorer).click()
    expect(words).to_contain_text("Move it, then show the longer lengths.")
    assert_picture(explorer)
    drag_each(explorer, [GUESS], assert_picture)


def test_every_task_number_of_layers_and_encoding(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    tick(explorer).click()
    for task in TASKS:
        check_radio(explorer, task)
        for layers in ("2", "1"):
            check_radio(explorer, layers)
            for at, encoding in enumerate(ENCODINGS):
                menu(explorer).select_option(index=at)
                assert state(explorer) == START | {"task": task, "n_layers": int(layers), "encoding": encoding, "longer": True}
                assert_picture(explorer)
    expect(explorer.locator(".tb-description")).to_contain_text("With rotary it was ")
    explorer.get_by_role("radio", name="latch", exact=True).press("ArrowLeft")
    assert state(explorer)["task"] == "first"
    menu(explorer).press("Home")
    expect(explorer.locator(".tb-description")).to_contain_text("One layer without positions cannot see any order: judge it with two.")
    assert_picture(explorer)


def test_a_click_in_the_picture_moves_the_guess_and_one_on_a_small_picture_chooses_it(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    box = explorer.locator(".tb-lengths").bounding_box()
    grid = lengths(explorer.locator(".tb-lengths .tb-grid"), "y1")
    explorer.page.mouse.move(box["x"] + 200, box["y"] + grid[1][0])
    expect(explorer.locator(".tb-pointed")).to_have_text("25%. Click to make it your guess.")
    explorer.page.mouse.down()
    explorer.page.mouse.up()
    assert state(explorer) == START | {"guess": 25}
    explorer.locator(".tb-lengths-small").nth(4).click()
    assert state(explorer) == START | {"guess": 25, "encoding": "rotary"}
    assert_picture(explorer)


def test_all_accuracies_on_demand_and_an_address_for_them(open_anywhere):
    explorer = open_anywhere(CHAPTER, NAME)
    explorer.locator("summary", has_text="The accuracies of all 10 seeds").click()
    assert [row[2:] for row in exact_values(explorer)] == [["?", "?"]] * 16
    tick(explorer).click()
    check_radio(explorer, "latch")
    check_radio(explorer, "2")
    view = lengths_explorer(task="latch", n_layers=2, longer=True).view
    names = [row[0] for row in exact_values(explorer)]
    encodings = ["ALiBi" if name == "alibi" else name.replace("_", " ") for name in view.encodings]
    assert names == [*(f"seed {seed}" for seed in range(1, 11)), *(f"mean of {name}" for name in encodings)]
    rows = torch.tensor([[float(text) for text in row[1:]] for row in exact_values(explorer)])
    assert rows[:10].T.flatten().tolist() == pytest.approx((100 * view.value).flatten().tolist(), abs=1e-4)
    for row, encoding in zip(rows[10:], view.encodings, strict=True):
        assert row.tolist() == pytest.approx((100 * view.dots(encoding).mean(1)).tolist(), abs=0.051)
    other = open_anywhere(CHAPTER, NAME, fragment=address_with(explorer, longer="true", task_index=2, n_layers_index=1, unfolded="true"))
    assert state(other) == START | {"longer": True, "task": "latch", "n_layers": 2}
    assert_picture(other)


def test_a_broken_address_breaks_nothing_and_dark_mode_has_colours_of_its_own(open_explorer):
    fragment = "#lengths?task_index=9&encoding_index=<b>&n_layers_index=-1&guess=999&longer=7"
    explorer = open_explorer(CHAPTER, NAME, fragment=fragment, width=375)
    assert state(explorer)["guess"] == 100
    assert_picture(explorer)
    tops = explorer.locator(".tb-lengths-small").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert len(set(tops)) == 2, "on a phone the small pictures stand in two rows"
    assert_other_ink_in_the_dark(explorer, ".tb-lengths .tb-lengths-dots", "stroke")
    assert_picture(explorer)
