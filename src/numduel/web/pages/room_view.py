"""A room as somebody sees it: its page and the script show the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from numduel.board import Board
from numduel.errors import NumduelError
from numduel.players import COMPUTERS, next_rung
from numduel.rooms import Room, steady_time
from numduel.thinking.questions import position
from numduel.thinking.questions.looking_back import TURNS
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board_view import ShownMove, moves_of
from numduel.web.pages.ending import End, end_of
from numduel.web.pages.errors import sentence
from numduel.web.pages.move_buttons import Choice, choices, shown_numbers, what_is_allowed
from numduel.web.pages.number_line import NumberLine, lines_of
from numduel.web.pages.room_sentences import asked, called, heading, said
from numduel.web.pages.rule_view import RuleView, rule_of
from numduel.wording.hints import STEPS
from numduel.wording.players import computer_name, how_it_plays

_WAITING, _AFTERWARDS = 4, 15
"""Seconds after which a page without scripts looks again: in a match, and after one."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of the room."""

    name: str
    you: bool
    is_person: bool
    taken: bool
    to_move: bool
    won: bool
    wins: int
    seconds: float | None
    """What the clock has left; None without a clock."""
    runs: bool


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn that was taken; without a move where the turn was lost."""

    number: int
    name: str
    you: bool
    move: ShownMove | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody tried that did not work: the sentence, and what was typed."""

    wrong: str = ""
    typed: str = ""
    at_field: bool = False
    """Does the sentence belong beside the field for a move?"""


NOTHING_TRIED = Attempt()


class Rival(NamedTuple):
    """A computer as an opponent, and who comes after it on the ladder."""

    word: str
    name: str
    plays: str
    never_errs: bool
    next: Rival | None


def rival_of(word: str) -> Rival | None:
    """The computer of this word; None for a person."""
    if word not in COMPUTERS:
        return None
    after = next_rung(word)
    later = None if after is None else rival_of(after)
    return Rival(word, computer_name(word), how_it_plays(word), COMPUTERS[word].keeps == 1, later)


@dataclass(frozen=True, slots=True)
class RoomView:
    """Everything that a room's page shows to one visitor."""

    room: Room
    me: int | None
    is_host: bool
    heading: str
    said: str
    seats: list[SeatView]
    numbers: list[Choice]
    allowed: str
    turns: list[TurnView]
    end: End | None
    hint: str
    hint_step: int
    """The hint that is shown; 0 for none."""
    attempt: Attempt

    @property
    def to_move(self) -> bool:
        """Is it this visitor's turn?"""
        return _to_move(self.room, self.me)

    @property
    def in_class(self) -> bool:
        """Is it a room of a class, where the teacher says what comes next?"""
        return self.room.class_code is not None

    @property
    def in_play(self) -> bool:
        """Does the match go on, with both players there?"""
        return not self.room.over and not self.room.is_open

    @property
    def other(self) -> SeatView | None:
        """The seat opposite; None for a watcher."""
        return None if self.me is None else self.seats[1 - self.me]

    @property
    def asked(self) -> str:
        """What is said if somebody asks for a takeback."""
        return asked(self.room, self.me)

    @property
    def lines(self) -> list[NumberLine]:
        """The way of each number so far; a watcher sees the first seat as this visitor's."""
        return lines_of(self.room.setup.board, self.room.turns, self.me or 0)

    @property
    def rule(self) -> RuleView:
        """The whole rule."""
        return rule_of(self.room.setup.board)

    @property
    def rival(self) -> Rival | None:
        """The computer opposite; None against a person, and for a watcher."""
        return None if self.me is None else rival_of(self.room.seats[1 - self.me].player)

    @property
    def won(self) -> bool:
        """Has this visitor won?"""
        return self.room.over is not None and self.room.over.winner == self.me

    @property
    def may_take_back(self) -> bool:
        """Does this visitor have a move to take back?"""
        return (
            self.in_play
            and self.room.takeback
            and self.room.asked is None
            and any(turn.player == self.me for turn in self.room.turns)
        )

    @property
    def next_hint(self) -> int:
        """The next hint to ask for, against a computer; 0 when there is none."""
        more = self.room.may_have_hint(self.me) and self.hint_step < STEPS
        return self.hint_step + 1 if more else 0

    @property
    def refresh(self) -> int | None:
        """Seconds after which a page without scripts reloads; None if it need not."""
        if self.room.over:
            alone = self.other is not None and not self.other.is_person
            return None if alone or self.room.offered not in (None, self.me) else _AFTERWARDS
        return None if self.to_move or self.attempt.wrong else _WAITING


async def table_of(
    room: Room,
    token: str | None,
    thinkers: Thinkers,
    attempt: Attempt = NOTHING_TRIED,
    hint: int = 0,
) -> RoomView:
    """The room as whoever has the token sees it, with the hint of this step if one is asked for."""
    me = room.seat_of(token)
    to_move = _to_move(room, me)
    board, start = room.board, room.setup.board
    found = await choices(board, thinkers, start) if to_move else shown_numbers(board, start)
    end = await end_of(room, thinkers, called(room, me)) if room.over else None
    step = hint if room.may_have_hint(me) else 0
    return RoomView(
        room=room,
        me=me,
        is_host=room.is_host(token),
        heading=heading(room, me),
        said=said(room, me, end.reason if end else ""),
        seats=_seats(room, me),
        numbers=found,
        allowed=what_is_allowed(board, found) if to_move else "",
        turns=turns_of(room, me),
        end=end,
        hint=await _hint(room.board, thinkers, step) if step else "",
        hint_step=step,
        attempt=attempt,
    )


def _to_move(room: Room, me: int | None) -> bool:
    return not room.over and not room.is_open and not room.held and room.player == me


def _seats(room: Room, me: int | None) -> list[SeatView]:
    now, clock = steady_time.now(), room.clock
    return [
        SeatView(
            name=seat.name,
            you=number == me,
            is_person=seat.is_person,
            taken=seat.taken,
            to_move=not room.over and not room.is_open and room.player == number,
            won=room.over is not None and room.over.winner == number,
            wins=room.wins[number],
            seconds=None if clock is None else clock.remaining(number, room.player, now),
            runs=room.clock_runs and room.player == number,
        )
        for number, seat in enumerate(room.seats)
    ]


def turns_of(room: Room, me: int | None) -> list[TurnView]:
    """The last turns; the replay has the others."""
    earlier = max(0, room.ply - TURNS)
    views, before = [], room.turns[earlier - 1].board if earlier else room.setup.board
    for number, turn in enumerate(room.turns[earlier:], earlier + 1):
        move = None if turn.move is None else moves_of(before, [turn.move])[0]
        name = room.setup.names[turn.player]
        views.append(TurnView(number, name, turn.player == me, move))
        before = turn.board
    return views


async def _hint(board: Board, thinkers: Thinkers, step: int) -> str:
    try:
        answer = await thinkers.ask(position.hint, board=str(board), step=step)
    except NumduelError as error:
        return sentence(error)
    return answer["text"]
