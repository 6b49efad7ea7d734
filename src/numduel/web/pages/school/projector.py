"""The projector: a page for everybody to read, at an address of its own; it follows the teacher."""

from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import SchoolClass, Stage
from numduel.classes.actions import Project
from numduel.classes.parts import Shows
from numduel.errors import NotSeated, UnknownClass
from numduel.rooms import new_token
from numduel.web.pages.rendering import fields, page, router
from numduel.web.pages.school.learned import rounds_of
from numduel.web.pages.school.map import map_for
from numduel.web.pages.school.page import round_of
from numduel.web.pages.school.puzzles import grid_of
from numduel.web.pages.school.question import question_of
from numduel.web.pages.school.wall import columns_of, tiles_of
from numduel.web.state import classes_of, thinkers_of, token_of

_AT = "/class/{code}/projector"
_HEADINGS = {"code": "Join the class", "learned": "What we have learned", "puzzles": "Puzzles"}


@router.post(_AT)
async def project(request: Request, code: str) -> Response:
    """What is shown there, with names or without; a new address, or none any more."""
    form, secret = await fields(request), None
    if form.get("page") == "new":
        secret = new_token()
    elif form.get("page") == "none":
        secret = ""
    shows = form.get("shows", "")
    action = Project(
        Shows(shows) if shows in {*Shows} else None,
        {"on": True, "off": False}.get(form.get("names", "")),
        secret,
    )
    await classes_of(request).act(code, token_of(request), 0, action)
    back = form.get("back", "")
    to = f"projector/{secret}" if secret else back if back.isalpha() else "teacher"
    return RedirectResponse(f"/class/{code}/{to}", 303)


@router.get(_AT + "/{secret}")
async def projector_page(request: Request, code: str, secret: str) -> Response:
    try:
        wall = await classes_of(request).wall(code, secret)
    except NotSeated as error:
        raise UnknownClass(code=code) from error
    school_class = wall.school_class
    shows = _shows(school_class)
    current = round_of(wall)
    told: dict[str, Any] = {"grid": None, "map": None, "question": None, "rounds": []}
    heading = _HEADINGS.get(shows, current.title if current else "")
    if shows == "question" and school_class.question:
        told["question"] = await question_of(
            school_class.question, school_class, thinkers_of(request)
        )
        heading = "What would you play?"
    elif shows == "map":
        told["map"] = drawn = await map_for(request, school_class, token=secret)
        heading = "The true map" if drawn.unveiled else "Which numbers are traps?"
    elif shows == "puzzles":
        told["grid"] = grid_of(school_class)
    elif shows == "learned":
        told["rounds"] = await rounds_of(request, code, secret)
    shown = {
        "at": f"/class/{code}",
        "code": code.upper(),
        "live": f"/api/walls/{code}/live?projector={secret}",
        "version": wall.version,
        "seen": 0,
        "teaches": False,
        "room": "",
        "secret": False,
    }
    return page(
        request,
        "class_projector.html",
        shown=shown,
        wrong="",
        shows=shows,
        heading=heading,
        paused=school_class.stage is Stage.PAUSED,
        round=current,
        names=school_class.names,
        pupils=school_class.pupils,
        tiles=tiles_of(wall),
        size=columns_of(wall),
        **told,
    )


def _shows(school_class: SchoolClass) -> str:
    """The part of the template that is shown."""
    if school_class.shows == Shows.MAP and not school_class.map_game:
        return "code"
    if school_class.shows != Shows.STAGE:
        return str(school_class.shows)
    if school_class.stage in (Stage.QUESTION, Stage.MAP, Stage.PUZZLES):
        return str(school_class.stage)
    return "wall" if school_class.is_playing else "code"
