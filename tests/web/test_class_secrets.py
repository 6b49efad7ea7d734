"""What pages must not tell a class before it has found out for itself."""

import httpx
from starlette.routing import Route

from numduel.web.app import create_app
from numduel.web.settings import Settings
from web.classroom import RULE, classroom
from web.server import Server
from web.visitor import Visitor


def test_without_hints_nothing_tells_of_the_map_and_with_them_it_is_there(server: Server) -> None:
    with classroom(server, "Ada") as room:
        room.start(opponent="beginner", **RULE)
        assert not room.pupil("Ada").has("ask-hint")
        at = room.pupils["Ada"].by_id("room").attributes["data-at"]
        asked = room.pupils["Ada"].part(f"{at}/table?ply=0&hint=3")
        assert "hint" not in {one.attributes.get("id") for one in asked.all()}, "nor if asked for"
        room.play(9)
        pupil = room.pupil("Ada")
        assert pupil.has("over")
        assert not pupil.has("map")
        assert not pupil.page.all("span", "judged")
        links = {one.attributes["href"].split("?")[0] for one in pupil.page.all("a")}
        assert links <= {"#main"}, "nothing leads out of the class"
        room.start(opponent="beginner", hints="1", **RULE)
        assert room.pupil("Ada").has("ask-hint")
        room.play(9)
        assert room.pupil("Ada").has("map")


ASKED = {
    "/explore": "?board=subtract-1-3-4:9", "/replay": "?match=subtract-1-3-4:9/1",
    "/analysis": "?match=subtract-1-3-4:9/1", "/api/verdict": "?board=subtract-1-3-4:9",
    "/api/map": "?board=subtract-1-3-4:9", "/api/hint": "?board=subtract-1-3-4:9",
}  # fmt: skip
TELLS_NOTHING = {
    "/static/{name:path}", "/qr.svg", "/privacy", "/check", "/join", "/api/{topic}/{code}/live",
}  # fmt: skip
"""Every other address of a page leads a pupil back to the class."""


def test_nothing_is_given_away_before_the_map_is_unveiled(server: Server) -> None:
    routes = [one for one in create_app(Settings("unused")).routes if isinstance(one, Route)]
    addresses = {one.path for one in routes if "GET" in (one.methods or ())} - TELLS_NOTHING
    others = {one for one in addresses if not one.startswith("/class/")}
    assert {"/", "/explore", "/puzzle", "/learn/{key}", "/make", "/api/verdict"} <= others
    with classroom(server, "Ada", "Ben", turns=0) as room:
        ada, stranger = room.pupils["Ada"], room.visitor()
        stranger.post("/rooms", board="divisor-duel:60", opponent="friend")
        foreign = stranger.at
        table = room.pupil("Ada").by_id("room").attributes["data-at"]
        codes = {"{key}": "subtract-1-3-4", "{code}": foreign.rpartition("/")[2], "{name}": "table"}

        def given(visitor: Visitor) -> set[str]:
            found = set()
            for one in others:
                at = one + ASKED.get(one, "")
                for part, value in codes.items():
                    at = at.replace(part, value)
                answer = visitor.raw(at)
                refused = one.startswith("/api") and answer.status_code == 403
                if not refused and answer.headers.get("location") != room.at:
                    found.add(one)
            return found

        assert given(ada) == set()
        assert ada.raw(f"{table}/table").status_code == 200, "the pupil's own match"
        assert ada.json(f"/api/rooms/{table.rpartition('/')[2]}")
        ada.post("/class")
        assert ada.at == room.at, "nor is there a class of one's own, to unveil the map there"
        assert given(stranger) == others, "it is the pupils' browsers that are told nothing"
        assert given(room.teacher) == others
        room.press("stop")
        assert given(ada) == set(), "between rounds, too"
        room.press("map", "map")
        assert given(ada) == set()
        room.press("unveil", "map")
        assert given(ada) == others
        room.start(**(RULE | {"own": "subtract-2-3"}))
        assert given(ada) == set(), "another game is to be found out"
        room.start(hints="1", anyway="1", **RULE)
        assert given(ada) == others, "the teacher allows it"
        room.press("end")
        assert given(ada) == others


def test_the_projectors_address_opens_no_page_of_the_teachers(server: Server) -> None:
    """All can read it at the front. Sent as a token, it once told solutions and names."""
    with classroom(server, "Ada", "Ben", turns=0) as room:
        room.teacher.post(f"{room.at}/teacher/projector", page="new")
        bearer = {"Authorization": f"Bearer {room.teacher.at.rpartition('/')[2]}"}
        pages = ("teacher", "wall", "map", "discuss", "puzzles", "learned", "learned.csv")
        for name in (*pages, "results.csv"):
            answer = httpx.get(f"{server.address.rstrip('/')}{room.at}/{name}", headers=bearer)
            assert answer.headers.get("location") == room.at, name


def test_the_reason_stays_with_its_position_until_the_map_is_unveiled(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=0) as room:

        def reason(number: str) -> str:
            room.teach("discuss").press("ask", **(RULE | {"number": number}))
            for _ in range(3):
                room.press("show", "discuss")
            assert room.pupil("Ada").words("reason") == room.teacher.words("reason")
            return room.teacher.words("reason")

        said = ("Subtract 1: that leaves 9, a trap.", "Subtract 3: that leaves 7, a trap.")
        assert reason("10") == "".join(("Whoever must move here can win.", *said))
        assert reason("9").endswith("leaves a number from which the other player can win.")
        room.press("map", "map")
        room.press("unveil", "map")
        assert "7" in reason("9"), "the period"
