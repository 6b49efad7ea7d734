"""States of every page, and how somebody without scripts gets there.

A page that is not here fails `test_browser_pages.py`: the routes of the application say which
pages there are. The first state of a route shows most of its page.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route

from numduel.solver import solve
from numduel.study.duels import FIRST_DAY, daily_duel
from numduel.study.puzzles import make_puzzle
from web.classroom import classroom
from web.playing import asking, duel, sat_down, told
from web.server import Server
from web.visitor import Visitor

WORD = "divisor-duel:60/15.15.2.14.7"
NUMBERS = "subtract-a-prime:20%2Bdivisor-duel:60"
LONG = "9876543210" * 10
ROOM = "/room/{code}"
CLASS = "/class/{code}"
Reach = Callable[[Server, Visitor], tuple[str, Visitor]]
"""Brings about a state: the path of the page, and whoever looks at it."""


@dataclass(frozen=True)
class State:
    name: str
    route: str
    reach: Reach
    spoken: int = 1
    """Live regions: one where something is read out, none where nothing changes."""
    status: int = 200
    button: str = ""


def at(route: str, path: str, spoken: int = 0, status: int = 200, button: str = "") -> State:
    return State(path, route, lambda _, me: (path, me), spoken, status, button)


def lost(server: Server, me: Visitor) -> tuple[str, Visitor]:
    me.post("/rooms", board="subtract-a-prime:20", opponent="friend", first="2")
    with asking(server) as client:
        other = sat_down(client, me.at.rpartition("/")[2])
        told(other.play("2"))
        me.get(me.at)
        me.press("moves", "13")
        told(other.play("5"))
    return me.at, me


def looking_back() -> Iterator[State]:
    yield at("/replay", f"replay?match={WORD}&turn=2", 1)
    yield at("/replay", f"replay?match={NUMBERS}/1:11.2:30&turn=1", 1)
    yield at("/replay", "replay")
    yield at("/analysis", f"analysis?match={WORD}", 1)

    def of_a_room(kind: str) -> Reach:
        def reach(server: Server, me: Visitor) -> tuple[str, Visitor]:
            with asking(server) as client:
                first, second = duel(client, "subtract-a-prime:20")
                told(first.play("2"))
                return f"{kind}/{told(second.do('/resign'))['replay']}", me

        return reach

    for kind in ("replay", "analysis"):
        yield State(f"{kind} of a room", f"/{kind}/{{code}}", of_a_room(kind))


def puzzles() -> Iterator[State]:
    puzzle = make_puzzle("a", "digit-subtraction-duel", 900)
    moves = [puzzle.board.write_move(move) for move in puzzle.board.moves()]
    wrong = next(move for move in moves if move != puzzle.solution)
    path = "puzzle?seed=a&rating=900&kind=digit-subtraction-duel"
    yield at("/puzzle", path, 2, button=f'main button[value="{wrong}"]')
    yield at("/puzzle", "puzzle?series=a&at=3&kind=several")
    yield at("/puzzle/sheet", "puzzle/sheet")
    board = daily_duel(FIRST_DAY).board
    lost = next(move for move in board.moves() if solve(board.play(move)).outcome == "win")
    for played in ("", *(".".join([str(lost.amount)] * tries) for tries in (1, 3))):
        yield at("/daily", f"daily?day={FIRST_DAY}&played={played}", 1)
    yield at("/daily", f"daily?day={FIRST_DAY + timedelta(6)}", 1)


def classes() -> Iterator[State]:
    yield at("/class", "class")
    yield at("/join", "join")
    yield at("/join", "join?code=zzzzz", status=404)
    yield at(f"{CLASS}/teacher/{{secret}}", "class/zzzzz/teacher/secret")

    def after(number: str, turns: int, done: Sequence[str], page: str = "") -> Reach:
        """A class after turns from this number and all this: a teacher's page, or a pupil's."""

        def reach(server: Server, _: Visitor) -> tuple[str, Visitor]:
            with classroom(server, "Ada", "Ben", "Mia", "Ümit") as room:
                if turns:
                    room.start(game="own", own="subtract-1-3-4", number=number)
                    room.play(turns)
                for action in done:
                    room.press(*action.split())
                if page == "wall/{room_code}":
                    board = room.teach("wall").page.all("li", "tile")[0].one("a")
                    return board.attributes["href"], room.teacher
                if page:
                    return f"{room.at}/{page}", room.teacher
                return room.at, room.pupils["Mia"]

        return reach

    def to_join(server: Server, me: Visitor) -> tuple[str, Visitor]:
        with classroom(server) as room:
            return room.at, me

    def at_the_door(server: Server, _: Visitor) -> tuple[str, Visitor]:
        with classroom(server, "Ada", turns=0) as room:
            return room.at, room.join("Ben")

    def door(server: Server, _: Visitor) -> tuple[str, Visitor]:
        with classroom(server, "Ada", turns=0) as room:
            for name in ("Ben", "Cleo"):
                room.join(name)
            return f"{room.at}/teacher", room.teacher

    def projector(server: Server, _: Visitor) -> tuple[str, Visitor]:
        with classroom(server, "Ada", "Ben", turns=2) as room:
            room.teacher.post(f"{room.at}/teacher/projector", page="new")
            return room.teacher.at, room.teacher

    def puzzles(server: Server, pupil: bool) -> tuple[str, Visitor]:
        with classroom(server, "Ada", "Ben") as room:
            chosen = {"game": "own", "own": "subtract-1-3-4", "positions": "3 4 5 6 10"}
            room.teach("puzzles").press("set", **chosen)
            for move in ("3", "1"):
                room.pupil("Ada").press("vote", move)
            return (room.at, room.pupils["Ada"]) if pupil else (f"{room.at}/puzzles", room.teacher)

    shown: dict[str, tuple[str, ...]] = {
        "teacher": (),
        "wall": (),
        "wall/{room_code}": (),
        "discuss": ("ask discuss", *["show discuss"] * 3),
        "map": ("map map", "unveil map"),
        "puzzles": (),
        "learned": (),
    }
    for page, done in shown.items():
        yield State(f"class: {page}", f"{CLASS}/{page}", after("9", 2, done, page))
    for turns, seen in ((5, ["map map"]), (5, ["ask discuss"]), (5, []), (0, [])):
        yield State(f"class: pupil {turns} {seen}", CLASS, after("5", turns, seen))
    yield State("class: to join", CLASS, to_join)
    yield State("class: at the door", CLASS, at_the_door)
    yield State("class: projector", f"{CLASS}/projector/{{secret}}", projector)
    yield State("class: grid", f"{CLASS}/puzzles", lambda server, _: puzzles(server, pupil=False))
    yield State("class: puzzle", CLASS, lambda server, _: puzzles(server, pupil=True))
    yield State("class: door", f"{CLASS}/teacher", door)


STATES = [
    at("/", "", 1),
    at("/", f"?board={NUMBERS}", 1),
    at("/", f"?board=digit-subtraction-duel:{LONG}&first=2&opponent=friend&minutes=5", 1),
    at("/", "?game=divisor-duel&number=x", 1, 422),
    State("room: lost", ROOM, lost),
    at(ROOM, "room/zzzzzzzzzz", 0, 404),
    at("/learn", "learn"),
    at("/learn/{key}", "learn/divisor-duel", 1, button='main button[value="2"]'),
    at("/learn/{key}", "learn/divisor-duel?step=5"),
    at("/learn/{key}", "learn/divisor-duel?step=7"),
    at("/learn/{key}", "learn/chess", status=404),
    at("/rules", "rules"),
    at("/rules/{key}", "rules/divisor-duel"),
    at("/explore", "explore?board=subtract-a-prime:20"),
    at("/explore", f"explore?board={NUMBERS},divisors=even"),
    # A large number has a button to copy it, which says what it did.
    at("/explore", "explore?board=power-play:10^60", 1),
    at("/explore", f"explore?board=digit-subtraction-duel:{LONG * 4}", 1),
    at("/explore", "explore?game=divisor-duel&number=x", status=422),
    at("/make", "make", 1),
    at("/make", "make?rule=subtract-20-or-divide-by-5&misere=1", 1),
    at("/make", "make?rule=subtract-primes", 1, 422),
    *looking_back(),
    *puzzles(),
    at("/api", "api"),
    at("/privacy", "privacy"),
    *classes(),
    at("", "nowhere/at/all", status=404),
]


def page_routes(app: FastAPI) -> set[str]:
    """The paths that are answered with pages: no files, nothing for scripts, no way back."""

    def walk(routes: list[Any]) -> Iterator[Route]:
        for route in routes:
            if isinstance(route, Route):
                yield route
            elif hasattr(route, "original_router"):
                yield from walk(route.original_router.routes)

    paths = {one.path for one in walk(app.routes) if "GET" in (one.methods or ())}
    paths -= {"/check", "/rooms", f"{ROOM}/table", f"{ROOM}/{{name}}"}
    files = (".svg", ".csv", ".json", ":path}")
    return {path for path in paths if not path.endswith(files) and not path.startswith("/api/")}
