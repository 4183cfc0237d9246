"""The map of the machine: large in the introduction, small on the page of every chapter."""
from __future__ import annotations

import ast
import functools
import re
from itertools import combinations, pairwise
from pathlib import Path

import torch
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import violations
from tools.clock import core_of
from transformer_book.explorers import attention_explorer
from transformer_book.worked_example import robot

PARTS = 13
HEADING = re.compile(r"<h1>(\d+)\. (.*?)<a")
# The lowest contrast of the elements with the background of the map, or with the element `below` them. A canvas blends
# translucent colours.
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
    """The number and the name of the chapter on each page, from its title."""
    pages = {page.stem: HEADING.search(page.read_text("utf-8")) for page in (book / "book").glob("[0-9]*.html") if not core_of(page.stem)}
    return {page: (int(title[1]), title[2]) for page, title in pages.items() if int(title[1]) <= PARTS}


def links(svg: Locator) -> list[list[str]]:
    """The name of each link of the map, the page it leads to, and its `aria-current`, which marks the current chapter."""
    return svg.evaluate(
        "svg => [...svg.querySelectorAll('a')].map(link => [link.querySelector('title').textContent, "
        "new URL(link.getAttribute('href'), document.baseURI).pathname.split('/').at(-1), link.getAttribute('aria-current')])"
    )


def target_pages(book: Path) -> dict[str, str]:
    """For the name of each part of the map, the page it must lead to."""
    return {f"Chapter {number}: {name}": f"{page}.html" for page, (number, name) in chapters(book).items()}


def assert_current_part_is_highlighted(page: Page, chapter: str, book: Path) -> None:
    """The small map on a core page or a further page highlights its chapter, and each of its parts links to its own chapter."""
    number, name = chapters(book)[core_of(chapter) or chapter]
    found = links(page.locator(".tb-here svg"))
    assert {title: target for title, target, _ in found} == target_pages(book) and len(found) == len(chapters(book))
    assert [title for title, _, current in found if current] == [f"Chapter {number}: {name}"]
    assert page.inner_text("#here") == f"You are here: {name}, chapter {number} of {len(chapters(book))}. The whole map"
    assert page.locator(".tb-here [aria-current] .tb-box").evaluate_all(CONTRAST, "") >= 3


def test_the_small_map_links_to_the_large_one_and_that_to_every_chapter(book, watch):
    page = watch(size=(1280, 720)).page
    page.goto((book / "book" / "01_one_hot.html").as_uri())
    page.get_by_role("link", name="The whole map").click()
    page.wait_for_url("**/intro.html#map")
    assert {title: target for title, target, current in links(page.locator("#map svg")) if not current} == target_pages(book)
    page.get_by_role("link", name="Chapter 8: Attention").press("Enter")
    page.wait_for_url("**/08_attention.html")


def test_a_link_skips_the_small_map(book_address, watch):
    page = watch(size=(1280, 720)).page
    page.goto(f"{book_address}/book/06_geometry.html")
    skip = page.get_by_role("link", name="Skip the map")
    before = page.locator(".tb-here svg").bounding_box()
    skip.focus()
    expect(skip).to_be_in_viewport()
    assert page.locator(".tb-here svg").bounding_box() == before
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="The whole map")).to_be_focused()


def test_only_chapters_have_a_small_map(book):
    for name, large in (("search", 0), ("genindex", 0), ("book/intro", 1)):
        text = (book / f"{name}.html").read_text("utf-8")
        assert (text.count("tb-here"), text.count('id="map"')) == (0, large), name


def test_the_large_map_is_legible_on_a_phone_and_in_dark_mode(book_address, watch):
    page = watch(viewport={"width": 375, "height": 700}, color_scheme="light").page
    page.goto(f"{book_address}/book/intro.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    frame, *texts = page.eval_on_selector_all(
        "#map svg, #map text", "parts => parts.map(part => [part.textContent, part.getBoundingClientRect().toJSON()])"
    )
    for text, place in texts:
        assert frame[1]["left"] <= place["left"] and place["right"] <= frame[1]["right"], text
        assert frame[1]["top"] <= place["top"] and place["bottom"] <= frame[1]["bottom"], text
    for (one, a), (other, b) in combinations(texts, 2):
        apart = a["right"] < b["left"] or b["right"] < a["left"] or a["bottom"] - 3 < b["top"] or b["bottom"] - 3 < a["top"]
        assert apart, (one, other)
    scale = page.locator("#map svg").evaluate("svg => svg.getScreenCTM().a")
    sizes = page.eval_on_selector_all("#map text", "texts => texts.map(text => parseFloat(getComputedStyle(text).fontSize))")
    assert scale * min(sizes) >= 11
    assert not violations(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        for kind, below, least in [
            ("tb-name", "", 4.5), ("tb-word", "", 4.5), ("tb-note", "", 4.5), ("tb-shape", "", 4.5), ("tb-inner", ".tb-frame", 4.5),
            ("tb-number", ".tb-badge", 4.5), ("tb-badge", "", 3),
        ]:
            assert page.locator(f"#map .{kind}").evaluate_all(CONTRAST, below) >= least, (scheme, kind)


def test_the_numbers_of_the_map_are_the_librarys():
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
        assert all(less.max() < more.min() for less, more in pairwise(levels)), "a cell of a stronger colour must stand for a larger number"
