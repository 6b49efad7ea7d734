"""Home, where a game is already on, and rooms: a room's page, the part of it that changes, and
everything done there. Nothing is kept before the first move; what is kept then has its own page.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from fastapi import Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from numduel.board import Board
from numduel.classes.kept_classes import CLASS_KEPT
from numduel.errors import NotAllowed, NumduelError, UnknownRoom
from numduel.games import OwnRule
from numduel.match import BadInput, Referee, Setup
from numduel.players import COMPUTERS
from numduel.rooms import Action, AnswerTakeback, AskTakeback, Play, Rematch, Resign, Room, Terms
from numduel.rooms.names import clean_name
from numduel.rooms.room import UNUSED
from numduel.solver import no_choice_matters
from numduel.study.duels import CALL, daily_duel
from numduel.web.pages.board import choices, numbers, shown_move
from numduel.web.pages.errors import UNFIT, Trying
from numduel.web.pages.form import FRIEND, OPPONENTS, Form, Unfit, at_field, games_with
from numduel.web.pages.play.table import table_of
from numduel.web.pages.rendering import address, fields, page, pairs, remember, router, whole
from numduel.web.pages.study.learn import LESSON, step_of
from numduel.web.pages.study.puzzle import today
from numduel.web.state import COOKIE, SECONDS, lobby_of, refused, token_for, token_of, with_cookie
from numduel.wording import problem
from numduel.wording.why import STEPS

PART = "x-numduel-part"  # a script that sends this header gets only the part that changes, at once
PATIENCE = 1.0  # seconds that a page without scripts waits for the computer's answer to a move
_ROOM = "/room/{code}"
_CALLED = "numduel_call"  # who was called the winner of a room's first match: "1" or "2"

_ACTIONS: dict[str, Callable[[dict[str, str]], Action]] = {
    "play": lambda form: Play(form.get("move", "")),
    "resign": lambda _: Resign(),
    "takeback": lambda _: AskTakeback(),
    "answer": lambda form: AnswerTakeback(form.get("yes") == "1"),
    "rematch": lambda _: Rematch(),
}


@router.get("/")
async def home(request: Request) -> Response:
    return await _home(request, Form.of(request.query_params.multi_items()))


@router.get("/rooms")
@router.post("/rooms")
async def open_room(request: Request) -> Response:
    """Open a room. Whoever reloads the page after a failed first move gets home."""
    if request.method == "GET":
        return RedirectResponse("/", 303)
    given, lobby = await pairs(request), lobby_of(request)
    form, once, token = Form.of(given), dict(given), token_for(request)
    with Trying(request, form=once):
        terms = form.terms(lobby_of(request).bounds)
        if "move" in once:
            _check_first_move(request, terms, once["move"])
        room = await lobby.open(terms, token, name=once.get("name", ""))
        if "move" in once:
            room = await lobby.act(room.code, token, room.version, Play(once["move"]))
        at = seen = f"/room/{room.code}"
        if "quick" in once:
            # A computer that has answered already is shown a moment later.
            seen += "" if room.is_open else f"?seen={room.ply}"
        else:
            await lobby.settled(room, PATIENCE)
        response = with_cookie(RedirectResponse(seen, 303), request, token)
        if "lesson" in once:
            remember(response, request, LESSON, "1", at)
        if once.get("call") in ("1", "2"):
            remember(response, request, _CALLED, once["call"], at)
        return response
    return await _home(request, form)


@router.get("/check")
async def check_move(request: Request, board: str = "", move: str = "") -> JSONResponse:
    """Can the move be played on the board? For scripts, while somebody types: nothing is listed."""
    try:
        lobby_of(request).bounds.check_move(move)
        played = Form(board=board).terms(lobby_of(request).bounds).board
        read = played.parse_move(move)
        played.play(read)
    except Unfit as unfit:
        return JSONResponse({"ok": False, "says": unfit.said}, UNFIT)
    except NumduelError as error:
        return JSONResponse({"ok": False, "says": problem(error)})
    shown = shown_move(played, read)
    where = f" on number {shown.place}" if shown.place else ""
    return JSONResponse({"ok": True, "says": f"{shown.does}{where}: {shown.left} is left."})


def _check_first_move(request: Request, terms: Terms, text: str) -> None:
    """Raise `Unfit` for a move that cannot be played: then no room is opened."""
    with at_field("move"):
        lobby_of(request).bounds.check_move(text)
        setup = Setup(terms.board, overshoot=terms.overshoot, penalty=terms.penalty)
        for event in Referee(setup).enter(text):
            if isinstance(event, BadInput):
                raise event.error


async def _home(request: Request, form: Form) -> Response:
    board: Board | None = None
    with Trying(request):
        board = form.terms(lobby_of(request).bounds).board
    plays, calls, shown, drawn = False, False, [], form.draws
    if board is not None:
        form = form.shown_for(board)
        calls = form.opponent in COMPUTERS and no_choice_matters(board)
        if calls:
            form = replace(form, opponent=CALL)
        plays = form.opponent != FRIEND and form.first == "1"
        shown = await choices(board, lobby_of(request).thinkers) if plays else numbers(board)
        called = clean_name(request.query_params.get("called", ""))
        if called and len(shown) == 1 and isinstance(board.numbers[0].game, OwnRule):
            shown = [replace(shown[0], title=called)]  # a name that came with the link
    if plays and all(one.complete and not one.moves for one in shown):
        board, plays = None, False
        with Trying(request, "board"):
            raise NotAllowed(problem="over")
    hidden, usual = _hidden(form, board), _hidden(Form(), None)
    return page(
        request,
        "home.html",
        form=form,
        board=board,
        numbers=shown,
        plays=plays,
        calls=calls,
        drawn=drawn,
        duel=daily_duel(today()),
        hidden=hidden,
        # The shortest address of this page; empty where there is no board to name.
        here=address("/", **dict(pair for pair in hidden if pair not in usual)) if board else "",
        opponents=[one for one in OPPONENTS if not calls or one[0] in (CALL, FRIEND)],
        games=games_with(row.game for row in form.rows),
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


@router.get(_ROOM)
@router.get(_ROOM + "/table")
async def room_page(request: Request, code: str) -> Response:
    part = request.url.path.endswith("/table")
    return await _looked_at(request, await lobby_of(request).look(code), part)


@router.get(_ROOM + "/{name}")
@router.post(_ROOM + "/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    """Do what a form asks for. Whoever reloads the page after that gets the room."""
    if name not in (*_ACTIONS, "sit", "delete"):
        raise UnknownRoom(code=code)
    if request.method == "GET":
        return RedirectResponse(f"/room/{code}", 303)
    lobby, token, form = lobby_of(request), token_for(request), await fields(request)
    part = PART in request.headers
    with Trying(request, "move" if name == "play" else "", form):
        if name == "delete":
            await lobby.delete(code, token)
            return RedirectResponse("/?deleted=1", 303)
        if name == "sit":
            room = await lobby.sit(code, token, form.get("name", ""))
        else:
            version = whole(form.get("version"), 0, 0, 10**9)
            room = await lobby.act(code, token, version, _ACTIONS[name](form))
        if part:
            return with_cookie(await _looked_at(request, room, part, token), request, token)
        await lobby.settled(room, PATIENCE)
        return with_cookie(RedirectResponse(f"/room/{code}", 303), request, token)
    return await _looked_at(request, await lobby.look(code), part)


async def _looked_at(
    request: Request, room: Room, part: bool, token: str | None = None
) -> Response:
    asked = request.query_params
    if room.class_code is not None and not part and not refused(request).message:
        return RedirectResponse(f"/class/{room.class_code}", 303)
    if asked.get("seen") == str(room.ply - 1):
        room = room.before_answer()
    hint = whole(asked.get("hint"), 0, 0, STEPS) if asked.get("ply") == str(room.ply) else 0
    who, thinkers = token or token_of(request), lobby_of(request).thinkers
    table = await table_of(room, who, thinkers, hint)
    call = request.cookies.get(_CALLED) if room.round == 1 else None
    lesson, file = step_of(request, room), "table.html" if part else "room.html"
    return page(request, file, table=table, room=room, lesson=lesson, call=call)


@router.get("/privacy")
async def privacy_page(request: Request) -> Response:
    """What a server keeps of people, and until when, on a page that a school can print."""
    hour, days = timedelta(hours=1), lobby_of(request).bounds.days
    told = {"room_days": days, "unused_hours": UNUSED // hour, "class_hours": CLASS_KEPT // hour}
    return page(request, "privacy.html", cookie=COOKIE, cookie_days=SECONDS // 86400, **told)
