"""Every page of the book: nothing asked from outside, no error, nothing missing, nothing wider than a phone."""
from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
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
ALIVE = [chapter for chapter, count in EXPLORERS.items() if count]
# The theme's own markup: code cells scroll sideways and are reached by the Tab key only because browsers of today see to
# it, and the fold of a hidden cell is named otherwise than it reads.
KNOWN_OF_THE_THEME = {"scrollable-region-focusable", "label-content-name-mismatch"}


def pages(book: Path) -> list[str]:
    found = sorted(str(path.relative_to(book)) for path in book.rglob("*.html") if "_static" not in path.parts)
    return [page for page in found if "_downloads" not in page]


def inside(link: str, address: str) -> str:
    """Where a link leads, from the folder of the book."""
    return link.removeprefix(address).split("?")[0].lstrip("/")


def test_no_page_is_there_that_nobody_asked_for(book):
    expected = {"index.html", "genindex.html", "search.html", "book/intro.html"}
    assert set(pages(book)) == expected | {f"book/{chapter}.html" for chapter in CHAPTERS}


def test_every_page_opens_without_error_or_foreign_request_and_leads_somewhere(book, address, watch):
    """Without its icon a browser asks the host for /favicon.ico, and tells the console that there is none."""
    for name in pages(book):
        watched = watch()
        watched.page.goto(f"{address}/{name}")
        watched.page.wait_for_load_state("load")
        watched.page.wait_for_timeout(150)
        watched.assert_clean()
        if name == "index.html":
            continue
        icon = watched.page.locator("link[rel~=icon]").evaluate("link => link.href")
        assert (book / inside(icon, address)).read_bytes().startswith(b"<svg")
        full = "links => links.map(link => new URL(link.getAttribute('href'), document.baseURI).href)"
        links = watched.page.eval_on_selector_all("a[href]", full)
        for link in {link.split("#")[0] for link in links if link.startswith(address)}:
            assert (book / inside(link, address)).exists(), (name, link)


def test_search_finds_a_chapter_without_a_server_or_a_network(address, watch):
    page = watch().page
    page.goto(f"{address}/search.html?q=interleaved")
    page.get_by_role("link", name="4. Positional encoding").first.wait_for()


def test_double_click_on_the_index_leads_to_the_introduction(address, watch):
    page = watch().page
    page.goto(f"{address}/index.html")
    page.wait_for_url("**/book/intro.html")
    assert "The same four words" in page.inner_text("article")
    page.get_by_role("link", name="4 · Positional encoding").click()
    page.wait_for_url("**/04_positional_encoding.html")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_phone_shows_the_whole_width(chapter, book_address, watch):
    page = watch(viewport={"width": 375, "height": 700}, is_mobile=True, has_touch=True).page
    page.goto(f"{book_address}/book/{chapter}.html")
    expect(page.locator("[data-static-widget=ready]")).to_have_count(EXPLORERS[chapter])
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_mathematics_is_set_in_the_page_by_its_own_fonts(chapter, address, watch):
    watched = watch()
    fonts = []
    watched.page.on("requestfinished", lambda request: fonts.append(request.url))
    watched.page.goto(f"{address}/book/{chapter}.html")
    assert watched.page.locator(".katex").count() >= 3
    assert watched.page.locator(".katex-error").count() == 0
    assert "$" not in watched.page.locator("article").inner_text().replace("\\$", "")
    watched.page.evaluate("document.fonts.ready")
    assert any("katex/fonts" in url for url in fonts)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_picture_has_alternative_text(chapter, book_address, watch):
    page = watch().page
    page.goto(f"{book_address}/book/{chapter}.html")
    texts = page.eval_on_selector_all("article img", "images => images.map(image => image.alt)")
    assert texts and all(len(text) > 40 for text in texts), texts


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_text_and_the_explorers_are_accessible(chapter, book_address, watch):
    """In every respect; and once more, in the dark, for the colours, which are all that changes there."""
    page = watch(color_scheme="light").page
    page.goto(f"{book_address}/book/{chapter}.html")
    expect(page.locator("[data-static-widget=ready]")).to_have_count(EXPLORERS[chapter])
    page.add_script_tag(path=str(AXE))
    assert not violations(page, {})
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.wait_for_timeout(300)  # colours that fade
    assert not violations(page, {"runOnly": ["color-contrast"]})


def violations(page: Page, rules: dict[str, list[str]]) -> list[tuple]:
    """What breaks a rule of accessibility, but for what the theme alone can mend."""
    answer = page.evaluate("rules => axe.run('article', {...rules, resultTypes: ['violations']})", rules)
    return [
        (violation["id"], node["target"], node["failureSummary"])
        for violation in answer["violations"]
        if violation["id"] not in KNOWN_OF_THE_THEME
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize(("chapter", "explorers"), [(chapter, EXPLORERS[chapter]) for chapter in ALIVE])
def test_without_a_script_the_figure_of_the_first_state_stands_in(chapter, explorers, address, watch):
    # The theme preloads scripts that a browser without them gives up on.
    page = watch(java_script_enabled=False, expect_errors=True).page
    page.goto(f"{address}/book/{chapter}.html")
    figures = page.locator(".static-widget img")
    expect(figures).to_have_count(explorers)
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_be_visible()
        assert figure.bounding_box()["height"] > 150
    expect(page.locator(".tb-explorer")).to_have_count(0)


@pytest.mark.parametrize(("chapter", "explorers"), [(chapter, EXPLORERS[chapter]) for chapter in ALIVE])
def test_paper_shows_the_figure_of_the_first_state(chapter, explorers, book_address, watch):
    watched = watch()
    fetched = []
    watched.page.on("requestfinished", lambda request: fetched.append(request.url))
    watched.page.goto(f"{book_address}/book/{chapter}.html")
    watched.page.locator("[data-static-widget=ready]").last.wait_for()
    figures = [image.evaluate("image => image.src") for image in watched.page.locator(".static-widget img").all()]
    assert len(figures) == explorers and not set(figures) & set(fetched)
    watched.page.pdf()
    assert set(figures) <= set(fetched)
    watched.page.emulate_media(media="print")
    for figure in watched.page.locator(".static-widget img").all():
        expect(figure).to_be_visible()
    expect(watched.page.locator(".tb-explorer:visible")).to_have_count(0)


@pytest.mark.parametrize("chapter", ALIVE)
@pytest.mark.parametrize("width", [1280, 375])
def test_what_is_off_the_screen_is_left_alone_and_keeps_its_place(chapter, width, book_address, watch):
    """From the moment that the reader takes hold of an explorer, for the sake of its redraw."""
    page = watch(viewport={"width": width, "height": 900}).page
    page.goto(f"{book_address}/book/{chapter}.html")
    page.locator("[data-static-widget=ready]").last.wait_for()
    control = page.locator(".static-widget input").first
    control.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    heights = "[...document.querySelectorAll('.bd-article section > *')].map(block => block.getBoundingClientRect().height)"
    before, place = page.evaluate(heights), control.bounding_box()["y"]
    quiet = "[...document.querySelectorAll('.bd-article *')].filter(block => block.style.contentVisibility === 'auto')"
    assert page.evaluate(f"{quiet}.length") == 0
    control.focus()
    page.wait_for_timeout(200)
    assert page.evaluate(f"{quiet}.length") > 10
    assert not page.evaluate(f"{quiet}.some(block => block.querySelector('.static-widget'))")
    assert page.evaluate(heights) == pytest.approx(before, abs=1)
    assert control.bounding_box()["y"] == pytest.approx(place, abs=2)
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('.bd-article .cell')).contentVisibility") == "visible"


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("width", [1280, 375])
def test_nothing_jumps_while_the_page_loads(chapter, width, book_address, watch):
    page = watch(viewport={"width": width, "height": 900}).page
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) "
        "if (!entry.hadRecentInput) window.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });"
    )
    page.goto(f"{book_address}/book/{chapter}.html")
    for explorer in page.locator(".static-widget").all():
        explorer.scroll_into_view_if_needed()
    expect(page.locator("[data-static-widget=ready]")).to_have_count(EXPLORERS[chapter])
    page.wait_for_timeout(300)
    assert page.evaluate("window.shift") < 0.02


@pytest.mark.parametrize("chapter", ALIVE)
@pytest.mark.parametrize("width", [1280, 375])
def test_no_slider_moves_what_stands_below(chapter, width, book_address, watch):
    page = watch(viewport={"width": width, "height": 900}).page
    page.goto(f"{book_address}/book/{chapter}.html")
    expect(page.locator("[data-static-widget=ready]")).to_have_count(EXPLORERS[chapter])
    places = "explorer => [explorer, ...explorer.querySelectorAll('.tb-explorer > *')].map(part => part.offsetTop)"
    for explorer in page.locator(".static-widget").all():
        before = explorer.bounding_box()["height"], explorer.evaluate(places)
        for slider in explorer.get_by_role("slider").all():
            for key in ("ArrowRight", "PageUp", "End", "Home"):
                slider.press(key)
                now = explorer.bounding_box()["height"], explorer.evaluate(places)
                assert now == before, (explorer.get_attribute("id"), key)


def test_a_key_that_moves_a_slider_is_not_the_themes_business(book_address, watch):
    page = watch().page
    page.goto(f"{book_address}/book/04_positional_encoding.html")
    page.locator("[data-static-widget=ready]").last.wait_for()
    page.evaluate("document.addEventListener('keydown', (event) => (window.heard ??= []).push(event.key), { capture: true })")
    slider = page.get_by_role("slider").first
    before = slider.input_value()
    for key in ("ArrowRight", "Tab"):
        slider.press(key)
    assert slider.input_value() != before
    assert page.evaluate("window.heard") == ["Tab"]
