"""Takebacks and rematches: who is asked, what is undone, who begins."""

from __future__ import annotations

from numduel import Board, Move
from numduel.errors import (
    NotAllowed,
)
from numduel.rooms import changes
from rooms.opened import (
    NOW,
    asking,
    friends,
    played,
    refused,
    with_computer,
)


def test_a_computer_gives_the_move_back_at_once() -> None:
    room = played(with_computer(), "15")
    thinking = changes.ask_takeback(room, 0, NOW)
    assert thinking is not None
    assert (thinking.ply, thinking.player, thinking.asked) == (0, 0, None), "while it thinks"
    answered = changes.ask_takeback(played(room, "9"), 0, NOW)
    assert answered is not None
    assert (answered.ply, answered.player, answered.board) == (0, 0, room.setup.board)
    computer_first = played(with_computer(first=1), "15")
    refused(
        NotAllowed, lambda: changes.ask_takeback(computer_first, 0, NOW), "nothing to take back"
    )
    back = changes.ask_takeback(played(computer_first, "9", "9"), 0, NOW)
    assert back is not None
    assert [turn.move for turn in back.turns] == [Move(0, 15)], "the computer's own stays"


def test_a_friend_is_asked_before_anything_is_undone() -> None:
    room = played(friends(), "15", "9", "9")
    own = asking(room, 0)
    assert changes.ask_takeback(own, 0, NOW) is None, "asking twice changes nothing"
    refused(NotAllowed, lambda: changes.answer_takeback(own, 0, True, NOW), "own question")
    refused(NotAllowed, lambda: changes.answer_takeback(room, 1, True, NOW), "not asked")
    refused(NotAllowed, lambda: changes.ask_takeback(own, 1, NOW), "answer first")
    no = changes.answer_takeback(own, 1, False, NOW)
    assert (no.asked, no.turns) == (None, room.turns)
    yes = changes.answer_takeback(own, 1, True, NOW)
    assert (yes.asked, yes.turns, yes.player) == (None, room.turns[:2], 0), "only the last"
    other = changes.answer_takeback(asking(room, 1), 0, True, NOW)
    assert (other.turns, other.player) == (room.turns[:1], 1), "the move on top goes too"


def test_a_move_answers_a_question_for_a_takeback() -> None:
    room = played(asking(played(friends(), "15"), 0), "9")
    assert room.asked is None
    refused(NotAllowed, lambda: changes.answer_takeback(room, 1, True, NOW), "not asked")
    assert changes.resign(asking(room, 1), 0, NOW).asked is None


def test_takebacks_may_be_off_and_need_a_move() -> None:
    room = played(friends(takeback=False), "15")
    refused(NotAllowed, lambda: changes.ask_takeback(room, 0, NOW), "no takeback")
    room = played(friends(), "15")
    refused(NotAllowed, lambda: changes.ask_takeback(room, 1, NOW), "nothing to take back")


def test_a_takeback_may_take_a_pass_back() -> None:
    room = played(friends("power-play:30", penalty=1), "x")
    assert (room.ply, room.turns[0].move) == (1, None)
    back = changes.answer_takeback(asking(room, 0), 1, True, NOW)
    assert (back.ply, back.kept.bad_inputs) == (0, 0)


def test_a_rematch_with_a_friend() -> None:
    refused(NotAllowed, lambda: changes.rematch(friends(), 0, NOW), "match goes on")
    over = changes.resign(played(friends(), "15"), 0, NOW)
    offer = changes.rematch(over, 1, NOW)
    assert offer is not None
    assert (offer.offered, offer.round, offer.over) == (1, 1, over.over)
    assert changes.rematch(offer, 1, NOW) is None, "offering twice changes nothing"
    again = changes.rematch(offer, 0, NOW + 60)
    assert again is not None
    assert (again.round, again.offered, again.turns, again.over) == (2, None, (), None)
    assert (again.player, again.board) == (1, Board.parse("divisor-duel:60")), "the other begins"
    assert (again.wins, again.seats) == ((0, 1), over.seats)
    assert again.replay != over.replay
    assert again.record.date > over.record.date
    third = changes.rematch(changes.resign(again, 1, NOW), 0, NOW)
    third = third and changes.rematch(third, 1, NOW)
    assert third is not None
    assert (third.round, third.player, third.wins) == (3, 0, (1, 1))


def test_a_rematch_begins_without_a_penalty() -> None:
    room, _ = changes.play(friends("power-play:30", penalty=2), 0, 0, "x", NOW)
    assert room is not None
    offer = changes.rematch(changes.resign(room, 0, NOW), 0, NOW)
    again = offer and changes.rematch(offer, 1, NOW)
    assert again is not None
    assert again.kept.bad_inputs == 0


def test_a_computer_accepts_a_rematch_at_once() -> None:
    again = changes.rematch(changes.resign(with_computer(), 0, NOW), 0, NOW)
    assert again is not None
    assert (again.round, again.player, again.waits_for_computer) == (2, 1, True)
    assert again.wins == (0, 1)
