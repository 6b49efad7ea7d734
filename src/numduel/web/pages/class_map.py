"""The class map: what the class has seen of a game, what it guesses, and at last the truth."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from numduel.board import Board
from numduel.classes import SchoolClass, Stage
from numduel.classes.class_map import class_map
from numduel.games import Game, load
from numduel.thinking.questions import position
from numduel.web.pages.class_map_view import ClassMapView, counted, size_for, view_of
from numduel.web.pages.class_page import page_of
from numduel.web.pages.class_wall import wall_for
from numduel.web.pages.rendering import page
from numduel.web.seats import token_of
from numduel.web.state import classes_of, thinkers_of

router = APIRouter(include_in_schema=False)


@router.get("/class/{code}/map")
async def map_page(request: Request, code: str) -> Response:
    """The map for the projector."""
    wall = await wall_for(request, code, boards=False)
    if isinstance(wall, Response):
        return wall
    school_class = wall.school_class
    game = _game(school_class, request.query_params.get("game"))
    drawn = await map_for(request, school_class, game) if game else None
    return page(
        request,
        "class_map.html",
        shown=page_of(request, school_class, wall.version),
        wrong="",
        heading="The true map" if drawn and drawn.unveiled else "What we have seen",
        map=drawn,
        game=game.key if game else "",
        games=_games(school_class),
        open=school_class.stage is Stage.MAP,
    )


async def map_for(
    request: Request, school_class: SchoolClass, game: Game | None = None
) -> ClassMapView:
    """The map of this game, as far as the class has made it; else of the one that all look at."""
    game = game or load(school_class.map_game or "")
    played = await classes_of(request).records(school_class.code, token_of(request))
    seen = class_map((one.record for one in played), game)
    boards = (each.plan.board for each in school_class.rounds)
    size = size_for(board.numbers[0].value for board in boards if board.numbers[0].game == game)
    least = str(Board.of(game, max(1, game.least)))
    truth = await thinkers_of(request).ask(position.overview, board=least, to=size)
    me = school_class.me
    guesses = school_class.guesses if school_class.map_game == game.key else ()
    mine = (
        None if me is None else {one.value: one.trap for one in guesses if one.pupil == me.number}
    )
    return view_of(
        truth["title"],
        truth,
        seen,
        counted((one.value, one.trap) for one in guesses),
        unveiled=school_class.unveiled and school_class.map_game == game.key,
        size=size,
        mine=mine,
    )


def _games(school_class: SchoolClass) -> dict[str, Game]:
    """The games that the class has played, by their keys; the last one last."""
    played = [each.plan.board.numbers[0].game for each in school_class.rounds]
    return {game.key: game for game in played}


def _game(school_class: SchoolClass, asked: str | None) -> Game | None:
    """The game that all look at, else the one that is asked for, else that of the last round."""
    if school_class.stage is Stage.MAP and school_class.map_game:
        return load(school_class.map_game)
    last = school_class.round
    return _games(school_class).get(asked or "", last.plan.board.numbers[0].game if last else None)
