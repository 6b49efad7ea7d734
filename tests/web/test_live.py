"""Live news: a WebSocket says which version a room has, to whoever listens."""

import json
import socket
import struct
from contextlib import ExitStack

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from numduel.rooms import new_token
from numduel.web import live
from patience import PATIENT
from web.classroom import classroom
from web.playing import duel, opened, play_all, told
from web.server import Server
from web.tiny_server import upgraded


def listening(
    server: Server, code: str, topic: str = "rooms", token: str | None = None
) -> ClientConnection:
    shown = {"Authorization": f"Bearer {token}"} if token else {}
    address = f"{server.live_address}api/{topic}/{code}/live"
    return connect(address, additional_headers=shown, proxy=None, close_timeout=1)


def heard(connection: ClientConnection) -> int:
    said = json.loads(connection.recv(PATIENT))
    assert set(said) == {"version"}
    return int(said["version"])


def heard_until(connection: ClientConnection, version: int) -> list[int]:
    versions = [heard(connection)]
    while versions[-1] != version:
        versions.append(heard(connection))
    return versions


def closing_code(connection: ClientConnection) -> int:
    try:
        while True:
            connection.recv(PATIENT)
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
        play_all(duel(client), "15", "15")  # other rooms are not heard of
        room = play_all(players, "15")
        assert [heard(connection) for connection in connections] == [room["version"]] * 3
        room = play_all(players, "15", "15", "5", "5")
        for connection in connections:
            versions = heard_until(connection, room["version"])
            assert versions == sorted(set(versions)), "versions only grow"


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


def test_who_leaves_without_a_word_is_forgotten(server: Server, client: httpx.Client) -> None:
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


def test_a_wall_hears_of_every_move(server: Server) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", "Dan") as room, ExitStack() as stack:
        room.start(game="own", own="subtract-1-3-4", number="99")
        token, ada = (one.cookies["numduel"] for one in (room.teacher, room.pupils["Ada"]))
        wall = stack.enter_context(listening(server, room.code, "walls", token))
        pupil = stack.enter_context(listening(server, room.code, "classes", ada))
        version = heard(wall)
        assert heard(pupil) == 2
        for stranger in (ada, new_token()):
            with listening(server, room.code, "walls", stranger) as refused:
                assert closing_code(refused) == live.UNKNOWN
        for name in [*room.pupils] * 2:
            if room.pupil(name).moves():
                room.pupils[name].press("moves", "1")
                newer = heard(wall)
                assert newer > version, "one more than before, whatever the room"
                version = newer
