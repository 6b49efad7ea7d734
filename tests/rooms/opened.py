"""Rooms for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from numduel import Board
from numduel.errors import NumduelError
from numduel.rooms import Room, Terms, changes, new_token
from numduel.rooms.keeping import Rooms
from numduel.wording import problem

ANN, BEN, EVE = "ann".ljust(22, "-"), "ben".ljust(22, "-"), "eve".ljust(22, "-")
"""Tokens: Ann hosts at seat 0, Ben is her friend at seat 1, Eve has no business there."""

NOW = 1_700_000_000.25


def terms_of(board: str, **values: Any) -> Terms:
    return Terms(Board.parse(board), **values)


def friends(board: str = "divisor-duel:60", **values: Any) -> Room:
    """A room with Ann and Ben, who sat down at `NOW`."""
    room = changes.opened(terms_of(board, **values), ("Ann", "Ben"), ANN, 0, NOW)
    return sat(room, BEN)


def with_computer(board: str = "divisor-duel:60", **values: Any) -> Room:
    """A room with Ann and a computer."""
    terms = terms_of(board, players=("person", "level:3"), **values)
    return changes.opened(terms, ("Ann", "Computer (level 3)"), ANN, 0, NOW)


def sat(room: Room, token: str = "", now: float = NOW) -> Room:
    after = changes.sit(room, token or new_token(), now)
    assert after is not None
    return after


def played(room: Room, *moves: str, now: float = NOW) -> Room:
    """The room after these moves, each by whoever is to move."""
    for move in moves:
        after, problem = changes.play(room, room.player, room.ply, move, now)
        assert after is not None, problem
        room = after
    return room


def refused(kind: type[NumduelError], change: Callable[[], object], what: str = "") -> None:
    """The change raises this error, and for this reason; it has a sentence."""
    with pytest.raises(kind) as caught:
        change()
    assert not what or caught.value.problem == what
    assert problem(caught.value).endswith(".")


def asking(room: Room, seat: int) -> Room:
    after = changes.ask_takeback(room, seat, NOW)
    assert after is not None
    assert (after.asked, after.turns) == (seat, room.turns), "nothing is undone by asking"
    return after


def full(rooms: Rooms, board: str = "divisor-duel:60", **values: Any) -> Room:
    room = rooms.open(terms_of(board, **values), ANN, 0)
    return rooms.sit(room.code, BEN)
