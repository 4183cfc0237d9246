"""What axe finds in a page."""
from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# The theme's own markup: code cells scroll sideways and are reached by the Tab key only because browsers of today see to
# it, and the fold of a hidden cell is named otherwise than it reads.
KNOWN_OF_THE_THEME = {"scrollable-region-focusable", "label-content-name-mismatch"}
# A long page has thousands of code tokens in a few colours, and their contrast took axe most of its time. So it judges
# the first token of each look: of the same text style, on the same backgrounds.
JUDGE_EACH_LOOK_OF_CODE_ONCE = """
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
    """What breaks a rule of accessibility, but for what the theme alone can mend.

    A formula stands in the page twice: as MathML, which is read aloud and judged here, and as some dozen pieces for the eye
    alone, which are left out: they have the colour of the words around them."""
    inked = "of => getComputedStyle(of).color !== getComputedStyle(of.closest('.katex').parentNode).color"
    assert not page.eval_on_selector_all(".katex-html", f"formulas => formulas.filter({inked}).map(of => of.textContent)")
    page.evaluate(JUDGE_EACH_LOOK_OF_CODE_ONCE)
    answer = page.evaluate(
        "rules => axe.run({ include: ['article'], exclude: ['.katex-html'] }, { ...rules, resultTypes: ['violations'], preload: false })",
        rules,
    )
    return [
        (violation["id"], node["target"], node["failureSummary"])
        for violation in answer["violations"]
        if violation["id"] not in KNOWN_OF_THE_THEME
        for node in violation["nodes"]
    ]
