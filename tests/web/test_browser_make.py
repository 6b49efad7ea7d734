"""Making a rule in a real browser: the page follows each tap, and a game comes out of it."""

from __future__ import annotations

from web.accessible import found_by_axe
from web.browser import PHONE, Browsers, assert_stayed, expect, mark
from web.server import Server


def tap(page: object, words: str) -> None:
    page.get_by_label(words, exact=True).click()  # type: ignore[attr-defined]


def test_the_rule_follows_each_tap(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    page = anna.go("/make?rule=subtract-1-3-4&number=21")
    mark(anna)
    tap(page, "4")
    anna.see("#says", "Take away 1 or 3.")
    expect(page.locator("#make .hundred .lost")).to_have_count(25)  # every even number
    tap(page, "halve")
    anna.see("#says", "Halve the number if it is even, or take away 1 or 3.")
    assert page.url.endswith("/make?rule=halve-or-subtract-1-3&number=21")
    tap(page, "any amount")
    anna.see("#says", "Take away any amount.")
    expect(page.get_by_label("3", exact=True)).not_to_be_checked()
    tap(page, "5")
    anna.see("#says", "Take away 5.")
    expect(page.get_by_label("any amount")).not_to_be_checked()
    tap(page, "5")
    anna.see("#made", "No rule yet")
    anna.see("#news", "Choose at least one thing that a turn may do.")
    tap(page, "1")
    page.click("#more summary")
    page.fill("#from", "5")
    page.fill("#to", "30")
    page.press("#to", "Enter")
    anna.see("#says", "Take away 1 or 5 to 30.")
    assert_stayed(anna)
    page.fill("#rule", "subtract-primes")
    page.press("#rule", "Enter")
    anna.see("#rule-wrong", "Did you mean subtract-prime?")
    anna.see("#news", "Did you mean subtract-prime?")
    assert anna.focused == "rule"
    page.click("#more a")
    anna.see("#says", "Take away a prime.")


def test_a_rule_is_sent_to_a_friend(server: Server, browsers: Browsers) -> None:
    anna, ben = browsers.visitor(server), browsers.visitor(server, PHONE)
    page = anna.go("/make?rule=halve-or-subtract-1&number=6")
    page.click("#send summary")
    expect(page.locator("img.qr")).to_be_visible()
    assert page.input_value("#link").endswith("/?board=halve-or-subtract-1:6")
    page.click("#made-links a:has-text('Play a friend')")
    page.fill("#start-name", "Anna")
    page.click("#start button")
    anna.see("#turn", "Waiting for your friend")
    ben.page.goto(page.input_value("#link"))
    ben.see("body", "Halve the number if it is even, or take away 1.")
    ben.see("#turn", "Anna invites you")
    assert found_by_axe(ben.page) == []
    ben.page.fill("#name", "Ben")
    ben.page.press("#name", "Enter")
    anna.see("#seat-2", "Ben")
    anna.see("#moves", "÷2")
    anna.move("3")
    ben.see("#board", "3")
    ben.move("1")
    anna.move("1")
    ben.move("1")
    anna.see("#turn", "You lost")
    ben.see("#turn", "You won")
