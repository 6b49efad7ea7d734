"""A server's memory does not grow with the nonsense that strangers send.

As many requests as there is time for in `make soak`, no two alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import quote

import psutil
import pytest

from patience import PATIENT
from soaking import figure, time_for
from web.server import running

REQUESTS, WARM_UP = 20_000, 10_000
"""The fewest in all, and those before memory is measured."""
FILLING = 1_500
"""A server keeps the last answers, 16 MiB of them. That store is filled first."""
MOST_GROWN = 12 << 20
"""Bytes. Many short answers take the place of few long ones in that store, which costs some
6 MiB more until it settles; keys that were kept for ever cost hundreds."""
pytestmark = pytest.mark.soak("hostile")


class Request(NamedTuple):
    """What is sent."""

    method: str
    path: str
    body: bytes = b""
    kind: str = ""


def get(path: str) -> Request:
    return Request("GET", path)


def form(path: str, body: str) -> Request:
    return Request("POST", path, body.encode(), "application/x-www-form-urlencoded")


def data(path: str, body: str) -> Request:
    return Request("POST", path, body.encode(), "application/json")


class Nonsense:
    """Words and numbers that were not sent before."""

    def __init__(self) -> None:
        self._random = Random(1)

    def word(self, most: int) -> str:
        """A word that could be the key of a game."""
        return "a" + self._random.randbytes(most // 2).hex()

    def code(self) -> str:
        return "".join(self._random.choices("abcdefghjkmnpqrstvwxyz23456789", k=10))

    def number(self, most: int = 10**9) -> int:
        return self._random.randrange(1, most)

    def text(self) -> str:
        return quote("".join(chr(self._random.randrange(32, 0x3000)) for _ in range(60)))


KINDS: list[Callable[[Nonsense], Request]] = [
    lambda some: get(f"/check?board={some.word(12_000)}:5"),
    lambda some: get(f"/check?board=divisor-duel:{some.number()}&move={some.word(200)}"),
    lambda some: get(f"/?board={some.word(11_000)}:{some.number()}"),
    lambda some: get(f"/?game={some.word(3_000)}&number={some.number()}"),
    lambda some: get(f"/explore?board={some.word(9_000)}:60"),
    lambda some: get(f"/explore?board=divisor-duel:60,{some.word(5_000)}=even"),
    lambda some: get(f"/rules/{some.word(12_000)}"),
    lambda some: get(f"/learn/{some.word(8_000)}"),
    lambda some: get(f"/replay?match={some.word(6_000)}:60/15.15"),
    lambda some: get(f"/room/{some.code()}"),
    lambda some: get(f"/replay/{some.code()}"),
    lambda some: get(f"/static/{some.word(100)}.js"),
    lambda some: get(f"/{some.text()}"),
    lambda some: get(f"/api/verdict?board={some.word(10_000)}:60"),
    lambda some: get(f"/api/verdict?board=power-play:{some.number()}&{some.word(500)}=1"),
    lambda some: get(f"/api/moves?board={some.text()}:{some.number()}"),
    lambda some: get(f"/api/rooms/{some.code()}"),
    lambda some: get(f"/api/puzzle?day={some.word(1_000)}"),
    lambda some: form("/rooms", f"game={some.word(9_000)}&number=60&{some.word(500)}=x"),
    lambda some: form(f"/room/{some.code()}/play", f"version=0&move={some.number()}"),
    lambda some: data("/api/rooms", f'{{"board": "{some.word(12_000)}:60"}}'),
    lambda some: data("/api/rooms", f'{{"{some.word(2_000)}": {some.number()}}}'),
    lambda some: data("/api/rooms", some.word(12_000)),
    lambda some: data(f"/api/rooms/{some.code()}/moves", '{"version": 0, "move": "15"}'),
]


def requests() -> Iterator[Request]:
    some = Nonsense()
    for _ in range(FILLING):
        yield get(f"/replay?match={some.word(12_000)}:60/15")
    for kind in cycle(KINDS):
        yield kind(some)


def resident(pid: int) -> int:
    """Bytes in memory of the server and of the processes that it started."""
    server = psutil.Process(pid)
    return sum(process.memory_info().rss for process in (server, *server.children(recursive=True)))


def test_memory_stays_flat(tmp_path: Path) -> None:
    statuses, there_is_time = set(), time_for(0.25)
    with (
        running(str(tmp_path / "rooms.sqlite3")) as server,
        closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENT)) as connection,
    ):
        warm = 0
        for number, request in enumerate(requests()):
            if number >= FILLING + REQUESTS and not there_is_time():
                break
            if number == FILLING + WARM_UP:
                warm = resident(server.pid)
            headers = {"Content-Type": request.kind} if request.kind else {}
            connection.request(request.method, request.path, request.body, headers)
            answer = connection.getresponse()
            answer.read()
            statuses.add(answer.status)
        grown = resident(server.pid) - warm
        assert "Traceback" not in server.output
    figure("requests of nonsense, no two alike", number)
    figure("MiB that memory grew by meanwhile", grown >> 20)
    assert statuses <= {200, 303, 400, 404, 409, 413, 422}
    assert grown < MOST_GROWN, f"{grown >> 20} MiB more after {number - WARM_UP} requests"
