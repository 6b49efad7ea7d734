"""Home: a game is already on. Nothing is kept before the first move."""

from collections import defaultdict
from dataclasses import replace

from fastapi import Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from numduel.board import Board
from numduel.errors import NotAllowed, NumduelError, TooManyDigits
from numduel.games import OwnRule, all_games, load
from numduel.match import BadInput, Referee, Setup
from numduel.players import COMPUTERS, LADDER
from numduel.rooms import Lobby, Play, Terms
from numduel.rooms.names import clean_name
from numduel.solver import no_choice_matters
from numduel.study.contests import CALL
from numduel.study.daily import daily_duel
from numduel.web.pages.board import check, choices, numbers, what_is_allowed
from numduel.web.pages.errors import UNFIT, sentence, status_of
from numduel.web.pages.form import FRIEND, OPPONENTS, Form, Unfit, games_with, variants_of
from numduel.web.pages.play.number_line import lines_of
from numduel.web.pages.play.room import PATIENCE, remember_call
from numduel.web.pages.play.table import NOTHING_TRIED, Attempt
from numduel.web.pages.rendering import address, page, pairs, router
from numduel.web.pages.study.daily import today
from numduel.web.pages.study.learn import remember_step
from numduel.web.state import limits_of, lobby_of, thinkers_of, token_for, with_cookie

TWISTS = {"subtract-a-prime": "prime-subtractor"}
"""Games with another that is the same but for a twist."""


@router.get("/")
async def home(request: Request) -> Response:
    return await _home(request, Form.of(request.query_params.multi_items()))


@router.get("/rooms")
async def no_rooms() -> RedirectResponse:
    """Whoever reloads the page after a failed first move gets home."""
    return RedirectResponse("/", 303)


@router.post("/rooms")
async def open_room(request: Request) -> Response:
    given = await pairs(request)
    form, once = Form.of(given), dict(given)
    try:
        terms = form.terms(limits_of(request))
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
    if "call" in once:
        remember_call(response, request, room, once["call"])
    return response


@router.get("/check")
async def check_move(request: Request, board: str = "", move: str = "") -> JSONResponse:
    """Can the move be played on the board? For scripts, while somebody types."""
    try:
        lobby_of(request).bounds.check_move(move)
        terms = Form(board=board).terms(limits_of(request))
    except TooManyDigits as error:
        return JSONResponse({"ok": False, "says": sentence(error)})
    except Unfit as unfit:
        return JSONResponse({"ok": False, "says": unfit.said}, UNFIT)
    ok, says = check(terms.board, move)
    return JSONResponse({"ok": ok, "says": says})


def _wrong_move(lobby: Lobby, terms: Terms, text: str) -> NumduelError | None:
    try:
        lobby.bounds.check_move(text)
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
        board: Board | None = form.terms(limits_of(request)).board
    except Unfit as unfit:
        wrong[unfit.where], board, status = unfit.said, None, UNFIT
    plays, calls, shown, drawn = False, False, [], form.draws
    if board is not None:
        form = form.shown_for(board)
        calls = form.opponent in COMPUTERS and no_choice_matters(board)
        if calls:
            form = replace(form, opponent=CALL)
        plays = form.opponent != FRIEND and form.first == "1"
        shown = await choices(board, thinkers_of(request)) if plays else numbers(board)
        called = clean_name(request.query_params.get("called", ""))
        if called and len(shown) == 1 and isinstance(board.numbers[0].game, OwnRule):
            shown = [replace(shown[0], title=called)]  # a name that came with the link
    if plays and all(one.complete and not one.moves for one in shown):
        over = NotAllowed(problem="over")
        wrong["board"], status = sentence(over), status_of(over)
        board, plays, attempt = None, False, NOTHING_TRIED
    games = games_with(row.game for row in form.rows)
    named = [game for game in games if game.key in {row.game for row in form.rows}]
    return page(
        request,
        "home.html",
        status,
        form=form,
        board=board,
        numbers=shown,
        plays=plays,
        calls=calls,
        drawn=drawn,
        duel=daily_duel(today()),
        lines=lines_of(board) if board else [],
        allowed=what_is_allowed(board, shown) if board and plays else "",
        hidden=_hidden(form, board),
        address=_address(form, board),
        link=address,
        opponents=[one for one in OPPONENTS if not calls or one[0] in (CALL, FRIEND)],
        ladder=LADDER,
        friend=FRIEND,
        games=games,
        cards=[game for game in all_games() if game.key not in TWISTS.values()],
        twists={plain: load(twist) for plain, twist in TWISTS.items()},
        variants=[one for game in named for one in variants_of(game, form.settings)],
        policies=frozenset().union(*(game.policies for game in named)),
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
    usual = _hidden(Form(), None)
    return address("/", **dict(pair for pair in _hidden(form, board) if pair not in usual))
