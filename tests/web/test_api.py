"""Programs play and ask: every action and question of the API, against a real server."""

import asyncio
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Message, Receive

from loops import on_loop
from numduel.board import Board
from numduel.rooms import Terms, new_token
from numduel.thinking.meter import VISIT, Meter
from numduel.thinking.turns import Turns
from numduel.web import live
from patience import PATIENT
from rooms.lobbies import DUEL
from rooms.lobbies import running as lobby_running
from rooms.opened import ANN
from test_docs import blocks_of
from web.markup import check
from web.playing import Player, duel, opened, play_all, refused, sat_down, told
from web.server import Server

ROOT = Path(__file__).parents[2]


def test_the_example_of_the_guide_plays_to_the_end(
    server: Server, client: httpx.Client, tmp_path: Path
) -> None:
    [block] = [b for b in blocks_of(ROOT / "docs" / "api.md") if b.file == "bot.py"]
    assert len(block.text.splitlines()) <= 20
    shown = ROOT / "src" / "numduel" / "web" / "templates" / "bot.txt"
    assert shown.read_text(encoding="utf-8") == block.text, "and the page shows it"
    (tmp_path / "bot.py").write_text(block.text, encoding="utf-8")

    def run(*arguments: str) -> list[str]:
        command = [sys.executable, tmp_path / "bot.py", server.address, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENT)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    match, result = run()
    judged = told(client.get("api/analysis", params={"match": match}))
    assert (judged["winner"] == 1) == (result == "won")
    code = opened(client, "digit-subtraction-duel:60", seat=0).code
    with ThreadPoolExecutor(2) as both:
        [(one, first), (other, second)] = both.map(lambda _: run(code), range(2))
    assert (one, {first, second}) == (other, {"won", "lost"}), "both saw the same match"


def test_a_match_from_the_first_to_the_last_move(client: httpx.Client) -> None:
    players = duel(client, "divisor-duel:60")
    room = play_all(players, "15", "15", "15", "5", "5")
    assert room["turns"] == ["15", "15", "15", "5", "5"]
    assert room["match"] == "divisor-duel:60/15.15.15.5.5"
    assert (room["start"], room["board"]) == ("divisor-duel:60", "divisor-duel:5")
    assert room["over"] == {"winner": 1, "ending": "no-move", "player": 2}
    assert room["to_move"] is None
    assert [seat["wins"] for seat in room["seats"]] == [1, 0]
    replay = told(client.get(f"api/replays/{room['replay']}"))
    assert replay["turns"] == room["turns"]
    assert (replay["winner"], replay["ending"], replay["first"]) == (1, "no-move", 1)
    assert replay["names"] == [seat["name"] for seat in room["seats"]]


def test_seats_and_tokens(client: httpx.Client) -> None:
    first = opened(client)
    assert first.room()["to_move"] is None
    refused(first.play("15"), 409, "NotAllowed")
    second = sat_down(client, first.code)
    room = first.room()
    assert room["to_move"] == 1
    refused(Player(client, first.code).ask("POST", "/seat"), 409, "SeatsTaken")
    for player, seat in ((first, 1), (second, 2)):
        again = told(player.ask("POST", "/seat"))
        assert (again["room"]["you"], again["token"]) == (seat, player.token)
        assert again["room"]["host"] is (seat == 1)
        assert again["room"]["version"] == room["version"], "sitting down twice changes nothing"
    made = told(
        client.post("api/rooms", json={"board": "power-play:30"}, headers=first.headers), 201
    )
    assert (made["token"], made["room"]["you"]) == (first.token, 1), "one token for many rooms"
    third = Player(client, made["room"]["code"], new_token())
    sat, again = (told(third.ask("POST", "/seat")) for _ in "ab")
    assert sat == again, "whoever chose the token can ask again when no answer came"
    assert (again["room"]["you"], again["token"]) == (2, third.token)
    host = opened(client, seat=0)
    assert (host.room()["you"], host.room()["host"]) == (None, True), "a host may look on"
    refused(host.play("15"), 403, "NotSeated")


def test_every_term_arrives(client: httpx.Client) -> None:
    terms = {
        "players": ["level:2", "person"], "first": 2, "misere": True, "overshoot": "loses",
        "takeback": False, "seconds": 60,
    }  # fmt: skip
    room = opened(client, "Prime-Subtractor:23", **terms).room()
    assert (room["board"], room["misere"]) == ("prime-subtractor:23~misere", True)
    assert (room["you"], room["to_move"]) == (2, 2)
    assert [seat["player"] for seat in room["seats"]] == ["level:2", "person"]
    assert room["takeback"] == {"allowed": False, "asked_by": None}
    assert (room["clock"]["seconds"], room["clock"]["running"]) == (60, 2)
    assert room["clock"]["left"][0] == 60
    assert 55 < room["clock"]["left"][1] < 60
    assert room["match"] == "prime-subtractor:23~misere//first=2,overshoot=loses"
    assert opened(client, "power-play:30", penalty=3).room()["match"].endswith("penalty=3")


def test_takebacks_a_rematch_and_the_end_of_a_room(client: httpx.Client) -> None:
    first, second = players = duel(client)
    refused(first.do("/takeback"), 409, "NotAllowed")
    refused(first.do("/rematch"), 409, "NotAllowed")
    play_all(players, "15", "15")
    assert told(first.do("/takeback"))["takeback"]["asked_by"] == 1
    refused(first.do("/takeback/answer", yes=True), 409, "NotAllowed")
    assert told(second.do("/takeback/answer", yes=False))["turns"] == ["15", "15"]
    told(second.do("/takeback"))
    room = told(first.do("/takeback/answer", yes=True))
    assert (room["turns"], room["to_move"]) == (["15"], 2)
    ended = told(second.do("/resign"))
    refused(first.play("5"), 409, "MatchOver")
    assert told(second.do("/rematch"))["rematch_offered_by"] == 2
    room = told(first.do("/rematch"))
    assert (room["round"], room["to_move"], room["over"]) == (2, 2, None)
    assert [seat["wins"] for seat in room["seats"]] == [1, 0]
    assert first.ask("DELETE").status_code == 204
    refused(first.ask("GET"), 404, "UnknownRoom")
    refused(first.ask("DELETE"), 404, "UnknownRoom")
    assert room["replay"] != ended["replay"]
    for replay in (room["replay"], ended["replay"]):
        refused(client.get(f"api/replays/{replay}"), 404, "UnknownRoom")


def wait(player: Player, version: int) -> dict[str, object]:
    return told(player.ask("GET", params={"after": version}))


def test_waiting_ends_with_the_next_change_and_with_the_room(client: httpx.Client) -> None:
    first, second = duel(client)
    version = first.room()["version"]
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(wait, second, version)
        time.sleep(0.2)
        told(first.play("15"))
        assert waiting.result()["turns"] == ["15"]
        assert wait(second, version)["version"] == version + 1, "an old version: at once"
        gone = other.submit(first.ask, "GET", params={"after": version + 1})
        time.sleep(0.2)
        first.ask("DELETE")
        refused(gone.result(PATIENT), 404, "UnknownRoom")
    assert time.monotonic() - begun < live.WAIT_SECONDS, "not when a wait ends by itself"


@on_loop
async def test_who_waits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert 5 <= live.WAIT_SECONDS <= 25, "proxies end a silent request after 30 seconds or more"
    monkeypatch.setattr(live, "WAIT_SECONDS", 0.3)

    async def stays() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def leaves() -> Message:
        return {"type": "http.disconnect"}

    async with lobby_running(str(tmp_path / "rooms.sqlite3")) as lobby:
        room = await lobby.open(Terms(DUEL), ANN)

        app = Starlette()
        app.state.lobby, app.state.stopping = lobby, asyncio.Event()

        async def wait(receive: Receive = stays) -> None:
            asking = Request({"type": "http", "app": app}, receive)
            found = await live.changed(asking, room.code, room.version)
            assert found.version == room.version

        begun = time.monotonic()
        await wait()
        assert time.monotonic() - begun > 0.25, "it ends by itself"
        monkeypatch.setattr(live, "WAIT_SECONDS", 10 * PATIENT)
        monkeypatch.setattr(live, "_WAITS", Turns(1))
        for _ in range(3):
            await wait(leaves)
        monkeypatch.setattr(live, "_WAITS", Turns(9, each=2))
        meter = Meter()

        def wait_as(client: bytes) -> asyncio.Task[None]:
            VISIT.set(meter.visit(client, None, {}))
            return asyncio.create_task(wait())

        first = [wait_as(b"one") for _ in range(3)]
        done, held = await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        assert (len(done), len(held)) == (1, 2), "the third is answered at once"
        other = wait_as(b"another")
        await asyncio.wait([wait_as(b"one")])
        assert not other.done(), "others have a share of their own"
        app.state.stopping.set()  # the other one may only be about to wait
        await asyncio.gather(*held, other)


def test_the_examples_of_the_reference_can_be_sent(client: httpx.Client) -> None:
    """Each is a line for a shell; what it sends is read, though there is no such room."""
    page = unescape(client.get("api").text)
    bodies = re.findall(r"-d '(\{.*?\})' (\S+)", page)
    assert len(bodies) >= 7
    for body, address in bodies:
        path = urlsplit(address.strip("'")).path
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (201, 200, 403, 404), (body, answer.text)


QUESTIONS = {
    "moves?board=divisor-duel:12": ("count", 4),
    "moves?board=divisor-duel:60&most=3": ("complete", False),
    "verdict?board=divisor-duel:60": ("winning_moves", ["3", "5", "15"]),
    "verdict?board=subtract-a-prime:20%2Bdivisor-duel:60~misere": ("misere", True),
    "map?board=divisor-duel:60&to=12&values=true": ("lost", [1, 2, 3, 5, 7, 8, 9, 11]),
    "hint?board=divisor-duel:60&step=3": ("text", None),
    "analysis?match=divisor-duel:60/15.15.15.5.5&names=Ann,Ben": ("names", ["Ann", "Ben"]),
    "daily?day=2026-11-18&played=2": ("squares", "🟦"),
    "daily": ("over", False),
    "puzzle?seed=numduel&place=4": ("asks", "move"),
    "puzzle?seed=numduel&kind=divisor-duel&rating=1200": ("game", "divisor-duel"),
    "learn/divisor-duel": ("title", "Divisor Duel"),
}


def test_questions(client: httpx.Client) -> None:
    for path, (name, expected) in QUESTIONS.items():
        answer = told(client.get(f"api/{path}"))
        assert answer[name] if expected is None else answer[name] == expected
    refused(client.get("api/verdict?board=nim:3"), 422, "UnknownGame")
    refused(client.get("api/verdict?board=divisor-duel"), 422, "InvalidBoard")
    refused(client.get("api/analysis?match=divisor-duel:60/7"), 422, "InvalidNotation")


def test_games_and_players_are_those_that_are_taken(client: httpx.Client) -> None:
    answer = told(client.get("api/games"))
    assert len(answer["games"]) >= 5
    for game in answer["games"]:
        assert opened(client, game["board"]).room()["board"] == game["board"]
    for word in answer["players"]:
        assert opened(client, players=[word, "person"]).room()["seats"][0]["player"] == word


def test_solutions_are_told_once_they_are_answered(client: httpx.Client) -> None:
    puzzle = told(client.get("api/puzzle?seed=2026"))
    assert "solution" not in puzzle
    tried = next(Board.parse(puzzle["board"]).moves())
    answer = Board.parse(puzzle["board"]).write_move(tried)
    said = told(client.post("api/puzzle", json={"seed": "2026", "answer": answer}))
    assert said["solved"] == (said["solution"] == answer)
    right = {"seed": "2026", "answer": said["solution"]}
    assert told(client.post("api/puzzle", json=right))["solved"]
    lesson = told(client.get("api/learn/divisor-duel"))
    assert all("learnt" not in step for step in lesson["steps"])
    assert told(client.post("api/learn/divisor-duel/1", json={"answer": "3"}))["solved"]
    assert not told(client.post("api/learn/divisor-duel/1", json={"answer": "2"}))["solved"]


def test_the_schema_and_the_page_name_every_operation(client: httpx.Client) -> None:
    schema = told(client.get("openapi.json"))
    page = client.get("api")
    assert page.status_code == 200
    ids = [one["operationId"] for path in schema["paths"].values() for one in path.values()]
    assert len(ids) == len(set(ids)) >= 20
    for path in ("docs", "redoc", "docs/oauth2-redirect"):
        assert client.get(path).status_code == 404, "ready-made pages are off"
    assert [name for name in ids if f'id="{name}"' not in page.text] == []
    assert [s for s in schema["components"]["schemas"] if f'id="shape-{s}"' not in page.text] == []
    check(page.text)
    links = re.findall(r'href="#([^"]+)"', page.text)
    assert [link for link in links if f'id="{link}"' not in page.text] == []
    taken = {"NewRoom", "Act", "NewMove", "TakebackAnswer", "PuzzleAnswer", "StepAnswer", "NewSeat"}
    for name, shape in schema["components"]["schemas"].items():
        if name not in taken and shape["type"] == "object":
            assert sorted(shape["required"]) == sorted(shape["properties"])
            assert shape["additionalProperties"] is False
