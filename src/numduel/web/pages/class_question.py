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
from numduel.web.pages.rule_view import RuleView, rule_of

VOTING, VOTES, REPLY, REASON = range(4)
"""What of a question is shown."""

_TRAP = "This is a trap: whoever must move here loses."
_CAN_WIN = "Whoever must move here can win."
_MOST_REPLIES = 3
"""Of more moves with equally many votes, none is answered."""
_NEXT = ("Show the votes", "Show the perfect reply", "Show why")


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The question of the moment."""

    number: int
    rule: RuleView
    numbers: list[Choice]
    shown: int
    voted: int
    mine: str
    """The move that this pupil has voted for."""
    counts: list[tuple[ShownMove, int]]
    """Each move that somebody voted for, the most votes first."""
    reply: tuple[str, ...] = ()
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
        rule=rule_of(board),
        numbers=await choices(board, thinkers),
        shown=question.shown,
        voted=votes.total(),
        mine=mine,
        counts=counts if question.shown >= VOTES else [],
    )
    if question.shown >= REPLY:
        view = replace(view, reply=await _replies(board, moves, thinkers))
    if question.shown >= REASON:
        view = await _explained(view, board, thinkers)
    return view


async def _replies(
    board: Board, votes: list[tuple[Move, int]], thinkers: Thinkers
) -> tuple[str, ...]:
    """What the perfect player answers to the moves of most votes, or plays where that is none."""
    ahead = [move for move, count in votes if count == votes[0][1]]
    if len(ahead) == 1:
        return (await _reply("Most votes: ", board, ahead[0], thinkers),)
    split = ("You are split.",) if ahead else ()
    if not ahead or len(ahead) > _MOST_REPLIES:
        return (*split, await _perfect("", "plays", board, thinkers))
    said = [await _reply("Some of you say: ", board, move, thinkers) for move in ahead]
    return (*split, *said)


async def _reply(who: str, board: Board, move: Move, thinkers: Thinkers) -> str:
    said, after = who + _in_words(moves_of(board, [move])[0]), board.play(move)
    if after.is_over:
        return f"{said} Then there is no move."
    return await _perfect(f"{said} ", "replies", after, thinkers)


async def _perfect(said: str, does: str, board: Board, thinkers: Thinkers) -> str:
    try:
        told = await thinkers.ask(position.move, board=str(board), player="perfect", seed=0)
    except NumduelError as error:
        return said + sentence(error)
    move = moves_of(board, [board.parse_move(told["move"])])[0]
    return f"{said}The perfect player {does}: {_in_words(move)}"


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
