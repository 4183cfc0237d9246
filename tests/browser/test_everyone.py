"""Pages for everyone: axe finds nothing on any of them, a screen reader is told what changed once, and a zoomed, a printed, a still and
a high-contrast page lack nothing."""
from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import violations
from tests.browser.sliders import at
from tests.browser.test_pages import CHAPTERS, WITH_EXPLORERS, pages

EXPLORER = ".static-widget:has(.tb-explorer)"
# Records what a screen reader would announce from now on. An <output> and the roles announce unless told not to.
LISTEN = """
() => {
  window.announced = [];
  const regions = document.querySelectorAll('[role=status], [role=alert], [role=log], [role=timer], output, [aria-live]');
  for (const region of regions) {
    if (region.ariaLive === 'off') continue;
    const heard = () => window.announced.push(region.textContent);
    new MutationObserver(heard).observe(region, { childList: true, characterData: true, subtree: true });
  }
}
"""
# As a drag, or a key held down: fifty changes, each before a screen reader could have said the one before.
MOVE_FAST = """
async (input) => {
  for (let step = 0; step < 50; step += 1) {
    if (input.type === 'radio') [...input.closest('fieldset').querySelectorAll('input')].at(step % 2).click();
    else if (input.type === 'range') input.valueAsNumber = step % 2 ? Number(input.max) : Number(input.min);
    else input.value = step % 2 ? 'a robot am I' : 'a robot ';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
"""


def open_page(page: Page, address: str, name: str) -> None:
    """Open a page, and wait for its explorers and questions."""
    page.goto(f"{address}/{name}")
    for widget in page.locator(".static-widget").all():
        widget.scroll_into_view_if_needed()
    expect(page.locator(".static-widget:not([data-static-widget=ready])")).to_have_count(0)


def test_axe_finds_nothing_on_any_whole_page(book, book_address, watch):
    page = watch(size=(1280, 900)).page
    found = {}
    for name in pages(book):
        open_page(page, book_address, name)
        found[name] = violations(page)
    assert len(found) > len(CHAPTERS)
    assert {name: faults for name, faults in found.items() if faults} == {}


def move_everything(page: Page) -> None:
    """Every slider to its end, every box ticked or unticked, every table opened, every question answered."""
    page.evaluate("for (const details of document.querySelectorAll('article details')) details.open = true")
    for widget in page.locator(".static-widget").all():
        for slider in widget.get_by_role("slider").all():
            slider.press("End")
        for box in widget.get_by_role("checkbox").all():
            box.press("Space")
        for group in widget.get_by_role("group").all():
            choices = group.locator("input[type=radio]")
            if choices.count():
                choices.last.check(force=True)
        for menu in widget.locator("select").all():
            menu.select_option(index=menu.locator("option").count() - 1)


@pytest.mark.soak
@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_the_dark_on_a_phone_and_after_everything_was_moved(book, book_address, watch, theme, width):
    page = watch(size=(width, 900)).page
    page.emulate_media(color_scheme=theme)
    found = {}
    for name in pages(book):
        open_page(page, book_address, name)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        found[name] = violations(page)
        move_everything(page)
        found[f"{name}, moved"] = violations(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("chapter", WITH_EXPLORERS)
def test_fifty_quick_changes_are_announced_once_and_as_they_ended(book_address, watch, chapter):
    page = watch(size=(1280, 900)).page
    open_page(page, book_address, f"book/{chapter}.html")
    page.evaluate(LISTEN)
    for explorer in page.locator(EXPLORER).all():
        with at(explorer.get_attribute("id")):
            page.evaluate("window.announced.length = 0")
            moved = explorer.locator("input[type=range], input[type=text]")
            (moved if moved.count() else explorer.locator("input[type=radio]")).first.evaluate(MOVE_FAST)
            page.wait_for_function("window.announced.length > 0")
            page.wait_for_timeout(800)  # longer than the pause that a reader makes
            assert page.evaluate("window.announced") == [explorer.locator(".tb-description").inner_text()]


def test_letters_typed_into_the_ledger_are_announced_once(book_address, watch):
    page = watch(size=(1280, 900)).page
    page.goto(f"{book_address}/book/mistakes.html")
    page.evaluate(LISTEN)
    page.get_by_role("searchbox").press_sequentially("positional")
    page.wait_for_function("window.announced.length > 0")
    page.wait_for_timeout(800)
    assert page.evaluate("window.announced") == [page.get_by_role("status").inner_text()]


def numbers(explorer: Locator) -> list[str]:
    """Every number in the tables of an explorer, those that are folded opened."""
    for folded in explorer.locator("details:not([open]) > summary").all():
        folded.click()
    cells = "table => [...table.querySelectorAll('td, th, [role=cell]')].filter(cell => cell.checkVisibility()).map(cell => cell.textContent)"
    tables = explorer.locator("table, [role=table]").evaluate_all(f"tables => tables.flatMap({cells})")
    return [text.replace(" changed", "").replace("\u2212", "-").strip() for text in tables]
