"""What a browser is given and told: nothing from elsewhere, one cookie, and text as text."""

from __future__ import annotations

from functools import partial
from urllib.parse import quote

from patience import until
from web.browser import Browsers, Visitor, expect
from web.playing import asking
from web.server import Server
from web.states import STATES, Stage

MARKUP = (
    '<img src=x onerror="window.hacked=1">"><script>window.hacked=1</script>'
    "'-window.hacked=1-'{{7*7}}${7*7}</textarea></title><svg onload=window.hacked=1>"
)
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


def assert_text(anna: Visitor) -> None:
    """Nothing on the page comes from what was sent, but its letters."""
    made = anna.page.locator('img[src="x"], script:not([src]), [onerror], [onload]')
    assert made.count() == 0, anna.page.url
    assert anna.page.evaluate("window.hacked === undefined"), anna.page.url
    anna.check()


def test_what_is_sent_is_shown_as_text(server: Server, browsers: Browsers) -> None:
    """By scripts too: while somebody types, in a first move, in a room, and read out."""
    anna = browsers.visitor(server)
    page = anna.go(f"explore?board={quote(MARKUP, safe='')}")
    assert_text(anna)
    anna.go("/?board=digit-subtraction-duel:40")
    for room in (False, True):
        if room:
            anna.move("4")
            page.wait_for_url("**/room/*")
            anna.see("#turn", "Your turn")
        page.fill("#move", MARKUP)
        expect(page.locator("#move-help")).to_have_attribute("data-ok", "no")
        anna.see("#move-help", MARKUP[:30])  # sentences cite what is long in part
        assert_text(anna)
        page.press("#move", "Enter")
        anna.see("#move-wrong", MARKUP[:30])
        assert page.input_value("#move") == MARKUP
        assert_text(anna)
    anna.see("#news", MARKUP[:30])
