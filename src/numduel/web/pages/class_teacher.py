"""The teacher's page: the code, the roster, rounds; and everything that a teacher does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import Classes, is_class_code
from numduel.errors import NotAllowed, NumduelError, UnknownClass
from numduel.games import load
from numduel.rooms import is_token
from numduel.web.links import base_of, only_here
from numduel.web.pages.class_page import gone, page_of, round_of
from numduel.web.pages.class_round_form import OPPONENTS, RoundForm, games, pairings, rules
from numduel.web.pages.class_wall import wall_for
from numduel.web.pages.errors import sentence
from numduel.web.pages.forms import fields, whole
from numduel.web.pages.new_room_form import Unfit
from numduel.web.pages.rendering import page
from numduel.web.problems import status_of
from numduel.web.qr import qr_picture
from numduel.web.seats import token_for, token_of, with_cookie
from numduel.web.settings import Limits
from numduel.web.state import classes_of

router = APIRouter(include_in_schema=False)

_TEACHER = "/class/{code}/teacher"
_BACK = ("teacher", "wall", "discuss", "map")
"""The pages from which something is done, and to which it leads back."""
_UNFIT = 422

_Form = dict[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody asks for something: in which class, who, and the version that they have seen."""

    classes: Classes
    code: str
    token: str | None
    form: _Form
    limits: Limits

    @property
    def who(self) -> tuple[str, str | None]:
        """What every call begins with."""
        return self.code, self.token

    @property
    def seen(self) -> tuple[str, str | None, int]:
        """What a call begins with that changes what everybody sees."""
        return self.code, self.token, whole(self.form.get("seen"), 0, 0, 10**9)

    async def round(self) -> object:
        """Start a round by the form; where one is still played, only if that is meant."""
        plan = RoundForm.of(self.form.items()).plan(self.limits)
        last = round_of(await self.classes.wall(*self.who))
        if last and last.running and not last.done and not self.form.get("anyway"):
            raise Unfit("anyway", NotAllowed(problem="round is on", number=last.number))
        return await self.classes.start_round(*self.seen, plan)

    def ask(self) -> Awaitable[object]:
        """Put the board of the form to everybody."""
        return self.classes.ask(*self.seen, RoundForm.of(self.form.items()).board(self.limits))

    def remove(self) -> Awaitable[object]:
        """Remove a pupil."""
        return self.classes.remove(*self.who, whole(self.form.get("pupil"), 0, 0, 10**6))

    def show_map(self) -> Awaitable[object]:
        """Show the map of the form's game."""
        return self.classes.show_map(*self.seen, load(self.form.get("game", "")).key)


_ACTIONS: dict[str, tuple[str, Callable[[Asked], Awaitable[object]]]] = {
    "round": ("teacher", Asked.round),
    "remove": ("teacher", Asked.remove),
    "pause": ("teacher", lambda asked: asked.classes.pause(*asked.seen)),
    "resume": ("teacher", lambda asked: asked.classes.resume(*asked.seen)),
    "stop": ("teacher", lambda asked: asked.classes.end_round(*asked.seen)),
    "next": ("teacher", lambda asked: asked.classes.next_round(*asked.seen)),
    "ask": ("discuss", Asked.ask),
    "show": ("discuss", lambda asked: asked.classes.show_next(*asked.seen)),
    "close": ("wall", lambda asked: asked.classes.close(*asked.seen)),
    "map": ("map", Asked.show_map),
    "unveil": ("map", lambda asked: asked.classes.unveil(*asked.seen)),
}
"""What a teacher does, and the page that it leads to unless the form names another."""


@router.get(_TEACHER)
async def teacher_page(request: Request, code: str) -> Response:
    """The code, who has come, and the form of a round."""
    return await _shown(request, code)


@router.post(_TEACHER + "/end")
async def end(request: Request, code: str) -> Response:
    """End the class, and forget all of it."""
    try:
        await classes_of(request).end(code, token_of(request))
    except UnknownClass:
        return gone(request)
    return RedirectResponse("/class?ended=1", 303)


@router.post(_TEACHER + "/invite")
async def invite(request: Request, code: str) -> Response:
    """A link for a second teacher. It is shown once, and lets one device in."""
    try:
        secret = await classes_of(request).invite(code, token_of(request))
    except UnknownClass:
        return gone(request)
    at = f"/class/{code}/teacher"
    picture = f"{at}/{secret}/qr.svg"
    link = f"{base_of(request)}{at[1:]}/{secret}"
    return page(request, "class_invite.html", link=link, picture=picture, back=at)


@router.get(_TEACHER + "/{secret}/qr.svg")
async def invite_picture(request: Request, code: str, secret: str) -> Response:
    """The link for a second teacher as a QR code."""
    if not (is_class_code(code) and is_token(secret)):
        return gone(request)
    address = f"{base_of(request)}class/{code}/teacher/{secret}"
    return await qr_picture(address)


@router.post(_TEACHER + "/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    """What a teacher does; then the page again, or what was wrong."""
    if name not in _ACTIONS:
        return gone(request)
    to, done = _ACTIONS[name]
    form = await fields(request)
    back = form.get("back", "")
    limits = request.app.state.settings.limits
    try:
        await done(Asked(classes_of(request), code, token_of(request), form, limits))
    except UnknownClass:
        return gone(request)
    except Unfit as unfit:
        return await _shown(request, code, unfit.said, _UNFIT, form, unfit.where)
    except NumduelError as error:
        return await _shown(request, code, sentence(error), status_of(error), form)
    return RedirectResponse(f"/class/{code}/{back if back in _BACK else to}", 303)


@router.get(_TEACHER + "/{secret}")
async def invited(request: Request, code: str, secret: str) -> Response:
    """For a second teacher: a button. Looking alone lets nobody in."""
    if secret in (*_ACTIONS, "end", "invite"):
        return RedirectResponse(f"/class/{code}/teacher", 303)
    return page(request, "class_let_in.html", at=f"/class/{code}/let-in", secret=secret)


@router.post("/class/{code}/let-in")
async def let_in(request: Request, code: str) -> Response:
    """Make this device a teacher's."""
    token = token_for(request)
    try:
        await classes_of(request).let_in(code, token, (await fields(request)).get("secret", ""))
    except UnknownClass:
        return gone(request)
    return with_cookie(RedirectResponse(f"/class/{code}/teacher", 303), request, token)


async def _shown(
    request: Request,
    code: str,
    wrong: str = "",
    status: int = 200,
    filled: _Form | None = None,
    where: str = "",
) -> Response:
    wall = await wall_for(request, code)
    if isinstance(wall, Response):
        return wall
    school_class = wall.school_class
    pupils, current = school_class.pupils, round_of(wall)
    form = RoundForm()
    if filled is not None:
        form = RoundForm.of(filled.items())
    elif school_class.round is not None:
        form = RoundForm.after(school_class.round.plan)
    return page(
        request,
        "class_teacher.html",
        status,
        shown=page_of(request, school_class, wall.version),
        wrong=wrong,
        where=where,
        pupils=pupils,
        round=current,
        back="teacher",
        form=form.placed(pupils),
        boards=range(1, len(pupils) // 2 + 2),
        games=games(),
        opponents=OPPONENTS,
        rules=rules(),
        pairings=pairings(first=current is None),
        only_here=only_here(request),
    )
