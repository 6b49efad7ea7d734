"""Explore: who wins a board, why, by which moves, and the map around it, where that is known."""

from __future__ import annotations

import asyncio
import re

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from numduel.arithmetic.numerals import read_expression
from numduel.board import Board
from numduel.errors import InvalidNumber, NumduelError
from numduel.games import keys
from numduel.thinking.questions import position
from numduel.web.pages.board import is_playable, numbers
from numduel.web.pages.errors import status_of
from numduel.web.pages.form import games_with, variants_of
from numduel.web.pages.rendering import address, page, router
from numduel.web.pages.study.explored import SIZES, Found, MapPart
from numduel.web.state import limits_of, thinkers_of
from numduel.wording import problem

_SIGNS = r"0-9 _'^*\u2212\u00d7\u00b7\u00a0\u202f-"
_BARE = re.compile(rf"[0-9][,+{_SIGNS}]*", re.ASCII)
_NUMBER = re.compile(
    rf":\s*+([0-9](?:[{_SIGNS}]|[,+](?!\s*[a-z]))*+)\s*+(?=[,+]\s*[a-z]|~|$)", re.ASCII
)
"""The number of a game: up to a variant, another game, the ending or the end.

No part gives back what it took (`*+`): strangers' text is gone through once.
"""


_FEW, _FEWER = 40, 10
"""Moves that are listed; of numbers beyond `_SHORT` digits, fewer."""
_SHORT = 60

KNOWN_BY = {
    "theorem": "proof",
    "table": "computed",
    "search": "searched",
    "conjecture": "not proved",
}
EXAMPLES = (
    ("subtract-a-prime:20", "Subtract a Prime from 20"),
    ("divisor-duel:60~misere", "Divisor Duel from 60, misère"),
    ("subtract-a-prime:20+divisor-duel:60", "Two numbers at once"),
    ("digit-subtraction-duel:2^89-1", "Digit Subtraction Duel from 2^89-1"),
    (f"digit-subtraction-duel:{'9876543210' * 40}", "A number of 400 digits"),
)


def read_board(text: str, game: str) -> Board:
    """The board; a number alone is one of this game. Raises what cannot be read as a board."""
    lowered = text.strip().lower()
    if _BARE.fullmatch(lowered):
        return Board.parse(f"{game}:{read_expression(lowered)}")
    return Board.parse(_NUMBER.sub(_in_digits, lowered))


def _in_digits(found: re.Match[str]) -> str:
    try:
        return f":{read_expression(found[1])}"
    except InvalidNumber:
        return found[0]  # the sentence about the board says so


@router.get("/explore")
async def explore(request: Request) -> Response:
    asked = request.query_params
    if not asked.get("board") and asked.get("game"):
        return _picked(request)
    text = asked.get("board", "").strip()
    if not text:
        return _page(request, text)
    try:
        board = read_board(text, keys()[0])
    except NumduelError as error:
        return _page(request, text, status_of(error), wrong=problem(error))
    part = MapPart.asked_for(request, board)
    found = await _find(request, part)
    return _page(request, str(board), found.status, part, found)


def _picked(request: Request) -> Response:
    """From the pickers to the address of the board that they make up."""
    asked = request.query_params
    key, number = asked.get("game", ""), asked.get("number", "").strip()
    try:
        value = read_expression(number)
        board = Board.parse(f"{key}:{value}{'~misere' if asked.get('misere') else ''}")
        game = board.numbers[0].game
        board = board.having(**{name: asked[name] for name in game.variants if asked.get(name)})
    except NumduelError as error:
        return _page(request, "", status_of(error), picked_wrong=problem(error))
    return RedirectResponse(address("/explore", board=board), 303)


async def _find(request: Request, part: MapPart) -> Found:
    """Ask for everything at once; a question without an answer does not spoil the rest."""
    thinkers = thinkers_of(request)
    text, found, count = str(part.board), Found(part.board), len(part.board.numbers)
    few = _FEW if len(text) <= _SHORT * count else _FEWER
    found.verdict, found.moves, found.map = await asyncio.gather(
        found.told("verdict", thinkers.ask(position.verdict, board=text, most=few)),
        found.told("moves", thinkers.ask(position.moves, board=text, most=few)),
        found.told("map", part.ask(thinkers) if count == 1 else None),
    )
    return found


def _page(
    request: Request,
    text: str,
    status: int = 200,
    part: MapPart | None = None,
    found: Found | None = None,
    *,
    wrong: str = "",
    picked_wrong: str = "",
) -> HTMLResponse:
    board = part.board if part else None
    asked = request.query_params
    first = board.numbers[0] if board and len(board.numbers) == 1 else None
    game = first.game.key if first else asked.get("game", "")
    games = games_with([game])
    settings = first.game.settings if first else {}
    return page(
        request,
        "explore.html",
        status,
        text=text,
        wrong=wrong,
        picked_wrong=picked_wrong,
        games=games,
        game=game,
        number=str(first.value) if first else asked.get("number", ""),
        misere=board.misere if board else bool(asked.get("misere")),
        variants=[(game, one) for game in games for one in variants_of(game, settings)],
        examples=EXAMPLES,
        board=board,
        found=found,
        known_by=KNOWN_BY,
        shown=numbers(board) if board else [],
        alone=[Board((number,), board.misere) for number in board.numbers] if board else [],
        playable=board is not None
        and not (found and found.is_over)
        and is_playable(board, limits_of(request)),
        part=part,
        sizes=SIZES,
    )
