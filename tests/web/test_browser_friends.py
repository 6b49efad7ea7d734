"""Friends in real browsers: a name that is remembered, a link that is shared."""

from __future__ import annotations

import re

from patience import until
from web.browser import PHONE, ZOOMED, Browsers, Visitor, expect
from web.playing import asking, sat_down, told
from web.server import Server

SHARES = """
window.shared = [];
navigator.share = async (what) => {
  window.shared.push(window.closes ? "closed" : what);
  if (window.closes) throw new DOMException("closed", "AbortError");
};
// Browsers complain of one that is closed before it is open.
window.WebSocket = class { readyState = 0; close() { console.error("too soon"); } };
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


def open_room(host: Visitor, name: str = "") -> None:
    host.go("/?board=divisor-duel:60")
    if name:
        host.page.fill("#name", name)
    host.page.click("#friend")
    host.see("#turn", "Waiting for your friend")


def test_the_link_is_shared_or_copied_and_the_name_kept(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    anna.prepare(SHARES)
    open_room(anna, "Anna")
    page = anna.page
    button = page.get_by_role("button", name="Share")
    button.click()
    sent = [{"title": "Anna invites you to a number duel", "url": page.url}]
    assert page.evaluate("window.shared") == sent
    page.evaluate("window.closes = true")
    button.click()
    assert page.evaluate("window.shared") == [*sent, "closed"]
    assert "Copied" not in page.inner_text("#waiting"), "whoever closes the sheet copies nothing"
    page.evaluate("delete navigator.share; delete Navigator.prototype.share;")
    button.click()
    anna.see("#news", re.compile("Copied|Press Ctrl"))
    # The browser remembers the name that was used last, or that none was.
    for name in ("Anna", ""):
        anna.go("/")
        expect(page.locator("#name")).to_have_value(name)
        if name:
            page.fill("#name", "")
            page.click("#friend")
            anna.see("#turn", "Waiting for your friend")
            page.wait_for_load_state()
            page.click("#delete summary")
            page.click("#delete-form button")
            page.wait_for_url("**/?deleted=1")


def test_home_leads_back_to_a_match_that_goes_on(server: Server, browsers: Browsers) -> None:
    """To the last of those that have not ended, whoever ended them."""
    anna = browsers.visitor(server, PHONE)
    waiting = anna.page.locator(".waiting-match")
    open_room(anna)
    paths = [anna.path]
    with asking(server) as client:
        other = sat_down(client, anna.path.rpartition("/")[2])
        anna.see("#turn", "Your turn")
        # Who asks for news without a live connection was never here, and is not called away.
        expect(anna.page.locator(".presence")).to_have_text("")
        anna.go("/?board=divisor-duel:60&opponent=perfect")
        anna.move("15")
        anna.page.wait_for_url("**/room/*")
        paths.append(anna.path)
        anna.go("/")
        expect(waiting).to_have_attribute("href", paths[1])
        for window in (ZOOMED, (737, 900)):
            anna.resize(window)
            assert anna.page.evaluate(MOVED_BY_LINK) == []
        waiting.click()
        anna.page.click("#delete summary")
        anna.page.click("#delete-form button")
        anna.page.wait_for_url("**/?deleted=1")
        expect(waiting).to_have_attribute("href", paths[0])
        told(other.do("/resign"))
    anna.go("/")
    until(lambda: anna.page.evaluate("localStorage['numduel-rooms'] === undefined"))
    expect(waiting).to_have_count(0)
