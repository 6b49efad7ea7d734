"""The pages to learn from in a real Chromium: accessible, reflowing, and by keyboard."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from web.server import Server, running

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync"]  # fmt: skip
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
    "nowhere",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(str(tmp_path_factory.mktemp("browser") / "rooms.sqlite3")) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def failings(page: Page) -> list[str]:
    found = Axe().run(page).response
    assert found["passes"], "axe has looked"
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


@pytest.mark.parametrize("dress", ["light", "dark"])
def test_axe_finds_nothing(server: Server, browser: Browser, dress: str) -> None:
    page = browser.new_page(color_scheme=dress)  # type: ignore[arg-type]
    for path in PAGES:
        page.goto(server.address + path)
        assert failings(page) == [], path
    page.goto(server.address + "learn/divisor-duel")
    page.click("button[value='2']")
    assert "That leaves 4" in page.inner_text("[role=status]")
    assert failings(page) == []
    page.close()


def test_pages_reflow_at_400_percent(server: Server, browser: Browser) -> None:
    """A window of 1280 pixels at 400% is 320 wide: nothing scrolls both ways."""
    page = browser.new_page(viewport={"width": 320, "height": 256})
    for path in PAGES:
        page.goto(server.address + path)
        wide, window = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= window, path
        small = page.evaluate(
            """[...document.querySelectorAll("main a, button, select, input, summary")]
            .map(e => [e, e.getBoundingClientRect()])
            .filter(([e, box]) => box.width && (box.height < 24 || box.width < 24)
              && getComputedStyle(e).display !== "inline"
              && !e.matches(".choice input"))
            .map(([e]) => e.outerHTML)"""
        )
        assert small == [], path
    page.close()


def test_the_arrow_keys_go_through_a_replay(server: Server, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{server.address}replay?match={WORD}")
    for turn, number in ((1, "45"), (2, "30")):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"**turn={turn}")
        assert page.inner_text(".number") == number
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**turn=1")
    page.close()


def test_nothing_is_refused_by_the_policy_or_fetched_from_elsewhere(
    server: Server, browser: Browser
) -> None:
    page = browser.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    for path in PAGES:
        page.goto(server.address + path)
    page.close()
    assert [text for text in said if "status of 4" not in text] == []
    assert all(url.startswith(server.address) for url in asked)
