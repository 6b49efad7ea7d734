"""Programs play: every action of the API, against a real server."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
import time
from asyncio import timeout
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.types import Message

from numduel.board import Board
from numduel.rooms import Lobby, Room, Terms, new_token
from numduel.thinking.waiting_line import ASKER
from numduel.web.api import waits
from numduel.web.api.waits import Waits
from patience import PATIENT
from rooms.lobbies import running as lobby_running
from test_docs import blocks_of
from web.playing import Player, duel, opened, play_all, refused, sat_down, told
from web.server import Server

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "src" / "numduel" / "web" / "templates"


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example of the guide, as a file."""
    [block] = [b for b in blocks_of(ROOT / "docs" / "api.md") if b.file == "bot.py"]
    assert len(block.text.splitlines()) <= 20
    path = tmp_path_factory.mktemp("bot") / "bot.py"
    path.write_text(block.text, encoding="utf-8")
    return path


def run(bot: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, bot, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_plays_to_the_end(bot: Path, server: Server, client: httpx.Client) -> None:
    printed = re.fullmatch(r"(divisor-duel:60/\S+) (won|lost)\n", run(bot, server.address))
    assert printed
    judged = told(client.get("api/analysis", params={"match": printed[1]}))
    assert (judged["winner"] == 1) == (printed[2] == "won")


def test_two_examples_play_each_other(bot: Path, server: Server, client: httpx.Client) -> None:
    code = opened(client, "digit-subtraction-duel:60", seat=0).code
    with ThreadPoolExecutor(2) as both:
        printed = list(both.map(lambda _: run(bot, server.address, code), range(2)))
    words = [line.rsplit(" ", 1) for line in printed]
    assert words[0][0] == words[1][0], "both saw the same match"
    assert {result for _, result in words} == {"won\n", "lost\n"}


def test_the_page_shows_the_example_of_the_guide(bot: Path) -> None:
    assert (TEMPLATES / "bot.txt").read_text(encoding="utf-8") == bot.read_text(encoding="utf-8")


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


def test_the_room_says_who_asks(client: httpx.Client) -> None:
    first, second = duel(client)
    rooms = [player.room() for player in (first, second, Player(client, first.code))]
    assert [(room["you"], room["host"]) for room in rooms] == [
        (1, True), (2, False), (None, False)
    ]  # fmt: skip


def test_seats_and_tokens(client: httpx.Client) -> None:
    first = opened(client)
    assert first.room()["to_move"] is None
    refused(first.play("15"), 409, "NotAllowed")
    second = sat_down(client, first.code)
    assert first.room()["to_move"] == 1
    refused(Player(client, first.code).ask("POST", "/seat"), 409, "SeatsTaken")
    version = first.room()["version"]
    for player, seat in ((first, 1), (second, 2)):
        again = told(player.ask("POST", "/seat"))
        assert (again["room"]["you"], again["token"]) == (seat, player.token)
    assert first.room()["version"] == version, "sitting down twice changes nothing"
    made = client.post("api/rooms", json={"board": "power-play:30"}, headers=first.headers)
    assert told(made, 201)["token"] == first.token, "one token holds seats in many rooms"
    assert made.json()["room"]["you"] == 1
    host = opened(client, seat=0)
    assert (host.room()["you"], host.room()["host"]) == (None, True), "a host may look on"
    refused(host.play("15"), 403, "NotSeated")


def test_every_term_arrives(client: httpx.Client) -> None:
    terms = {
        "players": ["level:2", "person"], "first": 2, "misere": True, "overshoot": "loses",
        "takeback": False, "seconds": 60,
    }  # fmt: skip
    room = opened(client, "Prime-Subtractor:23", **terms).room()
    assert room["board"] == "prime-subtractor:23~misere"
    assert room["misere"]
    assert (room["you"], room["to_move"]) == (2, 2)
    assert [seat["player"] for seat in room["seats"]] == ["level:2", "person"]
    assert room["takeback"] == {"allowed": False, "asked_by": None}
    assert room["clock"]["seconds"] == 60
    assert room["clock"]["running"] == 2
    assert room["clock"]["left"][0] == 60
    assert 55 < room["clock"]["left"][1] < 60
    assert room["match"] == "prime-subtractor:23~misere//first=2,overshoot=loses"
    assert opened(client, "power-play:30", penalty=3).room()["match"].endswith("penalty=3")


def test_the_computer_answers_and_agrees(client: httpx.Client) -> None:
    me = opened(client, "digit-subtraction-duel:99", players=["person", "perfect"])
    room = told(me.play("9"))
    room = wait(me, room["version"])
    assert len(room["turns"]) == 2
    room = told(me.do("/takeback"))
    assert (room["ply"], room["to_move"]) == (0, 1)
    assert told(me.do("/resign"))["over"] == {"winner": 2, "ending": "resigned", "player": 1}
    room = told(me.do("/rematch"))
    assert (room["round"], room["over"], room["ply"] <= 1) == (2, None, True)


def test_a_takeback_is_asked_and_answered(client: httpx.Client) -> None:
    first, second = players = duel(client)
    refused(first.do("/takeback"), 409, "NotAllowed")
    play_all(players, "15", "15")
    assert told(first.do("/takeback"))["takeback"]["asked_by"] == 1
    refused(first.do("/takeback/answer", yes=True), 409, "NotAllowed")
    assert told(second.do("/takeback/answer", yes=False))["turns"] == ["15", "15"]
    told(second.do("/takeback"))
    room = told(first.do("/takeback/answer", yes=True))
    assert (room["turns"], room["to_move"]) == (["15"], 2)
    refused(first.do("/takeback/answer", yes=True), 409, "NotAllowed")


def test_a_rematch_begins_with_the_other_player(client: httpx.Client) -> None:
    first, second = duel(client)
    refused(first.do("/rematch"), 409, "NotAllowed")
    ended = told(second.do("/resign"))
    assert told(second.do("/rematch"))["rematch_offered_by"] == 2
    room = told(first.do("/rematch"))
    assert (room["round"], room["to_move"], room["over"]) == (2, 2, None)
    assert room["replay"] != ended["replay"]
    assert [seat["wins"] for seat in room["seats"]] == [1, 0]


def test_a_deleted_room_is_gone_with_its_replays(client: httpx.Client) -> None:
    first, second = duel(client)
    replay = first.room()["replay"]
    refused(second.ask("DELETE"), 403, "NotSeated")
    assert first.ask("DELETE").status_code == 204
    refused(first.ask("GET"), 404, "UnknownRoom")
    refused(client.get(f"api/replays/{replay}"), 404, "UnknownRoom")
    refused(first.ask("DELETE"), 404, "UnknownRoom")


def wait(player: Player, version: int) -> dict[str, object]:
    """The room once its version is another one."""
    return told(player.ask("GET", params={"after": version}))


def test_waiting_ends_with_the_next_change(client: httpx.Client) -> None:
    first, second = duel(client)
    version = first.room()["version"]

    def move() -> None:
        time.sleep(0.2)
        told(first.play("15"))

    mover = threading.Thread(target=move)
    mover.start()
    begun = time.monotonic()
    room = wait(second, version)
    assert time.monotonic() - begun < waits.SECONDS, "not when the wait ends by itself"
    mover.join()
    assert room["turns"] == ["15"]
    begun = time.monotonic()
    assert wait(second, version)["version"] == version + 1, "an old version is answered at once"
    assert time.monotonic() - begun < waits.SECONDS


def test_waiting_for_a_room_that_is_deleted_ends(client: httpx.Client) -> None:
    first, _ = duel(client)
    version = first.room()["version"]
    with ThreadPoolExecutor(1) as other:
        begun = time.monotonic()
        waiting = other.submit(first.ask, "GET", params={"after": version})
        time.sleep(0.2)
        first.ask("DELETE")
        refused(waiting.result(PATIENT), 404, "UnknownRoom")
        assert time.monotonic() - begun < waits.SECONDS


def test_waiting_ends_by_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And where too many wait, at once."""
    assert 5 <= waits.SECONDS <= 25, "proxies end a silent request after 30 seconds or more"
    place = str(tmp_path / "rooms.sqlite3")
    monkeypatch.setattr(waits, "SECONDS", 0.3)
    assert asyncio.run(waited(place, most=10)) > 0.25
    monkeypatch.setattr(waits, "SECONDS", PATIENT)
    assert asyncio.run(waited(place, most=0)) < PATIENT / 4


async def waited(place: str, most: int) -> float:
    """Seconds until somebody hears that nothing has changed."""
    async with new_room(place) as (lobby, room):
        begun = time.monotonic()
        found = await Waits(most).changed(lobby, room.code, room.version, stays)
        assert found.version == room.version
        return time.monotonic() - begun


@asynccontextmanager
async def new_room(place: str) -> AsyncIterator[tuple[Lobby, Room]]:
    """A room, in a lobby of its own."""
    async with lobby_running(place) as lobby:
        yield lobby, await lobby.open(Terms(Board.parse("divisor-duel:60")), new_token())


async def stays() -> Message:
    """What a client sends that is still there: nothing."""
    await asyncio.Event().wait()
    raise AssertionError


async def leaves() -> Message:
    """What comes from a client that has left."""
    return {"type": "http.disconnect"}


def test_who_has_left_waits_no_longer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(waits, "SECONDS", 10 * PATIENT)

    async def main() -> None:
        async with new_room(str(tmp_path / "rooms.sqlite3")) as (lobby, room), timeout(PATIENT):
            waiting = Waits(most=1)
            for _ in range(3):
                found = await waiting.changed(lobby, room.code, room.version, leaves)
                assert found.version == room.version

    asyncio.run(main())


def test_one_client_waits_so_often_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(waits, "SECONDS", 10 * PATIENT)

    async def main() -> None:
        async with new_room(str(tmp_path / "rooms.sqlite3")) as (lobby, room), timeout(PATIENT):
            waiting = Waits(most=9, most_per_client=2)

            def wait_as(client: bytes) -> asyncio.Task[Room]:
                ASKER.set(client)
                news = waiting.changed(lobby, room.code, room.version, stays)
                return asyncio.create_task(news)

            first = [wait_as(b"one") for _ in range(3)]
            done, held = await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            assert (len(done), len(held)) == (1, 2), "the third is answered at once"
            other = wait_as(b"another")
            await asyncio.wait([wait_as(b"one")])
            assert not other.done(), "others have a share of their own"
            waiting.end()
            assert [(await one).version for one in (*held, other)] == [room.version] * 3

    asyncio.run(main())


def test_the_examples_of_the_reference_can_be_sent(client: httpx.Client) -> None:
    """Each is a line for a shell; what it sends is read, though there is no such room."""
    page = unescape(client.get("api").text)
    bodies = re.findall(r"-d '(\{.*?\})' (\S+)", page)
    assert len(bodies) >= 7
    for body, address in bodies:
        path = urlsplit(address.strip("'")).path
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (201, 200, 403, 404), (body, answer.text)
