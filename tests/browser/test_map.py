"""The map of the machine: whole in the introduction, small on the page of every chapter."""
from __future__ import annotations

import ast
import functools
import re
from itertools import combinations, pairwise
from pathlib import Path

import torch
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import AXE, violations
from transformer_book.explorers import attention_explorer
from transformer_book.worked_example import robot

PARTS = 11
HEADING = re.compile(r"<h1>(\d+)\. (.*?)<a")
# The least contrast of the elements with the paper, or with what is below them on it, as a canvas mixes colours.
CONTRAST = """
(elements, below) => {
  const paper = getComputedStyle(elements[0].closest('.tb-machine')).getPropertyValue('--tb-paper');
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  const luminance = (...layers) => {
    for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return Math.min(...elements.map((element) => {
    const under = below ? [getComputedStyle(element.parentNode.querySelector(below)).fill] : [];
    const pair = [luminance(paper, ...under, getComputedStyle(element).fill), luminance(paper, ...under)];
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  }));
}
"""


@functools.cache
def chapters(book: Path) -> dict[str, tuple[int, str]]:
    """Number and name of the chapter of each page, as its title says them."""
    pages = {page.stem: HEADING.search(page.read_text("utf-8")) for page in (book / "book").glob("[0-9]*.html")}
    return {page: (int(title[1]), title[2]) for page, title in pages.items() if int(title[1]) <= PARTS}


def links(svg: Locator) -> list[list[str]]:
    """Of each link of the map its name, the page it leads to, and whether it is lit."""
    return svg.evaluate(
        "svg => [...svg.querySelectorAll('a')].map(link => [link.querySelector('title').textContent, "
        "new URL(link.getAttribute('href'), document.baseURI).pathname.split('/').at(-1), link.getAttribute('aria-current')])"
    )


def leads(book: Path) -> dict[str, str]:
    """The page that each part of the map must lead to, by its name there."""
    return {f"Chapter {number}: {name}": f"{page}.html" for page, (number, name) in chapters(book).items()}


def assert_own_part_is_lit(page: Page, chapter: str, book: Path) -> None:
    """On the small map of a chapter's page, whose parts all lead to their chapters."""
    number, name = chapters(book)[chapter]
    found = links(page.locator(".tb-here svg"))
    assert {title: leads_to for title, leads_to, _ in found} == leads(book) and len(found) == len(chapters(book))
    assert [title for title, _, lit in found if lit] == [f"Chapter {number}: {name}"]
    assert page.inner_text("#here") == f"You are here: {name}, chapter {number} of {len(chapters(book))}. The whole map"
    assert page.locator(".tb-here [aria-current] .tb-box").evaluate_all(CONTRAST, "") >= 3


def test_the_small_map_leads_to_the_whole_and_every_part_of_it_to_its_chapter(book, watch):
    page = watch(size=(1280, 720)).page
    page.goto((book / "book" / "01_one_hot.html").as_uri())
    page.get_by_role("link", name="The whole map").click()
    page.wait_for_url("**/intro.html#map")
    assert {title: leads_to for title, leads_to, lit in links(page.locator("#map svg")) if not lit} == leads(book)
    page.get_by_role("link", name="Chapter 8: Attention").press("Enter")
    page.wait_for_url("**/08_attention.html")


def test_the_small_map_is_one_stop_for_who_wants_no_more(book_address, watch):
    page = watch(size=(1280, 720)).page
    page.goto(f"{book_address}/book/06_geometry.html")
    over = page.get_by_role("link", name="Skip the map")
    before = page.locator(".tb-here svg").bounding_box()
    over.focus()
    expect(over).to_be_in_viewport()
    assert page.locator(".tb-here svg").bounding_box() == before
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="The whole map")).to_be_focused()


def test_a_page_that_is_no_chapter_has_no_small_map(book):
    for name, whole in (("search", 0), ("genindex", 0), ("book/intro", 1)):
        text = (book / f"{name}.html").read_text("utf-8")
        assert (text.count("tb-here"), text.count('id="map"')) == (0, whole), name


def test_the_whole_map_is_legible_on_a_phone_and_in_the_dark(book_address, watch):
    page = watch(viewport={"width": 375, "height": 700}, color_scheme="light").page
    page.goto(f"{book_address}/book/intro.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    frame, *texts = page.eval_on_selector_all(
        "#map svg, #map text", "parts => parts.map(part => [part.textContent, part.getBoundingClientRect().toJSON()])"
    )
    for said, place in texts:
        assert frame[1]["left"] <= place["left"] and place["right"] <= frame[1]["right"], said
        assert frame[1]["top"] <= place["top"] and place["bottom"] <= frame[1]["bottom"], said
    for (one, a), (other, b) in combinations(texts, 2):
        apart = a["right"] < b["left"] or b["right"] < a["left"] or a["bottom"] - 3 < b["top"] or b["bottom"] - 3 < a["top"]
        assert apart, (one, other)
    scale = page.locator("#map svg").evaluate("svg => svg.getScreenCTM().a")
    sizes = page.eval_on_selector_all("#map text", "texts => texts.map(text => parseFloat(getComputedStyle(text).fontSize))")
    assert scale * min(sizes) >= 11
    page.add_script_tag(path=str(AXE))
    assert not violations(page, {})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        for kind, below, least in [
            ("tb-name", "", 4.5), ("tb-word", "", 4.5), ("tb-note", "", 4.5), ("tb-shape", "", 4.5), ("tb-inner", ".tb-frame", 4.5),
            ("tb-number", ".tb-badge", 4.5), ("tb-badge", "", 3),
        ]:
            assert page.locator(f"#map .{kind}").evaluate_all(CONTRAST, below) >= least, (scheme, kind)


def test_the_numbers_drawn_are_the_librarys():
    template = (Path(__file__).parents[2] / "book/templates/map.html").read_text("utf-8")
    weights, causal = (ast.literal_eval(re.search(f"set {name} = (.*) %}}", template)[1]) for name in ("weights", "causal"))
    view = attention_explorer().view
    assert torch.tensor(weights).allclose(view.value, atol=0.0051)
    view.mask = "causal"
    for row, (drawn, shares) in enumerate(zip(causal, view.value.tolist(), strict=False)):
        assert drawn == [round(share, 2) for share in shares[: row + 1]]
    example = robot("I am a robot")
    cells = [torch.tensor(ast.literal_eval(rows)) for rows in re.findall(r"matrix\(\d+, (\[\[.*?\]\])\)", template)]
    for strengths, numbers in zip(cells, (example.one_hot, example.embedding, example.input), strict=True):
        levels = [numbers[strengths == strength] for strength in sorted(set(strengths.flatten().tolist()))]
        assert all(less.max() < more.min() for less, more in pairwise(levels)), "the stronger, the larger"
