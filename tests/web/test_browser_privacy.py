"""What a browser is given and told: nothing from elsewhere, one cookie, and text as text."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from urllib.parse import quote

from patience import until
from web.accessible import found_by_axe
from web.browser import Browsers, Visitor, expect
from web.playing import asking
from web.server import Server, running
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
    for wrong in (
        "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')",
        "document.body.append(Object.assign(document.createElement('img'),"
        " {src: 'http://127.0.0.1:9/x.png'}))",
        "setTimeout(() => nothing_has_this_name())",
    ):
        anna = browsers.visitor(server)
        anna.go("/")
        anna.check()
        anna.page.evaluate(wrong)
        until(partial(is_noticed, anna))
        anna.leave()


def test_looking_leaves_no_trace(server: Server, browsers: Browsers) -> None:
    """No cookie is set and nothing is kept by looking at pages."""
    anna = browsers.visitor(server)
    for path in ("", "learn/divisor-duel", "rules", "explore?board=subtract-a-prime:20", "puzzle",
                 "replay?match=divisor-duel:60/15.15", "api", "nowhere"):  # fmt: skip
        anna.go(path)
        assert anna.page.evaluate(KEPT) == NOTHING
    with asking(server) as client:
        watching = next(one for one in STATES if one.name == "room: watching")
        watching.reach(Stage(anna, client))
    assert anna.page.evaluate(KEPT) == NOTHING
    assert anna.context.cookies() == []
    anna.check()
    anna.leave()


def test_a_player_has_one_cookie_that_scripts_cannot_read(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server)
    anna.go("/?board=digit-subtraction-duel:40")
    anna.move("4")
    anna.page.wait_for_url("**/room/*")
    anna.see("#turn", "Your turn")
    [cookie] = anna.context.cookies()
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Lax"
    assert cookie["path"] == "/"
    assert cookie["domain"] == "127.0.0.1"
    assert len(cookie["value"]) == 22, "128 bits"
    assert anna.page.evaluate(KEPT) == NOTHING | {"local": 1}, "the way back to the match"
    code = anna.path.rpartition("/")[2]
    assert anna.page.evaluate("({ ...localStorage })") == {"numduel-rooms": f'["{code}"]'}
    assert cookie["value"] not in anna.page.content()
    anna.check()
    anna.leave()


def assert_text(anna: Visitor) -> None:
    """Nothing on the page comes from what was sent, but its letters."""
    made = anna.page.locator('img[src="x"], script:not([src]), [onerror], [onload]')
    assert made.count() == 0, anna.page.url
    assert anna.page.evaluate("window.hacked === undefined"), anna.page.url
    anna.check()


def test_what_is_sent_is_shown_as_text(server: Server, browsers: Browsers) -> None:
    text, shown = MARKUP, MARKUP[:30]  # sentences cite what is long in part
    anna = browsers.visitor(server)
    page = anna.page
    page.on("dialog", lambda dialog: anna.complaints.append(dialog.message))
    encoded = quote(text, safe="")
    for path in (
        f"?board={encoded}", f"?game={encoded}&number={encoded}", f"?opponent={encoded}",
        f"?minutes={encoded}&penalty={encoded}", f"explore?board={encoded}",
        f"explore?game={encoded}&number={encoded}", f"replay?match={encoded}",
        f"analysis?match={encoded}", f"puzzle?day={encoded}&kind={encoded}", f"room/{encoded}",
        f"rules/{encoded}", f"learn/{encoded}", f"{encoded}", f"replay/{encoded}",
    ):  # fmt: skip
        anna.go(path)
        assert_text(anna)
    # The same through forms and scripts: a first move, a move in a room, a match, an answer.
    anna.go("/")
    page.fill("#move", text)
    expect(page.locator("#move-help")).to_have_attribute("data-ok", "no")
    anna.see("#move-help", shown)
    assert_text(anna)
    page.press("#move", "Enter")
    anna.see("#move-wrong", shown)
    assert page.input_value("#move") == text
    assert_text(anna)
    anna.go("/?board=digit-subtraction-duel:40")
    anna.move("4")
    page.wait_for_url("**/room/*")
    anna.see("#turn", "Your turn")
    page.fill("#move", text)
    page.press("#move", "Enter")
    anna.see("#move-wrong", shown)
    anna.see("#news", shown)
    assert_text(anna)
    anna.go("replay")
    page.fill("#match", text)
    with page.expect_navigation():
        page.click("text=Replay it")
    assert page.input_value("#match") == text
    assert_text(anna)
    for path in ("puzzle?day=2026-03-09", "learn/divisor-duel"):
        anna.go(path)
        button = page.locator("main form button[name=answer]").first
        button.evaluate("(button, text) => button.value = text", text)
        with page.expect_navigation():
            button.click()
        page.wait_for_selector("[role=status]")
        assert_text(anna)
    anna.leave()


def test_who_asks_for_too_much_is_told_so_on_a_page(browsers: Browsers, tmp_path: Path) -> None:
    with running(str(tmp_path / "rooms.sqlite3"), rooms_per_minute=1) as server:
        anna = browsers.visitor(server)
        anna.go("/")
        anna.move("2")
        page = anna.page
        page.wait_for_url("**/room/*")
        anna.go("/")
        anna.move("2")
        expect(page.locator("h1")).to_have_text("One moment, please")
        assert (429, "/rooms") in anna.refused
        assert found_by_axe(page) == []
        page.click("text=Play a game")
        expect(page.locator("h1")).to_have_text("Your turn")
        anna.check()
        anna.leave()
