"""What may be done in a room, one room after another, without a database.

What two friends may do, and why not, is in `test_machine.py`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from numduel import Board, Move, errors
from numduel.match import Ending
from numduel.rooms import AnswerTakeback, AskTakeback, Play, Rematch, Resign, actions, changes
from numduel.rooms.known import KnownRooms
from rooms.opened import (
    ANN,
    BEN,
    EVE,
    NOW,
    acted,
    after,
    asking,
    friends,
    played,
    refused,
    sat,
    terms_of,
    with_computer,
)


def test_a_new_room() -> None:
    room = changes.opened(terms_of("divisor-duel:60", first=1), ("Ann", "Ben"), ANN, 0, NOW)
    assert [seat.taken for seat in room.seats] == [True, False]
    assert [seat.name for seat in room.seats] == ["Ann", "Ben"]
    assert (room.is_open, room.ply, room.player, room.version) == (True, 0, 1, 1)
    assert (room.round, room.wins, room.clock, room.over) == (1, (0, 0), None, None)
    assert (room.seat_of(ANN), room.seat_of(BEN), room.seat_of(None)) == (0, None, None)
    assert (room.is_host(ANN), room.is_host(BEN), room.is_host(None)) == (True, False, False)
    assert room.code != room.replay
    assert room.opened == room.changed < room.expires
    assert (room.takeback, room.hints, room.seconds) == (True, True, None)
    with pytest.raises(errors.InvalidSetup):
        changes.opened(terms_of("divisor-duel:60", penalty=2), ("Ann", "Ben"), ANN, 0, NOW)


def test_a_host_may_look_on() -> None:
    terms = terms_of("divisor-duel:60", seconds=60)
    room = changes.opened(terms, ("Cat", "Dan"), ANN, None, NOW)
    assert room.seat_of(ANN) is None
    assert room.is_host(ANN)
    room = sat(room, BEN)
    assert not room.clock_runs, "the other seat is free"
    room = sat(room, EVE)
    assert room.clock_runs
    assert (room.seat_of(BEN), room.seat_of(EVE), room.is_open) == (0, 1, False)


def test_sitting_down() -> None:
    room = changes.opened(terms_of("divisor-duel:60"), ("Ann", "Ben"), ANN, 1, NOW)
    assert changes.sit(room, ANN, NOW) is None, "the host has a seat"
    room = sat(room, BEN)
    assert (room.seat_of(BEN), room.seat_of(ANN)) == (0, 1)
    assert changes.sit(room, BEN, NOW) is None
    refused(errors.NotAllowed, lambda: changes.sit(room, EVE, NOW), "seats taken")
    refused(errors.NotAllowed, lambda: changes.sit(with_computer(), EVE, NOW), "seats taken")
    assert actions.seated(room, BEN) == 0
    for token in (EVE, None):
        refused(errors.NotSeated, lambda token=token: actions.seated(room, token))  # type: ignore[misc]


def test_a_move_answers_the_position_that_was_seen() -> None:
    room = played(friends(), "15", "15")
    for seen in (0, 1, room.version - 1, room.version + 1, 10**9):
        with pytest.raises(errors.NotAllowed, match="match has moved on") as caught:
            acted(room, 0, Play("15"), seen=seen)
        assert (caught.value.version, caught.value.now) == (seen, room.version)
    assert acted(asking(room, 1), 0, Play("15"), seen=room.version).room, "asking moves nothing"


def test_what_is_sent_again_is_done_once() -> None:
    """Whatever has happened since: a takeback of it, the other's answer, the end."""
    start = friends()
    moved = after(start, 0, Play("15"))
    asked = after(moved, 0, AskTakeback())
    back = after(asked, 1, AnswerTakeback(True))
    for later in (moved, after(moved, 1, Play("9")), after(moved, 1, Resign())):
        assert acted(later, 0, Play("15"), seen=start.version) == (None, None)
    refused(errors.NotAllowed, lambda: acted(back, 0, Play("15"), seen=start.version), "stale")
    assert acted(back, 1, AnswerTakeback(True), seen=asked.version) == (None, None)
    assert after(back, 0, Play("15")).turns == moved.turns, "but it can be played anew"
    refused(errors.NotAllowed, lambda: acted(moved, 0, Play("20"), seen=start.version), "stale")


def test_a_takeback_sent_again_takes_no_more_back() -> None:
    room = played(with_computer(), "15", "9", "9", "9")
    assert room.ply == 4
    back = after(room, 0, AskTakeback())
    assert back.ply == 2
    assert acted(back, 0, AskTakeback(), seen=room.version) == (None, None)
    assert after(back, 0, AskTakeback()).ply == 0, "one that has seen the first is another one"


def test_who_resigns_or_takes_back_while_the_other_moves_is_not_refused() -> None:
    room = played(with_computer(), "15")
    moved = played(room, "9")
    back = acted(moved, 0, AskTakeback(), seen=room.version).room
    over = acted(moved, 0, Resign(), seen=room.version).room
    assert (back and back.ply, over and over.over and over.over.winner) == (0, 1)


def test_a_match_has_so_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_TURNS", 2)
    room = played(friends("digit-subtraction-duel:100"), "1", "9")
    refused(errors.NotAllowed, lambda: acted(room, 0, Play("9")), "turns")


def test_the_penalty_passes_the_turn() -> None:
    room = friends("power-play:30", penalty=2)
    counted = after(room, 0, Play("x"), NOW + 1)
    assert (counted.bad_inputs, counted.ply, counted.player) == (1, 0, 0)
    assert counted.changed > room.changed
    assert acted(counted, 0, Play("x"), seen=room.version) == (None, None), "it counts once"
    passed, wrong = acted(counted, 0, Play("4"))
    assert isinstance(wrong, errors.IllegalMove), "it is told what was wrong, and the turn is gone"
    assert passed is not None
    assert (passed.bad_inputs, passed.ply, passed.player) == (0, 1, 1)
    assert (passed.turns[0].move, passed.board) == (None, room.board)
    room = played(after(passed, 1, Play("x")), "2")
    assert (room.bad_inputs, room.ply) == (0, 2), "a move begins the count again"
    offer = after(after(counted, 0, Resign()), 0, Rematch())
    assert after(offer, 1, Rematch()).bad_inputs == 0


def test_overshooting_loses_where_that_is_agreed() -> None:
    room = played(friends("prime-subtractor:23", overshoot="loses"), "13")
    over = played(room, "13")
    assert over.over is not None
    assert (over.over.ending, over.over.move) == (Ending.OVERSHOT, Move(0, 13))
    assert (over.over.winner, over.wins, over.ply) == (0, (1, 0), 1)
    assert acted(over, 1, Play("13"), seen=room.version) == (None, None), "sent again, harmless"
    refused(errors.NotAllowed, lambda: acted(over, 1, Play("17")), "match over")
    again, wrong = acted(played(friends("prime-subtractor:23"), "13"), 1, Play("13"))
    assert again is None
    assert isinstance(wrong, errors.IllegalMove)


def test_a_computer_gives_the_move_back_at_once() -> None:
    room = played(with_computer(), "15")
    thinking = after(room, 0, AskTakeback())
    assert (thinking.ply, thinking.player, thinking.asked) == (0, 0, None), "while it thinks"
    answered = after(played(room, "9"), 0, AskTakeback())
    assert (answered.ply, answered.player, answered.board) == (0, 0, room.setup.board)
    computer_first = played(with_computer(first=1), "15")
    refused(
        errors.NotAllowed, lambda: acted(computer_first, 0, AskTakeback()), "nothing to take back"
    )
    back = after(played(computer_first, "9", "9"), 0, AskTakeback())
    assert [turn.move for turn in back.turns] == [Move(0, 15)], "the computer's own stays"


def test_a_friend_is_asked_before_anything_is_undone() -> None:
    room = played(friends(), "15", "9", "9")
    own = asking(room, 0)
    no = after(own, 1, AnswerTakeback(False))
    assert (no.asked, no.turns) == (None, room.turns)
    yes = after(own, 1, AnswerTakeback(True))
    assert (yes.asked, yes.turns, yes.player) == (None, room.turns[:2], 0), "only the last"
    other = after(asking(room, 1), 0, AnswerTakeback(True))
    assert (other.turns, other.player) == (room.turns[:1], 1), "the move on top goes too"


def test_a_rematch_with_a_friend() -> None:
    refused(errors.NotAllowed, lambda: acted(friends(), 0, Rematch()).room, "match goes on")
    over = after(played(friends(), "15"), 0, Resign())
    offer = after(over, 1, Rematch())
    assert (offer.offered, offer.round, offer.over) == (1, 1, over.over)
    assert acted(offer, 1, Rematch()).room is None, "offering twice changes nothing"
    again = after(offer, 0, Rematch(), NOW + 60)
    assert (again.round, again.offered, again.turns, again.over) == (2, None, (), None)
    assert (again.player, again.board) == (1, Board.parse("divisor-duel:60")), "the other begins"
    assert (again.wins, again.seats) == ((0, 1), over.seats)
    assert again.replay != over.replay
    assert again.record.date > over.record.date
    third = after(after(after(again, 1, Resign()), 0, Rematch()), 1, Rematch())
    assert (third.round, third.player, third.wins) == (3, 0, (1, 1))


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
