"""Two browsers play by a link, others watch: live, and through a network that is lost."""

import re

from patience import until
from web.accessible import IN_SIGHT, SHIFTS, live_regions, shifted
from web.browser import LOST, PHONE, Browsers, Visitor, assert_stayed, expect, invite, mark
from web.classroom import classroom, teacher_of
from web.playing import asking, sat_down, told
from web.server import Server

SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(address) { super(address); sockets.push(this); }
};
"""


def sees_at_the_foot_of_the_page(visitor: Visitor, selector: str) -> None:
    """What matters comes to where somebody looks, however far they have scrolled."""
    visitor.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(visitor.page.locator(selector)).to_be_in_viewport(ratio=1)


def test_two_browsers_play_to_the_end_while_a_third_watches(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server)
    ben = browsers.visitor(server, (390, 664))
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

    # A takeback is asked for, and granted.
    ben.page.click("#takeback button")
    cleo.see("#asked", f"{names[1]} asks to take back their last move")
    sees_at_the_foot_of_the_page(anna, '#asked button[value="1"]')
    anna.page.click('#asked button[value="1"]')
    for visitor in (anna, ben, cleo):
        expect(visitor.page.locator("#asked")).to_have_count(0)
        visitor.see("#board .number", "18")
    ben.see("#news", "Taken back.")

    # Somebody types while the other moves: the focus and what is typed stay where they are, and
    # what is read out wipes nothing out that is still to be read.
    anna.page.fill("#move", "13")
    before = [anna.focused, anna.page.evaluate("scrollY")]
    shifts = []
    for visitor, move, left in ((ben, "11", "7"), (anna, "2", "5"), (ben, "3", "2")):
        shifted(cleo.page)
        visitor.move(move)
        cleo.see("#board .number", left)
        shifts.append(shifted(cleo.page))
        if move == "11":
            anna.see("#news", "played 11. 7 is left. Your turn.")
            assert [anna.focused, anna.page.evaluate("scrollY")] == before
            assert anna.page.input_value("#move") == "13"
            anna.page.fill("#move", "4")
            for place in ("#move-help", "#news"):
                anna.see(place, "4 is not prime.")
            anna.see("#news", "played 11. 7 is left. Your turn.")
        else:
            expect(anna.page.locator("#move")).to_have_value("")
    assert max(shifts) < 0.01, "what moves on the page when somebody plays"
    anna.move("2")
    anna.see("#turn", "You won")
    ben.see("#turn", "You lost")
    cleo.see("#turn", f"{names[0]} won")
    cleo.see("#turning", "turning point")

    # Another round: the other begins, and whoever watches comes along.
    anna.page.click("#rematch button")
    ben.see("#news", f"{names[0]} offers a rematch.")
    sees_at_the_foot_of_the_page(ben, "#rematch button")
    ben.page.click("#rematch button")
    ben.see("#turn", "Your turn")
    for visitor in (anna, cleo):
        visitor.see("#turn", f"{names[1]}'s turn")
        visitor.see("#history-heading", "Match 2")
        visitor.see("#seat-1 .wins", "1")
    assert cleo.path == room
    assert live_regions(cleo.page) == 1, "one place is read out"
    assert cleo.page.locator("#news > *").count() == 6, "what was read out is forgotten"
    assert_stayed(anna, ben, cleo)


def test_play_and_class_go_on_through_a_lost_network(server: Server, browsers: Browsers) -> None:
    anna, ben = browsers.visitor(server), browsers.visitor(server)
    with classroom(server) as school:
        teacher = teacher_of(browsers, server, school)
        lost = (anna, teacher)
        for visitor in lost:
            visitor.prepare(SOCKETS)
        ben.prepare("delete window.WebSocket")
        invite(anna, ben)
        teacher.go(f"{school.at}/teacher")
        mark(anna, ben, teacher)
        anna.move("2")
        ben.see("#turn", "Your turn")
        expect(ben.page.locator("#connection")).to_be_hidden()
        ben.move("2")
        anna.see("#board .number", "16")
        for visitor in lost:
            visitor.wait("() => sockets.at(-1).readyState === 1", None)
            visitor.context.set_offline(True)
            visitor.page.evaluate("sockets.at(-1).close()")
            visitor.see("#connection", "Connection lost.")
            sees_at_the_foot_of_the_page(visitor, "#connection")
        anna.move("2")  # it is sent again by itself
        school.join("Ada")
        for visitor in lost:
            visitor.context.set_offline(False)
        ben.see("#board .number", "14")
        anna.see("#board .number", "14")
        expect(teacher.page.locator(".roster > li")).to_have_count(1)
        for visitor in lost:
            expect(visitor.page.locator("#connection")).to_be_hidden()
            visitor.wait("() => sockets.at(-1).readyState === 1", None)
            # A connection that is lost alone comes back too.
            count = visitor.page.evaluate("(sockets.at(-1).close(), sockets.length)")
            visitor.wait("count => sockets.length > count", count)
            assert [said for said in visitor.complaints if not said.startswith(LOST)] == []
            visitor.complaints.clear()
        assert_stayed(anna, ben, teacher)


SHARES = """
window.shared = [];
navigator.share = async (what) => {
  window.shared.push(window.closes ? "closed" : what);
  if (window.closes) throw new DOMException("closed", "AbortError");
};
// Browsers complain of one that is closed before it is open.
window.WebSocket = class { readyState = 0; close() { console.error("too soon"); } };
"""


def open_room(host: Visitor, name: str = "") -> None:
    host.go("/?board=divisor-duel:60")
    host.page.fill("#name", name)
    host.page.click("#friend")
    host.see("#turn", "Waiting for your friend")


def delete_room(host: Visitor) -> None:
    host.page.click("#delete summary")
    host.page.click("#delete-form button")
    host.page.wait_for_url("**/?deleted=1")


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
    assert page.locator("[data-told]").count() == 0, "whoever closes the sheet copies nothing"
    page.evaluate("delete navigator.share; delete Navigator.prototype.share;")
    button.click()
    anna.see("#news", re.compile("Copied|Press Ctrl"))
    # The browser remembers the name that was used last, or that none was.
    anna.go("/")
    expect(page.locator("#name")).to_have_value("Anna")
    open_room(anna)
    page.wait_for_load_state()
    delete_room(anna)
    expect(page.locator("#name")).to_have_value("")


def test_home_leads_back_to_a_match_that_goes_on(server: Server, browsers: Browsers) -> None:
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
        for one in ("h1", "#move", "#send", "h2"):
            assert anna.page.locator(one).first.evaluate(IN_SIGHT), "nothing is covered"
        waiting.click()
        delete_room(anna)
        expect(waiting).to_have_attribute("href", paths[0])
        told(other.do("/resign"))
    anna.go("/")
    until(lambda: anna.page.evaluate("localStorage['numduel.rooms'] === undefined"))
    expect(waiting).to_have_count(0)
