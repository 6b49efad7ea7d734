"""Games, boards and matches for programs. Whatever may take long is a thinker's work."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Request, Response
from typing_extensions import TypedDict

from numduel.games import keys, load
from numduel.games.game import Policy
from numduel.players import player_words
from numduel.study.maps import MAX_NUMBER
from numduel.thinking.questions import looking_back, position
from numduel.web.api import shapes
from numduel.web.api.room_json import Replay, json_response, replay_json
from numduel.web.api.routes import Part, problems
from numduel.web.state import lobby_of, thinkers_of
from numduel.wording import summary

router = Part("study")

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
        description="The notation of a match, as a room and a replay have it.",
        examples=["divisor-duel:60/15.15"],
    ),
]
MostQuery = Annotated[
    int, Query(ge=0, le=position.MOST, description="List at most this many moves.")
]


class Game(TypedDict):
    """A game that can be played here."""

    key: str
    title: str
    summary: str
    default_start: int
    least: int
    """The smallest number that can occur."""
    variants: dict[str, list[str]]
    """Each variant's values, the usual first."""
    policies: list[Policy]
    board: shapes.BoardText
    """A board to begin with."""


class Games(TypedDict):
    """All games, and who plays them."""

    games: list[Game]
    players: list[shapes.PlayerWord]


@router.get(
    "/games",
    response_model=shapes.told(Games),
    responses=problems(),
    response_description="The games and the players.",
    summary="List the games and the players",
)
async def list_games() -> Response:
    """Every game with its variants, and the words for who may play."""
    games: Games = {"games": list(map(_game, keys())), "players": list(player_words())}
    return json_response(games)


@router.question(
    "/moves", position.Moves, "Moves, the first ones of many.", "List the legal moves of a board"
)
async def list_moves(request: Request, board: BoardQuery, most: MostQuery = 40) -> Response:
    """The moves number by number, with what each leaves."""
    return json_response(await thinkers_of(request).ask(position.moves, board=board, most=most))


@router.question(
    "/verdict", position.ExplainedVerdict, "The verdict.", "Say who wins a board, and why"
)
async def judge_board(request: Request, board: BoardQuery, most: MostQuery = 10) -> Response:
    """The outcome with best play, winning moves, and the reason."""
    return json_response(await thinkers_of(request).ask(position.verdict, board=board, most=most))


@router.question("/hint", position.Hint, "The hint.", "Give a hint for a board")
async def give_hint(
    request: Request,
    board: BoardQuery,
    step: Annotated[int, Query(ge=1, le=3, description="3 says the most.")] = 1,
) -> Response:
    """Something to think about, in three steps."""
    return json_response(await thinkers_of(request).ask(position.hint, board=board, step=step))


@router.question("/map", position.TitledMap, "The map.", "Map the traps of a game")
async def map_game(
    request: Request,
    board: BoardQuery,
    to: Annotated[int, Query(ge=0, le=MAX_NUMBER, description="The last number.")] = 100,
    values: Annotated[bool, Query(description="The Grundy values too?")] = False,
) -> Response:
    """The rules are those of the board's one number, with its variants and misère."""
    return json_response(
        await thinkers_of(request).ask(position.map_of, board=board, to=to, values=values)
    )


@router.question(
    "/analysis", looking_back.MatchAnalysis, "The analysis.", "Say where a match was decided"
)
async def analyse_match(
    request: Request,
    match: MatchQuery,
    names: Annotated[
        str | None,
        Query(max_length=shapes.WORD, description="Both players, like Alice,Bob."),
    ] = None,
) -> Response:
    """Every turn with its verdict, in fields, in words and as a picture."""
    return json_response(
        await thinkers_of(request).ask(looking_back.analysis, match=match, names=names)
    )


@router.get(
    "/replays/{code}",
    response_model=shapes.told(Replay),
    responses=problems(404, 422, 503),
    response_description="The match.",
    summary="Look at a match again",
)
async def look_at_replay(
    request: Request,
    code: Annotated[str, Path(max_length=64, description="A room's `replay`.")],
) -> Response:
    """A match that was, or is, played in a room, until the room expires."""
    return json_response(replay_json(code, await lobby_of(request).replay(code)))


def _game(key: str) -> Game:
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
