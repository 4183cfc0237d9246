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
from transformer_book.positional_encoding import encode_positions
from transformer_book.worked_example import EMBEDDINGS, FEED_FORWARD, TWO_HEADS, encoder_stages, robot

CHAPTER, NAME = "05_i_am_a_robot", "robot"
# Each stage with those that it is computed from, and with the matrix that both sentences share.
SOURCES = {
    "one_hot": [], "embedding": ["one_hot"], "encoding": [], "input": ["embedding", "encoding"], "query": ["input"], "key": ["input"],
    "value": ["input"], "scores": ["query", "key"], "weights": ["scores"], "heads": ["weights", "value"], "attention": ["heads"],
    "residual_1": ["input", "attention"], "norm_1": ["residual_1"], "hidden": ["norm_1"], "feed_forward": ["hidden"],
    "residual_2": ["norm_1", "feed_forward"], "output": ["residual_2"],
}
LONG = ("scores", "weights", "heads", "feed_forward")
SHARED = {"query": "W_Q", "key": "W_K", "value": "W_V", "attention": "W_O", "hidden": "W_1", "feed_forward": "W_2"}
LIMITS = robot_explorer().view.limits
PALETTE = [[int(colour[at : at + 2], 16) for at in (0, 2, 4)] for colour in re.findall("[0-9a-f]{6}", robot_explorer().view.palette)]
TABLES = """explorer => [...explorer.querySelectorAll('table')].map(table => [
    table.getAttribute('aria-label'),
    [...table.querySelectorAll('tbody th')].map(name => name.textContent),
    [...table.querySelectorAll('tbody td')].map(cell => +cell.firstChild.data),
    [...table.querySelectorAll('tbody td')].map(cell => cell.classList.contains('tb-changed')),
    [...table.querySelectorAll('tbody td')].map(cell => cell.style.background.match(/\\d+/g).map(Number)),
])"""
# Every number of a matrix pointed at: itself, the name and the rest of its formula, and the numbers that light up.
POINTED = """([name]) => [...document.querySelectorAll(`table[aria-label="${name}"] tbody td`)].map(cell => {
    cell.dispatchEvent(new PointerEvent('pointerenter'));
    const formula = document.querySelector('.tb-formula');
    const title = formula.querySelector('.tb-formula-name').textContent;
    const lit = [...document.querySelectorAll('.tb-source')].map(source =>
        [source.closest('table').getAttribute('aria-label'), source.parentNode.rowIndex - source.closest('table').tHead.rows.length,
         source.cellIndex - 1]);
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
        label, _, numbers, corners, colours = next(found)
        assert label == SHARED[stage] and not any(corners)
        assert numbers == torch.tensor({**TWO_HEADS, **FEED_FORWARD}[label]).flatten().tolist()
        assert_colours(numbers, colours, label)
    if stage == "embedding":
        assert next(found)[:2] == ["table", ["I", "a", "am", "robot"]]
    for side, text in enumerate(("I am a robot", sentence)):
        example = robot(text)
        for shown in [*SOURCES[stage], stage]:
            heads = getattr(example, shown).reshape(-1, *getattr(example, shown).shape[-2:])
            for at, values in enumerate(heads):
                label, rows, numbers, corners, colours = next(found)
                assert label == f"{shown} of {text}" + (f", head {at + 1}" if len(heads) > 1 else "")
                assert rows == [f"{row} {token}" if shown == "encoding" else token for row, token in enumerate(example.tokens)]
                assert numbers == pytest.approx(values.flatten().tolist(), abs=6e-5), label
                assert corners == (expected_corners(text, shown, at) if side else [False] * len(numbers)), label
                assert_colours(numbers, colours, shown)
    assert next(found, None) is None


def assert_colours(numbers: list[float], colours: list[list[int]], name: str) -> None:
    """The palette's colour of each number on the scale of its matrix; of one within the rounding of a border, either."""
    for number, colour in zip(numbers, colours, strict=True):
        places = [int((value / LIMITS[name] + 1) / 2 * len(PALETTE)) for value in (number - 6e-5, number + 6e-5)]
        assert colour in [PALETTE[min(max(place, 0), len(PALETTE) - 1)] for place in places], (name, number)


def expected_corners(sentence: str, stage: str, head: int) -> list[bool]:
    """A number has a corner where the same word, or the same two, have another one in the book's sentence."""
    rows = ["I am a robot".split().index(token) for token in sentence.split()]
    values, others = (precisely(each)[stage][head] for each in (sentence, "I am a robot"))
    others = others[rows][:, rows] if stage in ("scores", "weights") else others[rows]
    return ((values - others).abs() > 1e-9).flatten().tolist()


def precisely(sentence: str) -> dict[str, torch.Tensor]:
    """Every stage in float64, as the view computes them, each with one matrix or one for each head."""
    words = sentence.split()
    embedding = torch.tensor([EMBEDDINGS[word] for word in words], dtype=torch.float64)
    encoding = encode_positions(torch.arange(len(words)), 4, dtype=torch.float64)
    x = embedding + encoding
    first = {"one_hot": robot(sentence).one_hot.double(), "embedding": embedding, "encoding": encoding, "input": x}
    stages = {**first, **encoder_stages(x)}
    return {stage: values.reshape(-1, *values.shape[-2:]) for stage, values in stages.items()}


def test_it_opens_on_the_question_and_leads_through_its_stages_by_menu_and_by_button(open_anywhere):
    explorer = open_anywhere(CHAPTER, NAME)
    assert_picture(explorer, "am I a robot")
    expect(explorer.locator(".tb-description")).to_contain_text("8 of the 16 numbers of the input differ.")
    expect(explorer.locator(".tb-description")).to_contain_text('"am" moved from position 1 to 0')
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


def test_any_order_of_the_words_is_shown_and_the_description_says_what_changed(open_explorer):
    explorer = open_explorer(CHAPTER, NAME)
    for sentence in ("robot a am I", "I", "robot robot", "am am am am am am am am", "I am a robot"):
        explorer.get_by_role("textbox", name="your sentence").fill(sentence)
        assert_picture(explorer, sentence)
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
    other = open_anywhere(CHAPTER, NAME, fragment=address_with(explorer, text="robot am I", stage_index=2))
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
    for at, stage in enumerate(SOURCES):
        assert_picture(layer, sentence, stage)
        expect(layer.locator(".tb-count")).to_have_text(f"stage {at + 1} of 17: {stage}")
        for head in (1, 2) if stage in ("scores", "weights") else (0,):
            name = f", head {head}" if head else ""
            pointed = layer.page.evaluate(POINTED, [f"{stage} of {sentence}{name}"])
            columns = len(pointed) // len(sentence.split())
            for index, (value, title, formula, lit) in enumerate(pointed):
                assert title.startswith(f"{stage}{name}, ")
                assert sorted(lit) == sorted(sources(stage, head, *divmod(index, columns), sentence)), title
                if stage != "one_hot":
                    assert eval(calculation(formula), names) == pytest.approx(value, abs=bound(formula, names)), (title, formula)
                    assert re.search(rf"= {value:.4f}[.:]", formula), (title, formula)
        layer.get_by_role("button", name="Next stage").dispatch_event("click")
    assert_picture(layer, sentence, "output")


def sources(stage: str, head: int, row: int, column: int, sentence: str) -> list[list]:
    """The numbers that a number of a stage comes from: the name of the matrix, the row and the column of each."""
    count, half = len(sentence.split()), slice(2 * head - 2, 2 * head)
    along = lambda name, width, at=row: [[name, at, each] for each in range(width)]  # noqa: E731
    down = lambda name, height: [[name, each, column] for each in range(height)]  # noqa: E731
    named = [f"{name} of {sentence}" for name in SOURCES[stage]]
    if stage in ("one_hot", "encoding"):
        return []
    if stage in ("input", "residual_1", "residual_2"):
        return [[name, row, column] for name in named]
    if stage == "scores":
        return [*along(named[0], 4)[half], *along(named[1], 4, column)[half]]
    if stage == "weights":
        return along(f"{named[0]}, head {head}", count)
    if stage == "heads":
        return [*along(f"{named[0]}, head {1 + column // 2}", count), *down(named[1], count)]
    if stage in ("norm_1", "output"):
        return along(named[0], 4)
    width = 8 if stage == "feed_forward" else 4
    return [*along(named[0], width), *down(SHARED.get(stage, "table"), width)]


def bound(formula: str, names: dict) -> float:
    """How far the rounding of what is written can take a calculation from its result, itself to four decimals."""
    text = calculation(formula)
    found = eval(text, names)
    moved = [f"{text[: part.end()]}5{text[part.end() :]}" for part in re.finditer(r"\d\.\d{4}(?!\d)", text)]
    return 6e-5 + sum(abs(eval(each, names) - found) for each in moved)


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
    expect(layer.locator(".tb-formula")).to_have_text("W_2, row 0, column 1: 0, chosen by hand, the same for every sentence.")
    layer.get_by_role("button", name="Next stage").dispatch_event("click")
    expect(layer.locator(".tb-formula")).to_contain_text('residual_2, row 0 ("am"), column 1')
    layer.get_by_role("button", name="Previous stage").dispatch_event("click")
    for table in layer.get_by_role("grid").all():
        assert table.locator("td[tabindex='0']").count() == 1


@pytest.mark.parametrize("width", [1280, 375])
def test_the_walk_moves_nothing_above_it_and_the_calculation_stays_in_sight(open_explorer, width):
    """The longest stages make the explorer longer, below all that is read; on a phone others do, too."""
    explorer = open_explorer("10_encoder", NAME, width=width, height=800)
    assert_picture(explorer, "am I a robot", "one_hot")
    places = """([explorer, long]) => [explorer.querySelector('.tb-walk').offsetTop, explorer.querySelector('.tb-buttons').offsetTop,
        innerWidth > 640 && !long && explorer.offsetHeight]"""
    before = explorer.page.evaluate(places, [explorer.element_handle(), False])
    for stage in SOURCES:
        choose(explorer, stage)
        now = explorer.page.evaluate(places, [explorer.element_handle(), stage in LONG])
        assert now[:2] == before[:2] and now[2] in (before[2], False), stage
    choose(explorer, "heads")
    bar, panel = explorer.page.locator(".bd-header-article"), explorer.locator(".tb-calculation")
    for place in (cell(explorer, "heads", "I am a robot", 1, 0), explorer.locator("tbody td").last):
        place.hover()
        box, top, own = panel.bounding_box(), bar.bounding_box(), place.bounding_box()
        assert top["y"] + top["height"] - 1 <= box["y"] and box["y"] + box["height"] <= 800.5
        assert own["y"] >= box["y"] + box["height"] or own["y"] + own["height"] <= box["y"], "it does not cover what is pointed at"
    expect(explorer.page.locator("#pst-back-to-top")).to_be_hidden()
    field = explorer.get_by_role("textbox", name="your sentence")
    field.fill("rob")
    expect(explorer.locator(".tb-work")).to_have_css("opacity", "0.45")
