"""Rooms: the page of one, the part of it that changes, and everything done there."""

from collections.abc import Callable

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.errors import NumduelError, UnknownRoom
from numduel.rooms import Action, AnswerTakeback, AskTakeback, Play, Rematch, Resign, Room
from numduel.web.pages.errors import sentence, status_of
from numduel.web.pages.play.table import NOTHING_TRIED, Attempt, table_of
from numduel.web.pages.rendering import fields, page, remember, router, whole
from numduel.web.pages.study.learn import step_of
from numduel.web.state import lobby_of, only_here, token_for, token_of, with_cookie
from numduel.wording.hints import STEPS

PART = "x-numduel-part"
"""With this header a script asks for only the part of the page that changes, at once."""

PATIENCE = 1.0
"""Seconds that a page without scripts waits for the computer's answer to a move."""

_ROOM = "/room/{code}"
_CALLED = "numduel_call"

_ACTIONS: dict[str, Callable[[dict[str, str]], Action]] = {
    "play": lambda form: Play(form.get("move", "")),
    "resign": lambda _: Resign(),
    "takeback": lambda _: AskTakeback(),
    "answer": lambda form: AnswerTakeback(form.get("yes") == "1"),
    "rematch": lambda _: Rematch(),
}


def remember_call(response: Response, request: Request, room: Room, call: str) -> None:
    """Tell the browser who was called the winner of the room's first match, as "1" or "2"."""
    if call in ("1", "2"):
        remember(response, request, _CALLED, call, f"/room/{room.code}")


@router.get(_ROOM)
async def room_page(request: Request, code: str) -> Response:
    return await _looked_at(request, await lobby_of(request).look(code))


@router.get(_ROOM + "/table")
async def room_table(request: Request, code: str) -> Response:
    return await _looked_at(request, await lobby_of(request).look(code), part=True)


@router.post(_ROOM + "/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    lobby, token, form = lobby_of(request), token_for(request), await fields(request)
    try:
        if name == "delete":
            await lobby.delete(code, token)
            return RedirectResponse("/?deleted=1", 303)
        if name == "sit":
            room = await lobby.sit(code, token, form.get("name", ""))
        elif name in _ACTIONS:
            version = whole(form.get("version"), 0, 0, 10**9)
            room = await lobby.act(code, token, version, _ACTIONS[name](form))
        else:
            raise UnknownRoom(code=code)
    except UnknownRoom:
        raise
    except NumduelError as error:
        attempt = Attempt(sentence(error), form.get("move", ""), name == "play")
        room, part = await lobby.look(code), PART in request.headers
        return await _looked_at(request, room, part=part, attempt=attempt, status=status_of(error))
    if PART in request.headers:
        response = await _looked_at(request, room, part=True, token=token)
    else:
        await lobby.settled(room, PATIENCE)
        response = RedirectResponse(f"/room/{code}", 303)
    return with_cookie(response, request, token)


@router.get(_ROOM + "/{name}")
async def back(code: str, name: str) -> Response:
    """Whoever reloads the page after a change gets the room."""
    if name not in _ACTIONS and name not in ("sit", "delete"):
        raise UnknownRoom(code=code)
    return RedirectResponse(f"/room/{code}", 303)


async def _looked_at(
    request: Request,
    room: Room,
    *,
    part: bool = False,
    token: str | None = None,
    attempt: Attempt = NOTHING_TRIED,
    status: int = 200,
) -> Response:
    asked = request.query_params
    if room.class_code is not None and not part and not attempt.wrong:
        return RedirectResponse(f"/class/{room.class_code}", 303)
    if asked.get("seen") == str(room.ply - 1):
        room = room.before_answer()
    hint = whole(asked.get("hint"), 0, 0, STEPS) if asked.get("ply") == str(room.ply) else 0
    thinkers = lobby_of(request).thinkers
    table = await table_of(room, token or token_of(request), thinkers, attempt, hint)
    name = "table.html" if part else "room.html"
    call = request.cookies.get(_CALLED) if room.round == 1 else None
    told = {"only_here": only_here(request), "lesson": step_of(request, room), "call": call}
    return page(request, name, status, table=table, room=room, **told)
