"""Whatever somebody sends, nothing is started, nobody is called, and others go on playing."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from numduel.errors import TooManyDigits
from numduel.wording import problem
from patience import PATIENT
from web.playing import duel, opened, play_all, told
from web.raw import PING, TEXT, frame, upgraded
from web.server import Server, running

HARD = "subtract-a-prime:7" + "3141592653" * 349 + "26"
"""Nearly a minute's work: the largest prime below, of 3,493 digits."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("hostile") / "rooms.sqlite3"
    with running(str(place), seconds=2.0) as server:
        yield server
        assert "Traceback" not in server.output


def test_nothing_is_started_and_nobody_is_called(
    server: Server, client: httpx.Client, tmp_path: Path
) -> None:
    """Players that are programs or models are refused wherever a word or a record is taken."""
    marker = tmp_path / "started"
    with socket.socket() as trap:
        trap.bind(("127.0.0.1", 0))
        trap.listen()
        trap.settimeout(0.5)
        words = [f"engine:touch {marker}", f"engine:/usr/bin/touch {marker}",
                 f"llm:model@http://127.0.0.1:{trap.getsockname()[1]}/v1"]  # fmt: skip
        told(client.get("api/verdict?board=divisor-duel:60&most=7"))  # starts the thinkers
        own = {"Origin": server.address.rstrip("/")}
        for word in words:
            for players in (["person", word], [word, "person"], [word, word]):
                answer = client.post(
                    "api/rooms", json={"board": "divisor-duel:60", "players": players}
                )
                assert answer.status_code == 422, answer.text
            form = {"board": "divisor-duel:60", "opponent": word, "first": "2"}
            assert client.post("rooms", data=form, headers=own).status_code == 422
            client.get("/", params={"level": word, "opponent": word})
            record = (
                "numduel record 1\nDate: 2026-11-15T09:30:00+00:00\nBoard: divisor-duel:60\n"
                f"Player 1: Alice, {word}\nPlayer 2: Bob, {word}\nFirst: Alice\nOvershoot: again\n"
                "Penalty: off\n\n1. Alice: 15 -> 45\n\nResult: unfinished\n"
            )
            for path in ("replay", "analysis", "path.svg", "api/analysis"):
                assert client.get(path, params={"match": record}).status_code < 500
                client.get(path, params={"match": "divisor-duel:60/15", "names": f"{word},x"})
            for path in ("api/moves", "api/verdict", "api/hint", "api/map", "explore"):
                assert client.get(path, params={"board": word}).status_code in (200, 422)
            assert client.get(f"api/learn/{quote(word, safe='')}").status_code in (404, 422)
            assert client.get("api/puzzle", params={"kind": word}).status_code == 422
        with pytest.raises(TimeoutError):
            trap.accept()
    assert not marker.exists()
    assert children(server) <= {"numduel.thinking.thinker"}, "nothing else is started"


def children(server: Server) -> set[str]:
    """What the server has started as processes of their own."""
    found = set()
    for tasks in Path(f"/proc/{server.pid}/task").iterdir():
        for number in (tasks / "children").read_text().split():
            command = Path(f"/proc/{number}/cmdline").read_bytes().decode().split("\0")
            found.add(command[command.index("-m") + 1] if "-m" in command else command[0])
    return found


def test_a_hard_question_stalls_nobody(client: httpx.Client) -> None:
    players = duel(client, "digit-subtraction-duel:99999")
    with ThreadPoolExecutor(2) as askers:
        hard = [askers.submit(client.get, f"api/verdict?board={HARD}&most={n}") for n in range(2)]
        opened(client, players=["person", "level:3"])
        meanwhile = 0
        while not any(one.done() for one in hard):
            told(players[meanwhile % 2].play(first_move(players[0].room())))
            meanwhile += 1
        assert meanwhile > 1, "people and computers go on playing"
        answers = [one.result(PATIENT) for one in hard]
    assert {answer.status_code for answer in answers} == {503}
    assert {answer.json()["error"] for answer in answers} <= {"TookTooLong", "TooBusy"}
    told(client.get("api/verdict?board=divisor-duel:60&most=7"))


LONG_PRIME = str(2**11213 - 1)
"""Of 3,376 digits. To find out that it is a prime takes a second."""


def test_a_long_first_move_is_refused_unseen(server: Server, client: httpx.Client) -> None:
    """Its length is looked at before it is calculated with, and no room is opened for it."""
    before = rooms(server)
    board = f"prime-subtractor:{'9' * 100}"
    form = {"board": board, "overshoot": "loses", "opponent": "random", "move": LONG_PRIME}
    own = {"Origin": server.address.rstrip("/")}
    said = problem(TooManyDigits(digits=3_376, limit=102))
    answer = client.post("rooms", data=form, headers=own)
    assert answer.status_code == 422
    assert said in answer.text
    assert rooms(server) == before
    assert told(client.get("check", params=form))["says"] == said


def rooms(server: Server) -> int:
    """How many rooms there are."""
    with closing(sqlite3.connect(f"file:{server.place}?mode=ro", uri=True)) as database:
        return int(database.execute("SELECT count(*) FROM rooms").fetchone()[0])


def first_move(room: dict[str, str]) -> str:
    """A digit of the number."""
    return max(room["board"].partition(":")[2])


@pytest.mark.parametrize("kind", [TEXT, PING])
def test_a_flood_cuts_the_connection(kind: int, server: Server, client: httpx.Client) -> None:
    """Little is taken from who floods and never listens, and nothing is kept for it."""
    code = opened(client).code
    before = memory(server)
    with upgraded(server, code, receive_buffer=4_096) as connection:
        flood = frame(kind, b"x" * 100) * 1_000
        with pytest.raises(ConnectionError):
            send_for_ever(connection, flood)
        assert memory(server) - before < 10 << 20
    told(client.get(f"api/rooms/{code}"))


def send_for_ever(connection: socket.socket, content: bytes) -> None:
    sent = 0
    while sent < 40 << 20:
        sent += connection.send(content)


def test_who_never_listens_holds_nothing_up(server: Server, client: httpx.Client) -> None:
    players = duel(client, "digit-subtraction-duel:99999")
    with upgraded(server, players[0].code, receive_buffer=1_024):
        room = play_all(players, *["9"] * 10)
        assert room["ply"] == 10


def memory(server: Server) -> int:
    """Bytes of memory that the server itself uses."""
    for line in Path(f"/proc/{server.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")
