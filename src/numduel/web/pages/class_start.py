"""Where a class begins, and the one field for any code."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import is_class_code
from numduel.errors import NumduelError, UnknownClass, UnknownRoom
from numduel.rooms import is_code
from numduel.web.pages.errors import sentence
from numduel.web.pages.rendering import page
from numduel.web.problems import status_of
from numduel.web.seats import token_for, token_of, with_cookie
from numduel.web.state import classes_of, lobby_of

router = APIRouter(include_in_schema=False)

_UNKNOWN = "There is no class or room with this code. Check it and try again."
_SIGNS = 40


@router.get("/class")
async def start_page(request: Request) -> Response:
    """One button for a teacher, one field for a pupil."""
    ended = request.query_params.get("ended") == "1"
    return page(request, "class_start.html", code=None, wrong="", ended=ended)


@router.post("/class")
async def start(request: Request) -> Response:
    """Start a class, taught by whoever asks."""
    token = token_for(request)
    school_class = await classes_of(request).open(token)
    response = RedirectResponse(f"/class/{school_class.code}/teacher", 303)
    return with_cookie(response, request, token)


@router.get("/join")
async def join(request: Request) -> Response:
    """From a code, or an address with one, to its class or room."""
    typed = request.query_params.get("code", "").strip()
    code = "".join(filter(str.isalnum, typed.rpartition("/")[2][:_SIGNS])).lower()
    wrong, status = _UNKNOWN if typed else "", 404 if typed else 200
    try:
        if is_class_code(code):
            await classes_of(request).look(code, token_of(request))
            return RedirectResponse(f"/class/{code}", 303)
        if is_code(code):
            await lobby_of(request).look(code)
            return RedirectResponse(f"/room/{code}", 303)
    except (UnknownClass, UnknownRoom):
        pass
    except NumduelError as error:
        wrong, status = sentence(error), status_of(error)
    return page(request, "class_start.html", status, code=typed, wrong=wrong, ended=False)
