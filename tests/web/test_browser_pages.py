"""Every page in every state: accessible, calm, from here alone, in any window and light.

In `make soak`, axe runs all its rules in light and dark at both widths. In `make test` it
runs all of them in a light, wide window, and those that depend on looks in a dark, small one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from numduel.web.app import create_app
from numduel.web.settings import Settings
from web.accessible import (
    LOOKS,
    SHIFTS,
    animations,
    found_by_axe,
    live_regions,
    shifted,
    small_targets,
    too_wide,
)
from web.browser import LAPTOP, ZOOMED, Browsers
from web.class_states import CLASS_STATES
from web.playing import asking
from web.server import Server
from web.states import ROOM, STATES, Stage, State, page_routes

ALL = [*STATES, *CLASS_STATES]
SOAK = bool(os.environ.get("NUMDUEL_SOAK"))
ALL_LOOKS = [("light", LAPTOP), ("dark", ZOOMED), ("dark", LAPTOP), ("light", ZOOMED)]
FIRST = {state.name for state in {state.route: state for state in reversed(ALL)}.values()}
"""One state of each page. Axe looks at these and at every state of a room; in the soak at all
states, in all looks."""

STATUS = "performance.getEntriesByType('navigation')[0].responseStatus"


@pytest.fixture(scope="module")
def stage(server: Server, chromium: Browsers) -> Iterator[Stage]:
    """A visitor who wants no motion, and whose pages count what jumps on them."""
    with chromium.awake():
        visitor = chromium.visitor(server, reduced_motion="reduce")
        visitor.context.add_init_script(SHIFTS)
    with asking(server) as client:
        yield Stage(visitor, client)
    with chromium.awake():
        visitor.leave()


def test_every_page_has_a_state() -> None:
    routes = page_routes(create_app(Settings(database="unused")))
    assert {state.route for state in ALL if state.route} == routes


@pytest.mark.soak
@pytest.mark.parametrize("state", ALL, ids=lambda state: state.name)
def test_a_page_is_as_it_should_be(browsers: Browsers, stage: Stage, state: State) -> None:
    page = stage.visitor.page
    stage.visitor.complaints.clear()
    looks = ALL_LOOKS if SOAK else ALL_LOOKS[: 2 if state.name in FIRST else 1]
    close = SOAK or state.name in FIRST or state.route == ROOM
    for number, (colours, window) in enumerate(looks):
        page.set_viewport_size({"width": window[0], "height": window[1]})
        page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        # A window that is still growing would move what the next page has drawn.
        page.wait_for_function("width => innerWidth === width", arg=window[0])
        if number == 0:
            state.reach(stage)
            assert page.evaluate(STATUS) == state.status
            assert live_regions(page) == state.spoken
            assert shifted(page) < calm(state), "nothing jumps by itself"
        rules = None if SOAK or number == 0 else LOOKS
        assert not close or found_by_axe(page, rules) == [], (colours, window)
        assert small_targets(page) == [], window
        assert too_wide(page) <= 0, window
    assert animations(page) == 0
    stage.visitor.check()


def calm(state: State) -> float:
    """How far things may jump: while a page loads, not at all; in a match, what changes may."""
    return 1.0 if state.route == ROOM else 0.001
