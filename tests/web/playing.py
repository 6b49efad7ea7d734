"""Programs that play over the API, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from patience import PATIENT
from web.server import Server

BOARD = "divisor-duel:60"


@contextmanager
def asking(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=PATIENT, verify=False) as client:
        yield client


class Player:
    def __init__(self, client: httpx.Client, code: str = "", token: str | None = None) -> None:
        self._client = client
        self.code, self.token = code, token

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def ask(self, method: str, path: str = "", **values: Any) -> httpx.Response:
        values["headers"] = self.headers | values.get("headers", {})
        return self._client.request(method, f"api/rooms/{self.code}{path}", **values)

    def room(self) -> dict[str, Any]:
        return told(self.ask("GET"))

    def all_turns(self) -> list[str]:
        """Every move of the match; the room itself tells the last ones."""
        turns: list[str] = told(self._client.get(self.room()["addresses"]["replay"]))["turns"]
        return turns

    def play(self, move: str, version: int | None = None) -> httpx.Response:
        return self.do("/moves", version, move=move)

    def do(self, path: str, version: int | None = None, **said: Any) -> httpx.Response:
        seen = self.room()["version"] if version is None else version
        return self.ask("POST", path, json={"version": seen, **said})


def told(answer: httpx.Response, status: int = 200) -> dict[str, Any]:
    assert answer.status_code == status, (answer.status_code, answer.text)
    content: dict[str, Any] = answer.json()
    return content


def refused(answer: httpx.Response, status: int, error: str) -> str:
    content = told(answer, status)
    assert set(content) == {"error", "message"}
    assert content["error"] == error, content
    assert content["message"].endswith((".", "?")), content
    return str(content["message"])


def opened(client: httpx.Client, board: str = BOARD, **terms: Any) -> Player:
    made = told(client.post("api/rooms", json={"board": board, **terms}), 201)
    return Player(client, made["room"]["code"], made["token"])


def sat_down(client: httpx.Client, code: str) -> Player:
    return Player(client, code, told(client.post(f"api/rooms/{code}/seat"))["token"])


def duel(client: httpx.Client, board: str = BOARD, **terms: Any) -> tuple[Player, Player]:
    first = opened(client, board, **terms)
    return first, sat_down(client, first.code)


def play_all(players: tuple[Player, Player], *moves: str, first: int = 0) -> dict[str, Any]:
    """Play the moves in turn; the room after them."""
    room = players[0].room()
    for move in moves:
        room = told(players[(first + room["ply"]) % 2].play(move, room["version"]))
    return room
