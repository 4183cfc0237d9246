"""The explorer of chapters 5 and 10: words in any order, every number held to torch's, and where each number comes from."""
from __future__ import annotations

import math
import re

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from tests.browser.sliders import address_with
from tests.browser.test_views import RENDER
from transformer_book.explorers import robot_explorer
from transformer_book.worked_example import FEED_FORWARD, TWO_HEADS, robot

CHAPTER, NAME = "05_i_am_a_robot", "robot"
# Each stage with those that it is computed from, and with the matrix that both sentences share.
SOURCES = {
    "one_hot": [], "embedding": ["one_hot"], "encoding": [], "input": ["embedding", "encoding"], "query": ["input"], "key": ["input"],
    "value": ["input"], "scores": ["query", "key"], "weights": ["scores"], "heads": ["weights", "value"], "attention": ["heads"],
    "residual_1": ["input", "attention"], "norm_1": ["residual_1"], "hidden": ["norm_1"], "feed_forward": ["hidden"],
    "residual_2": ["norm_1", "feed_forward"], "output": ["residual_2"],
}
SHARED = {"query": "W_Q", "key": "W_K", "value": "W_V", "attention": "W_O", "hidden": "W_1", "feed_forward": "W_2"}
TABLES = """explorer => [...explorer.querySelectorAll('table')].map(table => [
    table.getAttribute('aria-label'),
    [...table.querySelectorAll('tbody th')].map(name => name.textContent),
    [...table.querySelectorAll('tbody td')].map(cell => +cell.firstChild.data),
    [...table.querySelectorAll('tbody td')].map(cell => cell.classList.contains('tb-changed')),
])"""
# Every number of a matrix pointed at: itself, the name and the rest of its formula, and the numbers that light up.
POINTED = """([name]) => [...document.querySelectorAll(`table[aria-label="${name}"] tbody td`)].map(cell => {
    cell.dispatchEvent(new PointerEvent('pointerenter'));
    const formula = document.querySelector('.tb-formula');
    const title = formula.querySelector('.tb-formula-name').textContent;
    const lit = [...document.querySelectorAll('.tb-source')].map(source => +source.firstChild.data);
    return [+cell.firstChild.data, title, formula.textContent.slice(title.length), lit];
})"""


def matrix(explorer: Locator, stage: str, sentence: str) -> Locator:
    return explorer.get_by_role("grid", name=f"{stage} of {sentence}", exact=True)


def cell(explorer: Locator, stage: str, sentence: str, row: int, column: int) -> Locator:
    return matrix(explorer, stage, sentence).locator("tbody tr").nth(row).locator("td").nth(column)


def choose(explorer: Locator, stage: str) -> None:
    explorer.get_by_role("combobox", name="stage").select_option(stage)


def assert_picture(explorer: Locator, sentence: str, stage: str = "input") -> None:
    """Both sentences show the stage and what it is made of, in torch's numbers; what differs has a corner."""
    expect(explorer.locator(".tb-sentence").nth(1).locator("strong")).to_have_text(sentence)
    expect(explorer.locator(".tb-description")).to_contain_text(f'"{sentence}" beside "I am a robot"')
    expect(explorer.locator(".tb-count")).to_contain_text(f": {stage}")
    found = iter(explorer.evaluate(TABLES))
    if stage in SHARED:
        label, _, numbers, corners = next(found)
        assert label == SHARED[stage] and not any(corners)
        assert numbers == torch.tensor({**TWO_HEADS, **FEED_FORWARD}[label]).flatten().tolist()
    if stage == "embedding":
        assert next(found)[:2] == ["table", ["I", "a", "am", "robot"]]
    for side, text in enumerate(("I am a robot", sentence)):
        example = robot(text)
        for shown in [*SOURCES[stage], stage]:
            heads = getattr(example, shown).reshape(-1, *getattr(example, shown).shape[-2:])
            for at, values in enumerate(heads):
                label, rows, numbers, corners = next(found)
                assert label == f"{shown} of {text}" + (f", head {at + 1}" if len(heads) > 1 else "")
                assert rows == [f"{row} {token}" if shown == "encoding" else token for row, token in enumerate(example.tokens)]
                assert numbers == pytest.approx(values.flatten().tolist(), abs=6e-5), label
                assert corners == (expected_corners(example, shown, at) if side else [False] * len(numbers)), label
    assert next(found, None) is None


def expected_corners(example, stage: str, head: int) -> list[bool]:
    """A number has a corner where the same word, or the same two, have another one in the book's sentence."""
    reference = robot()
    rows = [reference.tokens.index(token) for token in example.tokens]
    values, others = (getattr(each, stage).reshape(-1, *getattr(each, stage).shape[-2:])[head] for each in (example, reference))
    others = others[rows][:, rows] if stage in ("scores", "weights") else others[rows]
    return ((values - others).abs() > 1e-6).flatten().tolist()


def test_it_opens_on_the_question(open_anywhere):
    explorer = open_anywhere(CHAPTER, NAME)
    assert_picture(explorer, "am I a robot")
    expect(explorer.locator(".tb-description")).to_contain_text("8 of the 16 numbers of the input differ.")
    expect(explorer.locator(".tb-description")).to_contain_text('"am" moved from position 1 to 0')


def test_stages_by_menu_and_by_button(open_anywhere):
    explorer = open_anywhere(CHAPTER, NAME)
    menu = explorer.get_by_role("combobox", name="stage")
    before, after = (explorer.get_by_role("button", name=f"{name} stage") for name in ("Previous", "Next"))
    assert menu.locator("option").all_inner_texts() == ["one_hot", "embedding", "encoding", "input"]
    expect(after).to_have_attribute("aria-disabled", "true")
    after.dispatch_event("click")
    assert_picture(explorer, "am I a robot", "input")
    menu.press("ArrowUp")
    assert_picture(explorer, "am I a robot", "encoding")
    for stage in ("embedding", "one_hot"):
        before.click()
        assert_picture(explorer, "am I a robot", stage)
        expect(menu).to_have_value(stage)
    expect(before).to_have_attribute("aria-disabled", "true")


def test_any_order_of_the_words(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    for sentence in ("robot a am I", "I", "robot robot", "am am am am am am am am", "I am a robot"):
        explorer.get_by_role("textbox", name="your sentence").fill(sentence)
        assert_picture(explorer, sentence)


def test_the_description_says_what_changed(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    for sentence, said in (
        ("I am a robot", "The two sentences are the same, so no number differs."),
        ("I I", '4 of the 8 numbers of the input differ. "I" stands here 2 times, in the book\'s sentence once, at position 0.'),
        ("am I a robot", '"I" moved from position 0 to 1. "a" stayed at position 2.'),
    ):
        explorer.get_by_role("textbox", name="your sentence").fill(sentence)
        expect(explorer.locator(".tb-description")).to_contain_text(said)


def test_what_cannot_be_followed_is_said_and_kept(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    field = explorer.get_by_role("textbox", name="your sentence")
    for typed, said in (
        ("I am a rob", 'does not know "rob"'),
        ("i am", 'does not know "i"'),
        ("", "at least one"),
        ("a a a a a a a a a", "At most 8 words, please: there are 9"),
        ("<img src=x onerror=alert(1)>", 'does not know "<img"'),
    ):
        field.fill(typed)
        expect(explorer.get_by_role("alert")).to_contain_text(said)
        assert field.input_value() == typed
        assert explorer.locator("img").count() == 1, "the figure is the only picture"
        assert_picture(explorer, "am I a robot")
    field.fill("a robot")
    expect(explorer.get_by_role("alert")).to_be_empty()
    assert_picture(explorer, "a robot")


def test_a_number_pointed_at_lights_where_it_came_from(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    cell(explorer, "input", "I am a robot", 3, 1).hover()
    lit = explorer.locator(".tb-source")
    assert lit.all_inner_texts() == ["0.3000", "-0.9900"]
    formula = explorer.locator(".tb-formula")
    expect(formula).to_contain_text('input, row 3 ("robot"), column 1: 0.3000 + cos(3 / 1) = 0.3000 - 0.9900 = -0.6900')
    cell(explorer, "encoding", "I am a robot", 1, 2).hover()
    expect(formula).to_contain_text("sin(1 / 100) = 0.0100")
    choose(explorer, "embedding")
    cell(explorer, "embedding", "am I a robot", 0, 3).hover()
    expect(formula).to_contain_text('0 · 0.2 + 0 · 0.1 + 1 · 0.9 + 0 · 0.5 = 0.9000: the row of "am", looked up.')
    assert lit.all_inner_texts() == ["0.2", "0.1", "0.9", "0.5", "0", "0", "1", "0"]
    explorer.get_by_role("grid", name="table").locator("tbody td").nth(4).hover()
    expect(formula).to_contain_text('table, row "a", column 0: 0.4, chosen by hand, the same for every sentence.')
    expect(lit).to_have_count(0)
    choose(explorer, "encoding")
    cell(explorer, "encoding", "am I a robot", 0, 3).hover()
    expect(formula).to_contain_text('In "I am a robot" this word has nearly the same: 0.99995, here 1.')


def test_the_keyboard_walks_through_a_matrix(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    place = cell(explorer, "input", "am I a robot", 1, 0)
    place.focus()
    for key, row, column in [("ArrowDown", 2, 0), ("ArrowRight", 2, 1), ("End", 2, 3), ("ArrowUp", 1, 3), ("Home", 1, 0)]:
        explorer.page.keyboard.press(key)
        expect(cell(explorer, "input", "am I a robot", row, column)).to_be_focused()
        expect(explorer.locator(".tb-formula")).to_contain_text(f"input, row {row} (")
    explorer.page.keyboard.press("Shift+Tab")
    assert matrix(explorer, "encoding", "am I a robot").locator("td:focus").count() == 1
    for table in explorer.get_by_role("grid").all():
        assert table.locator("td[tabindex='0']").count() == 1


def test_shuffling_keeps_the_words(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    field = explorer.get_by_role("textbox", name="your sentence")
    seen = set()
    for _ in range(12):
        explorer.get_by_role("button", name="Shuffle the words").click()
        assert sorted(field.input_value().split()) == ["I", "a", "am", "robot"]
        seen.add(field.input_value())
    assert len(seen) > 1
    assert_picture(explorer, field.input_value())


def test_the_address_brings_the_sentence_back(open_anywhere):
    explorer = open_anywhere(CHAPTER, NAME)
    explorer.get_by_role("textbox", name="your sentence").fill("robot am I")
    choose(explorer, "encoding")
    other = open_anywhere(CHAPTER, NAME, fragment=address_with(explorer, "robot", "stage"))
    expect(other.get_by_role("textbox", name="your sentence")).to_have_value("robot am I")
    assert_picture(other, "robot am I", "encoding")


def open_layer(page: Page, sentence: str, stage: str = "one_hot") -> Locator:
    """The view alone, as chapter 10 opens it, where all stages can be walked through."""
    view = robot_explorer(sentence, stage, last="output").view
    state = {name: value for name, value in view.get_state().items() if not name.startswith("_")}
    page.evaluate(RENDER, [view._esm, state])
    return page.locator("body")


@pytest.mark.parametrize("sentence", ["am I a robot", "robot", "I am robot a a am I robot"])
def test_the_walk_leads_through_every_stage_and_each_formula_gives_its_number(watch, sentence):
    layer = open_layer(watch().page, sentence)
    names = {"sqrt": math.sqrt, "exp": math.exp, "relu": lambda x: max(x, 0), "sin": math.sin, "cos": math.cos}
    words = len(sentence.split())
    for at, stage in enumerate(SOURCES):
        assert_picture(layer, sentence, stage)
        expect(layer.locator(".tb-count")).to_have_text(f"stage {at + 1} of 17: {stage}")
        for head in ("", ", head 1", ", head 2") if stage in ("scores", "weights") else ("",):
            for value, title, formula, lit in layer.page.evaluate(POINTED, [f"{stage} of {sentence}{head}"]):
                assert title.startswith(f"{stage}{head}, ")
                assert len(lit) == sources(stage, words), title
                if stage != "one_hot":
                    assert eval(calculation(formula), names) == pytest.approx(value, abs=2e-3), (title, formula)
                    assert re.search(rf"= {value:.4f}[.:]", formula), (title, formula)
        layer.get_by_role("button", name="Next stage").dispatch_event("click")
    assert_picture(layer, sentence, "output")


def sources(stage: str, words: int) -> int:
    """How many numbers a number of a stage comes from."""
    several = {"one_hot": 0, "encoding": 0, "input": 2, "scores": 4, "weights": words, "heads": 2 * words, "residual_1": 2,
               "norm_1": 4, "feed_forward": 16, "residual_2": 2, "output": 4}
    return several.get(stage, 8)


def calculation(formula: str) -> str:
    """The formula up to its first result, as Python; of a norm, what follows mean and variance."""
    first = re.sub(r"^the largest.*?first: ", "", formula).split("; ")[-1].split(" = ")[0]
    first = re.sub(r"e to the (-?[\d.]+)", r"exp(\1)", first)
    first = re.sub(r"√(\d+)", r"sqrt(\1)", first).replace("√(", "sqrt(")
    return first.replace("·", "*")


def test_the_layer_says_whom_robot_listens_to_and_what_stayed(watch):
    layer = open_layer(watch().page, "am I a robot", "value")
    words, after = layer.locator(".tb-description"), layer.get_by_role("button", name="Next stage")
    question, statement = robot("am I a robot").weights, robot().weights
    for said in (
        '8 of the 16 numbers of the values differ. "a" and "robot" stand where they stood and keep every number.',
        "24 of the 32 numbers of the scores differ.",
        f'in head 1 to "am" ({question[0, 3].max():.4f}), in the book\'s sentence to "I" ({statement[0, 3].max():.4f})',
        "their rows are new: they now hold something of every word",
        "all 16 numbers of the attention differ",
        "What came in is kept",
        "Every row has mean 0 and variance 1 (at least 0.9998",
        "16 numbers of your sentence's 32 are 0",
    ):
        expect(words).to_contain_text(said)
        after.click()
    layer.get_by_role("grid", name="hidden of am I a robot").locator("tbody td").first.focus()
    layer.page.keyboard.press("End")
    expect(layer.locator(".tb-formula")).to_contain_text('hidden, row 0 ("am"), column 7')
    layer.get_by_role("grid", name="W_2").locator("tbody td").nth(1).focus()
    expect(layer.locator(".tb-formula")).to_contain_text("W_2, row 0, column 1: 0, chosen by hand")
    for table in layer.get_by_role("grid").all():
        assert table.locator("td[tabindex='0']").count() == 1


@pytest.mark.parametrize("width", [1280, 375])
def test_the_walk_moves_nothing_around_it_and_the_formula_stays_in_sight(open_explorer, width):
    """On a phone the three stages with two heads make the explorer longer, below all that is in sight."""
    explorer = open_explorer("10_encoder", NAME, viewport={"width": width, "height": 800})
    assert_picture(explorer, "am I a robot", "one_hot")
    places = "explorer => [explorer.querySelector('.tb-walk').offsetTop, innerWidth > 640 && explorer.offsetHeight]"
    before = explorer.evaluate(places)
    for stage in SOURCES:
        choose(explorer, stage)
        assert explorer.evaluate(places) == before, stage
    choose(explorer, "heads")
    explorer.locator("tbody td").last.hover()
    box, bar = explorer.locator(".tb-formula").bounding_box(), explorer.page.locator(".bd-header-article").bounding_box()
    assert bar["y"] + bar["height"] - 1 <= box["y"] and box["y"] + box["height"] < 800
