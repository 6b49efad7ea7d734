"""The wall: all boards of a round, and each large; and the projector, which follows the teacher."""

from typing import Any

from fastapi import Request
from fastapi.responses import Response

from numduel.classes import SchoolClass, Stage, Wall
from numduel.classes.actions import Project
from numduel.classes.parts import Shows
from numduel.errors import NotSeated, UnknownClass, UnknownRoom
from numduel.rooms import Room, new_token
from numduel.web.pages.board import figures
from numduel.web.pages.rendering import router, whole
from numduel.web.pages.school.learned import map_for, rounds_of
from numduel.web.pages.school.page import round_of, show, wall_for
from numduel.web.pages.school.questions import grid_of, puzzle_of, question_of
from numduel.web.state import classes_of, lobby_of, thinkers_of

_WALL = "/class/{code}/wall"
_HOPS = 4  # numbers that a tile shows of the way so far
_COLUMNS = ((4, "few"), (9, "some"), (20, ""))  # classes for walls of up to this many boards


def _way(room: Room) -> str:
    """The last numbers, short enough to be read from the back row: "Match 2: 15 → 12 → 8"."""
    turns = room.turns[-_HOPS:]
    start = [room.setup.board] if len(turns) < _HOPS else []
    hops = " → ".join(map(figures, [*start, *(turn.board for turn in turns)]))
    match = f"Match {room.round}" if room.round > 1 else ""
    return ": ".join(filter(None, (match, hops if turns else "")))


def _boards(wall: Wall) -> dict[str, Any]:
    """What `parts.wall` draws: the tiles, and a class for the columns of so many."""
    tables = [one for one in wall.school_class.tables if one.room in wall.rooms]
    tiles = [(wall.rooms[one.room], one.pupils, _way(wall.rooms[one.room])) for one in tables]
    size = next((name for most, name in _COLUMNS if len(wall.rooms) <= most), "many")
    return {"round": round_of(wall), "tiles": tiles, "away": wall.away, "size": size}


@router.get(_WALL)
async def wall_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code)
    return show(request, "class_wall.html", wall, **_boards(wall))


@router.get(_WALL + "/{room_code}")
async def board_page(request: Request, code: str, room_code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    codes = [table.room for table in wall.school_class.tables]
    if room_code not in codes:
        raise UnknownRoom(code=room_code)
    room = await lobby_of(request).look(room_code)
    turn = whole(request.query_params.get("turn"), room.ply, 0, room.ply)
    board = room.turns[turn - 1].board if turn else room.setup.board
    told = {"number": codes.index(room_code) + 1, "room": room, "board": board, "turn": turn}
    return show(request, "class_board.html", wall, **told)


def project(form: dict[str, str], _: Request) -> Project:
    """What is shown there, with names or without; a new address, or none any more."""
    page, shows = form.get("page"), form.get("shows", "")
    secret = new_token() if page == "new" else "" if page == "none" else None
    names = {"on": True, "off": False}.get(form.get("names", ""))
    return Project(Shows(shows) if shows in {*Shows} else None, names, secret)


@router.get("/class/{code}/projector/{secret}")
async def projector_page(request: Request, code: str, secret: str) -> Response:
    try:
        wall = await classes_of(request).wall(code, secret)
    except NotSeated as error:
        raise UnknownClass(code=code) from error
    school_class, told = wall.school_class, _boards(wall)
    shows = _shows(school_class)
    if shows == "learned":
        told["rounds"] = await rounds_of(request, code, secret)
    told |= await staged(request, school_class, shows, secret)
    return show(request, "class_projector.html", wall, projector=secret, shows=shows, **told)


async def staged(
    request: Request, school_class: SchoolClass, stage: str, token: str | None
) -> dict[str, Any]:
    """What all look at: on the projector, or as a pupil sees it."""
    if stage == Stage.QUESTION:
        return {"question": await question_of(school_class, thinkers_of(request))}
    if stage == Stage.MAP:
        return {"map": await map_for(request, school_class, token=token)}
    if stage == Stage.PUZZLES and school_class.me:
        return {"puzzle": await puzzle_of(school_class, thinkers_of(request))}
    return {"grid": grid_of(school_class)} if stage == Stage.PUZZLES else {}


def _shows(school_class: SchoolClass) -> str:
    """The part of the template that is shown."""
    if school_class.shows == Shows.MAP and not school_class.map_game:
        return "code"
    if school_class.shows != Shows.STAGE:
        return str(school_class.shows)
    if school_class.stage in (Stage.QUESTION, Stage.MAP, Stage.PUZZLES):
        return str(school_class.stage)
    return "wall" if school_class.is_playing else "code"
