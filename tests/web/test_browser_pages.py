"""Every page: accessible, calm, from here alone, in any window, light and spacing.

One state of each page is looked at once, in one of the looks. In `make soak`, it is every state
in every look.
"""

from itertools import product

import pytest

from numduel.web.app import create_app
from numduel.web.settings import Settings
from web import accessible
from web.browser import LAPTOP, ZOOMED, Browsers
from web.browser import Visitor as Window
from web.classroom import in_browser
from web.server import Server
from web.states import ROOM, STATES, State, page_routes
from web.visitor import Visitor

Look = tuple[str, tuple[int, int]]
LOOKS: list[Look] = [("light", LAPTOP), ("dark", ZOOMED), ("dark", LAPTOP), ("light", ZOOMED)]
ONE_EACH = {state.route: state for state in reversed(STATES)}
PAPER = "/puzzle/sheet"
STATUS = "performance.getEntriesByType('navigation')[0].responseStatus"


def test_every_page_has_a_state() -> None:
    routes = page_routes(create_app(Settings(database="unused")))
    assert {state.route for state in STATES if state.route} == routes


@pytest.mark.parametrize("number", range(4))
def test_a_page_is_as_it_should_be(server: Server, browsers: Browsers, number: int) -> None:
    look_at([*ONE_EACH.values()][number::4], server, browsers, [LOOKS[number]])


@pytest.mark.soak
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_every_state_is_in_every_look(server: Server, browsers: Browsers, state: State) -> None:
    look_at([state], server, browsers, LOOKS)


def open_page(state: State, server: Server, window: Window) -> None:
    with Visitor(server.address) as me:
        path, who = state.reach(server, me)
        in_browser(window, who).go(path)
    if state.button:
        with window.page.expect_navigation():
            window.page.click(state.button)


def look_at(states: list[State], server: Server, browsers: Browsers, looks: list[Look]) -> None:
    visitor = browsers.visitor(server)
    visitor.prepare(accessible.SHIFTS)
    page = visitor.page
    for state, (number, (colours, window)) in product(states, enumerate(looks)):
        seen = (state.name, colours, window)
        if number or state is states[0]:
            visitor.resize(window)
            page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        if number == 0:
            open_page(state, server, visitor)
            assert page.evaluate(STATUS) == state.status, seen
            assert accessible.live_regions(page) == state.spoken, seen
            # While a page loads, nothing jumps by itself; in a match, what changes may.
            assert accessible.shifted(page) < (1.0 if state.route == ROOM else 0.001), seen
        assert accessible.found_by_axe(page) == [], seen
        assert page.evaluate(accessible.SMALL) == [], seen
        assert accessible.too_wide(page) <= 0, seen
        if number == len(looks) - 1:
            assert page.evaluate("document.getAnimations().length") == 0, seen
            assert accessible.borderless(page) == [], seen
            if window == ZOOMED and state.route != PAPER:
                assert accessible.cut_off(page) == [], seen
                assert accessible.too_wide(page) <= 0, (seen, "spaced out")
            visitor.check()


def test_what_is_lost_is_seen_in_forced_colours(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, forced_colors="active")
    page = anna.go("explore?board=subtract-a-prime:20")
    style = "e => getComputedStyle(e).borderTopStyle"
    lost, won = (page.locator(f".hundred {one}").first for one in (".lost", "li:not(.lost)"))
    assert lost.evaluate(style) != won.evaluate(style)
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
