"""The rules of every game, in our own words."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from numduel.board import Board
from numduel.drawing.square import COLUMNS, ROWS, draw_thumbnail
from numduel.errors import NothingToStudy, NumduelError, UnknownGame
from numduel.games import Game, OwnRule, all_games, load
from numduel.study.lessons import Step, lesson_of
from numduel.thinking.questions import position
from numduel.web.pages.rendering import page
from numduel.web.state import thinkers_of
from numduel.wording import problem, summary
from numduel.wording.rules import choices, label, paragraphs, ways

router = APIRouter(include_in_schema=False)


def game_at(key: str) -> Game:
    """The game that an address names; for any other address, the page that says there is none."""
    try:
        return load(key)
    except UnknownGame as error:
        raise HTTPException(404, problem(error)) from error
    except NumduelError as error:
        raise HTTPException(422, problem(error)) from error


def lesson(game: Game) -> tuple[Step, ...]:
    """The game's tutorial; empty where there is none."""
    try:
        return lesson_of(game)
    except NothingToStudy:
        return ()


@router.get("/rules")
async def rules_list(request: Request) -> HTMLResponse:
    """All games, a line each, and what they share."""
    games = [(game, summary(game)) for game in all_games()]
    return page(request, "rules.html", games=games)


@router.get("/rules/{key}")
async def rules_of(request: Request, key: str) -> HTMLResponse:
    """One game's rules."""
    game = game_at(key)
    rules, examples = paragraphs(game)
    return page(
        request,
        "rules_game.html",
        game=game,
        summary=summary(game),
        rules=rules,
        examples=examples,
        variants=[(label(name), choices(game, name)) for name in game.variants],
        policies=ways(game),
        has_lesson=bool(lesson(game)),
        own=isinstance(game, OwnRule),
    )


@router.get("/rules/{key}/map.svg")
async def small_map(request: Request, key: str) -> Response:
    """The game's map as a small picture: what it looks like, not what it says."""
    game = game_at(key)
    board = str(Board.of(game, max(1, game.least)))
    drawn = await thinkers_of(request).ask(position.map_of, board=board, to=COLUMNS * ROWS)
    day = {"Cache-Control": "public, max-age=86400"}
    return Response(draw_thumbnail(drawn["lost"]), media_type="image/svg+xml", headers=day)
