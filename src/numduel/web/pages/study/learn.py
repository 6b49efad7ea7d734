"""Rules and tutorials, a page for each step. What is done is kept in the browser, by `kept.js`."""

from itertools import islice

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from numduel.board import Board
from numduel.drawing.square import COLUMNS, ROWS, draw_thumbnail
from numduel.errors import NothingToStudy, UnknownGame
from numduel.games import Game, all_games, load
from numduel.rooms import Room
from numduel.study.lessons import Asks, Step, lesson_of
from numduel.thinking.questions import learning, position
from numduel.web.pages.board import cells_of, shown_move
from numduel.web.pages.errors import Trying
from numduel.web.pages.rendering import TEMPLATES, page, pairs, router, whole
from numduel.web.state import thinkers_of
from numduel.wording import problem

_MOST_MOVES = 40
LESSON = "lesson"
"""A cookie for the room of a match that a tutorial started: others play the same board, too."""


def game_at(key: str) -> Game:
    """The game that an address names; for any other address, the page that says there is none."""
    try:
        return load(key)
    except UnknownGame as error:
        raise HTTPException(404, problem(error)) from error


def lesson(game: Game) -> tuple[Step, ...]:
    """The game's tutorial; empty where there is none."""
    try:
        return lesson_of(game)
    except NothingToStudy:
        return ()


TEMPLATES.filters["lesson"] = lesson


@router.get("/rules")
@router.get("/learn")
async def list_of_games(request: Request) -> HTMLResponse:
    return page(request, f"{request.url.path[1:]}.html")


@router.get("/rules/{key}")
async def rules_of(request: Request, key: str) -> HTMLResponse:
    return page(request, "rules_game.html", game=game_at(key))


@router.get("/rules/{key}/map.svg")
async def small_map(request: Request, key: str) -> Response:
    game = game_at(key)
    board = str(Board.of(game, max(1, game.least)))
    drawn = await thinkers_of(request).ask(position.map_of, board=board, to=COLUMNS * ROWS)
    day = {"Cache-Control": "public, max-age=86400"}
    return Response(draw_thumbnail(drawn["lost"]), media_type="image/svg+xml", headers=day)


@router.get("/learn/{key}")
@router.post("/learn/{key}")
async def learn_step(request: Request, key: str) -> HTMLResponse:
    """A step, and what is said of an answer to it; after the last, what comes next."""
    game, asked = game_at(key), request.query_params.get("step")
    steps = lesson(game)
    if not steps:
        raise HTTPException(404, f"There is no tutorial for {game.title} yet.")
    number = whole(asked, 1, 1, len(steps) + 1)
    told, traps = None, []
    if request.method == "POST":
        number, sent = min(number, len(steps)), await pairs(request)
        traps = [value for name, value in sent if name == "trap"]
        text = " ".join(traps) or dict(sent).get("answer", "")
        with Trying(request):
            told = await thinkers_of(request).ask(learning.step, game=key, step=number, text=text)
    elif number > len(steps):  # next comes another game's; nothing after that of an own rule
        taught = [other for other in all_games() if lesson(other)]
        place = taught.index(game) + 1 if game in taught else len(taught)
        after = next(iter(taught[place:]), None)
        return page(request, "lesson.html", game=game, steps=steps, number=number, after=after)
    step, board = steps[number - 1], steps[number - 1].board
    moves = islice(board.moves(), _MOST_MOVES) if step.asks is Asks.MOVE else ()
    return page(
        request,
        "lesson.html",
        game=game,
        steps=steps,
        number=number,
        step=step,
        moves=[shown_move(board, move) for move in moves],
        traps=traps if told else [],
        cells=cells_of(game.key, None, step.numbers, step.lost),
        told=told,
    )


def step_of(request: Request, room: Room) -> str:
    """The address of the step that led to the room; empty where none did."""
    board = room.setup.board
    if LESSON not in request.cookies or len(board.numbers) > 1:
        return ""
    game = board.numbers[0].game
    for number, step in enumerate(lesson(game), 1):
        if step.asks is Asks.MATCH and step.board == board:
            return f"/learn/{game.key}?step={number}"
    return ""
