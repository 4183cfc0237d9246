"""Every page of the book: nothing asked from outside, no error, nothing missing, nothing wider than a phone.

To open a chapter takes longer than most of what is asked of it. So each is opened once in each way in which it is looked at,
and the tests of a chapter follow one another, as they stand here, on the pages that they share: what they change for a while
they put back, what cannot be put back they do last.
"""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import AXE, violations
from tests.browser.test_map import assert_own_part_is_lit
from tests.watching import Watched

# Each chapter and how many explorers it has.
EXPLORERS = {
    "01_one_hot": 1,
    "02_embedding": 1,
    "03_why_order_matters": 1,
    "04_positional_encoding": 2,
    "05_i_am_a_robot": 1,
    "06_geometry": 4,
    "07_softmax_and_relu": 3,
    "08_attention": 2,
    "09_multi_head_attention": 2,
    "10_encoder": 1,
    "11_decoder": 1,
}
CHAPTERS = list(EXPLORERS)
# How much of the page has moved by itself since it began to load.
SHIFT = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
# Once no colour changes any more.
FADED = "Promise.allSettled(document.getAnimations().filter(each => each instanceof CSSTransition).map(each => each.finished))"


class Opened(Watched):
    """A chapter, loaded once for many tests, with all its explorers seen and ready; remembers what was fetched for it."""

    def __init__(self, page: Page, chapter: str, address: str) -> None:
        super().__init__(page)
        self.chapter, self.address = chapter, address
        self.fetched: list[str] = []
        page.on("requestfinished", lambda request: self.fetched.append(request.url))
        page.add_init_script(SHIFT)
        page.goto(f"{address}/book/{chapter}.html")
        for explorer in page.locator(".static-widget").all():
            explorer.scroll_into_view_if_needed()
        expect(page.locator("[data-static-widget=ready]")).to_have_count(EXPLORERS[chapter])


@contextlib.contextmanager
def opened(browser: Browser, chapter: str, address: str, **options) -> Iterator[Opened]:
    context = browser.new_context(**options)
    try:
        page = Opened(context.new_page(), chapter, address)
        yield page
        page.assert_clean()
    finally:
        context.close()


@pytest.fixture(scope="module", params=CHAPTERS)
def chapter(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def wide(browser, chapter, book_address) -> Iterator[Opened]:
    """The chapter on a large screen."""
    with opened(browser, chapter, book_address, viewport={"width": 1280, "height": 900}) as page:
        yield page


@pytest.fixture(scope="module")
def phone(browser, chapter, book_address) -> Iterator[Opened]:
    with opened(browser, chapter, book_address, viewport={"width": 375, "height": 900}, is_mobile=True, has_touch=True) as page:
        yield page


@pytest.fixture(scope="module")
def local(browser, chapter, book) -> Iterator[Opened]:
    """The chapter out of the folder, by double-click."""
    with opened(browser, chapter, book.as_uri()) as page:
        yield page


@pytest.fixture(params=["wide", "phone"])
def screen(request, chapter) -> Opened:
    return request.getfixturevalue(request.param)


@pytest.fixture(params=["wide", "local"])
def anywhere(request, chapter) -> Opened:
    return request.getfixturevalue(request.param)


def pages(book: Path) -> list[str]:
    found = sorted(str(path.relative_to(book)) for path in book.rglob("*.html") if "_static" not in path.parts)
    return [page for page in found if "_downloads" not in page]


def inside(link: str, address: str) -> str:
    """Where a link leads, from the folder of the book."""
    return unquote(link.removeprefix(address).split("?")[0].lstrip("/"))


def test_no_page_is_there_that_nobody_asked_for(book):
    expected = {"index.html", "genindex.html", "search.html", "book/intro.html"}
    assert set(pages(book)) == expected | {f"book/{chapter}.html" for chapter in CHAPTERS}


def assert_nothing_is_missing(watched: Watched, address: str, book: Path) -> None:
    """No error, no foreign request, an icon, and links within the book that lead somewhere. Without its icon a browser asks
    the host for /favicon.ico, and tells the console that there is none."""
    watched.page.wait_for_timeout(150)
    watched.assert_clean()
    icon = watched.page.locator("link[rel~=icon]").evaluate("link => link.href")
    assert (book / inside(icon, address)).read_bytes().startswith(b"<svg")
    full = "links => links.map(link => new URL(link.getAttribute('href'), document.baseURI).href)"
    links = watched.page.eval_on_selector_all("a[href]", full)
    for link in {link.split("#")[0] for link in links if link.startswith(address)}:
        assert (book / inside(link, address)).exists(), (watched.page.url, link)


def test_every_page_around_the_chapters_opens_and_leads_somewhere(book, address, watch):
    watched = watch(size=(1280, 720))
    for name in pages(book):
        if Path(name).stem not in {"index", *CHAPTERS}:
            watched.page.goto(f"{address}/{name}")
            assert_nothing_is_missing(watched, address, book)


def test_search_finds_a_chapter_without_a_server_or_a_network(address, watch):
    page = watch(size=(1280, 720)).page
    page.goto(f"{address}/search.html?q=interleaved")
    page.get_by_role("link", name="4. Positional encoding").first.wait_for()


def test_double_click_on_the_index_leads_to_the_introduction(address, watch):
    page = watch(size=(1280, 720)).page
    page.goto(f"{address}/index.html")
    page.wait_for_url("**/book/intro.html")
    assert "The same four words" in page.inner_text("article")
    page.get_by_role("link", name="4 · Positional encoding").click()
    page.wait_for_url("**/04_positional_encoding.html")


def test_nothing_jumps_while_the_page_loads(screen):
    screen.page.wait_for_timeout(300)
    assert screen.page.evaluate("window.shift") < 0.02


def test_a_chapter_opens_without_error_or_foreign_request_and_leads_somewhere(anywhere, book):
    assert_nothing_is_missing(anywhere, anywhere.address, book)


def test_a_phone_shows_the_whole_width(phone):
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 375


def test_the_map_lights_the_part_of_the_chapter(wide, book):
    assert_own_part_is_lit(wide.page, wide.chapter, book)


def test_mathematics_is_set_in_the_page_by_its_own_fonts(anywhere):
    page = anywhere.page
    assert page.locator(".katex").count() >= 3
    assert page.locator(".katex-error").count() == 0
    assert "$" not in page.locator("article").inner_text().replace("\\$", "")
    page.evaluate("document.fonts.ready")
    assert any("katex/fonts" in url for url in anywhere.fetched)


def test_every_picture_has_alternative_text(wide):
    texts = wide.page.eval_on_selector_all("article img", "images => images.map(image => image.alt)")
    assert texts and all(len(text) > 40 for text in texts), texts


def test_paper_shows_the_figure_of_the_first_state(wide):
    page = wide.page
    figures = [image.evaluate("image => image.src") for image in page.locator(".static-widget img").all()]
    assert len(figures) == EXPLORERS[wide.chapter] and not set(figures) & set(wide.fetched)
    page.pdf()
    assert set(figures) <= set(wide.fetched)
    page.emulate_media(media="print")
    for figure in page.locator(".static-widget img").all():
        expect(figure).to_be_visible()
    expect(page.locator(".tb-explorer:visible")).to_have_count(0)
    page.emulate_media(media="null")


def test_the_text_and_the_explorers_are_accessible(wide):
    """In every respect; and once more, in the dark, for the colours, which are all that changes there."""
    page, root = wide.page, wide.page.locator("html")
    page.add_script_tag(path=str(AXE))
    expect(root).to_have_attribute("data-theme", "light")
    assert not violations(page, {})
    page.emulate_media(color_scheme="dark")
    expect(root).to_have_attribute("data-theme", "dark")
    page.evaluate(FADED)
    assert not violations(page, {"runOnly": ["color-contrast"]})
    page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")


def test_what_is_off_the_screen_is_left_alone_and_keeps_its_place(screen):
    """From the moment that the reader takes hold of an explorer, for the sake of its redraw."""
    page = screen.page
    control = page.locator(".static-widget input").first
    control.scroll_into_view_if_needed()
    control.element_handle().wait_for_element_state("stable")
    heights = "[...document.querySelectorAll('.bd-article section > *')].map(block => block.getBoundingClientRect().height)"
    before, place = page.evaluate(heights), control.bounding_box()["y"]
    quiet = "[...document.querySelectorAll('.bd-article *')].filter(block => block.style.contentVisibility === 'auto')"
    assert page.evaluate(f"{quiet}.length") == 0
    control.focus()
    page.wait_for_function(f"{quiet}.length > 10")
    assert not page.evaluate(f"{quiet}.some(block => block.querySelector('.static-widget'))")
    assert page.evaluate(heights) == pytest.approx(before, abs=1)
    assert control.bounding_box()["y"] == pytest.approx(place, abs=2)
    control.blur()


def test_no_slider_moves_what_stands_below(screen):
    parts = "[explorer, ...explorer.querySelectorAll('.tb-explorer > *')]"
    places = f"explorer => [explorer.getBoundingClientRect().height, ...{parts}.map(part => part.offsetTop)]"
    for explorer in screen.page.locator(".static-widget").all():
        before = explorer.evaluate(places)
        for slider in explorer.get_by_role("slider").all():
            for key in ("ArrowRight", "PageUp", "End", "Home"):
                slider.press(key)
                assert explorer.evaluate(places) == before, (explorer.get_attribute("id"), key)


def test_paper_shows_what_is_off_the_screen_too(wide):
    wide.page.locator(".static-widget input").first.focus()
    shown = "getComputedStyle(document.querySelector('.bd-article .cell')).contentVisibility"
    wide.page.wait_for_function(f"{shown} === 'auto'")
    wide.page.emulate_media(media="print")
    assert wide.page.evaluate(shown) == "visible"
    wide.page.emulate_media(media="null")


def test_without_a_script_the_figure_of_the_first_state_stands_in(chapter, book, watch):
    # The theme preloads scripts that a browser without them gives up on.
    page = watch(java_script_enabled=False, expect_errors=True).page
    page.goto(f"{book.as_uri()}/book/{chapter}.html")
    figures = page.locator(".static-widget img")
    expect(figures).to_have_count(EXPLORERS[chapter])
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_be_visible()
        assert figure.bounding_box()["height"] > 150
    expect(page.locator(".tb-explorer")).to_have_count(0)


def test_a_key_that_moves_a_slider_is_not_the_themes_business(book_address, watch):
    page = watch(size=(1280, 720)).page
    page.goto(f"{book_address}/book/04_positional_encoding.html")
    page.locator("[data-static-widget=ready]").last.wait_for()
    page.evaluate("document.addEventListener('keydown', (event) => (window.heard ??= []).push(event.key), { capture: true })")
    slider = page.get_by_role("slider").first
    before = slider.input_value()
    for key in ("ArrowRight", "Tab"):
        slider.press(key)
    assert slider.input_value() != before
    assert page.evaluate("window.heard") == ["Tab"]
