"""Ten classes of thirty at once, with kills: what was acknowledged stays, and figures are right."""

import asyncio
import csv
import io
import re
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from http.cookiejar import CookieJar, DefaultCookiePolicy
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from loops import on_loop
from numduel import Board
from numduel.classes.kept_classes import KeptClasses
from numduel.rooms.kept_rooms import Rooms
from numduel.solver import Search
from patience import PATIENT
from soaking import SOAK, figure
from web.server import Server, running

CLASSES, PUPILS, ROUNDS, KILLS = (10, 30, 3, 5) if SOAK else (2, 4, 2, 1)
START, RULE = 12, "subtract-1-3-4"
PICKED = "3 4 5 6 10"


class Person:
    """Somebody with a cookie, who asks again until the server has answered."""

    def __init__(self, school: "School") -> None:
        self._school = school
        self.token = ""

    async def ask(self, path: str, **form: str) -> httpx.Response:
        """The page, or what came of the form."""
        headers = {"Cookie": f"numduel={self.token}"} if self.token else {}
        if form:
            headers["Origin"] = self._school.address
        method, sent = ("POST", {"data": form}) if form else ("GET", {})
        answer, _ = await self.answered(method, path, headers=headers, **sent)
        if cookie := answer.cookies.get("numduel"):
            self.token = cookie
        return answer

    async def answered(self, method: str, path: str, **sent: Any) -> tuple[httpx.Response, float]:
        """The answer, and how long it took, 0 beside a kill; who is away or busy is asked again."""
        end, killing = time.monotonic() + PATIENT, self._school.killing
        while (begun := time.monotonic()) < end:
            quiet = not killing.locked()
            try:
                answer = await self._school.web.request(method, path, **sent)
            except httpx.TransportError:
                await asyncio.sleep(0.2)
                continue
            if answer.status_code not in (429, 503):
                quiet = quiet and not killing.locked()
                return answer, time.monotonic() - begun if quiet else 0.0
            await asyncio.sleep(float(answer.headers.get("retry-after", 0.2)))
        raise AssertionError(f"no answer from {path}")


class School:
    def __init__(self, server: Server) -> None:
        self.server, self.address = server, server.address.rstrip("/")
        none = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # each sends their own
        self.web = httpx.AsyncClient(
            base_url=self.address, timeout=PATIENT, verify=False, cookies=none
        )
        self.moves: dict[str, list[str]] = {}
        """What was acknowledged in each room."""
        self.taken: list[float] = []
        self.killing = asyncio.Lock()

    async def kill(self) -> None:
        async with self.killing:
            await asyncio.to_thread(self.server.kill)
            await asyncio.to_thread(self.server.start)


class Lesson:
    """One class: its teacher, its pupils, and what was acknowledged of them."""

    def __init__(self, school: School, number: int) -> None:
        self.school, self.random = school, Random(number)
        self.teacher = Person(school)
        self.pupils = [Person(school) for _ in range(PUPILS)]
        self.votes: set[tuple[int, int, str]] = set()
        self.guesses: dict[tuple[int, int], bool] = {}
        self.answers: set[tuple[int, int, str]] = set()
        self.kept = [[0, 0] for _ in range(ROUNDS)]
        self.code = ""

    async def teach(self, action: str, page: str = "teacher", **form: str) -> None:
        """The teacher presses a button, having seen how the class stands."""
        for _ in range(20):
            seen = await self.teacher.ask(f"/class/{self.code}/{page}")
            version = re.findall(r'name="seen" value="(\d+)"', seen.text)[0]
            answer = await self.teacher.ask(
                f"/class/{self.code}/teacher/{action}", seen=version, **form
            )
            if answer.status_code == 303 or action in ("next", "round"):
                break
        assert answer.status_code in (303, 409), (action, answer.status_code, answer.text[-900:])

    async def hold(self) -> None:
        opened = await self.teacher.ask("/class", open="1")
        self.code = opened.headers["location"].split("/")[2]
        for number, pupil in enumerate(self.pupils, 1):
            await pupil.ask(f"/class/{self.code}")
            joined = await pupil.ask(f"/class/{self.code}/join", name=f"Pupil {number}")
            assert joined.status_code == 303
        for number in range(ROUNDS):
            if number:
                await self.teach("next", anyway="1")
            else:
                await self.teach("round", game="own", own=RULE, number=str(START))
            await self.play(number)
            await self.figures()
        await self.teach("stop")
        await self.teach("ask", "discuss", game="own", own=RULE, number="10")
        await self.everybody(self.vote)
        await self.teach("map", "map", game=RULE)
        await self.everybody(self.guess)
        await self.teach("unveil", "map")
        await self.teach("set-puzzles", "puzzles", game="own", own=RULE, positions=PICKED)
        await self.everybody(self.answer)
        await self.figures()

    async def everybody(self, does: Callable[[int, Person], Awaitable[None]]) -> None:
        await asyncio.gather(*(does(n, pupil) for n, pupil in enumerate(self.pupils, 1)))

    async def vote(self, number: int, pupil: Person) -> None:
        move = self.random.choice(("1", "3", "4"))
        answer = await pupil.ask(f"/class/{self.code}/vote", question="1", move=move)
        assert answer.status_code == 303
        self.votes.add((1, number, move))

    async def guess(self, number: int, pupil: Person) -> None:
        for value in self.random.sample(range(1, 23), 4):
            said = self.random.choice(("trap", "no-trap"))
            answer = await pupil.ask(f"/class/{self.code}/guess", guess=f"{value}:{said}")
            assert answer.status_code == 303
            self.guesses[value, number] = said == "trap"

    async def answer(self, number: int, pupil: Person) -> None:
        for puzzle, value in enumerate(map(int, PICKED.split()), 1):
            move = self.random.choice([m for m in ("1", "3", "4") if int(m) <= value])
            form = {"puzzle": f"1.{puzzle}", "move": move}
            assert (await pupil.ask(f"/class/{self.code}/answer", **form)).status_code == 303
            self.answers.add((puzzle, number, move))

    async def play(self, number: int) -> None:
        """Every table is played to its end; what plain search says of it is added up."""
        rooms: dict[str, list[Person]] = {}
        for pupil in self.pupils:
            page = await pupil.ask(f"/class/{self.code}")
            rooms.setdefault(re.findall(r'data-room="(\w+)"', page.text)[0], []).append(pupil)
        assert {len(two) for two in rooms.values()} == {2}
        await asyncio.gather(*(self.table(number, code, two) for code, two in rooms.items()))

    async def table(self, number: int, code: str, two: list[Person]) -> None:
        room = (await two[0].ask(f"/api/rooms/{code}")).json()
        seats = {}
        for one in two:
            seats[(await one.ask(f"/api/rooms/{code}")).json()["you"]] = one
        boards = [room["board"]]
        while room["over"] is None:
            board = Board.parse(room["board"])
            move = self.random.choice(list(map(board.write_move, board.moves())))
            room = await self.move(seats[room["to_move"]], room, move)
            boards.append(room["board"])
            self.school.moves.setdefault(code, []).append(move)
        kept, keepable = kept_on(tuple(boards))
        self.kept[number][0] += kept
        self.kept[number][1] += keepable

    async def move(self, who: Person, room: dict[str, Any], move: str) -> dict[str, Any]:
        said = {"move": move, "version": room["version"]}
        path, headers = f"/api/rooms/{room['code']}/moves", {"Authorization": f"Bearer {who.token}"}
        answer, taken = await who.answered("POST", path, json=said, headers=headers)
        assert answer.status_code == 200, answer.text
        self.school.taken += [taken] if taken else []
        told: dict[str, Any] = answer.json()
        return told

    async def figures(self) -> bool:
        """Is every figure of the CSV complete? Else it says so; it is never wrong."""
        answer = await self.teacher.ask(f"/class/{self.code}/learned.csv")
        complete = True
        for number, row in enumerate(csv.DictReader(io.StringIO(answer.text))):
            assert (row["Matches"], row["Finished"]) == (str(PUPILS // 2), str(PUPILS // 2))
            assert (row["Has not played"], row["Still being played"]) == ("", "0")
            found = [int(row["Wins kept"]), int(row["Wins to keep"])]
            if row["Still being looked at"] == "0":
                assert found == self.kept[number]
            else:
                complete = False
                assert all(one <= most for one, most in zip(found, self.kept[number], strict=True))
        return complete


def kept_on(boards: tuple[str, ...]) -> tuple[int, int]:
    """Wins kept on the way, and to keep where there was a choice, by plain search."""
    search, kept, keepable = Search(), 0, 0
    for before, after in pairwise(map(Board.parse, boards)):
        if len({search.lost(before.play(move)) for move in before.moves()}) == 2:
            keepable += 1
            kept += search.lost(after)
    return kept, keepable


@pytest.mark.soak("classes", short=True)
@on_loop
async def test_classes_at_once_lose_nothing(tmp_path: Path) -> None:
    file = str(tmp_path / "history.sqlite3")
    with running(file) as server:
        school = School(server)
        lessons = [Lesson(school, number) for number in range(CLASSES)]
        held = asyncio.gather(*(lesson.hold() for lesson in lessons))
        for _ in range(KILLS):
            await asyncio.wait([held], timeout=20 if SOAK else 1)
            await school.kill()
        await held
        while not all([await lesson.figures() for lesson in lessons]):
            await asyncio.sleep(0.1)
        for lesson in lessons:
            page = await lesson.teacher.ask(f"/class/{lesson.code}/results.csv")
            rows = list(csv.DictReader(io.StringIO(page.text)))
            assert {row["Still being looked at"] for row in rows} == {"0"}
            assert {row["Rounds played"] for row in rows} == {str(ROUNDS)}
        await school.web.aclose()
        assert "Traceback" not in server.output
    with closing(Rooms(file, lambda _code, _version: None)) as rooms:
        kept = KeptClasses(rooms)
        for lesson in lessons:
            found = kept.look(lesson.code, lesson.teacher.token)
            assert {*found.all_votes} == lesson.votes
            assert {(one.value, one.pupil): one.trap for one in found.all_guesses} == lesson.guesses
            assert {one[1:4] for one in found.all_answers} == lesson.answers
        for code, moves in school.moves.items():
            room = rooms.look(code)
            assert [
                room.setup.board.write_move(turn.move) for turn in room.turns if turn.move
            ] == moves
    median, taken = statistics.median(school.taken), sorted(school.taken)
    late = taken[int(len(taken) * 0.99)]
    told = f"{CLASSES} classes of {PUPILS}, {KILLS} kills: p99 of {len(taken)} moves / their median"
    figure(told, round(late / median, 1))
    if SOAK:
        assert late <= 10 * median, (late, median)
