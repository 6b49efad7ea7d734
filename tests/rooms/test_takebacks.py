"""Takebacks and rematches: who is asked, what is undone, who begins."""

from __future__ import annotations

from numduel import Board, Move
from numduel.errors import NotAllowed
from numduel.rooms import AnswerTakeback, AskTakeback, Play, Rematch, Resign
from rooms.opened import NOW, acted, after, asking, friends, played, refused, with_computer


def test_a_computer_gives_the_move_back_at_once() -> None:
    room = played(with_computer(), "15")
    thinking = acted(room, 0, AskTakeback()).room
    assert thinking is not None
    assert (thinking.ply, thinking.player, thinking.asked) == (0, 0, None), "while it thinks"
    answered = acted(played(room, "9"), 0, AskTakeback()).room
    assert answered is not None
    assert (answered.ply, answered.player, answered.board) == (0, 0, room.setup.board)
    computer_first = played(with_computer(first=1), "15")
    refused(
        NotAllowed, lambda: acted(computer_first, 0, AskTakeback()).room, "nothing to take back"
    )
    back = acted(played(computer_first, "9", "9"), 0, AskTakeback()).room
    assert back is not None
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


def test_a_takeback_may_take_a_pass_back() -> None:
    room = played(friends("power-play:30", penalty=1), "x")
    assert (room.ply, room.turns[0].move) == (1, None)
    back = after(asking(room, 0), 1, AnswerTakeback(True))
    assert (back.ply, back.kept.bad_inputs) == (0, 0)


def test_a_rematch_with_a_friend() -> None:
    refused(NotAllowed, lambda: acted(friends(), 0, Rematch()).room, "match goes on")
    over = after(played(friends(), "15"), 0, Resign())
    offer = acted(over, 1, Rematch()).room
    assert offer is not None
    assert (offer.offered, offer.round, offer.over) == (1, 1, over.over)
    assert acted(offer, 1, Rematch()).room is None, "offering twice changes nothing"
    again = acted(offer, 0, Rematch(), NOW + 60).room
    assert again is not None
    assert (again.round, again.offered, again.turns, again.over) == (2, None, (), None)
    assert (again.player, again.board) == (1, Board.parse("divisor-duel:60")), "the other begins"
    assert (again.wins, again.seats) == ((0, 1), over.seats)
    assert again.replay != over.replay
    assert again.record.date > over.record.date
    third = acted(after(again, 1, Resign()), 0, Rematch()).room
    third = third and acted(third, 1, Rematch()).room
    assert third is not None
    assert (third.round, third.player, third.wins) == (3, 0, (1, 1))


def test_a_rematch_begins_without_a_penalty() -> None:
    room, _ = acted(friends("power-play:30", penalty=2), 0, Play("x"))
    assert room is not None
    offer = acted(after(room, 0, Resign()), 0, Rematch()).room
    again = offer and acted(offer, 1, Rematch()).room
    assert again is not None
    assert again.kept.bad_inputs == 0


def test_whoever_lost_to_a_computer_begins_again() -> None:
    """And whoever won lets the computer begin, whoever began before."""
    lost = acted(after(with_computer(), 0, Resign()), 0, Rematch()).room
    assert lost is not None
    assert (lost.player, lost.waits_for_computer) == (0, False)
    won = acted(played(with_computer("divisor-duel:6"), "3"), 0, Rematch()).room
    assert won is not None
    assert (won.wins, won.player, won.waits_for_computer) == ((1, 0), 1, True)
