"""A client that is quick enough not to be what is measured: HTTP/1.1 by hand on open sockets."""

import asyncio
import json
import time
from typing import Any, NamedTuple


class Connection:
    """One kept-alive connection; a request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> "Connection":
        """Connect."""
        self._in, self._out = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def post(self, path: str, body: Any = None, token: str = "") -> Any:
        """The JSON that comes back. Raises `RuntimeError` for anything but success."""
        payload = b"" if body is None else json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        head += f"Content-Length: {len(payload)}\r\nContent-Type: application/json\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        self._out.write(head.encode() + b"\r\n" + payload)
        answer = await self._in.readuntil(b"\r\n\r\n")
        lines = answer.decode("latin-1").lower().split("\r\n")
        length = next(int(x.partition(":")[2]) for x in lines if x.startswith("content-length"))
        content = await self._in.readexactly(length)
        if not lines[0].startswith(("http/1.1 200", "http/1.1 201")):
            raise RuntimeError(f"{path}: {lines[0]} {content[:300]!r}")
        return json.loads(content)

    async def close(self) -> None:
        """Let go."""
        self._out.close()
        await self._out.wait_closed()


class Duel:
    """A room with two programs at it, who take the largest digit in turn."""

    def __init__(self, start: int) -> None:
        self.number = start
        self.ply = 0
        self.version = 0

    async def open(self, connection: Connection) -> "Duel":
        """Open the room and take both seats."""
        board = f"digit-subtraction-duel:{self.number}"
        opened = await connection.post("/api/rooms", {"board": board})
        self.code = opened["room"]["code"]
        seated = await connection.post(f"/api/rooms/{self.code}/seat")
        self.tokens = (opened["token"], seated["token"])
        self.version = seated["room"]["version"]
        return self

    async def move(self, connection: Connection) -> None:
        """The next move, acknowledged."""
        largest = max(str(self.number))
        body = {"version": self.version, "move": largest}
        path = f"/api/rooms/{self.code}/moves"
        played = await connection.post(path, body, self.tokens[self.ply % 2])
        self.version = played["version"]
        self.number -= int(largest)
        self.ply += 1


class Rate(NamedTuple):
    """How many requests were answered, in how long."""

    answered: int
    seconds: float

    @property
    def per_second(self) -> float:
        """The rate."""
        return self.answered / self.seconds


async def bare_rate(port: int, way: str, moves: int, connections: int) -> Rate:
    """Moves to the bare endpoint."""
    opened = [await Connection(port).open() for _ in range(connections)]

    async def send(connection: Connection, room: int) -> None:
        for ply in range(moves // connections):
            await connection.post(f"/{way}/room{room}", {"ply": ply, "move": "9"})

    return await _timed(opened, send, moves)


async def room_rate(port: int, moves: int, connections: int, a_match: int = 40) -> Rate:
    """Moves in rooms, a fresh room after so many; opening rooms is not counted."""
    opened = [await Connection(port).open() for _ in range(connections)]
    rooms = moves // connections // a_match
    duels = [[await Duel(9999).open(c) for _ in range(rooms)] for c in opened]

    async def send(connection: Connection, at: int) -> None:
        for duel in duels[at]:
            for _ in range(a_match):
                await duel.move(connection)

    return await _timed(opened, send, rooms * a_match * connections)


async def _timed(opened: list[Connection], send: Any, moves: int) -> Rate:
    start = time.perf_counter()
    await asyncio.gather(*(send(connection, at) for at, connection in enumerate(opened)))
    taken = time.perf_counter() - start
    for connection in opened:
        await connection.close()
    return Rate(moves, taken)
