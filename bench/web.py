"""The server: durable moves a second, and how soon a thousand watchers hear of a move.

Each server has one core and the client another. The bare endpoint writes into the
very database file that the rooms are in, in the quicker of two ways.
"""

import asyncio
import gc
import statistics
import tempfile
import time
from collections.abc import Iterator
from math import ceil
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from bench.measure import Result, sized
from bench.servers.disk import disk_alone
from bench.servers.load import Connection, Duel, bare_rate, room_rate
from bench.servers.running import bare, client_on_its_core, memory, ours

MOVES = sized(2400, 40)
ROUNDS = sized(3, 1)
CONNECTIONS = sized(16, 1)
ROOMS = sized(500, 3)
MOVES_A_SECOND = 50
SECONDS = sized(10.0, 0.1)
"""Not longer: one pause of a sixth of a second, eight moves, is to show."""


def run() -> Iterator[Result]:
    """Both measurements, on SQLite."""
    with client_on_its_core(), tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
        yield _moves(f"{folder}/rooms.sqlite3")
        yield asyncio.run(_watchers(f"{folder}/watched.sqlite3"))


def _moves(database: str) -> Result:
    rates: dict[str, list[float]] = {"ours": [], "loop": [], "threads": []}
    with ours(database) as (port, _), bare(database) as (bare_port, _):
        for _ in range(ROUNDS):
            mine = asyncio.run(room_rate(port, MOVES, CONNECTIONS))
            rates["ours"].append(mine.per_second)
            for way in ("loop", "threads"):
                theirs = asyncio.run(bare_rate(bare_port, way, MOVES, CONNECTIONS))
                rates[way].append(theirs.per_second)
    best = {name: statistics.median(found) for name, found in rates.items()}
    print(
        f"durable moves a second: {best['ours']:.0f}; bare endpoint {best['loop']:.0f} in the "
        f"loop, {best['threads']:.0f} in threads"
    )
    ratio = best["ours"] / max(best["loop"], best["threads"])
    return Result("durable moves / bare FastAPI endpoint with one insert", ratio, 0.65, True)


async def _watchers(database: str) -> Result:
    with ours(database) as (port, pid):
        connection = await Connection(port).open()
        quiet = await _watched(port, connection)
        idle = [await noticed(quiet, connection) for _ in range(sized(200, 5))]
        duels = [await Duel(999_999).open(connection) for _ in range(ROOMS)]
        before = memory(pid)
        watched = [await _watched(port, connection, duel) for duel in duels]
        a_socket = (memory(pid) - before) / (2 * ROOMS)
        gc.disable()  # a pause of the client's would look like one of the server's
        with disk_alone(str(Path(database).parent), MOVES_A_SECOND) as disk:
            busy, unpunctual = await load(watched, port, MOVES_A_SECOND)
        gc.enable()
        for each in (quiet, *watched):
            await each.close()
        await connection.close()
    median, late = statistics.median(idle), percentile(busy, 99)
    print(
        f"from POST to notice: {median * 1e3:.2f} ms idle (median); with {2 * ROOMS} sockets in "
        f"{ROOMS} rooms and {MOVES_A_SECOND} moves a second: median "
        f"{statistics.median(busy) * 1e3:.2f} ms, p99 {late * 1e3:.2f} ms; "
        f"{a_socket / 1024:.1f} KiB a socket"
    )
    print(
        f"in the same seconds: the disk alone, median {statistics.median(disk) * 1e3:.2f} ms, p99 "
        f"{percentile(disk, 99) * 1e3:.2f} ms; the client itself late by "
        f"{percentile(unpunctual, 99) * 1e3:.2f} ms (p99)"
    )
    return Result("p99 from POST to notice under load / idle median", late / median, 5)


class Watched:
    """A room, and the sockets that are to hear of its moves."""

    def __init__(self, duel: Duel, sockets: tuple[ClientConnection, ...]) -> None:
        self.duel = duel
        self.sockets = sockets

    async def close(self) -> None:
        """Close them."""
        for opened in self.sockets:
            await opened.close()


async def _watched(port: int, connection: Connection, duel: Duel | None = None) -> Watched:
    duel = duel or await Duel(999_999).open(connection)
    address = f"ws://127.0.0.1:{port}/api/rooms/{duel.code}/live"
    first = await connect(address, ping_interval=None, compression=None)
    second = await connect(address, ping_interval=None, compression=None)
    for opened in (first, second):
        await opened.recv()
    return Watched(duel, (first, second))


async def noticed(watched: Watched, connection: Connection) -> float:
    """Seconds from sending a move until the last of the sockets has the notice."""
    start = time.perf_counter()
    waiting = asyncio.gather(*(opened.recv() for opened in watched.sockets))
    sending = asyncio.ensure_future(watched.duel.move(connection))
    await waiting
    taken = time.perf_counter() - start
    await sending
    return taken


async def load(watched: list[Watched], port: int, a_second: int) -> tuple[list[float], list[float]]:
    """Moves at an even pace in one room after another, whatever the last one took.

    How long each took to be noticed, and how late each was sent.
    """
    connections = [await Connection(port).open() for _ in range(20)]
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for connection in connections:
        free.put_nowait(connection)

    async def one(each: Watched) -> float:
        connection = await free.get()
        try:
            return await noticed(each, connection)
        finally:
            free.put_nowait(connection)

    start, running, unpunctual = time.perf_counter(), [], []
    for number in range(ceil(a_second * SECONDS)):
        due = start + number / a_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        unpunctual.append(time.perf_counter() - due)
        running.append(asyncio.ensure_future(one(watched[number % len(watched)])))
    found = await asyncio.gather(*running)
    for connection in connections:
        await connection.close()
    return found, unpunctual


def percentile(values: list[float], percent: int) -> float:
    """The value that so many percent do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]
