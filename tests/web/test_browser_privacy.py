"""What a browser is given and told: nothing from elsewhere, and one cookie."""

from __future__ import annotations

from functools import partial

from patience import until
from web.browser import Browsers, Visitor, expect
from web.playing import asking
from web.server import Server
from web.states import STATES, Stage

KEPT = """async () => ({
  seen: document.cookie,
  local: localStorage.length,
  session: sessionStorage.length,
  databases: (await indexedDB.databases()).length,
  caches: "caches" in window ? (await caches.keys()).length : 0,
  workers: "serviceWorker" in navigator
    ? (await navigator.serviceWorker.getRegistrations()).length : 0,
})"""
NOTHING = {"seen": "", "local": 0, "session": 0, "databases": 0, "caches": 0, "workers": 0}


def is_noticed(visitor: Visitor) -> bool:
    """Does the watch tell of something? The browser may need a moment."""
    visitor.page.wait_for_timeout(20)
    try:
        visitor.check()
    except AssertionError:
        return True
    return False


def test_the_watch_would_notice(server: Server, browsers: Browsers) -> None:
    """A script of the page's own, a style, and a picture from elsewhere are told of."""
    anna = browsers.visitor(server)
    for wrong in (
        "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')",
        "document.body.append(Object.assign(document.createElement('img'),"
        " {src: 'http://127.0.0.1:9/x.png'}))",
        "setTimeout(() => nothing_has_this_name())",
    ):
        anna.go("/")
        anna.check()
        anna.page.evaluate(wrong)
        until(partial(is_noticed, anna))
        anna.complaints.clear()
        anna.asked.clear()


def test_looking_leaves_no_trace_and_playing_one_cookie(server: Server, browsers: Browsers) -> None:
    """Scripts cannot read the cookie; they keep the way back to the match."""
    anna = browsers.visitor(server)
    for path in ("learn/divisor-duel", "puzzle", "replay?match=divisor-duel:60/15.15"):
        anna.go(path)
        assert anna.page.evaluate(KEPT) == NOTHING
    with asking(server) as client:
        watching = next(one for one in STATES if one.name == "room: watching")
        watching.reach(Stage(anna, client))
    assert anna.page.evaluate(KEPT) == NOTHING
    anna.go("/?board=digit-subtraction-duel:40")
    assert anna.page.evaluate(KEPT) == NOTHING
    expect(anna.page.locator(".waiting-match")).to_have_count(0)
    assert anna.context.cookies() == []
    anna.move("4")
    anna.page.wait_for_url("**/room/*")
    anna.see("#turn", "Your turn")
    [cookie] = anna.context.cookies()
    assert cookie["httpOnly"]
    assert anna.page.evaluate(KEPT) == NOTHING | {"local": 1}
    code = anna.path.rpartition("/")[2]
    assert anna.page.evaluate("({ ...localStorage })") == {"numduel-rooms": f'["{code}"]'}
    assert cookie["value"] not in anna.page.content()
