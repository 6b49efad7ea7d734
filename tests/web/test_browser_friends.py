"""Friends in real browsers: a name that is remembered, a link that is shared."""

from __future__ import annotations

import re
from socket import create_server

from playwright.sync_api import Page

from patience import until
from web.accessible import SHIFTS, found_by_axe, shifted
from web.browser import LAPTOP, PHONE, ZOOMED, Browsers, Visitor, expect, invite
from web.playing import asking, duel, sat_down
from web.server import Server

SHARES = """
window.shared = [];
navigator.share = async (what) => { window.shared.push(what); };
"""
MOVED_BY_LINK = """() => {
  const others = [...document.querySelectorAll("body *:not(.waiting-match)")]
    .filter((one) => one.checkVisibility());
  const places = () => others.map((one) => JSON.stringify(one.getBoundingClientRect()));
  const link = document.querySelector(".waiting-match");
  const there = places();
  link.hidden = true;
  const gone = places();
  link.hidden = false;
  return others.filter((one, at) => there[at] !== gone[at]).map((one) => one.outerHTML);
}"""
"""What stands elsewhere without the link to a match."""
CLOSES = """
navigator.share = async () => { throw new DOMException("closed", "AbortError"); };
"""


def seat(page: Page, number: int) -> str:
    return page.inner_text(f"#seat-{number} strong")


def open_room(host: Visitor, name: str = "") -> None:
    host.go("/?board=divisor-duel:60")
    if name:
        host.page.fill("#name", name)
    host.page.click("#friend")
    host.see("#turn", "Waiting for your friend")


def test_a_browser_remembers_the_name(server: Server, browsers: Browsers) -> None:
    anna, ben = browsers.visitor(server), browsers.visitor(server, PHONE, apart=True)
    open_room(anna, "Anna")
    assert seat(anna.page, 1) == "Anna"
    ben.go(anna.path)
    ben.see("#turn", "Anna invites you")
    assert found_by_axe(ben.page) == []
    expect(ben.page.locator("#name")).to_have_value("")
    ben.page.fill("#name", "Ben")
    ben.page.press("#name", "Enter")
    ben.see("#seat-2", "Ben")
    anna.see("#seat-2", "Ben")
    for visitor, name in ((anna, "Anna"), (ben, "Ben")):
        visitor.go("/")
        expect(visitor.page.locator("#name")).to_have_value(name)
    ben.page.fill("#name", "")
    ben.page.click("#friend")
    ben.see("#turn", "Waiting for your friend")
    ben.go("/")
    expect(ben.page.locator("#name")).to_have_value("")
    for visitor in (anna, ben):
        visitor.check()
        visitor.leave()


def test_the_link_goes_to_the_share_sheet_where_there_is_one(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server, PHONE)
    anna.context.add_init_script(SHARES)
    open_room(anna, "Anna")
    button = anna.page.get_by_role("button", name="Share")
    button.click()
    told = anna.page.evaluate("window.shared")
    assert told == [{"title": "Anna invites you to a number duel", "url": anna.page.url}]
    anna.check()
    anna.leave()


def test_closing_the_share_sheet_copies_nothing(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    anna.context.add_init_script(CLOSES)
    open_room(anna)
    anna.page.get_by_role("button", name="Share").click()
    anna.page.get_by_role("button", name="Share").click()
    assert "Copied" not in anna.page.inner_text("#waiting")
    anna.check()
    anna.leave()


def test_without_a_share_sheet_the_link_is_copied(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server)
    anna.context.add_init_script("delete Navigator.prototype.share;")
    anna.stop_time()
    open_room(anna)
    anna.page.get_by_role("button", name="Copy").click()
    anna.see("#waiting", re.compile("Copied|Press Ctrl"))
    anna.check()
    anna.leave()


def test_a_replay_can_be_copied(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server)
    anna.context.add_init_script("delete Navigator.prototype.share;")
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for kind in ("replay", "analysis"):
        page = anna.go(f"/{kind}?match=divisor-duel:60/15.15.2")
        for times, field in enumerate(("address", "notation"), 1):
            page.click(f'button[data-copy="{field}"]')
            expect(page.locator("#news > p")).to_have_text(["Copied."] * times)
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied == page.input_value(f"#{field}")
        assert found_by_axe(page) == []
    page.goto(page.input_value("#address"))
    assert "divisor-duel:60/15.15.2" in page.url
    anna.check()
    anna.leave()


def test_home_leads_back_to_a_match_that_goes_on(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    waiting = anna.page.locator(".waiting-match")
    anna.go("/")
    anna.page.wait_for_load_state("networkidle")
    expect(waiting).to_have_count(0)
    paths = []
    for opponent in ("friend", "perfect"):
        anna.go(f"/?board=divisor-duel:60{'&opponent=perfect' if opponent == 'perfect' else ''}")
        if opponent == "friend":
            anna.page.click("#friend")
        else:
            anna.move("15")
        anna.page.wait_for_url("**/room/*")
        paths.append(anna.path)
    anna.go("/")
    expect(waiting).to_have_attribute("href", paths[1])
    for width, height in (LAPTOP, ZOOMED, (737, 900), PHONE):
        anna.page.set_viewport_size({"width": width, "height": height})
        assert anna.page.evaluate(MOVED_BY_LINK) == []
        assert found_by_axe(anna.page) == []
    waiting.click()
    anna.page.click("#resign summary")
    anna.page.click("#resign-form button")
    anna.see("#turn", "You lost")
    anna.go("/")
    expect(waiting).to_have_attribute("href", paths[0])
    waiting.click()
    anna.page.click("#delete summary")
    anna.page.click("#delete-form button")
    anna.page.wait_for_url("**/?deleted=1")
    anna.page.wait_for_load_state("networkidle")
    expect(waiting).to_have_count(0)
    anna.check()
    anna.leave()


def test_a_match_that_ended_meanwhile_does_not_wait(server: Server, browsers: Browsers) -> None:
    anna, ben = browsers.visitor(server), browsers.visitor(server, apart=True)
    path = invite(anna, ben, "/?board=divisor-duel:60")
    anna.go("/learn")
    ben.page.click("#resign summary")
    ben.page.click("#resign-form button")
    ben.see("#turn", "You lost")
    asked = f"{path}/version"
    with anna.page.expect_response(lambda answer: answer.url.endswith(asked)):
        anna.go("/")
    until(lambda: path[-10:] not in str(anna.page.evaluate("localStorage['numduel-rooms']")))
    expect(anna.page.locator(".waiting-match")).to_have_count(0)
    ben.go("/")
    ben.page.wait_for_load_state("networkidle")
    expect(ben.page.locator(".waiting-match")).to_have_count(0)
    for visitor in (anna, ben):
        visitor.check()
        visitor.leave()


def test_who_leaves_before_the_live_connection_is_there_leaves_in_silence(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server, bypass_csp=True)
    with create_server(("127.0.0.1", 0)) as deaf:  # takes the connection, and never answers
        anna.context.add_init_script(
            "const Real = WebSocket; window.WebSocket = class extends Real {"
            f" constructor() {{ super('ws://127.0.0.1:{deaf.getsockname()[1]}/'); }} }};"
        )
        open_room(anna)
        anna.page.wait_for_load_state()
        anna.page.click("#delete summary")
        anna.page.click("#delete-form button")
        anna.page.wait_for_url("**/?deleted=1")
    assert anna.complaints == []
    anna.leave()


def test_who_watches_has_no_match_that_waits(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server)
    with asking(server) as client:
        anna.go(f"/room/{duel(client)[0].code}")
    anna.see("#full", "You are watching.")
    anna.go("/")
    anna.page.wait_for_load_state("networkidle")
    expect(anna.page.locator(".waiting-match")).to_have_count(0)
    anna.leave()


def test_friends_see_who_is_there_and_who_has_left(server: Server, browsers: Browsers) -> None:
    anna, ben = browsers.visitor(server), browsers.visitor(server, PHONE, apart=True)
    cleo = browsers.visitor(server)
    anna.context.add_init_script(SHIFTS)
    path = invite(anna, ben, "/?board=divisor-duel:60")
    cleo.go(path)
    for visitor, seats in ((anna, [2]), (ben, [1]), (cleo, [1, 2])):
        shown = visitor.page.locator(".presence")
        expect(shown).to_have_text(["here"] * len(seats))
        assert [one.get_attribute("data-seat") for one in shown.all()] == [str(s) for s in seats]
        assert found_by_axe(visitor.page) == []
    anna.move("15")
    ben.see("#said", "played 15")
    expect(ben.page.locator(".presence")).to_have_text("here")
    anna.see_turns(1)
    told = anna.page.inner_text("#news")
    shifted(anna.page)
    ben.go("/learn")
    expect(anna.page.locator(".presence")).to_have_text("away")
    expect(cleo.page.locator(".presence")).to_have_text(["here", "away"])
    assert anna.page.inner_text("#news") == told, "coming and going is not read out"
    assert shifted(anna.page) == 0
    ben.go(path)
    expect(anna.page.locator(".presence")).to_have_text("here")
    for visitor in (anna, ben, cleo):
        visitor.check()
        visitor.leave()


def test_nobody_is_called_away_who_was_never_connected(server: Server, browsers: Browsers) -> None:
    """A program that asks for news without a live connection, or a page without scripts."""
    anna = browsers.visitor(server)
    open_room(anna)
    with asking(server) as client:
        sat_down(client, anna.path.rpartition("/")[2])
    anna.see("#turn", "Your turn")
    expect(anna.page.locator(".presence")).to_have_text("")
    ben = browsers.visitor(server, java_script_enabled=False)
    ben.go(anna.path)
    expect(ben.page.locator(".presence").first).to_be_hidden()
    for visitor in (anna, ben):
        visitor.check()
        visitor.leave()
