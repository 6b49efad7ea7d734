"""A server's memory does not grow with the nonsense that strangers send.

As many requests as there is time for in `make soak`, no two alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import chain, cycle, repeat
from pathlib import Path
from random import Random

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
FILLED = "GET /replay?match={a12000}:60/15"
KINDS = [
    "GET /check?board={a12000}:5", "GET /check?board=divisor-duel:{9}&move={a200}",
    "GET /?board={a11000}:{9}", "GET /?game={a3000}&number={9}", "GET /explore?board={a9000}:60",
    "GET /explore?board=divisor-duel:60,{a5000}=even", "GET /rules/{a12000}", "GET /learn/{a8000}",
    "GET /replay?match={a6000}:60/15.15", "GET /room/{a10}", "GET /replay/{a10}",
    "GET /static/{a100}.js", "GET /{a60}%E2%80%AE%00", "GET /api/verdict?board={a10000}:60",
    "GET /api/verdict?board=power-play:{9}&{a500}=1", "GET /api/moves?board={a60}:{9}",
    "GET /api/rooms/{a10}", "GET /api/puzzle?day={a1000}",
    "POST /rooms game={a9000}&number=60&{a500}=x", "POST /room/{a10}/play version=0&move={9}",
    'POST /api/rooms {"board":"{a12000}:60"}', 'POST /api/rooms {"{a2000}":{9}}',
    "POST /api/rooms {a12000}", 'POST /api/rooms/{a10}/moves {"version":0,"move":"15"}',
]  # fmt: skip
"""`{a60}`: a word of so many letters; `{9}`: a number."""


def requests() -> Iterator[list[str]]:
    """Method, path and body, with words and numbers that were not sent before."""
    chance = Random(1)

    def filled(hole: re.Match[str]) -> str:
        length = int(hole[1] or 0)
        return f"a{chance.randbytes(length // 2).hex()}" if length else str(chance.randrange(10**9))

    for kind in chain(repeat(FILLED, FILLING), cycle(KINDS)):
        yield [*re.sub(r"\{(?:a(\d+)|9)\}", filled, kind).split(" ", 2), ""][:3]


def resident(pid: int) -> int:
    """Bytes in memory of the server and of the processes that it started."""
    server = psutil.Process(pid)
    return sum(process.memory_info().rss for process in (server, *server.children(recursive=True)))


@pytest.mark.soak("hostile")
def test_memory_stays_flat(tmp_path: Path) -> None:
    statuses, there_is_time = set(), time_for(0.25)
    with (
        running(str(tmp_path / "rooms.sqlite3")) as server,
        closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENT)) as connection,
    ):
        warm = 0
        for number, (method, path, body) in enumerate(requests()):
            if number >= FILLING + REQUESTS and not there_is_time():
                break
            if number == FILLING + WARM_UP:
                warm = resident(server.pid)
            kind = "application/json" if "/api/" in path else "application/x-www-form-urlencoded"
            connection.request(method, path, body, {"Content-Type": kind} if body else {})
            answer = connection.getresponse()
            answer.read()
            statuses.add(answer.status)
        grown = resident(server.pid) - warm
        assert "Traceback" not in server.output
    figure("requests of nonsense, no two alike", number)
    figure("MiB that memory grew by meanwhile", grown >> 20)
    assert statuses <= {200, 303, 400, 404, 409, 413, 422}
    assert grown < MOST_GROWN, f"{grown >> 20} MiB more after {number - WARM_UP} requests"
