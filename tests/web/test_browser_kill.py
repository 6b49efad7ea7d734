"""The server is killed while two browsers play and a third watches: all go on by themselves.

One kill on each database in `make test`, 15 on each in `make soak`.
"""

from __future__ import annotations

import os
import sys
import time

import pytest

from patience import PATIENT
from web.browser import Browsers, Visitor, assert_stayed, expect, invite, mark
from web.server import running

SOAK = bool(os.environ.get("NUMDUEL_SOAK"))
pytestmark = pytest.mark.soak
LOST = ("WebSocket connection to", "Failed to load resource: net::ERR_")
"""What the console says of a server that is not there."""


def press(visitor: Visitor, move: str, left: str) -> None:
    """Press the button, and again if the page says that the move may not have arrived."""
    script = (
        f"""document.querySelector('#moves button[value="{move}"]:not([aria-busy])')?.click()"""
    )
    deadline = time.monotonic() + PATIENT
    while visitor.page.inner_text("#board .number") != left:
        assert time.monotonic() < deadline, "the move is not played"
        visitor.page.evaluate(script)
        time.sleep(0.05)


@pytest.mark.parametrize("place", ["sqlite", "postgresql"] if SOAK else ["sqlite"], indirect=True)
def test_a_match_goes_on_after_kills(place: str, browsers: Browsers) -> None:
    postgresql = "://" in place
    kills = 15 if SOAK else 1
    left = 6 * kills + 2
    with running(place, workers=2 if postgresql else 1, thinkers=1) as server:
        anna, ben = browsers.visitor(server), browsers.visitor(server, apart=True)
        cleo = browsers.visitor(server)
        everybody = (anna, ben, cleo)
        room = invite(anna, ben, f"/?board=subtract-a-prime:{left}")
        cleo.go(room)
        seats = [visitor.page.locator("#seat-1 strong").inner_text() for visitor in everybody]
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
            for visitor in (other, cleo):
                visitor.see("#board .number", str(left))
            if due:
                for visitor in everybody:
                    expect(visitor.page.locator("#connection")).to_be_hidden()
        winner = players[(moves - 1) % 2]
        for visitor in everybody:
            said = "won" if visitor in (winner, cleo) else "lost"
            expect(visitor.page.locator("#turn")).to_contain_text(said)
            assert visitor.page.locator("#history > li").count() == moves
            assert visitor.page.locator("#seat-1 strong").inner_text() == seats[0]
            lost = [said for said in visitor.complaints if not said.startswith(LOST)]
            assert lost == [], "the console says something else"
            visitor.complaints.clear()
        assert killed == kills
        assert_stayed(*everybody)
        for visitor in everybody:
            visitor.leave()
    if SOAK:
        kind = "PostgreSQL, two workers" if postgresql else "SQLite"
        sys.stdout.write(
            f"{kills} kills on {kind} under two browsers and a third:"
            f" {moves} moves, all played once\n"
        )
