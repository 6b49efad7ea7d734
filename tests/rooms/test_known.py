"""Rooms in memory: the newest, and not too many."""

from __future__ import annotations

from numduel.rooms import Play
from numduel.rooms.known import KnownRooms
from rooms.opened import ANN, do, friends, full, played
from rooms.servers import Servers


def test_what_is_known_is_not_read_again(servers: Servers) -> None:
    rooms = servers()
    room = full(rooms)
    assert rooms.look(room.code) is room
    assert do(rooms, room.code, ANN, Play("15")) is rooms.look(room.code)


def test_rooms_in_memory_are_limited_and_the_newest() -> None:
    known = KnownRooms(rooms=2)
    one, two, three = friends(), friends(), friends()
    newer = one.having(version=5)
    known.remember(one)
    known.remember(newer)
    known.remember(one)
    assert known.get(one.code) is newer, "an older version does not come back"
    known.remember(two)
    known.remember(one)
    known.remember(three)
    assert known.get(two.code) is None, "the one that was used least lately"
    assert known.get(one.code) is newer
    known.forget(one.code)
    known.forget(one.code)
    assert known.get(one.code) is None


def test_long_matches_do_not_fill_the_memory() -> None:
    known = KnownRooms(turns=5)
    short, long = played(friends(), "15"), played(friends(), "15", "15", "15")
    other = played(friends(), "15", "15")
    for room in (short, long, short):
        known.remember(room)
    assert known.get(long.code) is long, "four turns"
    known.remember(other)
    assert known.get(long.code) is None, "the one that was used least lately"
    assert known.get(short.code) is short
    known.forget(other.code)
    known.remember(long)
    assert known.get(short.code) is short
    known.remember(played(friends("digit-subtraction-duel:9999"), *["9"] * 6))
    assert known.get(short.code) is None, "one that is too long by itself is not kept"
