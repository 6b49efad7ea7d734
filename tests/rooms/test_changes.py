"""What may be done in a room, one room after another, without a database.

What two friends may do, and why not, is in `test_machine.py`.
"""

from dataclasses import replace

import pytest

from numduel import Move, errors
from numduel.match import Ending
from numduel.rooms import AnswerTakeback, AskTakeback, Play, Rematch, Resign, actions, changes
from numduel.rooms.kept_rooms import KnownRooms
from rooms.opened import (
    ANN,
    BEN,
    EVE,
    NOW,
    acted,
    after,
    friends,
    played,
    refused,
    sat,
    terms_of,
    with_computer,
)


def test_who_sits_where() -> None:
    room = changes.opened(terms_of("divisor-duel:60", seconds=60), ("Cat", "Dan"), ANN, None, NOW)
    assert (room.seat_of(ANN), room.is_host(ANN), room.is_host(None)) == (None, True, False)
    assert room.code != room.replay
    room = sat(room, BEN)
    assert not room.clock_runs, "the other seat is free"
    room = sat(room, EVE)
    assert room.clock_runs
    assert (room.seat_of(BEN), room.seat_of(EVE), room.is_open) == (0, 1, False)
    with refused("seats taken"):
        changes.sit(with_computer(), EVE, NOW)
    with refused(kind=errors.NotSeated):
        actions.act(room, NOW, None, 1, Resign())


def test_what_is_sent_again_is_done_once() -> None:
    """Whatever has happened since: a takeback of it, the other's answer, the end."""
    start = friends()
    moved = after(start, 0, Play("15"))
    asked = after(moved, 0, AskTakeback())
    back = after(asked, 1, AnswerTakeback(True))
    for later in (moved, after(moved, 1, Play("9")), after(moved, 1, Resign())):
        assert acted(later, 0, Play("15"), seen=start.version) == (None, None)
    with pytest.raises(errors.NotAllowed, match="match has moved on") as caught:
        acted(back, 0, Play("15"), seen=start.version)
    assert (caught.value.version, caught.value.now) == (start.version, back.version)
    assert acted(back, 1, AnswerTakeback(True), seen=asked.version) == (None, None)


def test_what_cannot_be_done_is_refused() -> None:
    moved = after(friends(), 0, Play("15"))
    asked = after(moved, 0, AskTakeback())
    both = after(after(moved, 1, Play("9")), 1, AskTakeback())
    for room, seat, action, why in (
        (after(friends(takeback=False), 0, Play("15")), 0, AskTakeback(), "no takeback"),
        (both, 0, AskTakeback(), "answer first"),
        (moved, 1, AnswerTakeback(True), "not asked"),
        (asked, 0, AnswerTakeback(True), "own question"),
        (moved, 0, Rematch(), "match goes on"),
        (after(moved, 1, Resign()), 1, AskTakeback(), "match over"),
    ):
        with refused(why):
            acted(room, seat, action)
    assert after(asked, 1, AnswerTakeback(False)).turns == moved.turns


def test_a_match_has_so_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_TURNS", 2)
    room = played(friends("digit-subtraction-duel:100"), "1", "9")
    with refused("turns"):
        acted(room, 0, Play("9"))


def test_a_room_has_so_many_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_MATCHES", 2)
    for room in (friends(), with_computer()):
        over = after(room, 0, Resign())
        offered = after(over, 0, Rematch())
        second = after(offered, 1, Rematch()) if room.seats[1].is_person else offered
        last = after(second, 0, Resign())
        assert last.round == 2
        with refused("matches"):
            acted(last, 0, Rematch())


def test_overshooting_loses_where_that_is_agreed() -> None:
    room = played(friends("prime-subtractor:23", overshoot="loses"), "13")
    over = played(room, "13")
    assert over.over is not None
    assert (over.over.ending, over.over.move) == (Ending.OVERSHOT, Move(0, 13))
    assert (over.over.winner, over.wins, over.ply) == (0, (1, 0), 1)
    assert acted(over, 1, Play("13"), seen=room.version) == (None, None), "sent again, harmless"
    with refused("match over"):
        acted(over, 1, Play("17"))


def test_a_computer_gives_the_move_back_at_once() -> None:
    room = played(with_computer(), "15")
    thinking = after(room, 0, AskTakeback())
    assert (thinking.ply, thinking.player, thinking.asked) == (0, 0, None), "while it thinks"
    answered = after(played(room, "9"), 0, AskTakeback())
    assert (answered.ply, answered.player, answered.board) == (0, 0, room.setup.board)
    computer_first = played(with_computer(first=1), "15")
    with refused("nothing to take back"):
        acted(computer_first, 0, AskTakeback())
    back = after(played(computer_first, "9", "9"), 0, AskTakeback())
    assert [turn.move for turn in back.turns] == [Move(0, 15)], "the computer's own stays"
    long = played(room, "9", "9", "9")
    back = after(long, 0, AskTakeback())
    assert (long.ply, back.ply) == (4, 2)
    assert acted(back, 0, AskTakeback(), seen=long.version) == (None, None), "it is sent again"
    assert after(back, 0, AskTakeback()).ply == 0, "one that has seen the first is another one"
    late = acted(played(room, "9"), 0, AskTakeback(), seen=room.version).room
    assert late is not None, "the other moved meanwhile"
    assert late.ply == 0


def test_a_rematch_begins_anew() -> None:
    counted = after(friends("power-play:30", penalty=2), 0, Play("x"), NOW + 1)
    over = after(counted, 0, Resign())
    again = after(after(over, 0, Rematch()), 1, Rematch(), NOW + 60)
    assert (counted.bad_inputs, again.bad_inputs, again.seats) == (1, 0, over.seats)
    assert again.replay != over.replay
    assert again.record.date > over.record.date


def test_whoever_lost_to_a_computer_begins_again() -> None:
    """And whoever won lets the computer begin, whoever began before."""
    lost = after(after(with_computer(), 0, Resign()), 0, Rematch())
    assert (lost.player, lost.waits_for_computer) == (0, False)
    won = after(played(with_computer("divisor-duel:6"), "3"), 0, Rematch())
    assert (won.wins, won.player, won.waits_for_computer) == ((1, 0), 1, True)


def test_rooms_in_memory_are_limited_and_the_newest() -> None:
    known = KnownRooms(rooms=2)
    one, two, three = friends(), friends(), friends()
    newer = replace(one, version=5)
    for room in (one, newer, one):
        known.remember(room)
    assert known.get(one.code) is newer, "an older version does not come back"
    for room in (two, one, three):
        known.remember(room)
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
