"""What WCAG 2.2 AA asks of a page, as far as a browser can measure it."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules of axe that depend on colours and on the window; the others do not."""

_RUN = """
async options => {
  const {violations, passes} = await axe.run(options);
  return {violations, passes: passes.length};
}
"""
_SMALL = """
[...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter(one => one.checkVisibility() && !one.closest(".skip, .visually-hidden"))
  .filter(one => {
    // A link in a sentence is as high as its line.
    const words = one.parentElement.innerText.replace(one.innerText, "").trim();
    return getComputedStyle(one).display !== "inline" || !words;
  })
  .map(one => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([one, box]) => `${one.outerHTML.slice(0, 100)} ${box.width} x ${box.height}`)
"""
_SPOKEN = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]"

SHIFTS = """
window.shifted = 0;
const jumps = new PerformanceObserver(list => count(list.getEntries()));
const count = (jumped) => jumped.forEach(one => window.shifted += one.value);
jumps.observe({type: "layout-shift", buffered: true});
window.settled = async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  count(jumps.takeRecords());
  return window.shifted;
};
"""
"""Counts how far things jump: 1 is everything in view by a whole window."""


def shifted(page: Page) -> float:
    """How far things jumped since the last look, once all that is there is drawn."""
    return float(page.evaluate("window.settled().then(far => (window.shifted = 0, far))"))


def found_by_axe(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe finds, by all rules of WCAG 2.2 AA and good practice, or by these."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
    options = {"resultTypes": ["violations"], "runOnly": only}
    found = page.evaluate(_RUN, options)
    assert rules or found["passes"] > 10, "axe has looked"
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def small_targets(page: Page) -> list[str]:
    """What can be pressed and is smaller than 24 pixels; a box with a label is its label."""
    found: list[str] = page.evaluate(_SMALL)
    return found


def live_regions(page: Page) -> int:
    """Places that are read out when they change."""
    return page.locator(_SPOKEN).count()


def too_wide(page: Page) -> int:
    """Pixels by which the page has to be scrolled sideways."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))


def animations(page: Page) -> int:
    """Animations and transitions that run."""
    return int(page.evaluate("document.getAnimations().length"))
