"""Every page in every state that it can be in, and how a visitor gets there.

A page that is not here fails `test_browser_pages.py`: the routes of the application say
which pages there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.routing import Route

from numduel.games import keys
from numduel.study.puzzles import daily_puzzle
from web.browser import Visitor
from web.playing import Player, duel, opened, sat_down, told

WORD = "divisor-duel:60/15.15.2.14.7"
NUMBERS = "subtract-a-prime:20%2Bdivisor-duel:60"
LONG = "9876543210" * 10
ROOM = "/room/{code}"
DAY = "2026-03-09"

NO_PAGES = {
    "/check": "JSON, while somebody types",
    "/room/{code}/table": "a part of the room's page",
    "/room/{code}/version": "JSON, for scripts",
    "/room/{code}/qr.svg": "a picture",
    "/room/{code}/{name}": "back to the room, after a reload",
    "/rooms": "back home, after a reload",
    "/path.svg": "a picture",
    "/rules/{key}/map.svg": "a picture",
    "/explore/map.csv": "a file to keep",
    "/explore/map.svg": "a file to keep",
    "/make/qr.svg": "a picture",
    "/class/{code}/version": "JSON, for scripts",
    "/class/{code}/wall/version": "JSON, for scripts",
    "/class/{code}/qr.svg": "a picture",
    "/class/{code}/teacher/{secret}/qr.svg": "a picture",
    "/class/{code}/learned.csv": "a file to keep",
    "/openapi.json": "JSON",
}
"""What is answered to GET without being a page; all under /api/ is JSON too."""


@dataclass
class Stage:
    """A visitor, and a client for whoever else takes part."""

    visitor: Visitor
    client: httpx.Client

    def go(self, path: str) -> None:
        self.visitor.go(path)

    def open(self, board: str = "subtract-a-prime:20", **fields: str) -> str:
        """The visitor opens a room for a friend, at seat 1; its code."""
        form = {"board": board, "opponent": "friend"} | fields
        answer = self.visitor.context.request.post(
            f"{self.visitor.server.address}rooms",
            form=form,
            headers={"Origin": self.visitor.server.address.rstrip("/")},
            max_redirects=0,
        )
        assert answer.status == 303, answer.text()
        code: str = answer.headers["location"].rpartition("/")[2]
        return code

    def match(self, board: str = "subtract-a-prime:20", **fields: str) -> tuple[str, Player]:
        """The visitor at seat 1 against a program at seat 2."""
        code = self.open(board, **fields)
        return code, sat_down(self.client, code)

    def enter(self, code: str) -> None:
        self.go(f"room/{code}")

    def move(self, move: str, left: str) -> None:
        """The visitor plays, and sees it."""
        self.visitor.move(move)
        self.visitor.see("#board", left)


@dataclass(frozen=True)
class State:
    """A state: its name, the route it is a page of, and how it is reached."""

    name: str
    route: str
    reach: Callable[[Stage], Any]
    status: int = 200
    """How the page is answered."""
    spoken: int = field(default=0)
    """Live regions: one where something is read out, none where nothing changes."""


def at(name: str, route: str, path: str, status: int = 200, spoken: int = 0) -> State:
    """A state that an address leads to."""
    return State(name, route, lambda stage: stage.go(path), status, spoken)


def sent(name: str, route: str, path: str, button: str, spoken: int = 1) -> State:
    """A state after a form was sent, with what is said about it read out."""

    def reach(stage: Stage) -> None:
        stage.go(path)
        with stage.visitor.page.expect_navigation():
            stage.visitor.page.click(button)

    return State(name, route, reach, 200, spoken)


def homes() -> Iterator[State]:
    states = {
        "": "",
        " of several numbers": f"?board={NUMBERS}",
        " with a long list": "?board=subtract-a-prime:997",
        " with a number of 100 digits": f"?board=digit-subtraction-duel:{LONG}",
        " for a friend": "?opponent=friend",
        " where the computer begins": "?first=2",
        " of a variant under misère": "?board=divisor-duel:60,divisors=even~misere&minutes=5",
        " after a room was deleted": "?deleted=1",
    }
    for name, path in states.items():
        yield at(f"home{name}", "/", path, spoken=1)
    yield at("home with a bad number", "/", "?game=divisor-duel&number=x", 422, 1)
    yield at("home with a bad board", "/", "?board=chess:8", 422, 1)

    def bad_move(stage: Stage) -> None:
        stage.go("?board=subtract-a-prime:20")
        stage.visitor.page.fill("#move", "4")
        stage.visitor.page.press("#move", "Enter")
        stage.visitor.see("#move-wrong", "4 is not prime")

    yield State("home with a bad move", "/", bad_move, 422, 1)


def rooms() -> Iterator[State]:
    def waiting(stage: Stage) -> None:
        stage.enter(stage.open())

    def free_seat(stage: Stage) -> None:
        stage.enter(opened(stage.client, "subtract-a-prime:20").code)

    def with_clocks(stage: Stage) -> None:
        stage.enter(stage.match("subtract-a-prime:20+power-play:30~misere", minutes="5")[0])

    def wrong_move(stage: Stage) -> None:
        with_clocks(stage)
        stage.visitor.page.fill("#move", "4")
        stage.visitor.page.press("#move", "Enter")
        stage.visitor.see("#move-wrong", "4")

    def others_turn(stage: Stage) -> None:
        stage.enter(stage.match()[0])
        stage.move("2", "18")

    def takeback_asked_of_me(stage: Stage) -> None:
        code, other = stage.match()
        stage.enter(code)
        stage.move("2", "18")
        told(other.play("3"))
        told(other.do("/takeback"))
        stage.visitor.see("#asked", "asks to take back their last move")

    def watching(stage: Stage) -> None:
        first, _ = duel(stage.client, "subtract-a-prime:20")
        told(first.play("2"))
        stage.enter(first.code)

    def lost(stage: Stage) -> None:
        code, other = stage.match(first="2")
        told(other.play("2"))
        stage.enter(code)
        stage.move("13", "5")
        told(other.play("5"))
        stage.visitor.see("#turn", "You lost")

    def rematch_offered_to_me(stage: Stage) -> None:
        code, other = stage.match()
        told(other.do("/resign"))
        told(other.do("/rematch"))
        stage.enter(code)
        stage.visitor.see("#turn", "You won")

    def hinted(stage: Stage) -> None:
        stage.enter(stage.open(opponent="perfect"))
        stage.visitor.page.click("#ask-hint button")
        stage.visitor.page.wait_for_selector("#hint")

    def all_opened(stage: Stage) -> None:
        others_turn(stage)
        for place in ("#resign", "#delete"):
            stage.visitor.page.click(f"{place} summary")

    reached = [waiting, free_seat, with_clocks, wrong_move, takeback_asked_of_me, watching, lost,
               rematch_offered_to_me, hinted, all_opened]  # fmt: skip
    for reach in reached:
        yield State(f"room: {reach.__name__.replace('_', ' ')}", ROOM, reach, 200, 1)
    yield at("room that is gone", ROOM, "room/zzzzzzzzzz", 404)


def lessons() -> Iterator[State]:
    yield at("learn", "/learn", "learn")
    for key in keys():
        yield at(f"lesson of {key}", "/learn/{key}", f"learn/{key}")
        yield at(f"rules of {key}", "/rules/{key}", f"rules/{key}")
    for step in range(2, 8):
        yield at(f"lesson, step {step}", "/learn/{key}", f"learn/divisor-duel?step={step}")
    for step in (1, 2, 3, 7):
        own = f"learn/halve-or-subtract-1?step={step}"
        yield at(f"lesson of an own rule, step {step}", "/learn/{key}", own)
    yield at("lesson of an own rule without one", "/learn/{key}", "learn/subtract-any", 404)
    yield at("rules of an own rule", "/rules/{key}", "rules/halve-or-subtract-1")
    yield at("lesson of the opening rule", "/learn/{key}", "learn/power-play?step=4")
    for right, button in ((True, "3"), (False, "2")):
        name = f"lesson answered {'well' if right else 'badly'}"
        yield sent(name, "/learn/{key}", "learn/divisor-duel", f'main button[value="{button}"]')
    colouring = "learn/divisor-duel?step=5"
    yield sent("lesson coloured badly", "/learn/{key}", colouring, "main button.primary")
    yield at("lesson of no game", "/learn/{key}", "learn/chess", 404)
    yield at("rules", "/rules", "rules")
    yield at("rules of no game", "/rules/{key}", "rules/chess", 404)


def explored() -> Iterator[State]:
    large = (" around a number", " what is not known", " 400 digits", " too hard to factor")
    for name, query, status in (
        ("", "", 200),
        (" a number", "?board=subtract-a-prime:20", 200),
        (" values", "?board=divisor-duel:60&values=1&to=200", 200),
        (" several numbers", "?board=subtract-a-prime:20%2Bdivisor-duel:60,divisors=even", 200),
        (" misère", "?board=power-play:30~misere", 200),
        (" around a number", "?board=divisor-duel:10^12", 200),
        (" what is not known", "?board=power-play:10^60", 200),
        (" 400 digits", f"?board=digit-subtraction-duel:{LONG * 4}", 200),
        (" too large", "?board=divisor-duel:100000007%2Bsubtract-a-prime:9999999999~misere", 200),
        (" too hard to factor", f"?board=power-play:{2**1000 + 1}", 200),
        (" the end", "?board=subtract-a-prime:0", 200),
        (" nothing", "?board=chess:8", 422),
        (" a bad number", "?game=divisor-duel&number=x", 422),
    ):
        # A large number has a button to copy it, which says what it did.
        yield at(f"explore{name}", "/explore", f"explore{query}", status, int(name in large))


def made() -> Iterator[State]:
    yield at("make", "/make", "make", spoken=1)
    rules = ("subtract-square&number=60", "subtract-20-or-divide-by-5&misere=1", "power-play")
    for rule in rules:
        yield at(f"make {rule}", "/make", f"make?rule={rule}", spoken=1)
    yield at("make a wrong rule", "/make", "make?rule=subtract-primes", 422, 1)
    yield at("make nothing", "/make", "make?was=&rule=", 422, 1)


def looking_back() -> Iterator[State]:
    yield at("replay form", "/replay", "replay")
    yield at("replay of nothing", "/replay", "replay?match=zzz", 422)
    for turn in (0, 2, 5):
        yield at(f"replay, turn {turn}", "/replay", f"replay?match={WORD}&turn={turn}", spoken=1)
    yield at(
        "replay of several numbers", "/replay", f"replay?match={NUMBERS}/1:11.2:30&turn=1", spoken=1
    )
    yield at("analysis", "/analysis", f"analysis?match={WORD}", spoken=1)
    yield at("analysis of nothing", "/analysis", "analysis?match=divisor-duel:60/", spoken=1)

    def of_a_room(kind: str) -> Callable[[Stage], None]:
        def reach(stage: Stage) -> None:
            first, second = duel(stage.client, "subtract-a-prime:20")
            told(first.play("2"))
            stage.go(f"{kind}/{told(second.do('/resign'))['replay']}")

        return reach

    for kind in ("replay", "analysis"):
        yield State(f"{kind} of a room", f"/{kind}/{{code}}", of_a_room(kind), spoken=1)
        yield at(f"{kind} that is gone", f"/{kind}/{{code}}", f"{kind}/zzzzzzzzzz", 404)


def puzzles() -> Iterator[State]:
    address = f"puzzle?day={DAY}&kind=digit-subtraction-duel"
    puzzle = daily_puzzle(date.fromisoformat(DAY), "digit-subtraction-duel")
    moves = [puzzle.board.write_move(move) for move in puzzle.board.moves()]
    wrong = next(move for move in moves if move != puzzle.solution)
    yield at("puzzle", "/puzzle", "puzzle")
    yield at("puzzle of moves", "/puzzle", address)
    yield at("puzzle of several numbers", "/puzzle", f"puzzle?day={DAY}&kind=several")
    yield at("puzzle of a rating", "/puzzle", "puzzle?rating=1600&seed=a")
    yield at("puzzle of no day", "/puzzle", "puzzle?day=never", 422)
    yield at("sheet of puzzles", "/puzzle/sheet", "puzzle/sheet")
    yield at("sheet of no game", "/puzzle/sheet", "puzzle/sheet?kind=chess&seed=a", 422)
    right = f'main button[value="{puzzle.solution}"]'
    yield sent("puzzle solved", "/puzzle", address, right, 2)
    yield sent("puzzle not solved", "/puzzle", address, f'main button[value="{wrong}"]', 2)


def others() -> Iterator[State]:
    yield at("api", "/api", "api")
    yield at("no page", "", "nowhere/at/all", 404)


STATES = [*homes(), *rooms(), *lessons(), *explored(), *made(), *looking_back(),
          *puzzles(), *others()]  # fmt: skip


def page_routes(app: FastAPI) -> set[str]:
    """The paths of the application that are answered with pages."""

    def walk(routes: list[Any]) -> Iterator[Route]:
        for route in routes:
            if isinstance(route, Route):
                yield route
            elif hasattr(route, "original_router"):
                yield from walk(route.original_router.routes)

    paths = {one.path for one in walk(app.routes) if "GET" in (one.methods or ())}
    return {path for path in paths if path not in NO_PAGES and not path.startswith("/api/")}
