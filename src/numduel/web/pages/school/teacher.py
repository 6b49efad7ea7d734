"""The teacher's page: the code, the roster, rounds; and everything that a teacher does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import Pupil, Wall, actions
from numduel.classes.learned import never_played
from numduel.classes.parts import board_of, rules_of
from numduel.classes.roster import Admit, Arrange, Dismiss, Invite, Relieve, Remove, Rename, Seat
from numduel.errors import NotAllowed, NumduelError, UnknownClass
from numduel.games import all_games
from numduel.rooms.tokens import hashed, new_code
from numduel.web.pages.errors import UNFIT, sentence, status_of
from numduel.web.pages.form import Unfit
from numduel.web.pages.rendering import fields, page, router, whole
from numduel.web.pages.school.map import map_page
from numduel.web.pages.school.page import form_of, refuse, round_of, show, wall_for
from numduel.web.pages.school.puzzles import puzzles_page
from numduel.web.pages.school.question import discuss_page
from numduel.web.pages.school.round_form import OPPONENTS, RoundForm, pairings
from numduel.web.pages.school.wall import board_page, wall_page
from numduel.web.settings import Limits
from numduel.web.state import classes_of, limits_of, only_here, token_of

_TEACHER = "/class/{code}/teacher"
_BACK = ("teacher", "wall", "discuss", "map", "puzzles")
"""The pages from which something is done, and to which it leads back."""

_Form = dict[str, str]


def _pupil(form: _Form, name: str = "pupil") -> int:
    return whole(form.get(name), 0, 0, 10**6)


def _pupils(form: _Form) -> tuple[int, ...]:
    return tuple(whole(text, 0, 0, 10**6) for text in form.get("pupil", "").split(","))


_ACTIONS: dict[str, tuple[str, Callable[[_Form, Limits], actions.Action]]] = {
    "round": ("teacher", lambda form, limits: actions.StartRound(RoundForm.of(form).plan(limits))),
    "remove": ("teacher", lambda form, _: Remove(_pupils(form))),
    "rename": ("teacher", lambda form, _: Rename(_pupil(form), form.get("name", ""))),
    "arrange": (
        "teacher",
        lambda form, _: Arrange(bool(form.get("locked")), bool(form.get("made_up"))),
    ),
    "admit": ("teacher", lambda form, _: Admit(_pupil(form))),
    "relieve": ("teacher", lambda form, _: Relieve(_pupil(form), _pupil(form, "partner"))),
    "seat": ("teacher", lambda form, _: Seat(_pupils(form))),
    "dismiss": ("teacher", lambda form, _: Dismiss(form.get("token", ""))),
    "revoke": ("teacher", lambda *_: Invite("")),
    "pause": ("teacher", lambda *_: actions.Pause()),
    "resume": ("teacher", lambda *_: actions.Resume()),
    "stop": ("teacher", lambda *_: actions.EndRound()),
    "next": ("teacher", lambda *_: actions.NextRound()),
    "ask": ("discuss", lambda form, limits: actions.Ask(RoundForm.of(form).terms(limits).board)),
    "show": ("discuss", lambda *_: actions.ShowNext()),
    "close": ("wall", lambda *_: actions.Close()),
    "map": ("map", lambda form, _: actions.ShowMap(rules_of(board_of(form.get("game", ""))))),
    "unveil": ("map", lambda *_: actions.Unveil()),
    "puzzles": ("puzzles", lambda *_: actions.ShowPuzzles()),
}
"""What a teacher does, from its form, and where it leads unless the form names another page."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pupil whose partner is away, and who else could play: a pupil alone, if there is one."""

    pupil: Pupil
    away: Pupil
    lone: Pupil | None


@router.get(_TEACHER)
async def teacher_page(request: Request, code: str) -> Response:
    return await _shown(request, code)


@router.post(_TEACHER + "/end")
async def end(request: Request, code: str) -> Response:
    await classes_of(request).end(code, token_of(request))
    return RedirectResponse("/class?ended=1", 303)


@router.post(_TEACHER + "/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    form = await fields(request)
    classes, token = classes_of(request), token_of(request)
    if name in ("invite", "key"):
        secret, own = new_code(), name == "key"
        await classes.act(code, token, 0, Invite(secret, own))
        return page(request, "class_invite.html", code=code, secret=secret, own=own)
    if name not in _ACTIONS:
        raise UnknownClass(code=code)
    to, made = _ACTIONS[name]
    try:
        action = made(form, limits_of(request))
        if isinstance(action, actions.StartRound | actions.NextRound) and not form.get("anyway"):
            _check_done(await classes.wall(code, token))
        await classes.act(code, token, whole(form.get("seen"), 0, 0, 10**9), action)
    except UnknownClass:
        raise
    except Unfit as unfit:
        return await _refused(request, code, form, unfit.said, UNFIT, unfit.where)
    except NumduelError as error:
        return await _refused(request, code, form, sentence(error), status_of(error))
    back = form.get("back", "")
    return RedirectResponse(f"/class/{code}/{back if back in _BACK else to}", 303)


@router.get(_TEACHER + "/{secret}")
async def invited(request: Request, code: str, secret: str) -> Response:
    """For a second teacher: a button. Looking alone lets nobody in."""
    if secret in (*_ACTIONS, "end", "invite", "key"):
        return RedirectResponse(f"/class/{code}/teacher", 303)
    return page(request, "class_let_in.html", at=f"/class/{code}/let-in", secret=secret)


def _check_done(wall: Wall) -> None:
    """A round that is still played ends by another only if that is meant. Raises `Unfit`."""
    last = round_of(wall)
    if last and last.running and not last.done:
        raise Unfit("anyway", NotAllowed(problem="round is on", number=last.number))


async def _refused(
    request: Request, code: str, form: _Form, said: str, status: int, where: str = ""
) -> Response:
    """The page from which it was asked for, as it stands, with what is wrong."""
    at, _, room = form.get("from", "").partition("/")
    pages: dict[str, Callable[[Request, str], Awaitable[Response]]]
    pages = {"wall": wall_page, "discuss": discuss_page, "map": map_page, "puzzles": puzzles_page}
    refuse(request, form["from"] if at in pages else "teacher", said, status, form)
    if at == "wall" and room:
        return await board_page(request, code, room)
    if at in pages:
        return await pages[at](request, code)
    return await _shown(request, code, where)


async def _shown(request: Request, code: str, where: str = "") -> Response:
    wall = await wall_for(request, code)
    school_class, current = wall.school_class, round_of(wall)
    pupils, mine = school_class.pupils, hashed(code, token_of(request) or "")
    figures = await classes_of(request).figures(code, token_of(request)) if wall.away else {}
    return show(
        request,
        "class_teacher.html",
        wall,
        where=where,
        pupils=pupils,
        door=school_class.door,
        away=wall.away,
        waiting=_waiting(wall),
        unseated=_unseated(wall),
        ghosts=never_played(wall, figures),
        school_class=school_class,
        others=[one for one in school_class.teachers if one.token != mine],
        first=school_class.is_teacher(token_of(request), first=True),
        round=current,
        form=form_of(request, school_class).placed(pupils),
        boards=range(1, len(pupils) // 2 + 4),
        games=list(all_games()),
        opponents=OPPONENTS,
        pairings=pairings(first=current is None),
        only_here=only_here(request),
    )


def _unseated(wall: Wall) -> list[Pupil]:
    """Who is here, and has no board in the round that is played."""
    found = wall.school_class
    there = found.pupils if found.is_playing else ()
    return [one for one in there if not found.table_of(one.number) and one.number not in wall.away]


def _waiting(wall: Wall) -> list[Waiting]:
    """Who waits for whom, in the round that is played."""
    found, away = wall.school_class, wall.away
    pupils = {one.number: one for one in found.pupils}
    here = pupils.keys() - away
    playing = [one for one in found.tables if found.is_playing and one.room in wall.rooms]
    lone = [pupils[n] for one in playing if None in one.pupils for n in one.pupils if n in here]
    return [
        Waiting(pupils[waits], pupils[left], lone[0] if lone else None)
        for one in playing
        for waits, left in (one.pupils, one.pupils[::-1])
        if waits in here and left in away and not wall.rooms[one.room].over
    ]
