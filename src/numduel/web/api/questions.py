"""Questions for programs, each at its address: games, boards, matches, puzzles and tutorials.

A thinker's questions bring their signatures, docstrings and types along. No answer is kept.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

from fastapi import Path, Query, Request, Response
from fastapi.responses import JSONResponse
from typing_extensions import TypedDict

from numduel.games import keys, load
from numduel.games.game import Policy
from numduel.match.events import facts
from numduel.players import player_words
from numduel.study.maps import MAX_NUMBER
from numduel.thinking.questions import QUESTIONS, learning, looking_back, position
from numduel.web.api import shapes
from numduel.web.api.reference import CHANGE, LOOK, Part
from numduel.web.api.rooms import SEEN, Replay, replay_json
from numduel.web.state import lobby_of, thinkers_of
from numduel.wording import summary

router = Part("study")
puzzles = Part("puzzles and tutorials")


def _taken(kind: Any, about: str | None = None, example: str | None = None, **most: Any) -> Any:
    examples = None if example is None else [example]
    return Annotated[kind, Query(description=about, examples=examples, **most)]


_BOARD: dict[str, Any] = {"min_length": 1, "max_length": shapes.BOARD}
_WORD: dict[str, Any] = {"max_length": shapes.WORD}
_BOARD_TEXT = "The board, with numbers of up to 4,000 digits."
_MATCH_TEXT = "The notation of a match, as a room and a replay have it."
_PLACE_TEXT = "The place in the seed's series, which rises."
_QUERY: dict[str, Any] = {  # what a question takes in the query, by its name there
    "board": _taken(str, _BOARD_TEXT, "divisor-duel:60", **_BOARD),
    "match": _taken(str, _MATCH_TEXT, "divisor-duel:60/15.15", **_BOARD),
    "names": _taken(str | None, "Both players, like Alice,Bob.", **_WORD),
    "most": _taken(int, "List at most this many moves.", ge=0, le=position.MOST),
    "step": _taken(int, "3 says the most.", ge=1, le=3),
    "to": _taken(int, "The last number.", ge=0, le=MAX_NUMBER),
    "values": _taken(bool, "The Grundy values too?"),
    "day": _taken(str | None, **_WORD),
    "played": _taken(str, "Your moves so far, like 5.8.5.7.9.", max_length=shapes.BOARD),
    "seed": _taken(str, "Any text.", "numduel", **_WORD),
    "place": _taken(int | None, _PLACE_TEXT, ge=1, le=99),
    "kind": _taken(str | None, **_WORD),
    "rating": _taken(int | None, ge=0, le=10_000),
}
_NAMES = {question: name for name, question in QUESTIONS.items()}
_PATH: dict[str, Any] = {  # the same in the path
    "game": Annotated[
        str, Path(max_length=shapes.WORD, description="A game's key.", examples=["divisor-duel"])
    ],
    "step": Annotated[int, Path(ge=1, le=99, description="The step's number.")],
}


def _ask(
    part: Part,
    path: str,
    question: Callable[..., Mapping[str, object]],
    title: str,
    about: str | None = None,
    body: type[shapes.Taken] | None = None,
) -> None:
    """Add a question; with a body, it takes an answer, and what belongs to it, from there."""
    taken = {name: kind for name, kind in _PATH.items() if f"{{{name}}}" in path}
    if body is None:
        taken = _QUERY | taken
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=one.default, annotation=taken[name])
        for name, one in signature(question).parameters.items()
        if name in taken
    ]
    if body is not None:
        parameters.append(Parameter("sent", Parameter.KEYWORD_ONLY, annotation=body))
    parameters.append(Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request))

    async def asked(request: Request, sent: Any = None, **given: Any) -> Response:
        if sent is not None:
            given |= sent.model_dump()
            given["text"] = given.pop("answer")
        if "day" in given and given["day"] is None:
            given["day"] = datetime.now(UTC).date().isoformat()
        return JSONResponse(await thinkers_of(request).ask(question, **given))

    asked.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    answer = get_type_hints(question)["return"]
    part.operation(
        f"POST {path}" if body else f"GET {path}",
        title,
        answer.__doc__,
        shapes.told(answer),
        CHANGE if body else LOOK,
        by=None,
        name=_NAMES[question],
        description=about or question.__doc__,
    )(asked)


class Game(TypedDict):
    """A game that can be played here."""

    key: str
    title: str
    summary: str
    default_start: int
    least: int
    """The smallest number that can occur."""
    variants: dict[str, list[str]]
    """Each variant's values, the default first."""
    policies: list[Policy]
    board: shapes.BoardText
    """A board to begin with."""


class Games(TypedDict):
    """All games, and who plays them."""

    games: list[Game]
    players: list[shapes.PlayerWord]


@router.operation(
    "GET /games",
    "List the games and the players",
    "The games and the players.",
    shapes.told(Games),
    refused=(),
    by=None,
)
async def list_games() -> Response:
    """Every game with its variants, and the words for who may play."""
    games: Games = {"games": list(map(_game, keys())), "players": list(player_words())}
    return JSONResponse(games)


def _game(key: str) -> Game:
    game = load(key)
    variants = {name: list(values) for name, values in game.variants.items()}
    board, policies = f"{key}:{game.default_start}", sorted(game.policies)
    told = {"summary": summary(game), "variants": variants, "policies": policies, "board": board}
    return facts(Game, game, **told)


_ask(router, "/moves", position.moves, "List the legal moves of a board")
_ask(router, "/verdict", position.verdict, "Say who wins a board, and why")
_ask(router, "/hint", position.hint, "Give a hint for a board")
_ask(
    router,
    "/map",
    position.map_of,
    "Map the traps of a game",
    "The rules are those of the board's one number, with its variants and misère.",
)
_ask(router, "/analysis", looking_back.analysis, "Say where a match was decided")
_ask(
    puzzles,
    "/daily",
    learning.duel,
    "Play the daily duel",
    "Of today (UTC) unless a day like 2026-11-15 is given. Nothing is kept: send all your moves of"
    " the day, one after another. A try ends with the first move that throws the win away.",
)
_ask(
    puzzles,
    "/puzzle",
    learning.puzzle,
    "Give the puzzle of a seed",
    "`kind` is a game's key or `several`. `rating` is how hard it should be.",
)
_ask(
    puzzles,
    "/puzzle",
    learning.answer,
    "Answer a puzzle",
    "Give the same seed, kind, rating and place as when you asked. Nothing is kept.",
    shapes.PuzzleAnswer,
)
_ask(puzzles, "/learn/{game}", learning.lesson, "Give a game's tutorial")
_ask(
    puzzles,
    "/learn/{game}/{step}",
    learning.step,
    "Answer a step of a tutorial",
    body=shapes.StepAnswer,
)


@router.operation(
    "GET /replays/{code}", "Look at a match again", "The match.", shapes.told(Replay), SEEN, by=None
)
async def look_at_replay(
    request: Request, code: Annotated[str, Path(max_length=64, description="A room's `replay`.")]
) -> Response:
    """A match that was, or is, played in a room, until the room expires."""
    return JSONResponse(replay_json(code, await lobby_of(request).replay(code)))
