"""Rooms for tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import text

from numduel import Board
from numduel.errors import NotAllowed, NumduelError
from numduel.rooms import Action, Play, Room, Terms, actions, changes, new_token
from numduel.rooms.actions import Outcome
from numduel.rooms.kept_rooms import Rooms
from numduel.wording import problem

ANN, BEN, EVE = "ann".ljust(22, "-"), "ben".ljust(22, "-"), "eve".ljust(22, "-")
"""Tokens: Ann hosts at seat 0, Ben is her friend at seat 1, Eve has no business there."""

NOW = 1_700_000_000.25
Told = list[tuple[str, int]]
Servers = Callable[..., Rooms]
"""Starts a server at the place; it is closed when the test ends."""


def terms_of(board: str, **values: Any) -> Terms:
    return Terms(Board.parse(board), **values)


def friends(board: str = "divisor-duel:60", **values: Any) -> Room:
    """Of Ann and Ben, who sat down at `NOW`."""
    return sat(changes.opened(terms_of(board, **values), ("Ann", "Ben"), ANN, 0, NOW), BEN)


def with_computer(board: str = "divisor-duel:60", **values: Any) -> Room:
    terms = terms_of(board, players=("person", "level:3"), **values)
    return changes.opened(terms, ("Ann", "Iris"), ANN, 0, NOW)


def sat(room: Room, token: str = "", now: float = NOW) -> Room:
    seated = changes.sit(room, token or new_token(), now)
    assert seated is not None
    return replace(seated, version=room.version + 1)


def played(room: Room, *moves: str, now: float = NOW) -> Room:
    """The room after these moves, each by whoever is to move."""
    for move in moves:
        if room.waits_for_computer:
            answered = actions.play_for_computer(room, now, room.version, move).room
            assert answered is not None
            room = replace(answered, version=room.version + 1)
        else:
            room = after(room, room.player, Play(move), now)
    return room


def acted(
    room: Room, seat: int, action: Action, now: float = NOW, seen: int | None = None
) -> Outcome:
    """What comes of it, under the version that a store would give it."""
    version = room.version if seen is None else seen
    changed, problem = actions.act(room, now, (ANN, BEN)[seat], version, action)
    return Outcome(changed and replace(changed, version=room.version + 1), problem)


def after(room: Room, seat: int, action: Action, now: float = NOW) -> Room:
    changed, problem = acted(room, seat, action, now)
    assert changed is not None, problem
    return changed


def do(rooms: Rooms, code: str, token: str | None, action: Action) -> Room:
    """Do it by who has seen the room as it stands."""
    return act(rooms, code, token, rooms.look(code).version, action)


def act(rooms: Rooms, code: str, token: str | None, version: int, action: Action) -> Room:
    return rooms.change(code, lambda room, now: actions.act(room, now, token, version, action))


def sit(rooms: Rooms, code: str, token: str, name: str = "") -> Room:
    return rooms.change(code, lambda room, now: Outcome(changes.sit(room, token, now, name)))


@contextmanager
def refused(why: str = "", kind: type[NumduelError] = NotAllowed) -> Iterator[None]:
    """What is done in this block raises this error, and for this reason; it has a sentence."""
    with pytest.raises(kind) as caught:
        yield
    assert not why or caught.value.problem == why
    assert problem(caught.value).endswith(".")


def full(rooms: Rooms, board: str = "divisor-duel:60", **values: Any) -> Room:
    return sit(rooms, rooms.open(terms_of(board, **values), ANN, 0).code, BEN)


def run(rooms: Rooms, *statements: str) -> None:
    with rooms.database.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What comes of the calls, or what they raise; they begin at the same time."""
    barrier, results = Barrier(len(calls)), list[object](calls)

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = calls[number]()
        except NumduelError as error:
            results[number] = error

    threads = [Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
