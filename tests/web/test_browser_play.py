"""Playing in the browser: moves are seen, digits go to the field, the end is an event."""

from __future__ import annotations

import re

import pytest

from web.browser import LAPTOP, PHONE, Browsers, Held, expect
from web.server import Server

OVERFLOWING = """
[...document.querySelectorAll("button:not(.visually-hidden), .button, a.game")]
  .filter(e => e.offsetParent)
  .filter(e => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth)
  .map(e => e.innerText)
"""
COUNTED = """
window.painted = [];
new MutationObserver(() => {
  const n = document.querySelector("#board .number.counting");
  for (const way of n ? n.getAnimations() : []) {
    const length = way.effect.getComputedTiming().duration;
    for (const part of [0, 0.5, 1]) {
      way.currentTime = part * (length - 1);
      window.painted.push([Number(getComputedStyle(n).getPropertyValue("--count")),
                           Number(n.textContent)]);
    }
  }
}).observe(document.body, {subtree: true, attributes: true, attributeFilter: ["class"]});
"""
"""Looks at the way as soon as it begins, at three places: no frame need be drawn in time."""


def test_the_first_move_is_seen_before_it_is_answered(server: Server, browsers: Browsers) -> None:
    """However quick the computer is: first one hop, then two. The focus stays at the moves."""
    anna = browsers.visitor(server)
    anna.stop_time()
    page = anna.go("/")
    page.click("button.move[value='5']")
    page.wait_for_url(re.compile("/room/"))
    anna.see("#turn", "Pip is thinking")
    expect(page.locator(".hop")).to_have_count(1)
    expect(page.locator("#board .number")).to_have_text("20")
    anna.see_focus("moves")
    anna.go_on()
    expect(page.locator(".hop")).to_have_count(2)
    anna.see("#turn", "Your turn")
    assert page.locator(".hop.mine, circle.mine").count() == 2
    assert page.locator(".hop.theirs, rect.theirs").count() == 2
    assert "seen" not in page.url
    anna.check()
    anna.leave()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_number_counts_down_for_eyes_alone(
    server: Server, browsers: Browsers, motion: str
) -> None:
    """What stands on the page is right at once; what is painted passes through between."""
    anna = browsers.visitor(server, reduced_motion=motion)
    page = anna.go("/?board=digit-subtraction-duel:999&opponent=largest")
    page.click("button.move")
    anna.see_turns(2)
    before = int(page.inner_text("#board .number"))
    page.evaluate(COUNTED)
    page.click("button.move")
    anna.see_turns(4)
    painted = page.evaluate("window.painted")
    if motion == "reduce":
        assert painted == []
    else:
        assert painted[0][0] == before
        assert all(before >= count >= text for count, text in painted)
        assert any(before > count > text for count, text in painted)
    anna.leave()


def test_digits_typed_anywhere_go_to_the_field(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server)
    page = anna.go("/")
    page.keyboard.type("5")
    assert (anna.focused, page.input_value("#move")) == ("move", "5")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/room/"))
    anna.see("#turn", "Your turn")
    page.keyboard.type("12")
    assert (anna.focused, page.input_value("#move")) == ("move", "12")
    anna.go("/")
    page.focus("#number-1")
    page.keyboard.press("Control+a")
    page.keyboard.type("31")
    assert page.input_value("#number-1") == "31", "a field of its own keeps its digits"
    assert page.input_value("#move") == ""
    anna.leave()


def test_what_is_wrong_with_a_move_is_told_once(server: Server, browsers: Browsers) -> None:
    """Also to whoever presses Enter before the check while typing has begun."""
    anna = browsers.visitor(server)
    anna.stop_time()
    page = anna.go("/?board=divisor-duel:60&opponent=perfect")
    page.click("button.move[value='10']")
    page.wait_for_selector("#room")
    page.clock.run_for(3_000)
    expect(page.locator("#turn")).to_have_text("Your turn")
    usual = page.inner_text("#move-help")
    page.locator("#move").press_sequentially("7777")
    page.press("#move", "Enter")
    expect(page.locator("#move-wrong")).to_contain_text("7777 is not")
    page.clock.run_for(2_000)
    page.wait_for_load_state("networkidle")
    assert page.inner_text("#move-help") == usual
    anna.check()
    anna.leave()


@pytest.mark.parametrize(("wins", "first"), [(True, "19"), (False, "2")])
def test_the_map_and_the_idea_stand_beside_the_result(
    server: Server, browsers: Browsers, wins: bool, first: str
) -> None:
    anna = browsers.visitor(server, (1280, 720))
    page = anna.go("/?board=subtract-a-prime:20&opponent=perfect")
    page.click(f"button.move[value='{first}']")
    turns = anna.wait_for_turn(0)
    while turns:
        page.locator("button.move").first.click()
        turns = anna.wait_for_turn(turns)
    anna.see("#turn", "You won" if wins else "You lost")
    for selector in ("#turn", "#idea", ".hundred li:nth-child(60)", "#over button.primary"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720, f"{selector} is below the fold"
    assert "whoever must move from one loses" in page.inner_text("#idea")
    assert page.locator(".confetti").count() == wins
    assert page.locator(f".table.{'won' if wins else 'lost'}").count() == 1
    anna.leave()


@pytest.mark.parametrize("window", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_no_words_stand_over_the_edge_of_a_button(
    server: Server, browsers: Browsers, window: tuple[int, int]
) -> None:
    anna = browsers.visitor(server, window)
    long = 2**100 * 10**30 - 0
    for board in (f"power-play:{long}", "subtract-a-prime:9999", "divisor-duel:" + "7" * 60):
        page = anna.go(f"/?board={board}")
        assert page.evaluate(OVERFLOWING) == [], board
    anna.leave()


def test_on_a_phone_three_numbers_stay_in_sight_of_their_moves(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server, PHONE)
    page = anna.go("/?board=subtract-a-prime:40%2Bdivisor-duel:60%2Bdigit-subtraction-duel:25")
    last = page.locator("button.move").last
    last.scroll_into_view_if_needed()
    move, board = last.bounding_box(), page.locator("#board").bounding_box()
    assert move is not None
    assert board is not None
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= move["y"]
    anna.leave()


def test_every_move_of_a_long_list_can_be_reached_as_a_button(
    server: Server, browsers: Browsers
) -> None:
    """The list scrolls by itself, so that the field stays near."""
    anna = browsers.visitor(server)
    page = anna.go("/?board=subtract-a-prime:997")
    buttons = page.locator("button.move")
    assert buttons.count() == 168, "the primes up to 997"
    box = page.locator(".moves.many").bounding_box()
    assert box is not None
    assert box["height"] < 400
    buttons.nth(166).click()
    page.wait_for_url(re.compile("/room/"))
    anna.see("#history", "−991")
    anna.leave()


def test_a_move_made_while_a_hint_is_on_its_way_is_played_once(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server)
    page = anna.go("/?board=digit-subtraction-duel:999&opponent=largest")
    page.click("button.move")
    anna.see_turns(2)
    hints, plays = Held(anna, "**/table?*"), Held(anna, "**/play")
    page.click("#ask-hint button")
    hint = hints.next()
    page.click("button.move")
    page.click("button.move")
    hint.continue_()
    play = plays.next()
    page.click("button.move")
    play.continue_()
    anna.see_turns(4)
    assert plays.routes == []
    anna.check()
    anna.leave()
