"""The teacher's page: the code, the roster, rounds; and everything that a teacher does."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import Wall
from numduel.classes.actions import Action, Close, EndRound, NextRound, Pause, Resume, StartRound
from numduel.classes.discussion import Ask, ShowMap, ShowNext, Unveil
from numduel.classes.roster import Invite, Remove
from numduel.classes.school_class import board_of, rules_of
from numduel.errors import NotAllowed, NumduelError, UnknownClass
from numduel.games import all_games
from numduel.rooms import new_token
from numduel.web.pages.errors import UNFIT, sentence, status_of
from numduel.web.pages.form import USUAL_GAME, Unfit
from numduel.web.pages.rendering import fields, page, router, whole
from numduel.web.pages.school.page import round_of, show, wall_for
from numduel.web.pages.school.round_form import OPPONENTS, RoundForm, pairings
from numduel.web.settings import Limits
from numduel.web.state import classes_of, limits_of, only_here, token_of

_TEACHER = "/class/{code}/teacher"
_BACK = ("teacher", "wall", "discuss", "map")
"""The pages from which something is done, and to which it leads back."""

_Form = dict[str, str]

_ACTIONS: dict[str, tuple[str, Callable[[_Form, Limits], Action]]] = {
    "round": ("teacher", lambda form, limits: StartRound(RoundForm.of(form).plan(limits))),
    "remove": ("teacher", lambda form, _: Remove(whole(form.get("pupil"), 0, 0, 10**6))),
    "pause": ("teacher", lambda *_: Pause()),
    "resume": ("teacher", lambda *_: Resume()),
    "stop": ("teacher", lambda *_: EndRound()),
    "next": ("teacher", lambda *_: NextRound()),
    "ask": ("discuss", lambda form, limits: Ask(RoundForm.of(form).terms(limits).board)),
    "show": ("discuss", lambda *_: ShowNext()),
    "close": ("wall", lambda *_: Close()),
    "map": ("map", lambda form, _: ShowMap(rules_of(board_of(form.get("game", ""))))),
    "unveil": ("map", lambda *_: Unveil()),
}
"""What a teacher does, from its form, and where it leads unless the form names another page."""


@router.get(_TEACHER)
async def teacher_page(request: Request, code: str) -> Response:
    return await _shown(request, code)


@router.post(_TEACHER + "/end")
async def end(request: Request, code: str) -> Response:
    await classes_of(request).end(code, token_of(request))
    return RedirectResponse("/class?ended=1", 303)


@router.post(_TEACHER + "/invite")
async def invite(request: Request, code: str) -> Response:
    """A link for a second teacher. It is shown once, and lets one device in."""
    secret = new_token()
    await classes_of(request).act(code, token_of(request), 0, Invite(secret))
    return page(request, "class_invite.html", back=f"class/{code}/teacher", secret=secret)


@router.post(_TEACHER + "/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    if name not in _ACTIONS:
        raise UnknownClass(code=code)
    to, made = _ACTIONS[name]
    form = await fields(request)
    back = form.get("back", "")
    classes, token = classes_of(request), token_of(request)
    try:
        action = made(form, limits_of(request))
        if isinstance(action, StartRound) and not form.get("anyway"):
            _check_done(await classes.wall(code, token))
        await classes.act(code, token, whole(form.get("seen"), 0, 0, 10**9), action)
    except UnknownClass:
        raise
    except Unfit as unfit:
        return await _shown(request, code, unfit.said, UNFIT, form, unfit.where)
    except NumduelError as error:
        return await _shown(request, code, sentence(error), status_of(error), form)
    return RedirectResponse(f"/class/{code}/{back if back in _BACK else to}", 303)


@router.get(_TEACHER + "/{secret}")
async def invited(request: Request, code: str, secret: str) -> Response:
    """For a second teacher: a button. Looking alone lets nobody in."""
    if secret in (*_ACTIONS, "end", "invite"):
        return RedirectResponse(f"/class/{code}/teacher", 303)
    return page(request, "class_let_in.html", at=f"/class/{code}/let-in", secret=secret)


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
    school_class = wall.school_class
    pupils, current = school_class.pupils, round_of(wall)
    form = RoundForm.of(filled) if filled else RoundForm.after(school_class.round)
    return show(
        request,
        "class_teacher.html",
        wall,
        status,
        wrong=wrong,
        where=where,
        pupils=pupils,
        round=current,
        back="teacher",
        form=form.placed(pupils),
        usual=USUAL_GAME,
        boards=range(1, len(pupils) // 2 + 2),
        games=list(all_games()),
        opponents=OPPONENTS,
        pairings=pairings(first=current is None),
        only_here=only_here(request),
    )
