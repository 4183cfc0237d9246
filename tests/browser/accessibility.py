"""The accessibility of a page, checked by axe."""
from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# Faults of the theme's own markup: the Tab key reaches the code cells, which scroll sideways, only because current browsers
# focus them by default; and the accessible name of the button that unfolds a hidden cell differs from its visible text.
KNOWN_FAULTS_OF_THE_THEME = {"scrollable-region-focusable", "label-content-name-mismatch"}
# A long page has thousands of code tokens in a few colours, and axe spent most of its time on their contrast. So it checks only
# the first of all tokens with the same text style and the same backgrounds.
CHECK_EACH_LOOK_OF_CODE_ONCE = """
() => {
  const looks = new Set();
  for (const token of document.querySelectorAll('article pre span')) {
    token.removeAttribute('data-same-look');
    if (token.childElementCount > 0 || token.textContent.trim() === '' || !token.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(token);
    const look = [color, fontSize, fontWeight];
    for (let part = token; part.localName !== 'article'; part = part.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(part);
      look.push(backgroundColor, backgroundImage, opacity);
    }
    const key = look.join(' | ');
    token.toggleAttribute('data-same-look', looks.has(key));
    looks.add(key);
  }
  axe.configure({ rules: [{ id: 'color-contrast', selector: ':not([data-same-look])' }] });
}
"""


def violations(page: Page, rules: dict[str, list[str]]) -> list[tuple]:
    """The violations of accessibility rules, except those that only the theme can fix.

    The page contains each formula twice: as MathML for screen readers, which is checked, and as dozens of elements for display,
    which are skipped. These have the same colour as the surrounding text."""
    coloured = "of => getComputedStyle(of).color !== getComputedStyle(of.closest('.katex').parentNode).color"
    assert not page.eval_on_selector_all(".katex-html", f"formulas => formulas.filter({coloured}).map(of => of.textContent)")
    page.evaluate(CHECK_EACH_LOOK_OF_CODE_ONCE)
    answer = page.evaluate(
        "rules => axe.run({ include: ['article'], exclude: ['.katex-html'] }, { ...rules, resultTypes: ['violations'], preload: false })",
        rules,
    )
    return [
        (violation["id"], node["target"], node["failureSummary"])
        for violation in answer["violations"]
        if violation["id"] not in KNOWN_FAULTS_OF_THE_THEME
        for node in violation["nodes"]
    ]
