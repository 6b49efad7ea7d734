"""Explore: any board, at any size. Who wins, why, by which moves, and the map around it."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from numduel.arithmetic.numerals import read_expression
from numduel.board import Board
from numduel.errors import NumduelError
from numduel.games import Game, keys
from numduel.thinking.questions import position
from numduel.web.pages.board_view import is_playable, numbers
from numduel.web.pages.explored_board import Found
from numduel.web.pages.explored_map import SIZES, MapPart
from numduel.web.pages.explored_text import read_board
from numduel.web.pages.new_room_form import games_with
from numduel.web.pages.rendering import encoded, page
from numduel.web.problems import status_of
from numduel.web.state import thinkers_of
from numduel.wording import problem
from numduel.wording.rules import choices, label

router = APIRouter(include_in_schema=False)

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


@router.get("/explore")
async def explore(request: Request) -> Response:
    """The form, and all about the board that it asks for."""
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
    return RedirectResponse(f"/explore?board={encoded(board)}", 303)


async def _find(request: Request, part: MapPart) -> Found:
    """Ask for everything at once; a question without an answer does not spoil the rest."""
    thinkers = thinkers_of(request)
    text, found, count = str(part.board), Found(), len(part.board.numbers)
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
    return page(
        request,
        "explore.html",
        status,
        text=text,
        wrong=wrong,
        picked_wrong=picked_wrong,
        games=[(game.key, game.title) for game in games],
        game=game,
        number=str(first.value) if first else asked.get("number", ""),
        misere=board.misere if board else bool(asked.get("misere")),
        variants=_variants(games, first.game if first else None),
        examples=EXAMPLES,
        board=board,
        found=found,
        known_by=KNOWN_BY,
        shown=numbers(board) if board else [],
        alone=[str(Board((number,), board.misere)) for number in board.numbers] if board else [],
        moves=found.moves_to_show(board) if board and found else [],
        playable=board is not None
        and not (found and found.is_over)
        and is_playable(board, request.app.state.settings.limits),
        part=part,
        sizes=SIZES,
        square=found.square(board) if board and found else None,
    )


def _variants(games: list[Game], chosen: Game | None) -> list[dict[str, Any]]:
    """The variants of every game, to choose from."""
    return [
        {
            "name": name,
            "label": f"{game.title}: {label(name)[0].lower()}{label(name)[1:]}",
            "choices": choices(game, name),
            "chosen": chosen.settings.get(name, "") if chosen else "",
        }
        for game in games
        for name in game.variants
    ]
