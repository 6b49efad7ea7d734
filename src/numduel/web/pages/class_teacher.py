"""The teacher's page: the code, the roster, rounds; and everything that a teacher does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import Wall, is_class_code
from numduel.classes.actions import Action, Close, EndRound, NextRound, Pause, Resume, StartRound
from numduel.classes.discussion import Ask, ShowMap, ShowNext, Unveil
from numduel.classes.roster import Invite, LetIn, Remove
from numduel.errors import NotAllowed, NumduelError, UnknownClass
from numduel.games import load
from numduel.rooms import is_token, new_token
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
    """What the form of a teacher's button says."""

    form: _Form
    limits: Limits

    def round(self) -> StartRound:
        """A round by the form."""
        return StartRound(RoundForm.of(self.form.items()).plan(self.limits))

    def ask(self) -> Ask:
        """Put the board of the form to everybody."""
        return Ask(RoundForm.of(self.form.items()).board(self.limits))

    def remove(self) -> Remove:
        """Remove a pupil."""
        return Remove(whole(self.form.get("pupil"), 0, 0, 10**6))

    def show_map(self) -> ShowMap:
        """Show the map of the form's game."""
        return ShowMap(load(self.form.get("game", "")).key)


_ACTIONS: dict[str, tuple[str, Callable[[Asked], Action]]] = {
    "round": ("teacher", Asked.round),
    "remove": ("teacher", Asked.remove),
    "pause": ("teacher", lambda _: Pause()),
    "resume": ("teacher", lambda _: Resume()),
    "stop": ("teacher", lambda _: EndRound()),
    "next": ("teacher", lambda _: NextRound()),
    "ask": ("discuss", Asked.ask),
    "show": ("discuss", lambda _: ShowNext()),
    "close": ("wall", lambda _: Close()),
    "map": ("map", Asked.show_map),
    "unveil": ("map", lambda _: Unveil()),
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
    secret = new_token()
    try:
        await classes_of(request).act(code, token_of(request), 0, Invite(secret))
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
    classes, token = classes_of(request), token_of(request)
    try:
        action = done(Asked(form, limits))
        if isinstance(action, StartRound) and not form.get("anyway"):
            _check_done(await classes.wall(code, token))
        await classes.act(code, token, whole(form.get("seen"), 0, 0, 10**9), action)
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
        secret = (await fields(request)).get("secret", "")
        await classes_of(request).act(code, token, 0, LetIn(secret))
    except UnknownClass:
        return gone(request)
    return with_cookie(RedirectResponse(f"/class/{code}/teacher", 303), request, token)


def _check_done(wall: Wall) -> None:
    """A round that is still played ends by another only if that is meant. Raises `Unfit`."""
    last = round_of(wall)
    if last and last.running and not last.done:
        raise Unfit("anyway", NotAllowed(problem="round is on", number=last.number))


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
