"""What may be done in a room: the rules, one room after another, without a database."""

from __future__ import annotations

import re

import pytest

from numduel import Move
from numduel.errors import (
    IllegalMove,
    InvalidNumber,
    InvalidSetup,
    MatchOver,
    NotAllowed,
    NotSeated,
    NotYourTurn,
    SeatsTaken,
    StaleMove,
)
from numduel.match import Ending
from numduel.rooms import changes
from rooms.opened import (
    ANN,
    BEN,
    EVE,
    NOW,
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
    assert room.terms == terms_of("divisor-duel:60", first=1)
    with pytest.raises(InvalidSetup):
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
    refused(SeatsTaken, lambda: changes.sit(room, EVE, NOW))
    refused(SeatsTaken, lambda: changes.sit(with_computer(), EVE, NOW))
    assert changes.seated(room, BEN) == 0
    for token in (EVE, None):
        refused(NotSeated, lambda token=token: changes.seated(room, token))  # type: ignore[misc]


def test_nothing_happens_while_a_seat_is_free() -> None:
    room = changes.opened(terms_of("divisor-duel:60"), ("Ann", "Ben"), ANN, 0, NOW)
    for change in (
        lambda: changes.play(room, 0, 0, "15", NOW),
        lambda: changes.resign(room, 0, NOW),
        lambda: changes.ask_takeback(room, 0, NOW),
    ):
        refused(NotAllowed, change, "seat is free")


def test_a_match_to_its_end() -> None:
    room = friends()
    for ply, move in enumerate(["15", "15", "15", "5", "5"]):
        assert (room.ply, room.player, room.over) == (ply, ply % 2, None)
        room = played(room, move)
    assert room.over is not None
    assert (room.over.winner, room.over.ending, room.wins) == (0, Ending.NO_MOVE, (1, 0))
    assert str(room.board) == "divisor-duel:5"
    assert room.record.replay().over == room.over
    assert room.word.startswith("divisor-duel:60")


def test_a_move_out_of_turn() -> None:
    room = friends()
    refused(NotYourTurn, lambda: changes.play(room, 1, 0, "15", NOW))
    after = played(room, "15")
    refused(NotYourTurn, lambda: changes.play(after, 0, 1, "15", NOW))


def test_a_stale_move() -> None:
    room = played(friends(), "15", "15")
    for seat, ply, move in ((0, 0, "20"), (1, 1, "9"), (0, 1, "15"), (0, 3, "15"), (0, -1, "15")):
        with pytest.raises(StaleMove) as caught:
            changes.play(room, seat, ply, move, NOW)
        assert (caught.value.ply, caught.value.now) == (ply, 2)


def test_a_repeat_is_harmless() -> None:
    room = played(friends(), "15", "9")
    assert changes.play(room, 0, 0, " 15 ", NOW) == (None, None)
    assert changes.play(room, 1, 1, "009", NOW) == (None, None)
    for text in ("?", "", "x" * 5000):
        refused(StaleMove, lambda text=text: changes.play(room, 0, 0, text, NOW))  # type: ignore[misc]
    over = changes.resign(room, 0, NOW)
    assert changes.play(over, 1, 1, "9", NOW) == (None, None), "also after the end"
    several = played(friends("subtract-a-prime:20+divisor-duel:60"), "2:15")
    for text in ("2:15", "15"):
        assert changes.play(several, 0, 0, text, NOW) == (None, None)
    refused(StaleMove, lambda: changes.play(several, 0, 0, "1:15", NOW))


def test_nothing_is_played_after_the_end() -> None:
    room = changes.resign(played(friends(), "15"), 0, NOW)
    for change in (
        lambda: changes.play(room, 1, 1, "15", NOW),
        lambda: changes.resign(room, 1, NOW),
        lambda: changes.ask_takeback(room, 0, NOW),
        lambda: changes.answer_takeback(room, 0, True, NOW),
    ):
        refused(MatchOver, change)


def test_bad_input_changes_nothing() -> None:
    room = friends()
    for text, kind in (("7", IllegalMove), ("seven", InvalidNumber), ("", InvalidNumber)):
        after, wrong = changes.play(room, 0, 0, text, NOW)
        assert after is None
        assert isinstance(wrong, kind)


def test_a_match_has_so_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MOST_TURNS", 2)
    room = played(friends("digit-subtraction-duel:100"), "1", "9")
    refused(NotAllowed, lambda: changes.play(room, 0, 2, "9", NOW), "turns")
    assert changes.play(room, 1, 1, "9", NOW) == (None, None), "a repeat stays harmless"


def test_the_penalty_passes_the_turn() -> None:
    room = friends("power-play:30", penalty=3)
    for count in (1, 2):
        after, wrong = changes.play(room, 0, 0, "x", NOW + count)
        assert after is not None
        assert wrong is not None
        assert (after.kept.bad_inputs, after.ply, after.player) == (count, 0, 0)
        assert after.changed > room.changed
        room = after
    after, wrong = changes.play(room, 0, 0, "4", NOW)
    assert isinstance(wrong, IllegalMove), "it is told what was wrong, and the turn is gone"
    assert after is not None
    assert (after.kept.bad_inputs, after.ply, after.player) == (0, 1, 1)
    assert (after.turns[0].move, after.board) == (None, room.board)
    room, _ = changes.play(after, 1, 1, "x", NOW)  # type: ignore[assignment]
    room = played(room, "2")
    assert (room.kept.bad_inputs, room.ply) == (0, 2), "a move begins the count again"
    refused(StaleMove, lambda: changes.play(room, 0, 0, "4", NOW))


def test_overshooting_loses_where_that_is_agreed() -> None:
    room = played(friends("prime-subtractor:23", overshoot="loses"), "13")
    over = played(room, "13")
    assert over.over is not None
    assert (over.over.ending, over.over.winner, over.over.move) == (
        Ending.OVERSHOT, 0, Move(0, 13),
    )  # fmt: skip
    assert (over.wins, over.ply) == ((1, 0), 1)
    assert changes.play(over, 1, 1, "13", NOW) == (None, None), "sent again, it is harmless"
    for seat, text in ((1, "17"), (0, "13")):
        refused(MatchOver, lambda seat=seat, text=text: changes.play(over, seat, 1, text, NOW))  # type: ignore[misc]
    again, wrong = changes.play(played(friends("prime-subtractor:23"), "13"), 1, 1, "13", NOW)
    assert again is None
    assert isinstance(wrong, IllegalMove)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("moves", [[], ["15"], ["15", "15"]])
def test_either_may_resign_on_any_turn(seat: int, moves: list[str]) -> None:
    room = changes.resign(played(friends(), *moves), seat, NOW)
    assert room.over is not None
    assert (room.over.ending, room.over.winner) == (Ending.RESIGNED, 1 - seat)
    assert room.wins == ((0, 1) if seat == 0 else (1, 0))
    assert room.record.replay().over == room.over


def test_a_computer_forfeits() -> None:
    room = changes.forfeit(played(with_computer(), "15"), NOW)
    assert room.over is not None
    assert (room.over.ending, room.over.winner, room.wins) == (Ending.FORFEITED, 0, (1, 0))
    assert not room.waits_for_computer


def test_who_sees_the_database_sees_no_token() -> None:
    room = friends()
    for token in (ANN, BEN):
        assert token not in repr(room)
    hashes = [room.kept.host, *room.kept.tokens]
    assert all(re.fullmatch("[0-9a-f]{64}", str(hashed)) for hashed in hashes)
