"""Classes: how soon a teacher's wall hears of a move, while twenty classes play.

Twenty classes of thirty on one process: each pupil has two live connections open, one for
the class and one for the room, and each teacher one for the wall.
"""

import asyncio
import gc
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from bench.measure import Result, sized
from bench.servers.disk import disk_alone
from bench.servers.load import Connection, Duel
from bench.servers.running import client_on_its_core, ours
from bench.web import Watched, load, noticed, percentile
from numduel import Board
from numduel.classes import RoundPlan
from numduel.classes.actions import StartRound
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.roster import Join
from numduel.rooms import Room, new_token
from numduel.rooms.kept_rooms import Rooms

CLASSES = sized(20, 1)
PUPILS = sized(30, 4)
START = 999_999
IDLE = sized(200, 5)
ROUNDS = sized(3, 1)
"""The disk stalls now and then, in some of them."""


class School:
    """Classes in the middle of a round, made before the server starts."""

    def __init__(self, database: str, classes: int) -> None:
        self.duels: dict[str, list[Duel]] = {}
        self.teacher = new_token()
        with closing(Rooms(database, lambda _code, _version: None)) as rooms:
            kept = KeptClasses(rooms)
            for _ in range(classes):
                code = kept.open(self.teacher).code
                tokens = [new_token() for _ in range(PUPILS)]
                for number, token in enumerate(tokens):
                    kept.act(code, token, 0, Join(f"Pupil {number}"))
                plan = RoundPlan(Board.parse(f"digit-subtraction-duel:{START}"))
                kept.act(code, self.teacher, 1, StartRound(plan))
                seen = kept.wall(code, self.teacher).rooms.values()
                self.duels[code] = [_duel(room, tokens) for room in seen]


def run() -> Iterator[Result]:
    """The measurement, on SQLite."""
    with client_on_its_core(), tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
        yield asyncio.run(_walls(f"{folder}/classes.sqlite3"))


async def _walls(database: str) -> Result:
    school = School(database, CLASSES + 1)
    (quiet, *codes) = school.duels
    with ours(database) as (port, _):
        connection = await Connection(port).open()
        wall = await _follow(port, f"walls/{quiet}", school.teacher)
        alone = Watched(school.duels[quiet][0], (wall,))
        idle = [await noticed(alone, connection) for _ in range(IDLE)]
        pupils = [
            await _follow(port, topic, token)
            for code in codes
            for duel in school.duels[code]
            for token in duel.tokens
            for topic in (f"classes/{code}", f"rooms/{duel.code}")
        ]
        walls = {code: await _follow(port, f"walls/{code}", school.teacher) for code in codes}
        watched = [
            Watched(school.duels[code][number], (walls[code],))
            for number in range(PUPILS // 2)
            for code in codes
        ]
        gc.disable()  # a pause of the client's would look like one of the server's
        with disk_alone(str(Path(database).parent), CLASSES) as disk:
            loads = [await load(watched, port, CLASSES) for _ in range(ROUNDS)]
        gc.enable()
        for socket in (*pupils, *walls.values(), wall):
            await socket.close()
        await connection.close()
    busy, unpunctual = ([x for each in part for x in each] for part in zip(*loads, strict=True))
    median = statistics.median(idle)
    late = statistics.median(percentile(taken, 99) for taken, _ in loads)
    print(
        f"from POST to the wall: {median * 1e3:.2f} ms idle (median); with {CLASSES} classes of "
        f"{PUPILS}, {len(pupils)} sockets and a move a second in each class: median "
        f"{statistics.median(busy) * 1e3:.2f} ms, p99 {late * 1e3:.2f} ms (the median of {ROUNDS} "
        f"runs); the disk alone p99 "
        f"{percentile(disk, 99) * 1e3:.2f} ms, the client late by "
        f"{percentile(unpunctual, 99) * 1e3:.2f} ms (p99)"
    )
    return Result("p99 from POST to the wall, 20 classes / idle median", late / median, 10)


async def _follow(port: int, topic: str, token: str) -> ClientConnection:
    """A live connection that has been told how its topic stands."""
    opened = await connect(
        f"ws://127.0.0.1:{port}/api/{topic}/live",
        additional_headers={"Authorization": f"Bearer {token}"},
        ping_interval=None,
        compression=None,
    )
    await opened.recv()
    return opened


def _duel(room: Room, tokens: list[str]) -> Duel:
    """The room, with those of these who sit there."""
    duel = Duel(START)
    duel.code, duel.version = room.code, room.version
    first, second = (next(t for t in tokens if room.seat_of(t) == seat) for seat in (0, 1))
    duel.tokens = (first, second)
    return duel
