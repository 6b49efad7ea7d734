"""The wall: all boards of a round at once, and each of them large."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from numduel.classes import Wall
from numduel.errors import NotSeated, UnknownClass, UnknownRoom
from numduel.rooms import GONE
from numduel.web.pages.class_page import gone, page_of, round_of
from numduel.web.pages.class_tiles import size_of, tiles_of
from numduel.web.pages.forms import whole
from numduel.web.pages.move_buttons import shown_numbers
from numduel.web.pages.number_line import lines_of
from numduel.web.pages.rendering import page
from numduel.web.pages.room_view import turns_of
from numduel.web.seats import token_of
from numduel.web.state import classes_of, lobby_of

router = APIRouter(include_in_schema=False)

_WALL = "/class/{code}/wall"
_COOKIE = "names"
"""Keeps whether this teacher's wall shows names, until the browser is closed."""


async def wall_for(request: Request, code: str, boards: bool = True) -> Wall | Response:
    """What a teacher sees, with all boards or without; where anybody else is sent instead."""
    try:
        return await classes_of(request).wall(code, token_of(request), boards)
    except UnknownClass:
        return gone(request)
    except NotSeated:
        return RedirectResponse(f"/class/{code}", 303)


@router.get(_WALL)
async def wall_page(request: Request, code: str) -> Response:
    """One tile a board."""
    wall = await wall_for(request, code)
    if isinstance(wall, Response):
        return wall
    current = round_of(wall)
    names = _names(request)
    answer = page(
        request,
        "class_wall.html",
        shown=page_of(request, wall.school_class, wall.version),
        wrong="",
        heading=current.title if current else "The wall",
        round=current,
        tiles=tiles_of([*wall.rooms.values()]),
        size=size_of(len(wall.rooms)),
        names=names,
    )
    if request.query_params.get("names"):
        kept, secure = "on" if names else "off", request.url.scheme == "https"
        answer.set_cookie(
            _COOKIE, kept, path=f"/class/{code}", secure=secure, httponly=True, samesite="lax"
        )
    return answer


@router.get(_WALL + "/version")
async def wall_version(request: Request, code: str) -> JSONResponse:
    """The wall's version, for scripts that hear no news; 0 when the class is over."""
    try:
        version = await classes_of(request).wall_version(code, token_of(request))
    except (UnknownClass, NotSeated):
        version = GONE
    return JSONResponse({"version": version})


@router.get(_WALL + "/{room_code}")
async def board_page(request: Request, code: str, room_code: str) -> Response:
    """One board, large, at any turn."""
    wall = await wall_for(request, code, boards=False)
    if isinstance(wall, Response):
        return wall
    codes = [table.room for table in wall.school_class.tables]
    if room_code not in codes:
        raise UnknownRoom(code=room_code)
    at, names = codes.index(room_code), _names(request)
    room = await lobby_of(request).look(room_code)
    turn = whole(request.query_params.get("turn"), room.ply, 0, room.ply)
    turns, start = room.turns[:turn], room.setup.board
    board = turns[-1].board if turns else start
    called = room.setup.names if names else (f"A{at + 1}", f"B{at + 1}")
    ended = room.over if turn == room.ply else None
    mover = None if ended or room.is_open else (room.setup.first + turn) % 2
    return page(
        request,
        "class_board.html",
        shown=page_of(request, wall.school_class, wall.version),
        wrong="",
        number=at + 1,
        names=names,
        seats=room.seats,
        says=f"Turn {turn} of {room.ply}." if room.ply else "No moves yet.",
        to_move="" if mover is None else called[mover],
        won=called[ended.winner] if ended else "",
        numbers=shown_numbers(board, start),
        lines=lines_of(start, turns),
        turn=turn,
        count=room.ply,
        turns=turns_of(room, None),
        here_at=f"/class/{code}/wall/{room_code}?",
        board=board,
        playable=not board.is_over,
    )


def _names(request: Request) -> bool:
    return (request.query_params.get("names") or request.cookies.get(_COOKIE)) != "off"
