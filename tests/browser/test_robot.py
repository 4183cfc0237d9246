"""The explorer of chapter 5: words in any order, every number held to torch's, and where each number comes from."""
from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.sliders import address_with
from transformer_book.worked_example import robot

CHAPTER, NAME = "05_i_am_a_robot", "robot"
SOURCES = {"embedding": [], "encoding": [], "input": ["embedding", "encoding"]}


def matrix(explorer: Locator, stage: str, sentence: str) -> Locator:
    return explorer.get_by_role("grid", name=f"{stage} of {sentence}", exact=True)


def cell(explorer: Locator, stage: str, sentence: str, row: int, column: int) -> Locator:
    return matrix(explorer, stage, sentence).locator("tbody tr").nth(row).locator("td").nth(column)


def assert_picture(explorer: Locator, sentence: str, stage: str = "input") -> None:
    """Both sentences show the stage and what it is made of, in torch's numbers; what differs has a corner."""
    mine = explorer.locator(".tb-sentence").nth(1)
    expect(mine.locator("strong")).to_have_text(sentence)
    expect(explorer.locator(".tb-description")).to_contain_text(f'"{sentence}" beside "I am a robot"')
    reference = robot()
    for side, text in (("reference", "I am a robot"), ("mine", sentence)):
        example = robot(text)
        panel = explorer.locator(".tb-sentence").nth(0 if side == "reference" else 1)
        expect(panel.get_by_role("grid")).to_have_count(len(SOURCES[stage]) + 1)
        for shown in [*SOURCES[stage], stage]:
            table = panel.get_by_role("grid", name=f"{shown} of {text}", exact=True)
            rows = [f"{at} {token}" if shown == "encoding" else token for at, token in enumerate(example.tokens)]
            assert table.locator("tbody th").all_inner_texts() == rows
            numbers = [float(value.split()[0]) for value in table.locator("tbody td").all_inner_texts()]
            values = getattr(example, shown).flatten().tolist()
            assert numbers == pytest.approx(values, abs=5.1e-5)
            names = table.locator("tbody td").evaluate_all("cells => cells.map(cell => cell.className)")
            corners = ["tb-changed" in name.split() for name in names]
            assert corners == expected_corners(reference, example, shown, side)


def expected_corners(reference, example, stage: str, side: str) -> list[bool]:
    """A number has a corner where the same word has another one in the book's sentence."""
    if side == "reference":
        return [False] * (4 * len(example.tokens))
    pairs = [(row, reference.tokens.index(token)) for row, token in enumerate(example.tokens)]
    values, others = getattr(example, stage), getattr(reference, stage)
    return [differs for row, other in pairs for differs in (values[row] != others[other]).tolist()]


def test_it_opens_on_the_question(open_anywhere):
    explorer = open_anywhere(CHAPTER, NAME)
    assert_picture(explorer, "am I a robot")
    expect(explorer.locator(".tb-description")).to_contain_text("8 of the 16 numbers of the input differ.")
    expect(explorer.locator(".tb-description")).to_contain_text('"am" moved from position 1 to 0')


@pytest.mark.parametrize("stage", SOURCES)
def test_stages_by_key_and_by_pointer(open_anywhere, stage):
    explorer = open_anywhere(CHAPTER, NAME)
    explorer.get_by_role("radio", name=stage, exact=True).click()
    assert_picture(explorer, "am I a robot", stage)
    explorer.get_by_role("radio", name=stage, exact=True).press("ArrowRight")
    following = list(SOURCES)[(list(SOURCES).index(stage) + 1) % 3]
    assert_picture(explorer, "am I a robot", following)


@pytest.mark.parametrize("sentence", ["robot a am I", "I", "robot robot", "am am am am am am am am", "I am a robot"])
def test_any_order_of_the_words(open_anywhere, sentence):
    explorer = open_anywhere(CHAPTER, NAME)
    explorer.get_by_role("textbox", name="your sentence").fill(sentence)
    assert_picture(explorer, sentence)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("I am a robot", "The two sentences are the same, so no number differs."),
        ("I I", '4 of the 8 numbers of the input differ. "I" stands here 2 times, in the book\'s sentence once, at position 0.'),
        ("am I a robot", '"I" moved from position 0 to 1. "a" stayed at position 2.'),
    ],
)
def test_the_description_says_what_changed(open_explorer, sentence, said):
    explorer = open_explorer(CHAPTER, NAME)
    explorer.get_by_role("textbox", name="your sentence").fill(sentence)
    expect(explorer.locator(".tb-description")).to_contain_text(said)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("I am a rob", 'does not know "rob"'),
        ("i am", 'does not know "i"'),
        ("", "at least one"),
        ("a a a a a a a a a", "At most 8 words, please: there are 9"),
        ("<img src=x onerror=alert(1)>", 'does not know "<img"'),
    ],
)
def test_what_cannot_be_followed_is_said_and_kept(open_explorer, typed, said):
    explorer = open_explorer(CHAPTER, NAME)
    field = explorer.get_by_role("textbox", name="your sentence")
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
    cell(explorer, "embedding", "am I a robot", 0, 3).hover()
    expect(formula).to_contain_text('looked up in the row of "am": 0.9000')
    expect(lit).to_have_count(0)


def test_a_change_too_small_for_four_decimals_is_told_in_more(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    cell(explorer, "encoding", "am I a robot", 0, 3).hover()
    expect(explorer.locator(".tb-formula")).to_contain_text('In "I am a robot" this word has nearly the same: 0.99995, here 1.')


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


def test_every_matrix_is_one_stop_of_the_tab_key(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
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
    explorer.get_by_role("radio", name="encoding").press("Space")
    other = open_anywhere(CHAPTER, NAME, fragment=address_with(explorer, "robot", "stage"))
    expect(other.get_by_role("textbox", name="your sentence")).to_have_value("robot am I")
    assert_picture(other, "robot am I", "encoding")
