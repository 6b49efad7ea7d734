"""Games, boards and matches for programs. Whatever may take long is a thinker's work."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from numduel.games import keys, load
from numduel.players import player_words
from numduel.study.maps import MAX_NUMBER
from numduel.thinking.questions.position import MOST
from numduel.web.api import shapes, study_shapes
from numduel.web.api.answers import json_response, replay_json
from numduel.web.api.routes import Operation, problems
from numduel.wording import summary

router = APIRouter(prefix="/api", tags=["study"], route_class=Operation)

BoardQuery = Annotated[
    str,
    Query(
        min_length=1,
        max_length=shapes.BOARD,
        description="The board, with numbers of up to 4,000 digits.",
        examples=["divisor-duel:60"],
    ),
]
MatchQuery = Annotated[
    str,
    Query(
        min_length=1,
        max_length=shapes.BOARD,
        description="A match in one word, as a room and a replay have it.",
        examples=["divisor-duel:60/15.15"],
    ),
]
MostQuery = Annotated[int, Query(ge=0, le=MOST, description="List at most so many moves.")]
_QUESTION = problems(422, 503)


@router.get(
    "/games",
    response_model=study_shapes.Games,
    responses=problems(),
    response_description="The games and the players.",
    operation_id="list_games",
    summary="List the games and the players",
)
async def list_games() -> Response:
    """Every game with its variants, and the words for who may play."""
    return json_response({"games": list(map(_game, keys())), "players": player_words()})


@router.get(
    "/moves",
    response_model=study_shapes.Moves,
    responses=_QUESTION,
    response_description="Moves, the first ones of many.",
    operation_id="list_moves",
    summary="List the legal moves of a board",
)
async def list_moves(request: Request, board: BoardQuery, most: MostQuery = 40) -> Response:
    """The moves number by number, with what each leaves."""
    return json_response(await _ask(request, "moves", board=board, most=most))


@router.get(
    "/verdict",
    response_model=study_shapes.Verdict,
    responses=_QUESTION,
    response_description="The verdict.",
    operation_id="judge_board",
    summary="Tell who wins a board, and why",
)
async def judge_board(request: Request, board: BoardQuery, most: MostQuery = 10) -> Response:
    """The outcome with best play, winning moves, and the reason."""
    return json_response(await _ask(request, "verdict", board=board, most=most))


@router.get(
    "/hint",
    response_model=study_shapes.Hint,
    responses=_QUESTION,
    response_description="The hint.",
    operation_id="give_hint",
    summary="Give a hint for a board",
)
async def give_hint(
    request: Request,
    board: BoardQuery,
    step: Annotated[int, Query(ge=1, le=3, description="3 says most.")] = 1,
) -> Response:
    """Something to think about, in three steps."""
    return json_response(await _ask(request, "hint", board=board, step=step))


@router.get(
    "/map",
    response_model=study_shapes.Map,
    responses=_QUESTION,
    response_description="The map.",
    operation_id="map_game",
    summary="Map the lost numbers of a game",
)
async def map_game(
    request: Request,
    board: BoardQuery,
    to: Annotated[int, Query(ge=0, le=MAX_NUMBER, description="The last number.")] = 100,
    values: Annotated[bool, Query(description="The Grundy values too?")] = False,
) -> Response:
    """The rules are those of the board's one number, with its variants and misère."""
    return json_response(await _ask(request, "map", board=board, to=to, values=values))


@router.get(
    "/analysis",
    response_model=study_shapes.Analysis,
    responses=_QUESTION,
    response_description="The analysis.",
    operation_id="analyse_match",
    summary="Tell where a match was decided",
)
async def analyse_match(
    request: Request,
    match: MatchQuery,
    names: Annotated[
        str | None,
        Query(max_length=study_shapes.WORD, description="Both players, like Alice,Bob."),
    ] = None,
) -> Response:
    """Every turn with its verdict, in fields, in words and as a picture."""
    return json_response(await _ask(request, "analysis", match=match, names=names))


@router.get(
    "/replays/{code}",
    response_model=study_shapes.Replay,
    responses=problems(404, 422, 503),
    response_description="The match.",
    operation_id="look_at_replay",
    summary="Look at a match again",
)
async def look_at_replay(
    request: Request,
    code: Annotated[str, Path(max_length=64, description="A room's `replay`.")],
) -> Response:
    """A match that was, or is, played in a room, until the room expires."""
    return json_response(replay_json(code, await request.app.state.lobby.replay(code)))


async def _ask(request: Request, question: str, **values: str | int | None) -> dict[str, Any]:
    answer: dict[str, Any] = await request.app.state.thinkers.ask(question, **values)
    return answer


def _game(key: str) -> dict[str, Any]:
    game = load(key)
    return {
        "key": game.key,
        "title": game.title,
        "summary": summary(game),
        "default_start": game.default_start,
        "least": game.least,
        "variants": {name: list(values) for name, values in game.variants.items()},
        "policies": sorted(game.policies),
        "board": f"{game.key}:{game.default_start}",
    }
