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
    StaleChange,
)
from numduel.match import Ending
from numduel.rooms import AnswerTakeback, AskTakeback, Play, Rematch, Resign, actions, changes
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
    assert room.kept.opened == room.kept.changed < room.expires
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
    assert actions.seated(room, BEN) == 0
    for token in (EVE, None):
        refused(NotSeated, lambda token=token: actions.seated(room, token))  # type: ignore[misc]


def test_nothing_happens_while_a_seat_is_free() -> None:
    room = changes.opened(terms_of("divisor-duel:60"), ("Ann", "Ben"), ANN, 0, NOW)
    for change in (
        lambda: acted(room, 0, Play("15")),
        lambda: after(room, 0, Resign()),
        lambda: acted(room, 0, AskTakeback()).room,
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
    assert room.notation.startswith("divisor-duel:60")


def test_a_move_out_of_turn() -> None:
    room = friends()
    refused(NotYourTurn, lambda: acted(room, 1, Play("15")))
    later = played(room, "15")
    refused(NotYourTurn, lambda: acted(later, 0, Play("15")))


def test_a_move_answers_the_position_that_was_seen() -> None:
    room = played(friends(), "15", "15")
    for seen in (0, 1, room.version - 1, room.version + 1, 10**9):
        with pytest.raises(StaleChange) as caught:
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
    refused(StaleChange, lambda: acted(back, 0, Play("15"), seen=start.version))
    assert acted(back, 1, AnswerTakeback(True), seen=asked.version) == (None, None)
    assert after(back, 0, Play("15")).turns == moved.turns, "but it can be played anew"
    for text in ("20", "?", ""):
        refused(StaleChange, lambda text=text: acted(moved, 0, Play(text), seen=start.version))  # type: ignore[misc]


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
    assert back is not None
    assert back.ply == 0
    over = acted(moved, 0, Resign(), seen=room.version).room
    assert over is not None
    assert over.over is not None


def test_an_answer_has_seen_its_question() -> None:
    room = played(friends(), "15", "15")
    asked = asking(room, 0)
    again = asking(played(asked, "15"), 0)
    refused(StaleChange, lambda: acted(again, 1, AnswerTakeback(True), seen=asked.version))


def test_rematches_and_resignations_are_for_one_round() -> None:
    room = played(friends(), "15")
    over = after(room, 1, Resign())
    offer = after(over, 1, Rematch())
    second = after(offer, 0, Rematch())
    assert second.round == 2
    for seat, action, seen in ((1, Resign(), room), (1, Rematch(), over), (0, Rematch(), offer)):
        try:
            assert acted(second, seat, action, seen=seen.version) == (None, None)
        except StaleChange:
            assert (seat, action) == (1, Resign()), "it was not the last thing that was done"


def test_nothing_is_played_after_the_end() -> None:
    room = after(played(friends(), "15"), 0, Resign())
    for change in (
        lambda: acted(room, 1, Play("15")),
        lambda: after(room, 1, Resign()),
        lambda: acted(room, 0, AskTakeback()).room,
        lambda: after(room, 0, AnswerTakeback(True)),
    ):
        refused(MatchOver, change)


def test_bad_input_changes_nothing() -> None:
    room = friends()
    for text, kind in (("7", IllegalMove), ("seven", InvalidNumber), ("", InvalidNumber)):
        changed, wrong = acted(room, 0, Play(text))
        assert changed is None
        assert isinstance(wrong, kind)


def test_a_match_has_so_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_TURNS", 2)
    room = played(friends("digit-subtraction-duel:100"), "1", "9")
    refused(NotAllowed, lambda: acted(room, 0, Play("9")), "turns")


def test_the_penalty_passes_the_turn() -> None:
    room = friends("power-play:30", penalty=3)
    for count in (1, 2):
        counted, wrong = acted(room, 0, Play("x"), NOW + count)
        assert counted is not None
        assert wrong is not None
        assert (counted.kept.bad_inputs, counted.ply, counted.player) == (count, 0, 0)
        assert counted.kept.changed > room.kept.changed
        again = acted(counted, 0, Play("x"), seen=room.version)
        assert again == (None, None), "sent twice, it counts once"
        room = counted
    passed, wrong = acted(room, 0, Play("4"))
    assert isinstance(wrong, IllegalMove), "it is told what was wrong, and the turn is gone"
    assert passed is not None
    assert (passed.kept.bad_inputs, passed.ply, passed.player) == (0, 1, 1)
    assert (passed.turns[0].move, passed.board) == (None, room.board)
    room = after(passed, 1, Play("x"))
    room = played(room, "2")
    assert (room.kept.bad_inputs, room.ply) == (0, 2), "a move begins the count again"


def test_overshooting_loses_where_that_is_agreed() -> None:
    room = played(friends("prime-subtractor:23", overshoot="loses"), "13")
    over = played(room, "13")
    assert over.over is not None
    assert (over.over.ending, over.over.winner, over.over.move) == (
        Ending.OVERSHOT, 0, Move(0, 13),
    )  # fmt: skip
    assert (over.wins, over.ply) == ((1, 0), 1)
    assert acted(over, 1, Play("13"), seen=room.version) == (None, None), (
        "sent again, it is harmless"
    )
    for seat, text in ((1, "17"), (0, "13")):
        refused(MatchOver, lambda seat=seat, text=text: acted(over, seat, Play(text)))  # type: ignore[misc]
    again, wrong = acted(played(friends("prime-subtractor:23"), "13"), 1, Play("13"))
    assert again is None
    assert isinstance(wrong, IllegalMove)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("moves", [[], ["15"], ["15", "15"]])
def test_either_may_resign_on_any_turn(seat: int, moves: list[str]) -> None:
    room = after(played(friends(), *moves), seat, Resign())
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
