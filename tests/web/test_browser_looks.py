"""How pages look and load: light enough, steady, without motion, in forced colours, spaced out."""

from __future__ import annotations

import sys

from web.accessible import SHIFTS, shifted, too_wide
from web.browser import LAPTOP, PHONE, ZOOMED, Browsers
from web.playing import asking
from web.server import Server
from web.states import STATES, Stage, State

LIMIT = 60_000
"""Bytes that the first page may have in all."""

FORCED = [
    "home",
    "room: with clocks",
    "room: watching the end",
    "explore a number",
    "puzzle not solved",
    "lesson answered well",
]
SPACED = [
    *FORCED[:4],
    "home of several numbers",
    "room: waiting",
    "lesson, step 3",
    "replay, turn 2",
    "analysis",
]
BORDERS = """
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
SPACING = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`);
document.adoptedStyleSheets = [sheet];
"""
CLIPPED = """
[...document.querySelectorAll("button, .button, label, h1, h2, p, li, td, th, summary, .player")]
  .filter(one => one.checkVisibility() && !one.closest(".visually-hidden, .scroll, .hundred"))
  .filter(one => getComputedStyle(one).overflowX !== "visible"
    ? false : one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .map(one => `${one.outerHTML.slice(0, 100)} ${one.scrollWidth} > ${one.clientWidth}`)
"""

MOVING = """[...document.querySelectorAll("*")].filter(
  one => getComputedStyle(one).animationName !== "none").length"""
"""Counts what moves when it is first drawn, however late a test looks."""


def some(names: list[str]) -> list[State]:
    """The states of these names."""
    found = [one for one in STATES if one.name in names]
    assert len(found) == len(names), "every name is one of a state"
    return found


def test_the_first_page_is_light_and_steady(server: Server, browsers: Browsers) -> None:
    for window in (LAPTOP, PHONE):
        anna = browsers.visitor(server, window)
        anna.context.add_init_script(SHIFTS)
        page = anna.go("/")
        page.wait_for_load_state("networkidle")
        loaded = page.evaluate(
            """["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind))
            .map(one => [one.name, one.transferSize, one.decodedBodySize])"""
        )
        asked = [url for url in anna.asked if not url.startswith("data:")]
        missing = set(asked) - {name for name, _, _ in loaded}
        assert not [url for url in missing if "icon.svg" not in url], "all is counted"
        weight = sum(max(sent, plain) for _, sent, plain in loaded)
        jumped = shifted(page)
        sys.stdout.write(
            f"home at {window[0]} pixels: {weight:,} bytes in {len(loaded)} answers,"
            f" layout shift {jumped:.4f}\n"
        )
        assert len(loaded) >= 5, loaded
        assert weight < LIMIT, loaded
        assert jumped == 0
        anna.check()
        anna.leave()


def test_motion_is_only_for_who_likes_it(server: Server, browsers: Browsers) -> None:
    """The map unveils at the end; with less motion asked for, it is there at once."""
    [over] = some(["room: watching the end"])
    for wanted, moves in (("no-preference", True), ("reduce", False)):
        anna = browsers.visitor(server, reduced_motion=wanted)
        with asking(server) as client:
            over.reach(Stage(anna, client))
        assert (anna.page.evaluate(MOVING) > 0) is moves, wanted
        anna.leave()


def test_controls_keep_their_borders_in_forced_colours(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, forced_colors="active", reduced_motion="reduce")
    assert anna.page.evaluate("matchMedia('(forced-colors: active)').matches")
    with asking(server) as client:
        for one in some(FORCED):
            one.reach(Stage(anna, client))
            assert anna.page.evaluate(BORDERS) == [], one.name
    # What is lost is marked by more than its colour, and the focus can be seen.
    anna.go("explore?board=subtract-a-prime:20")
    style = "e => getComputedStyle(e).borderTopStyle"
    lost = anna.page.locator(".hundred .lost").first
    won = anna.page.locator(".hundred li:not(.lost)").first
    assert lost.evaluate(style) != won.evaluate(style)
    anna.page.keyboard.press("Tab")
    assert anna.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    anna.check()
    anna.leave()


def test_text_may_be_spaced_out(server: Server, browsers: Browsers) -> None:
    """WCAG 1.4.12: with wider letters, words and lines, nothing is cut off."""
    anna = browsers.visitor(server, ZOOMED, reduced_motion="reduce")
    with asking(server) as client:
        for one in some(SPACED):
            one.reach(Stage(anna, client))
            anna.page.evaluate(SPACING)
            assert too_wide(anna.page) <= 0, one.name
            assert anna.page.evaluate(CLIPPED) == [], one.name
    anna.leave()
