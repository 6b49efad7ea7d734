"""Two browsers play by a link, others watch: live, through reloads, and without a WebSocket."""

from __future__ import annotations

import re

from web.accessible import SHIFTS, live_regions, shifted
from web.browser import Browsers, assert_stayed, expect, invite, mark
from web.server import Server

REFUSED = """
window.refused = 0;
window.WebSocket = class {
  readyState = 3;
  constructor() { setTimeout(() => (window.refused += 1, this.onclose())); }
};
"""
"""A WebSocket as a browser has it whose server refuses all."""


def test_two_browsers_play_to_the_end_while_a_third_watches(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server)
    ben = browsers.visitor(server)
    cleo = browsers.visitor(server)
    cleo.prepare(SHIFTS)
    room = invite(anna, ben)
    cleo.go(room)
    names = [anna.page.inner_text(f"#seat-{seat} strong") for seat in (1, 2)]
    assert all(re.fullmatch("[A-Z][a-z]+ [A-Z][a-z]+", name) for name in names), names
    cleo.see("#turn", f"{names[0]}'s turn")
    cleo.see("#full", "You are watching.")
    assert cleo.page.locator("#moves, #typed").count() == 0
    assert anna.page.inner_text("#seat-1 .tag") == ben.page.inner_text("#seat-2 .tag") == "you"
    mark(anna, ben, cleo)

    anna.move("2")
    for visitor in (ben, cleo):
        visitor.see("#board .number", "18")
        visitor.see("#news", f"{names[0]} played 2. 18 is left.")
    ben.see("#turn", "Your turn")

    # One leaves and comes back: the seat is kept by the cookie, and others see who is there.
    for visitor, seats in ((anna, [2]), (ben, [1]), (cleo, [1, 2])):
        shown = visitor.page.locator(".presence")
        expect(shown).to_have_text(["here"] * len(seats))
        assert [one.get_attribute("data-seat") for one in shown.all()] == [str(s) for s in seats]
    told = cleo.page.inner_text("#news")
    shifted(cleo.page)
    ben.go("/learn")
    expect(anna.page.locator(".presence")).to_have_text("away")
    expect(cleo.page.locator(".presence")).to_have_text(["here", "away"])
    assert cleo.page.inner_text("#news") == told, "coming and going is not read out"
    assert shifted(cleo.page) == 0
    ben.go(room)
    expect(anna.page.locator(".presence")).to_have_text("here")
    ben.see("#turn", "Your turn")
    ben.see("#seat-2 .tag", "you")
    mark(ben)
    ben.move("3")
    anna.see("#board .number", "15")

    # A takeback is asked for; once refused, once granted.
    ben.page.click("#takeback button")
    for agrees, number in (("0", "15"), ("1", "18")):
        anna.see("#asked", f"{names[1]} asks to take back their last move")
        cleo.see("#asked", f"{names[1]} asks to take back their last move")
        anna.page.click(f'#asked button[value="{agrees}"]')
        for visitor in (anna, ben, cleo):
            expect(visitor.page.locator("#asked")).to_have_count(0)
            visitor.see("#board .number", number)
        if agrees == "0":
            ben.page.click("#takeback button")
    ben.see("#news", "Taken back.")

    shifts = []
    for visitor, move, left in ((ben, "11", "7"), (anna, "2", "5"), (ben, "3", "2")):
        shifted(cleo.page)
        visitor.move(move)
        cleo.see("#board .number", left)
        shifts.append(shifted(cleo.page))
    assert max(shifts) < 0.01, "what moves on the page when somebody plays"
    anna.move("2")
    anna.see("#turn", "You won")
    ben.see("#turn", "You lost")
    cleo.see("#turn", f"{names[0]} won")
    for visitor in (anna, ben, cleo):
        visitor.see("#map-heading", "The map of Subtract a Prime")
        visitor.see("#turning", "turning point")

    # Another round: the other begins, and whoever watches comes along.
    anna.page.click("#rematch button")
    ben.see("#news", f"{names[0]} offers a rematch.")
    ben.page.click("#rematch button")
    ben.see("#turn", "Your turn")
    for visitor in (anna, cleo):
        visitor.see("#turn", f"{names[1]}'s turn")
        visitor.see("#history-heading", "Match 2")
        visitor.see("#seat-1 .wins", "1")
    ben.page.click("#resign summary")
    ben.page.click("#resign button")
    anna.see("#turn", "You won")
    cleo.see("#over", f"{names[1]} resigned.")
    assert cleo.path == room
    assert_stayed(anna, ben, cleo)


def test_the_focus_stays_when_the_other_moves(server: Server, browsers: Browsers) -> None:
    anna, ben = browsers.visitor(server), browsers.visitor(server)
    invite(anna, ben, "/?board=subtract-a-prime:60")
    mark(anna, ben)
    anna.move("3")
    left = 57
    for place in ("#move", "#takeback button"):
        if place == "#move":
            anna.page.fill(place, "13")
        anna.page.focus(place)
        before, scrolled = anna.focused, anna.page.evaluate("window.scrollY")
        said = anna.page.inner_text("#news")
        ben.move("2")
        left -= 2
        anna.see("#news", f"played 2. {left} is left. Your turn.")
        assert anna.page.inner_text("#news") != said, "the change is told"
        assert anna.focused == before, f"the focus left {place}"
        assert anna.page.evaluate("window.scrollY") == scrolled
        assert anna.page.input_value("#move") == "13", "what was typed stays typed"
        anna.page.click('#moves button[value="3"]')
        left -= 3
        expect(anna.page.locator("#move")).to_have_value("")
        anna.page.fill("#move", "13")
        ben.see("#board .number", str(left))
    # What is read out wipes nothing out that is still to be read.
    for move, says in (("13", f"Subtract 13: {left - 15} is left."), ("4", "4 is not prime.")):
        if move == "13":
            ben.move("2")
            anna.see("#news", f"played 2. {left - 2} is left. Your turn.")
        anna.page.fill("#move", move)
        anna.see("#move-help", says)
        anna.see("#news", says)
        anna.see("#news", f"played 2. {left - 2} is left. Your turn.")
    for number in range(4):
        anna.page.fill("#move", f"{number}x")
        anna.see("#move-help", f"{number}x")
    assert anna.page.locator("#news > *").count() == 6, "what was read out is forgotten"
    assert_stayed(anna, ben)
    assert live_regions(anna.page) == 1, "one place is read out"
    assert anna.page.get_attribute("#news", "aria-live") == "polite"


def test_without_a_websocket_moves_still_appear(server: Server, browsers: Browsers) -> None:
    """One browser knows none, and every one of the other's is refused."""
    anna, ben = browsers.visitor(server), browsers.visitor(server)
    anna.prepare(REFUSED)
    ben.prepare("delete window.WebSocket")
    invite(anna, ben)
    mark(anna, ben)
    left = 20
    for visitor, other in ((anna, ben), (ben, anna)):
        visitor.move("2")
        left -= 2
        other.see("#board .number", str(left))
        other.see("#turn", "Your turn")
        for one in (anna, ben):
            expect(one.page.locator("#connection")).to_be_hidden()
    assert anna.page.evaluate("window.refused") > 0
    assert_stayed(anna, ben)
