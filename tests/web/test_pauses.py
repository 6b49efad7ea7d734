"""A server does not stop everybody to look through all its objects while visitors come."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from web.raw import upgraded

VISITORS = 300
"""By Python's own rule, a full collection comes when there is a quarter more to look at."""

PROGRAM = """
import gc, json, os, sys
from dataclasses import asdict
from uvicorn import Server
from numduel.rooms import steady_time
from numduel.web.addresses import listen
from numduel.web.serving import VARIABLE, app_of_worker, config_of, serve
from numduel.web.settings import Limits, Settings

way, place = sys.argv[1:]
settings = Settings(place, Limits(sockets_per_client=1_000, requests_per_second=1_000, burst=1_000))

def full_collections():
    return gc.get_stats()[2]["collections"]

class Worker(Server):  # as uvicorn runs one
    async def startup(self, sockets=None):
        await super().startup(sockets)
        ready()

with listen("127.0.0.1", 0) as listening:
    def ready():
        global at_start
        at_start = full_collections()
        print(listening.getsockname()[1], flush=True)
    if way == "alone":
        serve(settings, listening, 1, ready)
    else:
        os.environ[VARIABLE] = json.dumps({**asdict(settings), "anchor": steady_time.anchor()})
        try:
            Worker(config_of(app_of_worker(), settings)).run([listening])
        except KeyboardInterrupt:
            pass

serving = full_collections() - at_start
garbage = [[] for _ in range(1_500_000)]
print(json.dumps([serving, full_collections() - at_start - serving]))
"""


class Served(NamedTuple):
    """Where the program listens."""

    port: int


@pytest.mark.soak("rest")
@pytest.mark.parametrize("way", ["alone", "worker"])
def test_visitors_cause_no_full_collection(way: str, tmp_path: Path) -> None:
    """Nor is it put off for ever: what only it can find would never be freed."""
    command = [sys.executable, "-P", "-c", PROGRAM, way, str(tmp_path / "rooms.sqlite3")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            served = Served(int(process.stdout.readline()))
            address = f"http://127.0.0.1:{served.port}/api/rooms"
            opened = httpx.post(address, json={"board": "divisor-duel:60"}, trust_env=False)
            code = opened.json()["room"]["code"]
            with ExitStack() as visitors:
                for _ in range(VISITORS):
                    visitors.enter_context(upgraded(served, code))
            process.send_signal(signal.SIGINT)
            while_serving, later = json.loads(process.stdout.readline())
        finally:
            process.kill()
    assert while_serving == 0
    assert later > 0
