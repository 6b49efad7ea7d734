"""Rooms: the page of one, the part of it that changes, and everything done there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from numduel.errors import NumduelError, UnknownRoom
from numduel.rooms import (
    Action,
    AnswerTakeback,
    AskTakeback,
    Lobby,
    Play,
    Rematch,
    Resign,
    Room,
)
from numduel.web.links import base_of, only_here
from numduel.web.pages.errors import sentence
from numduel.web.pages.forms import fields, whole
from numduel.web.pages.learn import step_of
from numduel.web.pages.rendering import page
from numduel.web.pages.room_view import NOTHING_TRIED, Attempt, table_of
from numduel.web.problems import status_of
from numduel.web.qr import qr_picture
from numduel.web.seats import token_for, token_of, with_cookie
from numduel.web.state import lobby_of
from numduel.wording.hints import STEPS

router = APIRouter(include_in_schema=False)

PART = "x-numduel-part"
"""With this header a script asks for only the part of the page that changes, at once."""

PATIENCE = 1.0
"""Seconds that a page without scripts waits for the computer's answer to a move."""

_ROOM = "/room/{code}"
_Done = Callable[[Lobby, str, dict[str, str]], Awaitable[Room]]

_ACTIONS: dict[str, Callable[[dict[str, str]], Action]] = {
    "play": lambda form: Play(form.get("move", "")),
    "resign": lambda _: Resign(),
    "takeback": lambda _: AskTakeback(),
    "answer": lambda form: AnswerTakeback(form.get("yes") == "1"),
    "rematch": lambda _: Rematch(),
}
"""What a player does, from the fields of its form."""


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
    """The room's version, for scripts that hear no news; 0 when the room is gone.

    And whether its match is over, for whoever comes back to the first page.
    """
    try:
        room = await lobby_of(request).look(code)
    except UnknownRoom:
        return JSONResponse({"version": 0, "over": True})
    return JSONResponse({"version": room.version, "over": room.over is not None})


@router.get(_ROOM + "/qr.svg")
async def room_picture(request: Request, code: str) -> Response:
    """The room's address as a QR code."""
    room = await lobby_of(request).look(code)
    address = f"{base_of(request)}room/{room.code}"
    return await qr_picture(address)


@router.post(_ROOM + "/sit")
async def sit(request: Request, code: str) -> Response:
    """Take the free seat, under the name in the form."""
    return await _change(
        request, code, lambda lobby, token, form: lobby.sit(code, token, form.get("name", ""))
    )


@router.post(_ROOM + "/delete")
async def delete(request: Request, code: str) -> Response:
    """Delete the room and everything in it."""
    try:
        await lobby_of(request).delete(code, token_of(request))
    except UnknownRoom:
        return _gone(request)
    except NumduelError as error:
        attempt = Attempt(sentence(error))
        return await _looked_at(request, code, attempt=attempt, status=status_of(error))
    return RedirectResponse("/?deleted=1", 303)


@router.post(_ROOM + "/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    """What a player does; the form says which version of the room it answers."""
    if name not in _ACTIONS:
        return _gone(request)

    async def done(lobby: Lobby, token: str, form: dict[str, str]) -> Room:
        version = whole(form.get("version"), 0, 0, 10**9)
        return await lobby.act(code, token, version, _ACTIONS[name](form))

    return await _change(request, code, done, at_field=name == "play")


@router.get(_ROOM + "/{name}")
async def back(request: Request, code: str, name: str) -> Response:
    """Whoever reloads the page after a change gets the room."""
    known = name in _ACTIONS or name in ("sit", "delete")
    return RedirectResponse(f"/room/{code}", 303) if known else _gone(request)


async def _change(request: Request, code: str, done: _Done, at_field: bool = False) -> Response:
    """Do it; then the room again, or the page with the sentence about what was wrong."""
    lobby, token = lobby_of(request), token_for(request)
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
    lobby = lobby_of(request)
    asked = request.query_params
    try:
        room = room or await lobby.look(code)
    except UnknownRoom:
        return _gone(request)
    if room.class_code is not None and not part and not attempt.wrong:
        return RedirectResponse(f"/class/{room.class_code}", 303)
    if asked.get("seen") == str(room.ply - 1):
        room = room.before_answer()
    hint = whole(asked.get("hint"), 0, 0, STEPS) if asked.get("ply") == str(room.ply) else 0
    table = await table_of(room, token or token_of(request), lobby.thinkers, attempt, hint)
    name = "table.html" if part else "room.html"
    told = {"only_here": only_here(request), "lesson": step_of(request, room)}
    return page(request, name, status, table=table, room=room, **told)


def _gone(request: Request) -> HTMLResponse:
    return page(request, "gone.html", 404)
