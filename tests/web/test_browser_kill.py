"""The server is killed while two browsers play and a teacher looks on: all go on by themselves."""

from __future__ import annotations

import pytest

from soaking import figure
from web.browser import Browsers, Visitor, assert_stayed, expect, invite, mark
from web.classroom import classroom, teacher_of
from web.server import running

LOST = ("WebSocket connection to", "Failed to load resource: net::ERR_")
"""What the console says of a server that is not there."""


def press(visitor: Visitor, move: str, left: str) -> None:
    """Press the button, and again if the page says that the move may not have arrived."""
    script = f"""left => {{
      if (document.querySelector("#board .number").innerText === left) return true;
      document.querySelector('#moves button[value="{move}"]:not([aria-busy])')?.click();
    }}"""
    visitor.wait(script, left)


@pytest.mark.soak("kills")
def test_a_match_goes_on_after_kills(place: str, browsers: Browsers) -> None:
    kills = 15
    postgresql = "://" in place
    left = 6 * kills + 2
    with (
        running(place, workers=2 if postgresql else 1, thinkers=1) as server,
        classroom(server) as school,
    ):
        anna, ben = browsers.visitor(server), browsers.visitor(server)
        invite(anna, ben, f"/?board=subtract-a-prime:{left}")
        teacher = teacher_of(browsers, server, school)
        teacher.go(f"{school.at}/teacher")
        everybody = (anna, ben, teacher)
        seats = [visitor.page.locator("#seat-1 strong").inner_text() for visitor in (anna, ben)]
        mark(*everybody)
        moves = killed = 0
        players = [anna, ben]
        while left:
            mover, other = players[moves % 2], players[1 - moves % 2]
            expect(mover.page.locator("#turn")).to_have_text("Your turn")
            due = killed < kills and moves % 3 == 2
            if due:
                # In the middle: one has just seen the other's move, and plays while there is
                # no server. The page tells it, and sends the move again by itself.
                server.kill()
                for visitor in everybody:
                    visitor.see("#connection", "Connection lost.")
                mover.page.click('#moves button[value="2"]')
                server.start()
                killed += 1
            left -= 2
            press(mover, "2", str(left))
            moves += 1
            other.see("#board .number", str(left))
            if due:
                for visitor in everybody:
                    expect(visitor.page.locator("#connection")).to_be_hidden()
                school.join(f"Pupil {killed}")
                expect(teacher.page.locator(".roster > li")).to_have_count(len(school.pupils))
        winner = players[(moves - 1) % 2]
        for visitor in players:
            expect(visitor.page.locator("#turn")).to_contain_text(
                "won" if visitor is winner else "lost"
            )
            assert visitor.page.locator("#history > li").count() == moves
            assert visitor.page.locator("#seat-1 strong").inner_text() == seats[0]
        assert killed == kills
        for visitor in everybody:
            lost = [said for said in visitor.complaints if not said.startswith(LOST)]
            assert lost == [], "the console says something else"
            visitor.complaints.clear()
            assert_stayed(visitor)
            visitor.leave()
    figure(f"{kills} kills under two browsers and a teacher's, moves played once", moves)
