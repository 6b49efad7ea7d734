"""A class of 30 over HTTP: three rounds, a server that is killed in the middle, a reload storm.

Each pupil is a program that looks at the page of the class for its room, and plays there by
the API. In the end each knows the same matches as the server. Outside the soak there are
two, and nobody is killed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event, Thread
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from numduel import Board
from numduel.store.database import Database
from patience import PATIENT, until
from soaking import SOAK, figure
from web.server import Server, running

PUPILS, START = (30, "60") if SOAK else (2, "12")
BUSY = 503
_ROOM = re.compile(r'data-room="([^"]+)"')
_FILES = re.compile(r"""(?:src|href)="(/static/[^"]+)\"""")


class Browser:
    """Somebody's cookies, and patience with a server that is away."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.web = httpx.Client(
            base_url=server.address, timeout=PATIENT, verify=False,
            headers={"Origin": server.address.rstrip("/")},
        )  # fmt: skip
        self.repeats = 0

    def ask(self, method: str, address: str, **values: Any) -> httpx.Response:
        """The answer; asked for again until there is one."""
        end = time.monotonic() + PATIENT
        while time.monotonic() < end:
            try:
                answer = self.web.request(method, address, **values)
            except httpx.TransportError:
                self.repeats += 1
            else:
                if answer.status_code != BUSY:
                    return answer
            time.sleep(0.02)
        raise AssertionError(f"{address}: no answer")

    def send(self, address: str, **form: str) -> httpx.Response:
        return self.ask("POST", address, data=form)


class Pupil(Thread):
    """Plays whenever it is this pupil's turn, and remembers what was answered."""

    def __init__(self, server: Server, code: str, name: str) -> None:
        super().__init__(daemon=True)
        self.browser, self.code = Browser(server), code
        answer = self.browser.send(f"/class/{code}/join", name=name)
        assert answer.status_code == 303, answer.text
        self.token = self.browser.web.cookies["numduel"]
        self.acknowledged: dict[str, dict[int, str]] = {}
        """By the code of a replay: my own moves, by ply."""
        self.seen: dict[str, list[str]] = {}
        """The whole match, as it was last told."""
        self.version, self.room = 0, ""
        self.refused = 0
        self.over = ""
        self.stopped = Event()
        self.failed = ""

    def run(self) -> None:
        try:
            while not self.stopped.wait(0.1):
                self.look()
        except Exception as error:
            self.failed = repr(error)

    def look(self) -> None:
        """Look at the class where it has changed, then at the room; move if it is my turn."""
        version = self.browser.ask("GET", f"/class/{self.code}/version").json()["version"]
        if version != self.version:
            page = self.browser.ask("GET", f"/class/{self.code}")
            assert page.status_code == 200, page.text
            found = _ROOM.search(page.text)
            self.version, self.room = version, found[1] if found else ""
        if self.room:
            self.play()

    def play(self) -> None:
        """Move as long as it is my turn."""
        room = self.api("GET", self.room).json()
        while room["you"] == room["to_move"] and not self.stopped.is_set():
            board = Board.parse(room["board"])
            move = board.write_move(next(iter(board.moves())))
            said = {"version": room["version"], "move": move}
            answer = self.api("POST", f"{self.room}/moves", json=said)
            if answer.status_code != 200:
                self.refused += 1
                break
            played = answer.json()
            assert played["ply"] == room["ply"] + 1, "a repeat is played once"
            self.acknowledged.setdefault(room["replay"], {})[played["ply"]] = move
            room = played
        self.seen[room["replay"]] = room["turns"]
        self.over = room["replay"] if room["over"] else ""

    def api(self, method: str, address: str, **values: Any) -> httpx.Response:
        return self.browser.ask(method, f"/api/rooms/{address}", **values)


class Lesson:
    """A teacher and the pupils."""

    def __init__(self, server: Server) -> None:
        self.server, self.teacher = server, Browser(server)
        started = self.teacher.send("/class")
        self.code = started.headers["location"].split("/")[2]
        names = ["Mia", "Mia", *(f"Pupil {number}" for number in range(3, PUPILS + 1))]
        self.pupils = [Pupil(server, self.code, name) for name in names]
        for pupil in self.pupils:
            pupil.start()

    def teach(self, action: str, **form: str) -> None:
        at = f"/class/{self.code}"
        seen = self.teacher.ask("GET", f"{at}/version").json()["version"]
        answer = self.teacher.send(f"{at}/teacher/{action}", seen=str(seen), **form)
        assert answer.status_code == 303, answer.text

    def wait(self, true: Callable[[], bool]) -> None:
        until(lambda: self.check() or true(), 3 * PATIENT)

    def check(self) -> None:
        for pupil in self.pupils:
            assert not pupil.failed, pupil.failed

    @property
    def moves(self) -> int:
        return sum(len(own) for pupil in self.pupils for own in pupil.acknowledged.values())

    def play_to_the_end(self, before: set[str]) -> None:
        """Until everybody's match of this round is over."""
        self.wait(lambda: all(p.over and p.over not in before for p in self.pupils))

    def known(self) -> set[str]:
        return {replay for pupil in self.pupils for replay in pupil.seen}

    def stop(self) -> None:
        for pupil in self.pupils:
            pupil.stopped.set()

    def close(self) -> None:
        self.stop()
        for pupil in self.pupils:
            pupil.join(PATIENT)
            pupil.browser.web.close()
        self.teacher.web.close()


PLAN = {"game": "digit-subtraction-duel", "number": START, "opponent": "person"}


def test_a_class_plays_three_rounds(server: Server) -> None:
    with closing(Lesson(server)) as lesson:
        known: set[str] = set()
        for pairing in ("random", "", "winners"):
            lesson.teach(
                "round" if pairing else "next", **(PLAN if pairing else {}), pairing=pairing
            )
            lesson.play_to_the_end(known)
            known = lesson.known()
        storm(server, lesson)
        lesson.stop()
        compare(lesson)


@pytest.mark.soak("classes")
def test_a_class_plays_on_after_a_kill(place: str) -> None:
    workers = 2 if "://" in place else 1
    with running(place, workers=workers, thinkers=1) as server:
        with closing(Lesson(server)) as lesson:
            lesson.teach("round", **PLAN, pairing="random")
            lesson.play_to_the_end(set())
            first = lesson.known()
            lesson.teach("next")
            begun = lesson.moves
            lesson.wait(lambda: lesson.moves > begun + PUPILS)
            server.kill()
            server.start()
            lesson.play_to_the_end(first)
            second = lesson.known()
            lesson.teach("round", **PLAN, pairing="winners")
            lesson.wait(lambda: len(lesson.known()) > len(second))
            lesson.teach("pause")
            storm(server, lesson)
            lesson.teach("resume")
            lesson.play_to_the_end(second)
            lesson.stop()
            compare(lesson)
            assert lesson.teacher.send(f"/class/{lesson.code}/teacher/end").status_code == 303
        figure(f"moves of a class of {PUPILS}, {workers} worker(s), one kill", lesson.moves)
        repeats = sum(pupil.browser.repeats for pupil in lesson.pupils)
        figure("requests without an answer there", repeats)
        figure("moves refused there", sum(pupil.refused for pupil in lesson.pupils))
        assert "Traceback" not in server.output
    database = Database(place)
    with database.reading() as connection:
        for table in ("classes", "pupils", "rooms", "matches", "turns", "seats"):
            assert connection.scalar(text(f"SELECT COUNT(*) FROM {table}")) == 0
    database.close()


def storm(server: Server, lesson: Lesson) -> None:
    """All pupils reload their page with all its files, three times, at once."""

    def reload(pupil: Pupil) -> None:
        browser = Browser(server)
        browser.web.cookies.set("numduel", pupil.token)
        for _ in range(3):
            page = browser.ask("GET", f"/class/{lesson.code}")
            assert page.status_code == 200
            for address in _FILES.findall(page.text):
                assert browser.ask("GET", address).status_code == 200
        browser.web.close()

    with ThreadPoolExecutor(PUPILS) as threads:
        list(threads.map(reload, lesson.pupils))


def compare(lesson: Lesson) -> None:
    """What each pupil knows is what the server tells; no acknowledged move is lost."""
    for pupil in lesson.pupils:
        pupil.join(PATIENT)
        assert not pupil.failed, pupil.failed
        assert len(pupil.seen) == 3
        for replay, turns in pupil.seen.items():
            kept = lesson.teacher.ask("GET", f"/api/replays/{replay}").json()["turns"]
            assert kept == turns
            for ply, move in pupil.acknowledged.get(replay, {}).items():
                assert kept[ply - 1] == move
