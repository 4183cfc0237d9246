"""What tests do with the sliders of an explorer."""
from __future__ import annotations

from collections.abc import Iterable

from playwright.sync_api import Locator


def slider(explorer: Locator, name: str) -> Locator:
    return explorer.get_by_role("slider", name=name, exact=True)


def values(explorer: Locator, names: Iterable[str]) -> dict[str, int]:
    return {name: int(slider(explorer, name).input_value()) for name in names}


def drag(explorer: Locator, name: str, *, start: float = 0.05, through: tuple[float, ...] = (0.3, 0.5, 0.7)) -> None:
    """Drag a slider with the pointer, through these shares of its length; the description follows all the way."""
    box = slider(explorer, name).bounding_box()
    mouse = explorer.page.mouse
    middle = box["y"] + box["height"] / 2
    mouse.move(box["x"] + start * box["width"], middle)
    mouse.down()
    seen = set()
    for share in through:
        mouse.move(box["x"] + share * box["width"], middle)
        seen.add(explorer.locator(".tb-description").inner_text())
    mouse.up()
    assert len(seen) == len(through), "the picture follows while the slider is dragged"


def address_with(explorer: Locator, *parts: str) -> str:
    """The part of the address behind `#` that holds the explorer's state, once these parts stand in it."""
    for part in parts:
        explorer.page.wait_for_function("part => location.hash.includes(part)", arg=part)
    return explorer.page.evaluate("location.hash")
