"""The accessibility of a page, checked by axe."""
from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# Waits until all transitions between colours have ended.
TRANSITIONS_END = "Promise.allSettled(document.getAnimations().filter(each => each instanceof CSSTransition).map(each => each.finished))"
# A long page has thousands of code tokens and parts of formulas in a few colours, and axe spent most of its time on their contrast. So it
# checks only the first of all with the same text style and the same backgrounds.
CHECK_EACH_LOOK_ONCE = """
() => {
  const looks = new Set();
  for (const token of document.querySelectorAll('pre span, code span, .katex-html span')) {
    token.removeAttribute('data-same-look');
    if (token.childElementCount > 0 || token.textContent.trim() === '' || !token.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(token);
    const look = [color, fontSize, fontWeight];
    for (let part = token; part; part = part.parentElement) {
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
# Every rule that axe knows, best practices and experimental ones too; not those of level AAA, which WCAG itself does not ask of whole sites.
RUN = """
() => {
  const rules = axe.getRules().map(({ ruleId, tags }) => [ruleId, { enabled: !tags.includes('wcag2aaa') }]);
  return axe.run(document, { rules: Object.fromEntries(rules), resultTypes: ['violations'], preload: false });
}
"""


def violations(page: Page) -> list[tuple]:
    """What axe finds on the whole page, as it is now."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=str(AXE))
    page.evaluate(TRANSITIONS_END)
    page.evaluate(CHECK_EACH_LOOK_ONCE)
    found = page.evaluate(RUN)["violations"]
    return [(violation["id"], node["target"], node["failureSummary"]) for violation in found for node in violation["nodes"]]
