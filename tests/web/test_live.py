"""Live news: a WebSocket says which version a room has, to whoever listens."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.types import Message
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from numduel import Board
from numduel.classes import RoundPlan
from numduel.classes.actions import StartRound
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.roster import Join
from numduel.rooms import Terms, new_token
from numduel.rooms.kept_rooms import Rooms
from numduel.web import live
from patience import PATIENT
from rooms.lobbies import DUEL, act
from rooms.lobbies import running as lobby_running
from rooms.opened import ANN
from web.playing import Player, duel, opened, play_all, told
from web.raw import upgraded
from web.server import Server

SECONDS = PATIENT


def listening(server: Server, code: str, **options: Any) -> ClientConnection:
    return following(server, f"rooms/{code}", **options)


def following(server: Server, topic: str, token: str = "", **options: Any) -> ClientConnection:
    """Live news, for who has the token."""
    if token:
        options["additional_headers"] = {"Authorization": f"Bearer {token}"}
    address = f"{server.live_address}api/{topic}/live"
    return connect(address, compression=None, proxy=None, close_timeout=1, **options)


def heard(connection: ClientConnection) -> int:
    said = json.loads(connection.recv(SECONDS))
    assert set(said) == {"version"}
    return int(said["version"])


def heard_until(connection: ClientConnection, version: int) -> list[int]:
    versions = [heard(connection)]
    while versions[-1] != version:
        versions.append(heard(connection))
    return versions


def closing_code(connection: ClientConnection) -> int:
    """The code that the server closes with, whatever it says before."""
    try:
        while True:
            connection.recv(SECONDS)
    except ConnectionClosed as closed:
        assert closed.rcvd is not None, "the connection was cut"
        return closed.rcvd.code


def test_players_and_watchers_hear_of_every_change(server: Server, client: httpx.Client) -> None:
    players = duel(client)
    code = players[0].code
    with ExitStack() as stack:
        connections = [stack.enter_context(listening(server, code)) for _ in range(3)]
        version = players[0].room()["version"]
        assert [heard(connection) for connection in connections] == [version] * 3
        room = play_all(players, "15")
        assert [heard(connection) for connection in connections] == [room["version"]] * 3
        room = play_all(players, "15", "15", "5", "5")
        for connection in connections:
            versions = heard_until(connection, room["version"])
            assert versions == sorted(set(versions)), "versions only grow"


def test_the_computers_move_is_heard(server: Server, client: httpx.Client) -> None:
    me = opened(client, players=["person", "level:1"], board="digit-subtraction-duel:99")
    with listening(server, me.code) as connection:
        assert heard(connection) == 1
        play_all(duel(client), "15", "15")
        told(me.play("9"))
        assert heard_until(connection, 3)[0] == 2, "other rooms are not heard of"
    assert me.room()["ply"] == 2


def test_a_room_that_is_not_there_closes_at_once(server: Server, client: httpx.Client) -> None:
    me = opened(client)
    with listening(server, me.code) as connection:
        heard(connection)
        me.ask("DELETE")
        assert heard(connection) == 0
        assert closing_code(connection) == live.UNKNOWN
    for code in (me.code, "%00", "a" * 3000):
        with listening(server, code) as connection:
            assert closing_code(connection) == live.UNKNOWN


def test_who_goes_on_talking_is_shown_out(server: Server, client: httpx.Client) -> None:
    code = opened(client).code
    with listening(server, code) as connection:
        heard(connection)
        connection.send("hello")
        told(client.post(f"api/rooms/{code}/seat"))
        assert heard(connection) == 2, "a word or two do no harm"
        for _ in range(live.MOST_MESSAGES - 1):
            connection.send("hello")
        assert closing_code(connection) == live.TALKS


def test_our_own_pages_may_listen_and_no_others(server: Server, client: httpx.Client) -> None:
    code = opened(client).code
    with listening(server, code, origin=server.address.rstrip("/")) as connection:
        assert heard(connection) == 1
    with pytest.raises(InvalidStatus) as refused, listening(server, code, origin="https://a.b"):
        pass
    assert refused.value.response.status_code == 403
    assert client.get(f"api/rooms/{code}/live").status_code == 404, "nor is there a page"


def test_who_leaves_without_a_word_is_forgotten(server: Server, client: httpx.Client) -> None:
    """Connections are cut in the middle of news: the server goes on and says nothing of it."""
    first, second = duel(client, "digit-subtraction-duel:99999")
    before = server.output
    for _ in range(10):
        with upgraded(server, first.code) as cut:
            told(first.play("9"))
            # A reset, as of a machine that is gone.
            cut.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        told(second.play("9"))
    with listening(server, first.code) as connection:
        assert heard(connection) == first.room()["version"]
    assert server.output == before


def here(connection: ClientConnection) -> list[bool | None]:
    """Who is at the seats, as the next message about that says."""
    while "here" not in (said := json.loads(connection.recv(SECONDS))):
        assert set(said) == {"version"}
    told: list[bool | None] = said["here"]
    return told


def test_who_asks_hears_who_is_there_and_who_has_left(server: Server, client: httpx.Client) -> None:
    first, second = duel(client)
    address = f"{server.live_address}api/rooms/{first.code}/live?here=1"
    with (
        connect(address, compression=None, proxy=None) as watcher,
        listening(server, first.code) as plain,
    ):
        assert here(watcher) == [None, None]
        with listening(server, first.code, additional_headers=first.headers):
            assert here(watcher) == [True, None]
            with listening(server, first.code, additional_headers=second.headers):
                assert here(watcher) == [True, True]
            assert here(watcher) == [True, False]
        assert here(watcher) == [False, False]
        room = play_all((first, second), "15")
        assert heard_until(plain, room["version"])[-1] == room["version"], "and nothing else"


def test_a_client_that_closes_while_it_is_told_something_is_no_failure(tmp_path: Path) -> None:
    """The server knows that the connection is closed a moment before the application does."""

    async def main() -> None:
        async with lobby_running(str(tmp_path / "rooms.sqlite3")) as lobby:
            room = await lobby.open(Terms(DUEL), ANN)
            sent = []

            async def receive() -> Message:
                if not sent:
                    return {"type": "websocket.connect"}
                await asyncio.Event().wait()
                raise AssertionError("nothing comes")

            async def send(message: Message) -> None:
                sent.append(message["type"])
                if message["type"] == "websocket.send":
                    raise RuntimeError("Unexpected ASGI message, after sending 'websocket.close'.")

            app = Starlette()
            app.state.lobby = lobby
            scope = {
                "type": "websocket", "app": app, "path_params": {"code": room.code},
                "query_string": b"here=1", "headers": [],
            }  # fmt: skip
            await live.ROOM.follow(WebSocket(scope, receive, send))
            assert sent == ["websocket.accept", "websocket.send"]
            assert lobby.live.watched == []

    act(main())


def test_a_wall_hears_of_every_move(server: Server, client: httpx.Client) -> None:
    teacher, tokens = new_token(), [new_token() for _ in range(4)]
    with closing(Rooms(server.place, lambda _code, _version: None)) as rooms:
        classes = KeptClasses(rooms)
        code = classes.open(teacher).code
        for token in tokens:
            classes.act(code, token, 0, Join(""))
        plan = RoundPlan(Board.parse("digit-subtraction-duel:99"))
        classes.act(code, teacher, 1, StartRound(plan))
        tables = [*classes.wall(code, teacher).rooms.values()]
    with ExitStack() as stack:
        wall = stack.enter_context(following(server, f"classes/{code}/wall", teacher))
        pupil = stack.enter_context(following(server, f"classes/{code}", tokens[0]))
        version = heard(wall)
        assert heard(pupil) == 2
        for stranger in (tokens[0], new_token()):
            with following(server, f"classes/{code}/wall", stranger) as refused:
                assert closing_code(refused) == live.UNKNOWN
        for room in tables * 2:
            seated = {room.seat_of(token): token for token in tokens}
            told_room = Player(client, room.code, seated[0]).room()
            player = Player(client, room.code, seated[told_room["to_move"] - 1])
            told(player.play(told_room["board"].rpartition(":")[2][0]))
            newer = heard(wall)
            assert newer > version, "one more than before, whatever the room"
            version = newer
