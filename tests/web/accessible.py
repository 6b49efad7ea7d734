"""What WCAG 2.2 AA asks of a page, as far as a browser can measure it."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

_RUN = """
async options => {
  // Cells and lines of one kind are looked at thirty times, not hundreds.
  const exclude = [".hundred > li:nth-child(n + 31)", "dl > :nth-child(n + 31)"];
  const {violations, passes} = await axe.run({include: "html", exclude}, options);
  return {violations, passes: passes.length};
}
"""
SMALL = """
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
"""What can be pressed and is smaller than 24 pixels; a box with a label is its label."""
_SPOKEN = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]"

_BORDERLESS = """
[...document.querySelectorAll("button, .button, input, select, textarea, .card, .player, .notice")]
  .filter(one => one.checkVisibility() && !one.closest(".visually-hidden"))
  .filter(one => !one.matches("[type=checkbox], [type=radio]"))
  .filter(one => {
    const style = getComputedStyle(one);
    const plain = style.backgroundColor;
    return style.borderTopStyle === "none" || style.borderTopWidth === "0px"
      || style.borderTopColor === plain;
  })
  .map(one => one.outerHTML.slice(0, 120))
"""
_SPACING = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`);
document.adoptedStyleSheets = [sheet];
"""
_CUT_OFF = """
[...document.querySelectorAll("button, .button, label, h1, h2, p, li, td, th, summary, .player")]
  .filter(one => one.checkVisibility())
  .filter(one => !one.closest(".visually-hidden, .scroll, .hundred, .steps"))
  .filter(one => getComputedStyle(one).overflowX !== "visible"
    ? false : one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .map(one => `${one.outerHTML.slice(0, 100)} ${one.scrollWidth} > ${one.clientWidth}`)
"""

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

IN_SIGHT = """one => {
  one.scrollIntoView({block: "end", behavior: "instant"});
  const {x, y, width, height} = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""Is the middle of the element covered by nothing, at the end of the window?"""


def shifted(page: Page) -> float:
    """How far things jumped since the last look, once all that is there is drawn."""
    return float(page.evaluate("window.settled().then(far => (window.shifted = 0, far))"))


def found_by_axe(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    only = {"type": "tag", "values": TAGS}
    found = page.evaluate(_RUN, {"resultTypes": ["violations"], "runOnly": only, "preload": False})
    assert found["passes"] > 10, "axe has looked"
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def borderless(page: Page) -> list[str]:
    page.emulate_media(forced_colors="active")
    found: list[str] = page.evaluate(_BORDERLESS)
    page.emulate_media(forced_colors="none")
    return found


def cut_off(page: Page) -> list[str]:
    """What is cut off with wider letters, words and lines (WCAG 1.4.12), which stay on the page."""
    page.evaluate(_SPACING)
    found: list[str] = page.evaluate(_CUT_OFF)
    return found


def live_regions(page: Page) -> int:
    return page.locator(_SPOKEN).count()


def too_wide(page: Page) -> int:
    """Pixels by which the page has to be scrolled sideways."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))
