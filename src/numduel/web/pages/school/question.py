"""Discuss: one position on all tablets; votes, then the reply to them, then the reason."""

from dataclasses import dataclass, replace

from fastapi import Request
from fastapi.responses import Response

from numduel.board import Board, Move
from numduel.classes import Question, SchoolClass, Stage
from numduel.classes.parts import rules_of
from numduel.errors import NumduelError
from numduel.games import all_games
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board import Shown, ShownMove, choices, shown_move
from numduel.web.pages.errors import sentence
from numduel.web.pages.rendering import router
from numduel.web.pages.school.page import form_of, show, wall_for
from numduel.web.state import thinkers_of

VOTING, VOTES, REPLY, REASON = range(4)
"""What of a question is shown."""

_TRAP = "This is a trap: whoever must move here loses."
_CAN_WIN = "Whoever must move here can win."
_LOSES = "Each move leaves a number from which the other player can win."
_MOST_REPLIES = 3
"""Of more moves with equally many votes, none is answered."""
_NEXT = ("Show the votes", "Show the perfect reply", "Show why")


@dataclass(frozen=True, slots=True)
class QuestionView:
    asked: Question
    numbers: list[Shown]
    voted: int
    mine: str
    counts: list[tuple[ShownMove, int]]
    """Each move that somebody voted for, the most votes first."""
    reply: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()
    winning: frozenset[str] = frozenset()
    """The winning moves, told with the reason."""

    @property
    def open(self) -> bool:
        return self.asked.shown == VOTING

    @property
    def next(self) -> str:
        """The button that shows more; nothing at the end."""
        return _NEXT[self.asked.shown] if self.asked.shown < REASON else ""


@router.get("/class/{code}/discuss")
async def discuss_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    school_class = wall.school_class
    asked = school_class.question if school_class.stage is Stage.QUESTION else None
    question = None
    if asked is not None:
        question = await question_of(asked, school_class, thinkers_of(request))
    return show(
        request,
        "class_discuss.html",
        wall,
        question=question,
        pupils=school_class.pupils,
        form=form_of(request, school_class),
        games=list(all_games()),
    )


async def question_of(
    question: Question, school_class: SchoolClass, thinkers: Thinkers, mine: str = ""
) -> QuestionView:
    board, votes = question.board, school_class.votes
    moves = [(board.parse_move(text), count) for text, count in votes.most_common()]
    view = QuestionView(
        asked=question,
        numbers=await choices(board, thinkers),
        voted=votes.total(),
        mine=mine,
        counts=[(shown_move(board, move), count) for move, count in moves]
        if question.shown >= VOTES
        else [],
    )
    if question.shown >= REPLY:
        view = replace(view, reply=await _replies(board, moves, thinkers))
    if question.shown >= REASON:
        told = school_class.unveiled and school_class.map_game == rules_of(board)
        told = told or len(board.numbers) > 1  # there is no map to find
        view = await _explained(view, board, thinkers, told)
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
    said, after = who + _in_words(shown_move(board, move)), board.play(move)
    if after.is_over:
        return f"{said} Then there is no move."
    return await _perfect(f"{said} ", "replies", after, thinkers)


async def _perfect(said: str, does: str, board: Board, thinkers: Thinkers) -> str:
    try:
        told = await thinkers.ask(position.move, board=str(board), player="perfect", seed=0)
    except NumduelError as error:
        return said + sentence(error)
    move = shown_move(board, board.parse_move(told["move"]))
    return f"{said}The perfect player {does}: {_in_words(move)}"


def _leads(board: Board, move: Move) -> str:
    shown, is_over = shown_move(board, move), board.play(move).is_over
    why = "where there is no move" if is_over else "a trap"
    return f"{shown.does}: that leaves {shown.left}, {why}."


def _in_words(move: ShownMove) -> str:
    return f"{move.does.lower()}, which leaves {move.left}."


async def _explained(
    view: QuestionView, board: Board, thinkers: Thinkers, told_all: bool
) -> QuestionView:
    """With the reason: until the map is unveiled, of this very position and no other."""
    try:
        told = await thinkers.ask(position.verdict, board=str(board), most=position.MOST)
    except NumduelError as error:
        return replace(view, reason=(sentence(error),))
    winning = told["winning_moves"]
    reason = told["why"]
    if not told_all:
        moves = [board.parse_move(text) for text in winning[:_MOST_REPLIES]]
        reason = [_leads(board, move) for move in moves] or [_LOSES]
    verdict = _TRAP if told["outcome"] == "loss" else _CAN_WIN
    return replace(view, reason=(verdict, *reason), winning=frozenset(winning))
