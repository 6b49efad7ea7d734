"""Whole games against the computer: by forms alone, and by keyboard alone."""

from __future__ import annotations

import re

from web.browser import PHONE, Browsers, Visitor, expect
from web.server import Server

MINE_OR_OVER = re.compile("Your turn|You won|You lost")


def number(visitor: Visitor) -> int:
    return int(visitor.page.inner_text("#board .number"))


def test_a_whole_game_without_scripts(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE, scripts=False)
    page = anna.go("/")
    assert page.locator("button:visible", has_text="Copy").count() == 0
    page.select_option("#opponent", "largest")
    page.click("text=Show this board")
    page.click("a.game >> text=Divisor Duel")
    assert page.input_value("#opponent") == "largest"
    assert number(anna) == 60, "the usual number of the game that was chosen"

    # A move that cannot be played: the page again, with the sentence and what was typed.
    page.fill("#move", "7")
    page.click("#send")
    assert page.inner_text("#move-wrong") == "7 does not divide 60."
    assert page.input_value("#move") == "7"
    assert page.locator("#move").get_attribute("aria-invalid") == "true"

    page.fill("#move", "2")
    page.click("#send")
    page.wait_for_url("**/room/*")
    moves = 1
    # The page of a computer that thinks on looks again by itself.
    turn = page.locator("#turn")
    while expect(turn).to_have_text(MINE_OR_OVER) or turn.inner_text() == "Your turn":
        before = number(anna)
        page.locator("#moves button").first.click()
        assert number(anna) < before
        moves += 1
        assert moves < 40
    assert "Divisor Duel" in page.inner_text("#map-heading")
    page.click("text=Analysis")
    expect(page.locator("h1")).to_have_text("Where was it decided?")


def press_to(anna: Visitor, wanted: str, key: str = "Tab") -> None:
    """Press Tab until the element has the focus."""
    for _ in range(40):
        anna.page.keyboard.press(key)
        if anna.focused == wanted:
            return
    raise AssertionError(f"{wanted} cannot be reached by Tab: {anna.focused}")


def test_a_whole_game_by_keyboard(server: Server, browsers: Browsers) -> None:
    """Keys alone, from the address to the end, a rematch and its end."""
    anna = browsers.visitor(server)
    page = anna.go("/")
    keys = page.keyboard
    keys.press("Tab")
    assert anna.focused == "a Skip to the content"
    keys.press("Enter")
    anna.see_focus("main")

    # Choose what to play against whom: the page changes in place, and the focus stays.
    press_to(anna, "card-digit-subtraction-duel")
    keys.press("Enter")
    anna.see("#board", "Digit Subtraction Duel")
    anna.see_focus("card-digit-subtraction-duel")
    press_to(anna, "number-1")
    keys.press("Control+a")
    keys.type("40")
    keys.press("Enter")
    anna.see("#board .number", "40")
    anna.see("#news", "Digit Subtraction Duel 40. Your turn.")
    assert anna.focused == "number-1"
    press_to(anna, "opponent")
    keys.press("End")  # a friend
    anna.see("#turn", "Play a friend")
    keys.press("ArrowUp")
    expect(page.locator("#moves input[name=opponent]")).to_have_value("largest")
    assert anna.focused == "opponent"

    # The first move opens the room. The computer answers with the largest digit.
    press_to(anna, "button 4", key="Shift+Tab")
    keys.press("Enter")
    page.wait_for_url("**/room/*")
    anna.see("#said", "Greedy played 6. 30 is left. Your turn.")

    press_to(anna, "move")
    keys.type("5")
    anna.see("#move-help", "5 is not a digit of 30.")
    keys.press("Enter")
    anna.see("#move-wrong", "5 is not a digit of 30.")
    anna.see("#news", "5 is not a digit of 30.")
    assert anna.focused == "move", "what was wrong can be mended at once"
    keys.type("3")  # it is selected, so this replaces it
    anna.see("#move-help", "Subtract 3: 27 is left.")
    keys.press("Enter")
    anna.see("#news", "played 7. 20 is left. Your turn.")
    assert anna.focused == "move"

    press_to(anna, "button 2", key="Shift+Tab")
    keys.press("Enter")
    anna.see("#news", "played 8. 10 is left. Your turn.")
    assert anna.focused == "moves", "where the button was; the next Tab goes to the first move"
    keys.press("Tab")
    assert anna.focused == "button 1"
    keys.press("Enter")
    anna.see("#news", "played 9. 0 is left. Greedy won.")
    expect(page.locator("#turn")).to_have_text("You lost")
    assert anna.focused == "turn"

    press_to(anna, "button Play again")
    keys.press("Enter")
    anna.see("#history-heading", "Match 2")
    anna.see("#turn", "Your turn")
    assert anna.focused in ("turn", "moves")
    press_to(anna, "summary Resign")
    keys.press("Enter")
    keys.press("Tab")
    assert anna.focused == "button Yes, I resign"
    keys.press("Enter")
    anna.see("#news", "You resigned.")
    assert anna.focused == "turn"
    assert [status for status, _ in anna.refused] == [422]


def test_a_match_is_looked_back_at_and_copied(server: Server, browsers: Browsers) -> None:
    """The arrow keys go through it, and what can be copied is copied whole."""
    anna = browsers.visitor(server)
    anna.prepare("delete Navigator.prototype.share;")
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    word = "divisor-duel:60/15.15.2.14.7"
    page = anna.go(f"replay?match={word}")
    for key, left in (("ArrowRight", "45"), ("ArrowRight", "30"), ("ArrowLeft", "45")):
        with page.expect_navigation():  # its script hears the next key
            page.keyboard.press(key)
        anna.see(".number", left)
    for path in (f"analysis?match={word}", f"explore?board=divisor-duel:{2**89 - 1}"):
        anna.go(path)
        fields = [one.get_attribute("data-copy") for one in page.locator("[data-copy]").all()]
        assert fields
        for times, field in enumerate(fields, 1):
            page.click(f'button[data-copy="{field}"]')
            expect(page.locator("#news > p")).to_have_text(["Copied."] * times)
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied == page.input_value(f"#{field}")
    assert copied == str(2**89 - 1)
