"""Where a class begins and is joined, and a pupil's page: a match, or what the whole class sees.

Nothing is given away early: while a class looks for the map, its pupils see their class alone. A
pupil's browser holds the codes of the classes that it has joined. Until the map is unveiled,
whatever else it asks for leads back to the class: other pages, pictures, rooms and the API all
could tell what the class is to find. Another browser is another visitor: the guide says so.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.classes import SchoolClass, Stage, is_class_code
from numduel.classes.actions import Action, AnswerPuzzle, CastVote, GuessTrap
from numduel.classes.roster import Join, LetIn
from numduel.errors import NotAllowed, NumduelError, UnknownClass, UnknownRoom
from numduel.rooms import is_code, new_token
from numduel.rooms.tokens import CLASS_CODE_LENGTH
from numduel.web.pages.errors import Trying, answer, refusal
from numduel.web.pages.play.table import table_of
from numduel.web.pages.rendering import fields, page, remember, router
from numduel.web.pages.school.learned import NO_TRAP, TRAP
from numduel.web.pages.school.page import number_in, show
from numduel.web.pages.school.wall import staged
from numduel.web.state import classes_of, lobby_of, refused, token_for, token_of, with_cookie

_REFRESH = 4  # seconds after which a page without scripts looks again
_SIGNS = 40

_COOKIE = "numduel-class"
_MOST = 3  # classes of one browser, the last ones
_OPEN = ("static", "qr.svg", "privacy", "check", "join")  # first parts that tell nothing of a map


def _guess(form: dict[str, str]) -> GuessTrap:
    """Say whether a number is a trap, or take that back: what is wanted, not what to change."""
    number, _, said = form.get("guess", "").partition(":")
    return GuessTrap(number_in(number), {TRAP: True, NO_TRAP: False}.get(said))


def _answer(form: dict[str, str]) -> AnswerPuzzle:
    posed, _, number = form.get("puzzle", "").partition(".")
    return AnswerPuzzle(number_in(posed), number_in(number), form.get("move", ""))


_ACTIONS: dict[str, Callable[[dict[str, str]], Action]] = {
    "join": lambda form: Join(form.get("name", ""), bool(form.get("again"))),
    "vote": lambda form: CastVote(number_in(form.get("question")), form.get("move", "")),
    "guess": _guess,
    "answer": _answer,
    "let-in": lambda form: LetIn(form.get("secret", ""), form.get("name", "")),
}


@router.get("/class")
async def start_page(request: Request) -> Response:
    ended = request.query_params.get("ended") == "1"
    return page(request, "class_start.html", code=None, ended=ended)


@router.post("/class")
async def start(request: Request) -> Response:
    token = token_for(request)
    school_class = await classes_of(request).open(token)
    response = RedirectResponse(f"/class/{school_class.code}/teacher", 303)
    return with_cookie(response, request, token)


@router.get("/join")
async def join(request: Request) -> Response:
    """From a code, or an address with one, to its class or room; from a teacher's to the class."""
    typed = request.query_params.get("code", "").strip()
    code = "".join(filter(str.isalnum, typed.rpartition("/")[2][:_SIGNS])).lower()
    with suppress(UnknownClass, UnknownRoom), Trying(request):
        if is_class_code(code):
            await classes_of(request).look(code, token_of(request))
            return RedirectResponse(f"/class/{code}", 303)
        if is_class_code(start := code[:CLASS_CODE_LENGTH]) and is_code(code[CLASS_CODE_LENGTH:]):
            return RedirectResponse(f"/class/{start}/teacher/{code[CLASS_CODE_LENGTH:]}", 303)
        if is_code(code):
            await lobby_of(request).look(code)
            return RedirectResponse(f"/room/{code}", 303)
    return page(request, "class_start.html", 404 if typed else 200, code=typed, ended=False)


@router.get("/class/{code}")
async def pupil_page(request: Request, code: str) -> Response:
    school_class = await classes_of(request).look(code, token_of(request))
    if school_class.teaches and not refused(request).message:
        return RedirectResponse(f"/class/{code}/teacher", 303)
    if school_class.me is not None:
        response = await _stage(request, school_class)
        if code not in (codes := _codes(request)):
            remember(response, request, _COOKIE, ".".join([*codes, code][-_MOST:]), "/")
        return response
    response = show(request, "class_join.html", school_class)
    # Only a browser that has been here can join.
    return response if token_of(request) else with_cookie(response, request, new_token())


@router.post("/class/{code}/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    if name not in _ACTIONS:
        raise UnknownClass(code=code)
    token, form = token_for(request), await fields(request)
    with Trying(request, form=form):
        if name == "join" and token_of(request) is None:
            raise NotAllowed(problem="no cookie")
        await classes_of(request).act(code, token, 0, _ACTIONS[name](form))
        return with_cookie(RedirectResponse(f"/class/{code}", 303), request, token)
    return await pupil_page(Request({**request.scope, "path": f"/class/{code}"}), code)


async def _stage(request: Request, school_class: SchoolClass) -> Response:
    me, stage = school_class.me, school_class.stage
    assert me is not None
    place = school_class.table_of(me.number) if school_class.is_playing else None
    told: dict[str, Any] = {"table": None, "refresh": _REFRESH, "stage": str(stage)}
    plays = place and stage in (Stage.ROUND, Stage.PAUSED, Stage.GATHERING)
    room = await lobby_of(request).look(place.room) if place and plays else None
    if room and stage is Stage.ROUND:
        table = await table_of(room, token_of(request), lobby_of(request).thinkers)
        told |= {"table": table, "refresh": table.refresh}
    told |= await staged(request, school_class, stage, token_of(request))
    at = place.room if place else ""
    return show(request, "class_pupil.html", school_class, room=room, room_code=at, **told)


def kept_secret(app: ASGIApp) -> ASGIApp:
    """The application, but pupils who look elsewhere are led back to their class."""

    async def answer_or_lead_back(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope) if scope["type"] == "http" else None
        codes = _codes(request) if request else []
        led_back = await _led_back(request, codes) if request and codes else None
        await (led_back or app)(scope, receive, send)

    return answer_or_lead_back


def _codes(request: Request) -> list[str]:
    return list(filter(is_class_code, request.cookies.get(_COOKIE, "")[:40].split(".")))


async def _led_back(request: Request, codes: list[str]) -> Response | None:
    """What a pupil is answered instead; None where nothing is given away."""
    first, *parts = request.url.path.strip("/").split("/")
    if first in _OPEN:
        return None
    if first == "class" and parts and (parts[0] in codes or parts[1:] in ([], ["join"])):
        return None
    on = []
    for code in codes:
        with suppress(NumduelError):
            found = await classes_of(request).look(code, token_of(request))
            on += [code] if found.me and not found.tells else []
    if not on or await _plays_there(request, on):
        return None
    if first == "api":
        return answer(refusal(NotAllowed(problem="class is on"), 403), request.scope)
    return RedirectResponse(f"/class/{on[-1]}", 303)


async def _plays_there(request: Request, codes: list[str]) -> bool:
    """Is it a room of the class, or news of one?"""
    kind, code, *_ = [*request.url.path.removeprefix("/api").strip("/").split("/"), ""]
    if kind not in ("room", "rooms"):
        return kind in ("classes", "walls")
    with suppress(NumduelError):
        return (await lobby_of(request).look(code)).class_code in codes
    return False
