"""What is put to all tablets: a position to discuss, with votes and reasons; and puzzle sets."""

from secrets import token_hex
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from numduel.board import Board, Move
from numduel.classes import SchoolClass, Stage
from numduel.classes.actions import FEWEST, MOST, SetPuzzles
from numduel.classes.parts import rules_of
from numduel.errors import NumduelError
from numduel.study.puzzles import RATINGS
from numduel.thinking.questions import learning, position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board import Shown, ShownMove, choices, figures, numbers, shown_move
from numduel.web.pages.errors import sentence
from numduel.web.pages.rendering import router, whole
from numduel.web.pages.school.page import OWN, form_of, rule_of, show, wall_for
from numduel.web.state import thinkers_of

_VOTES, _REPLY, _REASON = range(1, 4)  # what of a question is shown, after the voting
_TRAP = "This is a trap: whoever must move here loses."
_CAN_WIN = "Whoever must move here can win."
_LOSES = "Each move leaves a number from which the other player can win."
_MOST_REPLIES = 3  # of more moves with equally many votes, none is answered
_MARKS = {True: ("✓", "right"), False: ("✗", "not right"), None: ("", "no answer yet")}
"""A sign for an answer, and the same in words."""
_BLOCK, _WIDE = 15, 12  # more pupils than this stand in two columns, unless puzzles are many


@router.get("/class/{code}/discuss")
async def discuss_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    school_class, question = wall.school_class, None
    if school_class.stage is Stage.QUESTION:
        question = await question_of(school_class, thinkers_of(request))
    form = form_of(request, school_class)
    return show(request, "class_discuss.html", wall, question=question, form=form)


async def question_of(school_class: SchoolClass, thinkers: Thinkers) -> dict[str, Any] | None:
    """The last question, as far as it is shown, for `parts.votes`; None before the first."""
    asked, votes, me = school_class.question, school_class.votes, school_class.me
    if asked is None:
        return None
    board = asked.board
    moves = [(board.parse_move(text), count) for text, count in votes.most_common()]
    tells = asked.shown >= _REASON
    reason, winning = await _reasons(school_class, board, thinkers) if tells else ([], [])
    counts = [(shown_move(board, move), count) for move, count in moves if asked.shown >= _VOTES]
    return {
        "asked": asked,
        "numbers": await choices(board, thinkers),
        "voted": votes.total(),
        "mine": (me and school_class.vote_of(me.number)) or "",
        "counts": counts,  # most votes first
        "reply": await _replies(board, moves, thinkers) if asked.shown >= _REPLY else [],
        "reason": reason,
        "winning": winning,  # the winning moves, told with the reason
    }


async def _replies(board: Board, votes: list[tuple[Move, int]], thinkers: Thinkers) -> list[str]:
    """What the perfect player answers to the moves of most votes, or plays where that is none."""
    ahead = [move for move, count in votes if count == votes[0][1]]
    split = ["You are split."] if len(ahead) > 1 else []
    if not ahead or len(ahead) > _MOST_REPLIES:
        return [*split, await _perfect("", "plays", board, thinkers)]
    who = "Some of you say" if split else "Most votes"
    for move in ahead:
        said, after = f"{who}: {_in_words(shown_move(board, move))} ", board.play(move)
        over = f"{said}Then there is no move."
        split.append(over if after.is_over else await _perfect(said, "replies", after, thinkers))
    return split


async def _perfect(said: str, does: str, board: Board, thinkers: Thinkers) -> str:
    try:
        told = await thinkers.ask(position.move, board=str(board), player="perfect", seed=0)
    except NumduelError as error:
        return said + sentence(error)
    move = shown_move(board, board.parse_move(told["move"]))
    return f"{said}The perfect player {does}: {_in_words(move)}"


def _in_words(move: ShownMove) -> str:
    return f"{move.does.lower()}, which leaves {move.left}."


async def _reasons(
    school_class: SchoolClass, board: Board, thinkers: Thinkers
) -> tuple[list[str], list[str]]:
    """The reason, and the winning moves: until the map is unveiled, of this very position alone."""
    try:
        told = await thinkers.ask(position.verdict, board=str(board), most=position.MOST)
    except NumduelError as error:
        return [sentence(error)], []
    reason, winning = told["why"], told["winning_moves"]
    unveiled = school_class.unveiled and school_class.map_game == rules_of(board)
    if not unveiled and len(board.numbers) == 1:  # of several there is no map to find
        moves = [board.parse_move(text) for text in winning[:_MOST_REPLIES]]
        reason = [_leads(board, move) for move in moves] or [_LOSES]
    return [_TRAP if told["outcome"] == "loss" else _CAN_WIN, *reason], winning


def _leads(board: Board, move: Move) -> str:
    shown, is_over = shown_move(board, move), board.play(move).is_over
    why = "where there is no move" if is_over else "a trap"
    return f"{shown.does}: that leaves {shown.left}, {why}."


def grid_of(school_class: SchoolClass) -> dict[str, Any] | None:
    """What `parts.grid` shows: everybody's first answers to a puzzle set, as they come."""
    posed = school_class.puzzles
    if not posed:
        return None
    said = {(one.number, one.pupil): one.right for one in school_class.answers}
    rows = []
    for pupil in school_class.pupils:
        own = [said.get((one.number, pupil.number)) for one in posed]
        rows.append((pupil.name, [_MARKS[one] for one in own], own.count(True)))
    split = len(posed) <= _WIDE and len(rows) > _BLOCK
    block = -(-len(rows) // 2) if split else max(1, len(rows))
    return {
        "columns": [figures(one.board, " + ") for one in posed],
        "blocks": [rows[at : at + block] for at in range(0, len(rows), block)],
        "right": [sum(right for (n, _), right in said.items() if n == one.number) for one in posed],
        "answered": len(said),
        "of": len(posed) * len(school_class.pupils),
    }


async def puzzle_of(school_class: SchoolClass, thinkers: Thinkers) -> dict[str, Any]:
    """The next puzzle of a pupil, whose answers alone are in the class; none once all are given."""
    said = {one.number: one.right for one in school_class.answers}
    posed = next((one for one in school_class.puzzles if one.number not in said), None)
    shown: list[Shown] = []
    if posed is not None:
        moves = posed.asks == "move"
        shown = await choices(posed.board, thinkers) if moves else numbers(posed.board)
    marks = [_MARKS[said.get(one.number)] for one in school_class.puzzles]
    return {"posed": posed, "numbers": shown, "marks": marks, "right": sum(said.values())}


@router.get("/class/{code}/puzzles")
async def puzzles_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    grid, last = grid_of(wall.school_class), form_of(request, wall.school_class)
    return show(request, "class_puzzles.html", wall, grid=grid, last=last)


async def set_puzzles(form: dict[str, str], request: Request) -> SetPuzzles:
    """By game, rating and seed; or the positions that were picked."""
    await wall_for(request, request.path_params["code"], boards=False)  # before anything is made
    game = form.get("game", "")
    kind = rule_of(form.get("own", "")) if game == OWN else game.lower()
    picked = form.get("positions", "").replace(",", " ").split()[: MOST + 1]
    told = await thinkers_of(request).ask(
        learning.puzzle_set,
        seed=form.get("seed", "")[:40] or token_hex(4),
        kind=kind or None,
        rating=whole(form.get("rating"), 0, *RATINGS) or None,
        count=whole(form.get("count"), FEWEST, FEWEST, MOST),
        boards=[one if ":" in one else f"{kind}:{one}" for one in picked],
    )
    made = told["puzzles"]
    return SetPuzzles(tuple((Board.parse(p["board"]), p["asks"], tuple(p["right"])) for p in made))
