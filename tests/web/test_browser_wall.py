"""The wall in a real browser: read from the back row, live, and each board opened."""

from __future__ import annotations

import pytest

from web.browser import Browsers, assert_stayed, expect, mark
from web.classroom import PROJECTOR, classroom, teacher_of
from web.server import Server

NAMES = "Ada Ben Cleo Dan Eva Finn Gia Hugo Ida Jan Kim Lea Max Noa Ole Pia Quin Ria Sam Tom Uli"
MANY = [*NAMES.split(), *["Vic", "Wim", "Xia", "Yan", "Zoe", "Abe", "Bea", "Cid", "Dot"]]

OVERFLOW = """
() => [...document.querySelectorAll("html, body, #wall, .tile, .tile > a, .tile .figure")]
  .filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .map(one => `${one.className || one.localName} ${one.scrollHeight} > ${one.clientHeight}`)
"""
HEIGHTS = """
() => [...document.querySelectorAll(".tile .figure")].map(one => {
  const draws = document.createElement("canvas").getContext("2d");
  const {fontWeight, fontSize, fontFamily} = getComputedStyle(one);
  draws.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const drawn = draws.measureText(one.textContent.trim());
  return drawn.actualBoundingBoxAscent + drawn.actualBoundingBoxDescent;
})
"""
"""How high the figures themselves are drawn."""


def test_the_wall_is_read_from_the_back_row(server: Server, browsers: Browsers) -> None:
    """15 boards at 1920 x 1080: nothing scrolls, and figures are at least 48 pixels high."""
    with classroom(server, *MANY) as room:
        room.start(own="subtract-1-3-4", number="99")
        wall = teacher_of(browsers, server, room, PROJECTOR)
        page = wall.go(f"{room.at}/wall")
        expect(page.locator(".tile")).to_have_count(15)
        mark(wall)
        mover = next(name for name in room.pupils if room.pupil(name).moves())
        room.pupils[mover].press("moves", "4")
        tile = page.locator(".tile", has_text=mover)
        expect(tile.locator(".figure")).to_have_text("95")
        expect(tile.locator(".hops")).to_have_text("99 → 95")
        expect(tile.locator(".to-move")).not_to_contain_text(mover)
        assert_stayed(wall)
        for _ in range(2):
            expect(page.locator(".tile")).to_have_count(15)
            assert page.evaluate(OVERFLOW) == []
            assert min(page.evaluate(HEIGHTS)) >= 48
            page.click("#names")
        page.click("#names")
        expect(page.locator("#wall")).not_to_contain_text(mover)
        room.pupils[mover].get(room.at)
        room.press("stop")
        wall.see("#progress", "The round is over.")
        expect(page.locator("#wall")).not_to_contain_text(mover)


@pytest.mark.soak
@pytest.mark.parametrize("boards", [1, 4, 7, 20])
def test_any_number_of_boards_fills_the_wall(
    server: Server, browsers: Browsers, boards: int
) -> None:
    with classroom(server, *MANY[:boards]) as room:
        room.start(own="subtract-1-3-4", number="99", opponent="beginner")
        wall = teacher_of(browsers, server, room, PROJECTOR)
        page = wall.go(f"{room.at}/wall")
        expect(page.locator(".tile")).to_have_count(boards)
        assert page.evaluate(OVERFLOW) == []
        assert min(page.evaluate(HEIGHTS)) >= 48
