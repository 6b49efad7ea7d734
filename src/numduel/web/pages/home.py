"""Home: a game is already on. Nothing is kept before the first move."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from numduel.board import Board
from numduel.errors import NotAllowed, NumduelError, TooManyDigits
from numduel.games import Game, all_games
from numduel.match import BadInput, Referee, Setup
from numduel.rooms import Lobby, Play, Terms
from numduel.web.pages.errors import sentence
from numduel.web.pages.forms import pairs
from numduel.web.pages.learn import remember_step
from numduel.web.pages.move_buttons import check, choices, shown_numbers, what_is_allowed
from numduel.web.pages.new_room_form import FRIEND, OPPONENTS, Form, Unfit, games_with
from numduel.web.pages.number_line import lines_of
from numduel.web.pages.rendering import page
from numduel.web.pages.room import PATIENCE
from numduel.web.pages.room_view import NOTHING_TRIED, Attempt, rival_of
from numduel.web.pages.rule_view import rule_of
from numduel.web.problems import status_of
from numduel.web.seats import token_for, with_cookie
from numduel.web.settings import Limits
from numduel.web.state import lobby_of, thinkers_of
from numduel.wording.rules import choices as values_of
from numduel.wording.rules import label

router = APIRouter(include_in_schema=False)

_UNFIT = 422


class Card(NamedTuple):
    """A game to choose: its rule in short, and whether it is the one on the table."""

    key: str
    title: str
    rule: str
    chosen: bool


@router.get("/")
async def home(request: Request) -> Response:
    """A board to play on at once, and a form for another one."""
    return await _home(request, Form.of(request.query_params.multi_items()))


@router.get("/rooms")
async def no_rooms() -> RedirectResponse:
    """Whoever reloads the page after a failed first move gets home."""
    return RedirectResponse("/", 303)


@router.post("/rooms")
async def open_room(request: Request) -> Response:
    """Open a room, with a first move if there is one; then on to the room."""
    given = await pairs(request)
    form, once = Form.of(given), dict(given)
    try:
        terms = form.terms(request.app.state.settings.limits)
    except Unfit:
        return await _home(request, form)
    move = once.get("move", "")
    lobby = lobby_of(request)
    if "move" in once and (error := _wrong_move(lobby, terms, move)):
        tried = Attempt(sentence(error), move, at_field=True)
        return await _home(request, form, tried, status_of(error))
    token = token_for(request)
    try:
        room = await lobby.open(terms, token, name=once.get("name", ""))
        if "move" in once:
            room = await lobby.act(room.code, token, room.version, Play(move))
    except NumduelError as error:
        return await _home(request, form, Attempt(sentence(error)), status_of(error))
    address = f"/room/{room.code}"
    if "quick" in once:
        # A computer that has answered already is shown a moment later.
        address += "" if room.is_open else f"?seen={room.ply}"
    else:
        await lobby.settled(room, PATIENCE)
    response = with_cookie(RedirectResponse(address, 303), request, token)
    if "lesson" in once:
        remember_step(response, request, room)
    return response


@router.get("/check")
async def check_move(request: Request, board: str = "", move: str = "") -> JSONResponse:
    """Can the move be played on the board? For scripts, while somebody types."""
    try:
        lobby_of(request).check_move(move)
        terms = Form(board=board).terms(request.app.state.settings.limits)
    except TooManyDigits as error:
        return JSONResponse({"ok": False, "says": sentence(error)})
    except Unfit as unfit:
        return JSONResponse({"ok": False, "says": unfit.said}, _UNFIT)
    checked = check(terms.board, move)
    return JSONResponse({"ok": checked.ok, "says": checked.says})


def _wrong_move(lobby: Lobby, terms: Terms, text: str) -> NumduelError | None:
    """What is wrong with a first move, before a room is opened for it."""
    try:
        lobby.check_move(text)
    except TooManyDigits as error:
        return error
    setup = Setup(terms.board, overshoot=terms.overshoot, penalty=terms.penalty)
    events = Referee(setup).enter(text)
    return next((event.error for event in events if isinstance(event, BadInput)), None)


async def _home(
    request: Request, form: Form, attempt: Attempt = NOTHING_TRIED, status: int = 200
) -> Response:
    wrong: defaultdict[str, str] = defaultdict(str)
    try:
        terms: Terms | None = form.terms(request.app.state.settings.limits)
    except Unfit as unfit:
        wrong[unfit.where], terms, status = unfit.said, None, _UNFIT
    board = terms.board if terms else None
    if board is not None:
        form = form.shown_for(board)
    plays = board is not None and form.opponent != FRIEND and form.first == "1"
    numbers = []
    if board is not None:
        thinkers = thinkers_of(request)
        numbers = await choices(board, thinkers) if plays else shown_numbers(board)
    if plays and all(one.complete and not one.moves for one in numbers):
        over = NotAllowed(problem="over")
        wrong["board"], status = sentence(over), status_of(over)
        board, plays, attempt = None, False, NOTHING_TRIED
    return page(
        request,
        "home.html",
        status,
        form=form,
        board=board,
        numbers=numbers,
        plays=plays,
        rule=rule_of(board) if board is not None else None,
        lines=lines_of(board) if board is not None else [],
        rival=rival_of(form.opponent),
        allowed=what_is_allowed(board, numbers) if board is not None and plays else "",
        hidden=_hidden(form, board),
        address=_address(form, board),
        opponents=OPPONENTS,
        friend=FRIEND,
        games=games_with(row.game for row in form.rows),
        cards=_cards(form),
        variants=_variants(_games(form), form),
        policies=frozenset().union(*(game.policies for game in _games(form))),
        attempt=attempt,
        wrong=wrong,
        deleted=request.query_params.get("deleted") == "1" and request.method == "GET",
    )


def _hidden(form: Form, board: Board | None) -> list[tuple[str, str]]:
    """The fields that the first move carries along."""
    fields = [
        ("board", str(board or "")),
        ("opponent", form.opponent),
        ("first", form.first),
        ("takeback", "yes" if form.takeback else "no"),
        ("minutes", form.minutes),
        ("overshoot", form.overshoot if form.overshoot != "again" else ""),
        ("penalty", form.penalty),
    ]
    return [(name, value) for name, value in fields if value]


def _address(form: Form, board: Board | None) -> str:
    """The shortest address of this page; empty where there is no board to name."""
    if board is None:
        return ""
    usual = dict(_hidden(Form(), Form().terms(Limits()).board))
    told = [pair for pair in _hidden(form, board) if usual.get(pair[0]) != pair[1]]
    return "/?" + urlencode(told, safe=":,=~") if told else "/"


def _variants(games: list[Game], form: Form) -> list[tuple[str, str, list[tuple[str, str]], str]]:
    """The variants of these games: name, label, values with words, and the one that is set."""
    return [
        (name, label(name), values_of(game, name), form.settings.get(name, values[0]))
        for game in games
        for name, values in game.variants.items()
    ]


def _cards(form: Form) -> list[Card]:
    """A card for each game."""
    shown = {row.game for row in form.rows}
    return [
        Card(game.key, game.title, rule_of(Board.of(game, game.default_start)).says[0],
             shown == {game.key})
        for game in all_games()
    ]  # fmt: skip


def _games(form: Form) -> list[Game]:
    """The games of the form that there are, each once."""
    named = {row.game for row in form.rows}
    return [game for game in games_with(named) if game.key in named]
