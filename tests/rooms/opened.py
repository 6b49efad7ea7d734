"""Rooms for tests."""

from __future__ import annotations

from typing import Any

from numduel import Board
from numduel.rooms import Room, Terms, changes, new_token

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
