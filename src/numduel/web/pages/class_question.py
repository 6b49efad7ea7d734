"""A question to the class as its pages show it: votes, then the reply to them, then the reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from numduel.board import Board, Move
from numduel.classes import Question
from numduel.errors import NumduelError
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board_view import ShownMove, moves_of
from numduel.web.pages.errors import sentence
from numduel.web.pages.move_buttons import Choice, choices

VOTING, VOTES, REPLY, REASON = range(4)
"""What of a question is shown."""

_TRAP = "This is a trap: whoever must move here loses."
_CAN_WIN = "Whoever must move here can win."
_NEXT = ("Show the votes", "Show the perfect reply", "Show why")


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The question of the moment."""

    number: int
    numbers: list[Choice]
    shown: int
    voted: int
    mine: str
    """The move that this pupil has voted for."""
    counts: list[tuple[ShownMove, int]]
    """Each move that somebody voted for, the most votes first."""
    reply: str = ""
    reason: tuple[str, ...] = ()
    winning: frozenset[str] = frozenset()
    """The winning moves, told with the reason."""

    @property
    def open(self) -> bool:
        """Can pupils still vote?"""
        return self.shown == VOTING

    @property
    def moves(self) -> list[ShownMove]:
        """What can be voted for."""
        return [move for choice in self.numbers for move in choice.moves]

    @property
    def most(self) -> int:
        """The most votes of one move."""
        return max((count for _, count in self.counts), default=1)

    @property
    def next(self) -> str:
        """The button that shows more; nothing at the end."""
        return _NEXT[self.shown] if self.shown < REASON else ""


async def question_of(
    question: Question, votes: Counter[str], thinkers: Thinkers, mine: str = ""
) -> QuestionView:
    """The question with these votes, as far as the teacher has shown it."""
    board = question.board
    moves = [(board.parse_move(text), count) for text, count in votes.most_common()]
    shown = moves_of(board, [move for move, _ in moves])
    counts = [(one, count) for one, (_, count) in zip(shown, moves, strict=True)]
    view = QuestionView(
        number=question.number,
        numbers=await choices(board, thinkers),
        shown=question.shown,
        voted=votes.total(),
        mine=mine,
        counts=counts if question.shown >= VOTES else [],
    )
    if question.shown >= REPLY:
        view = replace(view, reply=await _reply(board, moves[0][0] if moves else None, thinkers))
    if question.shown >= REASON:
        view = await _explained(view, board, thinkers)
    return view


async def _reply(board: Board, move: Move | None, thinkers: Thinkers) -> str:
    """What the perfect player answers to the move of most votes, or plays where there is none."""
    said, after = "", board
    if move is not None:
        played = moves_of(board, [move])[0]
        after = board.play(move)
        said = f"Most of you say: {_in_words(played)} "
        if after.is_over:
            return f"{said}Then there is no move."
    try:
        told = await thinkers.ask(position.move, board=str(after), player="perfect", seed=0)
    except NumduelError as error:
        return said + sentence(error)
    answer = moves_of(after, [after.parse_move(told["move"])])[0]
    return f"{said}The perfect player {'replies' if said else 'plays'}: {_in_words(answer)}"


def _in_words(move: ShownMove) -> str:
    return f"{move.does.lower()}, which leaves {move.left}."


async def _explained(view: QuestionView, board: Board, thinkers: Thinkers) -> QuestionView:
    try:
        told = await thinkers.ask(position.verdict, board=str(board), most=position.MOST)
    except NumduelError as error:
        return replace(view, reason=(sentence(error),))
    verdict = _TRAP if told["outcome"] == "loss" else _CAN_WIN
    winning = frozenset(told["winning_moves"])
    return replace(view, reason=(verdict, *told["why"]), winning=winning)
