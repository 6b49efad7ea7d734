"""A class of 30, four of them with real tablets: rounds, a killed server, a storm of reloads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from patience import until
from soaking import figure
from web.browser import LOST, PHONE, Browsers, Visitor, expect
from web.classroom import Classroom, classroom
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
