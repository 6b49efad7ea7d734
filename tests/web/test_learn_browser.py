"""The pages to learn from in a real Chromium: accessible, reflowing, and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from web.browser import ZOOMED, Browsers, browsing
from web.server import Server, running

WORD = "divisor-duel:60/15.15.2.14.7"
PAGES = [
    "learn",
    "learn/divisor-duel?step=1",
    "learn/power-play?step=4",
    "learn/power-play?step=5",
    "rules",
    "rules/prime-subtractor",
    "explore",
    "explore?board=<b>",
    "explore?board=subtract-a-prime:20",
    "explore?board=divisor-duel:60&values=1&to=200",
    "explore?board=subtract-a-prime:20%2Bdivisor-duel:60,divisors=even~misere",
    f"explore?board=digit-subtraction-duel:{'9876543210' * 40}",
    "puzzle?day=2026-03-09&kind=several",
    "puzzle?day=2026-03-09&kind=divisor-duel",
    "replay",
    "replay?match=zzz",
    f"replay?match={WORD}&turn=2",
    f"analysis?match={WORD}",
    "api",
    "nowhere",
]


SMALL = """[...document.querySelectorAll("main a, button, select, input, summary")]
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, box]) => box.width && (box.height < 24 || box.width < 24)
    && getComputedStyle(e).display !== "inline" && !e.matches(".choice input"))
  .map(([e]) => e.outerHTML)"""
"""What is smaller than 24 pixels; links in a sentence and boxes with a label may be."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(str(tmp_path_factory.mktemp("browser") / "rooms.sqlite3")) as started:
        yield started


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    with browsing() as started:
        yield started


def failings(page: Page) -> list[str]:
    found = Axe().run(page).response
    assert found["passes"], "axe has looked"
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


@pytest.mark.parametrize("dress", ["light", "dark"])
def test_axe_finds_nothing(server: Server, browsers: Browsers, dress: str) -> None:
    """Nor does the browser refuse anything, or ask for anything elsewhere."""
    visitor = browsers.visitor(server, color_scheme=dress)
    for path in PAGES:
        assert failings(visitor.go(path)) == [], path
    visitor.go("learn/divisor-duel").click("button[value='2']")
    visitor.see("[role=status]", "That leaves 4")
    assert failings(visitor.page) == []
    visitor.check()
    visitor.leave()


def test_pages_reflow_at_400_percent(server: Server, browsers: Browsers) -> None:
    """Nothing scrolls both ways, and everything to press is large enough."""
    visitor = browsers.visitor(server, ZOOMED)
    for path in PAGES:
        page = visitor.go(path)
        wide, window = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= window, path
        assert page.evaluate(SMALL) == [], path
    visitor.leave()


def test_the_arrow_keys_go_through_a_replay(server: Server, browsers: Browsers) -> None:
    visitor = browsers.visitor(server)
    page = visitor.go(f"replay?match={WORD}")
    for key, number in (("ArrowRight", "45"), ("ArrowRight", "30"), ("ArrowLeft", "45")):
        page.keyboard.press(key)
        visitor.see(".number", number)
    visitor.check()
    visitor.leave()
