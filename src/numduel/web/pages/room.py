"""Rooms: the page of one, the part of it that changes, and everything done there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from numduel.errors import NumduelError, UnknownRoom
from numduel.rooms import Lobby, Room
from numduel.web.pages.errors import sentence
from numduel.web.pages.forms import fields, whole
from numduel.web.pages.rendering import page
from numduel.web.pages.table import NOTHING_TRIED, Attempt, table_of
from numduel.web.problems import status_of
from numduel.web.qr import qr_svg
from numduel.web.seats import token_for, token_of, with_cookie
from numduel.wording.hints import STEPS

router = APIRouter(include_in_schema=False)

PART = "x-numduel-part"
"""With this header a script asks for the part of the page that changes, and for it at once."""

PATIENCE = 1.0
"""Seconds that a page without scripts waits for the computer's answer to a move."""

_ROOM = "/room/{code}"
_Done = Callable[[Lobby, str, dict[str, str]], Awaitable[Room]]


@router.get(_ROOM)
async def room_page(request: Request, code: str) -> Response:
    """The room, for players and for whoever watches. Looking changes nothing."""
    return await _looked_at(request, code)


@router.get(_ROOM + "/table")
async def room_table(request: Request, code: str) -> Response:
    """The part of the page that changes."""
    return await _looked_at(request, code, part=True)


@router.get(_ROOM + "/version")
async def room_version(request: Request, code: str) -> JSONResponse:
    """The room's version, for scripts that hear no news; 0 when the room is gone."""
    try:
        room = await _lobby(request).look(code)
    except UnknownRoom:
        return JSONResponse({"version": 0})
    return JSONResponse({"version": room.version})


@router.get(_ROOM + "/qr.svg")
async def room_picture(request: Request, code: str) -> Response:
    """The room's address as a QR code."""
    room = await _lobby(request).look(code)
    return Response(qr_svg(address_of(request, room.code)), media_type="image/svg+xml")


@router.post(_ROOM + "/sit")
async def sit(request: Request, code: str) -> Response:
    """Take the free seat."""
    return await _change(request, code, lambda lobby, token, _: lobby.sit(code, token))


@router.post(_ROOM + "/play")
async def play(request: Request, code: str) -> Response:
    """A move."""

    async def played(lobby: Lobby, token: str, form: dict[str, str]) -> Room:
        ply = whole(form.get("ply"), -1, 0, 10**9)
        return await lobby.play(code, token, ply, form.get("move", ""))

    return await _change(request, code, played, at_field=True)


@router.post(_ROOM + "/resign")
async def resign(request: Request, code: str) -> Response:
    """Give the match up."""
    return await _change(request, code, lambda lobby, token, _: lobby.resign(code, token))


@router.post(_ROOM + "/takeback")
async def take_back(request: Request, code: str) -> Response:
    """Ask for the own last move back."""
    return await _change(request, code, lambda lobby, token, _: lobby.ask_takeback(code, token))


@router.post(_ROOM + "/answer")
async def answer(request: Request, code: str) -> Response:
    """Answer who asks for a move back."""

    async def answered(lobby: Lobby, token: str, form: dict[str, str]) -> Room:
        return await lobby.answer_takeback(code, token, form.get("yes") == "1")

    return await _change(request, code, answered)


@router.post(_ROOM + "/rematch")
async def rematch(request: Request, code: str) -> Response:
    """Offer another match, or accept one."""
    return await _change(request, code, lambda lobby, token, _: lobby.rematch(code, token))


@router.post(_ROOM + "/delete")
async def delete(request: Request, code: str) -> Response:
    """Forget the room and all that it holds."""
    try:
        await _lobby(request).delete(code, token_of(request))
    except UnknownRoom:
        return _gone(request)
    except NumduelError as error:
        attempt = Attempt(sentence(error))
        return await _looked_at(request, code, attempt=attempt, status=status_of(error))
    return RedirectResponse("/?deleted=1", 303)


@router.get(_ROOM + "/{action}")
async def back(request: Request, code: str, action: str) -> Response:
    """Whoever reloads the answer to a change gets the room."""
    known = {route.path.rpartition("/")[2] for route in router.routes}  # type: ignore[attr-defined]
    return RedirectResponse(f"/room/{code}", 303) if action in known else _gone(request)


def address_of(request: Request, code: str) -> str:
    """The room's whole address, to be sent to somebody."""
    return f"{request.base_url}room/{code}"


async def _change(request: Request, code: str, done: _Done, at_field: bool = False) -> Response:
    """Do it; then the room again, or the page with the sentence about what was wrong."""
    lobby, token = _lobby(request), token_for(request)
    form = await fields(request)
    try:
        room = await done(lobby, token, form)
    except UnknownRoom:
        return _gone(request)
    except NumduelError as error:
        attempt = Attempt(sentence(error), form.get("move", ""), at_field)
        return await _looked_at(
            request, code, part=PART in request.headers, attempt=attempt, status=status_of(error)
        )
    if PART in request.headers:
        response = await _looked_at(request, code, part=True, token=token, room=room)
    else:
        await lobby.settled(room, PATIENCE)
        response = RedirectResponse(f"/room/{code}", 303)
    return with_cookie(response, request, token)


async def _looked_at(
    request: Request,
    code: str,
    *,
    part: bool = False,
    token: str | None = None,
    room: Room | None = None,
    attempt: Attempt = NOTHING_TRIED,
    status: int = 200,
) -> Response:
    lobby = _lobby(request)
    try:
        room = room or await lobby.look(code)
    except UnknownRoom:
        return _gone(request)
    asked = request.query_params
    hint = whole(asked.get("hint"), 0, 0, STEPS) if asked.get("ply") == str(room.ply) else 0
    table = await table_of(room, token or token_of(request), lobby.thinkers, attempt, hint)
    name = "table.html" if part else "room.html"
    base = str(request.base_url)
    return page(request, name, status, table=table, room=room, base=base)


def _gone(request: Request) -> HTMLResponse:
    return page(request, "gone.html", 404)


def _lobby(request: Request) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby
