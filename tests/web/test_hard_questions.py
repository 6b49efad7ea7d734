"""A client that asks hard questions pays for them; others are answered all the while."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from web.server import running

HARD = "subtract-a-prime:1" + "0" * 3_000
EASY = "divisor-duel:60"


def test_hard_questions_of_one_client_leave_room_for_others(tmp_path: Path) -> None:
    place = str(tmp_path / "rooms.sqlite3")
    with running(place, seconds=1.0, thinking_per_minute=3, questions_at_once=3) as server:

        def ask(board: str, client: str) -> httpx.Response:
            """From behind a proxy on this machine, which says who asks."""
            headers = {"X-Forwarded-For": client}
            address = f"{server.address}api/verdict"
            return httpx.get(address, params={"board": board}, headers=headers, timeout=30)

        boards = [HARD[:-1] + str(last) for last in range(8)]
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda board: ask(board, "192.0.2.1"), boards))
        told = [answer.json()["error"] for answer in answers]
        assert told.count("TookTooLong") == 3, "as many as may be asked at once"
        assert told.count("TooManyRequests") == 5
        refused = ask(EASY, "192.0.2.1")
        assert refused.status_code == 429
        assert 10 <= int(refused.headers["Retry-After"]) <= 25, "a third of what a minute gives"
        start = time.monotonic()
        assert ask(EASY, "192.0.2.2").json()["outcome"] == "win"
        assert time.monotonic() - start < 3
