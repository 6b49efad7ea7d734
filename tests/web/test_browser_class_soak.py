"""A class of 30, four of them with real tablets: rounds, a killed server, a storm of reloads."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import product

import pytest
from playwright.sync_api import Error

from patience import until
from soaking import figure
from web.browser import LOST, PHONE, Browsers, Visitor, expect
from web.classroom import RULE, Classroom, classroom
from web.server import Server, running

TABLETS, OTHERS, ROUNDS = 4, 26, 3
pytestmark = pytest.mark.soak("classes")
PRESS = """document.querySelector('#table[data-mine="yes"] #moves button')?.click()"""
PRANKS = ("<script>alert(1)</script>", "\u202egnirts", "x" * 500, "Mia")


def test_a_class_plays_on_after_a_kill_and_a_storm(place: str, browsers: Browsers) -> None:
    names = [*PRANKS, *(f"Pupil {number}" for number in range(OTHERS))][:OTHERS]
    workers = 2 if "://" in place else 1
    with running(place, workers) as server, classroom(server, *names) as room:
        tablets = [browsers.visitor(server, PHONE) for _ in range(TABLETS)]
        for name, tablet in zip("ABCDEFGH", tablets, strict=False):
            tablet.go(room.at)
            tablet.page.fill("#name", f"Mia {name}")
            tablet.page.click("#join button")
            tablet.see("h1", "You are in, Mia")
        everybody = TABLETS + OTHERS
        assert room.teach().words("roster-heading") == f"{everybody} pupils"
        for number in range(1, ROUNDS + 1):
            if number == 1:
                room.start(game="own", own="subtract-1-3-4", number="21")
            else:
                room.press("next")
            for tablet in tablets:
                expect(tablet.page.locator("#table")).to_be_visible()
            play(room, tablets)
            if number == (ROUNDS + 1) // 2:
                kill(server, tablets)
                storm(room, tablets)
            until(lambda: is_done(room, tablets))
            compare(room, tablets)
            room.press("stop")
            for tablet in tablets:
                tablet.see("#stage h1", "Look to the front")
        assert "Traceback" not in server.output
        for tablet in tablets:
            assert [said for said in tablet.complaints if not said.startswith(LOST)] == []
            tablet.leave()
    told = f"rounds of {everybody}, {TABLETS} in browsers, {workers} worker(s), a kill and a storm"
    figure(told, ROUNDS)


def play(room: Classroom, tablets: list[Visitor]) -> None:
    room.play(1)
    for tablet in tablets:
        with suppress(Error):  # a page may be on its way: pressed before its script, a form is sent
            tablet.page.evaluate(PRESS)


def is_done(room: Classroom, tablets: list[Visitor]) -> bool:
    play(room, tablets)
    done, _, boards, *_ = room.teach().words("progress").split()
    return done == boards


def kill(server: Server, tablets: list[Visitor]) -> None:
    """The server loses its power and comes back; what was pressed meanwhile is sent again."""
    server.kill()
    for tablet in tablets:
        tablet.see("#connection", "Connection lost.")
        tablet.page.evaluate(PRESS)
    server.start()
    for tablet in tablets:
        expect(tablet.page.locator("#connection")).to_be_hidden()


def storm(room: Classroom, tablets: list[Visitor]) -> None:
    with ThreadPoolExecutor(OTHERS) as pool:
        answers = pool.map(lambda pupil: pupil.raw(room.at).status_code, room.pupils.values())
        for tablet in tablets:
            tablet.page.reload()
        assert set(answers) == {200}
    for tablet in tablets:
        expect(tablet.page.locator("#table")).to_be_visible()


def compare(room: Classroom, tablets: list[Visitor]) -> None:
    for tablet in tablets:
        code = tablet.page.locator("#class").get_attribute("data-room")
        turns = room.teach(f"wall/{code}").page.one("ol", "turns").all("li")
        expect(tablet.page.locator("#table")).to_have_attribute("data-ply", str(len(turns)))
        expect(tablet.page.locator("#table")).to_have_attribute("data-over", "yes")
        shown = tablet.page.locator("#history .did .visually-hidden").all_text_contents()
        assert shown == [one.one("span", "visually-hidden").words for one in turns]


def test_the_hour_on_slow_wifi(server: Server, browsers: Browsers) -> None:
    """A round, a vote, guesses in a hurry, the true map, puzzles; each answer takes 250 ms."""
    with classroom(server) as room:
        tablets = [slow(browsers.visitor(server, PHONE)) for _ in range(TABLETS)]
        room.teacher.post(f"{room.at}/teacher/projector", page="new")
        beamer = slow(browsers.visitor(server, (1024, 768)))
        beamer.go(room.teacher.at)
        for number, tablet in enumerate(tablets):
            tablet.go(room.at)
            tablet.page.fill("#name", f"Mia {number}")
            tablet.page.click("#join button")
            tablet.see("h1", f"You are in, Mia {number}")
        beamer.see(".joined", "4 pupils are here: Mia 0, Mia 1, Mia 2, Mia 3")
        room.start(**RULE)
        expect(beamer.page.locator("#wall > li")).to_have_count(2)
        for tablet in tablets:
            expect(tablet.page.locator("#table")).to_be_visible()
        until(lambda: is_done(room, tablets))
        compare(room, tablets)
        room.press("stop")
        room.teach("discuss").press("ask", **(RULE | {"number": "10"}))
        for tablet in tablets:
            for move in ("1", "4", "3"):  # changed in a hurry: the last one counts
                tablet.page.click(f'#vote button[value="{move}"]')
        until(lambda: room.teach("discuss").words("voted") == "4 of 4 have voted.")
        until(lambda: {voted(tablet) for tablet in tablets} == {"3"})
        beamer.see("#voted", "4 of 4 have voted.")
        room.press("show", "discuss")
        for tablet in (*tablets, beamer):
            expect(tablet.page.locator("#votes > li")).to_have_count(1)
        room.press("map", "map")
        for tablet in tablets:
            for number in (2, 7, 9, 14, 16):
                tablet.page.click(f'.class-map [data-key="{number}"] .guess')
            for _ in range(2):
                tablet.page.click('.class-map [data-key="3"] .guess')
        until(lambda: "○4" in signs(room))
        assert room.teacher.words("guessed") == "24 guesses so far."
        assert signs(room) <= {"◆4", "○4", ""} | {f"{n}:{2 - n}" for n in range(3)}, "none is lost"
        room.press("unveil", "map")
        for tablet in (*tablets, beamer):
            tablet.see("#found", "The class found")
        room.teach("puzzles").press("set", **(RULE | {"positions": "3 4 5 6 10"}))
        for number, tablet in product(range(1, 6), tablets):
            until(partial(answered, tablet, number))
        for tablet in tablets:
            tablet.see("#stage", "You have answered all 5.")
        assert room.teach("puzzles").words("grid-heading") == "First answers: 20 of 20"
        beamer.see("#answered", "20 of 20 answers are in.")
        for tablet in (*tablets, beamer):
            assert tablet.complaints == []
            tablet.leave()


def answered(tablet: Visitor, number: int) -> bool:
    """Press again where the puzzle is still asked: soon after a change, presses do not count."""
    form = tablet.page.locator(f'#vote[data-key="{number}"]')
    if form.count():
        with suppress(Error):  # it may be gone meanwhile
            form.locator("button").first.dblclick(timeout=1000)
            form.wait_for(state="detached", timeout=2000)
    return not form.count() and bool(tablet.page.locator(".marks").count())


def slow(visitor: Visitor) -> Visitor:
    visitor.worn = True
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    conditions = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", {"latency": 250, **conditions})
    return visitor


def signs(room: Classroom) -> set[str]:
    """What stands below the numbers of the teacher's map."""
    return {one.words for one in room.teach("map").page.one("ol", "class-map").all("small")}


def voted(tablet: Visitor) -> object:
    """What the pupil has voted for, on a page that is asked for anew."""
    tablet.page.reload()
    return tablet.page.evaluate('document.querySelector("#vote [aria-pressed]")?.value')
