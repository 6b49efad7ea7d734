"""A room as a value, and how it stands in rows."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from numduel.errors import StoreError, UnknownRoom
from numduel.match import Record
from numduel.store.matches import read_matches
from numduel.store.rows import check_row
from numduel.store.schema import MATCHES, ROOMS, ROUNDS, SEATS

# Made once: building a statement costs as much as running it.
_ROOM = select(ROOMS).where(ROOMS.c.code == bindparam("code"))
_SEATS = select(SEATS.c.token).where(SEATS.c.room_id == bindparam("room")).order_by(SEATS.c.seat)
_MATCH = select(MATCHES).where(MATCHES.c.id == bindparam("match"))
_REPLAY = select(ROUNDS.c.code).where(ROUNDS.c.match_id == bindparam("match"))


class Done(NamedTuple):
    """The last change that a seat made: the version that came of it, and what was said."""

    version: int = 0
    said: str = ""


class KeptRoom(NamedTuple):
    """A room as it stands. Numbers of rows are 0 until it is written."""

    code: str
    host: str
    opened: datetime
    changed: datetime
    record: Record
    replay: str
    tokens: tuple[str | None, str | None]
    takeback: bool
    seconds: int | None = None
    left: tuple[float, float] | None = None
    since: float | None = None
    wins: tuple[int, int] = (0, 0)
    round: int = 1
    asked: int | None = None
    offered: int | None = None
    bad_inputs: int = 0
    position: int = 0
    class_code: str | None = None
    hints: bool = True
    held: str | None = None
    done: tuple[Done, Done] = (Done(), Done())
    version: int = 1
    id: int = 0
    match_id: int = 0


def standing(room: KeptRoom) -> dict[str, Any]:
    """The columns that change while a room is used."""
    left = room.left or (None, None)
    return {
        "version": room.version,
        "changed": room.changed.isoformat(),
        "round": room.round,
        "wins_1": room.wins[0],
        "wins_2": room.wins[1],
        "asked": room.asked,
        "offered": room.offered,
        "bad_inputs": room.bad_inputs,
        "position": room.position,
        "done_1": room.done[0].version,
        "done_2": room.done[1].version,
        "said_1": room.done[0].said,
        "said_2": room.done[1].said,
        "left_1": left[0],
        "left_2": left[1],
        "since": room.since,
        "held": room.held,
    }


def read_room(
    connection: Connection, code: str, version: int | None, known: KeptRoom | None
) -> KeptRoom:
    """The room of this version; `known` itself where that is the same. Raises `UnknownRoom`."""
    if version is None:
        raise UnknownRoom(code=code)
    if known is not None and known.version == version:
        return known
    row = connection.execute(_ROOM, {"code": code}).mappings().one()
    check_row(row, ROOMS)
    tokens = list(connection.scalars(_SEATS, {"room": row["id"]}))
    match = {"match": row["match_id"]}
    matches = read_matches(connection, _MATCH.params(match))
    replay = connection.scalar(_REPLAY, match)
    texts = all(isinstance(token, str | None) for token in tokens)
    if len(tokens) != 2 or not texts or not matches or not isinstance(replay, str):
        raise StoreError(problem="damaged")
    left = (row["left_1"], row["left_2"])
    return KeptRoom(
        code=code,
        host=row["host"],
        opened=datetime.fromisoformat(row["opened"]),
        changed=datetime.fromisoformat(row["changed"]),
        record=matches[0].record,
        replay=replay,
        tokens=(tokens[0], tokens[1]),
        takeback=bool(row["takeback"]),
        seconds=row["seconds"],
        left=None if None in left else left,
        since=row["since"],
        wins=(row["wins_1"], row["wins_2"]),
        round=row["round"],
        asked=row["asked"],
        offered=row["offered"],
        bad_inputs=row["bad_inputs"],
        position=row["position"],
        class_code=row["class_code"],
        hints=bool(row["hints"]),
        held=row["held"],
        done=(Done(row["done_1"], row["said_1"]), Done(row["done_2"], row["said_2"])),
        version=row["version"],
        id=row["id"],
        match_id=row["match_id"],
    )
