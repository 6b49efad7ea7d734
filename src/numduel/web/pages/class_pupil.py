"""A pupil's page: the table of their match, or what the whole class looks at."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from numduel.classes import SchoolClass, Stage
from numduel.classes.actions import Action
from numduel.classes.discussion import CastVote, GuessTrap
from numduel.classes.roster import Join
from numduel.errors import NumduelError, UnknownClass
from numduel.rooms import GONE
from numduel.web.links import base_of
from numduel.web.pages.class_map import map_for
from numduel.web.pages.class_map_view import NO_TRAP, TRAP
from numduel.web.pages.class_page import gone, page_of
from numduel.web.pages.class_question import question_of
from numduel.web.pages.errors import sentence
from numduel.web.pages.forms import fields, whole
from numduel.web.pages.rendering import page
from numduel.web.pages.room_view import table_of
from numduel.web.problems import status_of
from numduel.web.qr import qr_picture
from numduel.web.seats import token_for, token_of, with_cookie
from numduel.web.state import classes_of, lobby_of, thinkers_of

router = APIRouter(include_in_schema=False)

_CLASS = "/class/{code}"
_REFRESH = 4
"""Seconds after which a page without scripts looks again."""
_HEADINGS = {
    Stage.PAUSED: ("Eyes to the front", "Your match is waiting."),
    Stage.QUESTION: ("What would you play?", ""),
    Stage.MAP: ("Which numbers are traps?", ""),
}
_GUESSES = {TRAP: True, NO_TRAP: False}


@router.get(_CLASS)
async def pupil_page(request: Request, code: str) -> Response:
    """What this pupil sees now; for anybody else, the form to join."""
    return await _looked_at(request, code)


@router.get(_CLASS + "/version")
async def class_version(request: Request, code: str) -> JSONResponse:
    """The class's version, for scripts that hear no news; 0 when the class is over."""
    try:
        school_class = await classes_of(request).look(code, token_of(request))
    except UnknownClass:
        return JSONResponse({"version": GONE})
    return JSONResponse({"version": school_class.version})


@router.get(_CLASS + "/qr.svg")
async def class_picture(request: Request, code: str) -> Response:
    """The class's address as a QR code."""
    school_class = await classes_of(request).look(code, token_of(request))
    address = f"{base_of(request)}class/{school_class.code}"
    return await qr_picture(address)


@router.post(_CLASS + "/join")
async def join(request: Request, code: str) -> Response:
    """Join under the name in the form, or a generated one."""
    return await _change(request, code, lambda form: Join(form.get("name", "")))


@router.post(_CLASS + "/vote")
async def vote(request: Request, code: str) -> Response:
    """Vote for a move."""

    def vote(form: dict[str, str]) -> CastVote:
        return CastVote(whole(form.get("question"), 0, 0, 10**6), form.get("move", ""))

    return await _change(request, code, vote)


@router.post(_CLASS + "/guess")
async def guess(request: Request, code: str) -> Response:
    """Say whether a number is a trap, or take that back: what is wanted, not what to change."""

    def guess(form: dict[str, str]) -> GuessTrap:
        number, _, said = form.get("guess", "").partition(":")
        return GuessTrap(whole(number, 0, 0, 10**6), _GUESSES.get(said))

    return await _change(request, code, guess)


async def _change(
    request: Request, code: str, meant: Callable[[dict[str, str]], Action]
) -> Response:
    token = token_for(request)
    try:
        await classes_of(request).act(code, token, 0, meant(await fields(request)))
    except UnknownClass:
        return gone(request)
    except NumduelError as error:
        return await _looked_at(request, code, sentence(error), status_of(error))
    return with_cookie(RedirectResponse(f"/class/{code}?in=1", 303), request, token)


async def _looked_at(request: Request, code: str, wrong: str = "", status: int = 200) -> Response:
    try:
        school_class = await classes_of(request).look(code, token_of(request))
    except UnknownClass:
        return gone(request)
    if school_class.teaches and not wrong:
        return RedirectResponse(f"/class/{code}/teacher", 303)
    if school_class.me is None:
        shown = page_of(request, school_class)
        removed = request.query_params.get("in") == "1"
        return page(request, "class_join.html", status, shown=shown, wrong=wrong, removed=removed)
    return await _stage(request, school_class, wrong, status)


async def _stage(request: Request, school_class: SchoolClass, wrong: str, status: int) -> Response:
    me, stage, thinkers = school_class.me, school_class.stage, thinkers_of(request)
    assert me is not None
    place = school_class.table_of(me.number) if school_class.is_playing else None
    heading, says = _HEADINGS.get(stage, _waiting(school_class, me.name))
    refresh: int | None = _REFRESH
    told: dict[str, object] = {"table": None, "room": None, "question": None, "map": None}
    if stage is Stage.ROUND and place is not None:
        room = await lobby_of(request).look(place.room)
        table = await table_of(room, token_of(request), thinkers)
        heading, refresh = table.heading, table.refresh
        told |= {"table": table, "room": room, "only_here": False, "lesson": None}
    elif stage is Stage.QUESTION and school_class.question is not None:
        mine = school_class.vote_of(me.number) or ""
        asked = school_class.question
        told["question"] = await question_of(asked, school_class.votes, thinkers, mine)
    elif stage is Stage.MAP:
        heading = "The true map" if school_class.unveiled else heading
        told["map"] = await map_for(request, school_class)
    shown = page_of(request, school_class, room=place.room if place else "")
    return page(
        request,
        "class_pupil.html",
        status,
        shown=shown,
        wrong=wrong,
        stage=str(stage),
        heading=heading,
        says=says,
        called=me.name,
        refresh=refresh,
        **told,
    )


def _waiting(school_class: SchoolClass, name: str) -> tuple[str, str]:
    if school_class.round is None:
        return f"You are in, {name}", "Look to the front. Your teacher will start the first round."
    return "Look to the front", "Your teacher will start the next round."
