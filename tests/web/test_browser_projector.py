"""The projector and the wall in a browser, as a class sees them."""

import pytest

from web.browser import Browsers, assert_stayed, expect, mark
from web.classroom import classroom, teacher_of
from web.server import Server


def test_the_projector_fits_and_the_door_is_counted_live(
    server: Server, browsers: Browsers
) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", turns=0) as room:
        room.teacher.post(f"{room.at}/teacher/projector", page="new")
        at = room.teacher.at
        room.teach("discuss").press("ask", game="digit-subtraction-duel", number="234")
        for name, move in zip(room.pupils, "234", strict=True):
            room.pupil(name).press("vote", move)
        beamer = browsers.visitor(server, (1024, 768))
        page = beamer.go(at)
        number = page.locator(".number").bounding_box()
        assert number is not None
        assert number["height"] > 200, "read from the back row"
        for _ in range(3):
            room.press("show", "discuss")
        expect(page.locator("#reason")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
        tops = [page.locator(f"#{name}").bounding_box() for name in ("reason", "votes", "reply")]
        assert all(tops)
        assert tops == sorted(tops, key=lambda one: one["y"] if one else 0)
        teacher = teacher_of(browsers, server, room)
        page = teacher.go(f"{room.at}/wall")
        room.join("Late")
        teacher.see("nav", "(1 at the door)")
        room.press("admit")
        expect(page.locator("nav")).not_to_contain_text("at the door")
        page = teacher.go(f"{room.at}/teacher")
        expect(page.locator("#projector")).to_be_in_viewport(ratio=1)
        page = teacher.go(f"{room.at}/map")
        before = page.locator("button", has_text="Let pupils guess").bounding_box()
        page.click("text=Let pupils guess")
        expect(page.locator("button", has_text="Unveil")).to_be_visible()
        assert page.locator("button", has_text="Let pupils guess").bounding_box() == before


NAMES = "Ada Ben Cleo Dan Eva Finn Gia Hugo Ida Jan Kim Lea Max Noa Ole Pia Quin Ria Sam Tom"
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


@pytest.mark.parametrize(
    "boards", [15, *(pytest.param(count, marks=pytest.mark.soak) for count in (1, 4, 7, 20))]
)
def test_the_wall_is_live_and_read_from_the_back_row(
    server: Server, browsers: Browsers, boards: int
) -> None:
    """At 1920 x 1080 nothing scrolls, and figures are at least 48 pixels high."""
    with classroom(server, *NAMES.split()[:boards]) as room:
        room.start(game="own", own="subtract-1-3-4", number="99", opponent="beginner")
        wall = teacher_of(browsers, server, room, (1920, 1080))
        page = wall.go(f"{room.at}/wall")
        tiles = page.locator(".tile")
        expect(tiles).to_have_count(boards)
        mark(wall)
        mover = next(name for name in room.pupils if room.pupil(name).moves())
        room.pupils[mover].press("moves", "4")
        expect(tiles.filter(has_text=mover).locator(".hops")).to_contain_text("→ 95")
        assert_stayed(wall)
        for _ in range(2):
            expect(tiles).to_have_count(boards)
            assert page.evaluate(OVERFLOW) == []
            assert min(page.evaluate(HEIGHTS)) >= 48
            page.click("#names")
        page.click("#names")
        expect(page.locator("#wall")).not_to_contain_text(mover)
        room.press("stop")
        wall.see("#progress", "The round is over.")
        expect(page.locator("#wall")).not_to_contain_text(mover)
