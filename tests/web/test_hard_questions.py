"""A client that asks hard questions pays for them; others are answered all the while."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from patience import PATIENT
from web.server import Server, running

HARD = "subtract-a-prime:1" + "0" * 3_000
EASY = "divisor-duel:60"
LARGE = "subtract-a-prime:1" + "0" * 98
"""Its moves are listed by a thinker, not by the server itself."""


class Stranger:
    """Somebody behind a proxy on this machine, which says who asks."""

    def __init__(self, server: Server, address: str) -> None:
        self.headers = {"X-Forwarded-For": address, "Origin": server.address.rstrip("/")}
        self.client = httpx.Client(base_url=server.address, headers=self.headers, timeout=PATIENT)

    def ask(self, path: str, **query: str | int) -> httpx.Response:
        return self.client.get(path, params=query)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = str(tmp_path_factory.mktemp("web") / "rooms.sqlite3")
    with running(place, seconds=2.0, thinking_per_minute=2) as server:
        yield server


@pytest.fixture
def spent(server: Server, request: pytest.FixtureRequest) -> Iterator[Stranger]:
    """Somebody who has used up the thinking of a minute, and has a room with a computer."""
    number = sum(map(ord, request.node.name)) % 200
    stranger = Stranger(server, f"192.0.2.{number}")
    with stranger.client:
        opened = stranger.client.post("rooms", data={"board": LARGE, "opponent": "perfect"})
        assert opened.status_code == 303
        stranger.room = opened.headers["location"]  # type: ignore[attr-defined]
        told: list[str] = []
        while "TooManyRequests" not in told:
            assert told.count("TookTooLong") <= 3, "no more than what was paid for"
            board = f"{HARD}+divisor-duel:{100 * number + len(told) + 5}"
            told.append(stranger.ask("api/verdict", board=board).json()["error"])
        yield stranger


def test_hard_questions_of_one_client_leave_room_for_others(
    spent: Stranger, server: Server
) -> None:
    refused = spent.ask("api/verdict", board=EASY)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert spent.ask("").status_code == 200, "pages that ask nothing are shown"
    other = Stranger(server, "198.51.100.1")
    with other.client:
        assert other.ask("api/verdict", board=EASY).json()["outcome"] == "win"


def test_rooms_are_paid_for_too(spent: Stranger) -> None:
    """Hints, the moves of large numbers, the first look at a new room: all is thinking."""
    room = spent.room  # type: ignore[attr-defined]
    hint = spent.ask(room, hint=1, ply=0)
    assert hint.status_code == 200
    assert "Too many questions at once." in hint.text
    assert "data-key" in hint.text
    assert '<button class="move"' not in hint.text, "the moves are not listed then"
    opened = spent.client.post("rooms", data={"board": LARGE, "opponent": "perfect"})
    assert opened.status_code == 429
