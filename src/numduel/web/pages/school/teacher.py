"""The teacher's page: the code, the roster, rounds; and everything that a teacher does."""

from collections.abc import Awaitable, Callable
from inspect import isawaitable

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import Pupil, Wall, actions, roster
from numduel.classes.learned import never_played
from numduel.classes.parts import board_of, rules_of
from numduel.errors import NotAllowed, UnknownClass
from numduel.players import PERSON
from numduel.rooms.room import Seat
from numduel.rooms.tokens import hashed, new_code
from numduel.web.pages.errors import Trying
from numduel.web.pages.form import Unfit
from numduel.web.pages.rendering import fields, page, router, whole
from numduel.web.pages.school import page as school
from numduel.web.pages.school.learned import learned_page, map_page
from numduel.web.pages.school.page import RoundForm, number_in, round_of, wall_for
from numduel.web.pages.school.questions import discuss_page, puzzles_page, set_puzzles
from numduel.web.pages.school.wall import board_page, project, wall_page
from numduel.web.state import classes_of, lobby_of, token_of

_TEACHER = "/class/{code}/teacher"
_Form = dict[str, str]


def _pupil(form: _Form, name: str = "pupil") -> int:
    return number_in(form.get(name))


def _pupils(form: _Form) -> tuple[int, ...]:
    return tuple(map(number_in, form.get("pupil", "").split(",")))


_ACTIONS: dict[str, Callable[[_Form, Request], actions.Action | Awaitable[actions.Action]]] = {
    "round": lambda form, asks: actions.StartRound(RoundForm.of(form).plan(lobby_of(asks).bounds)),
    "remove": lambda form, _: roster.Remove(_pupils(form)),
    "rename": lambda form, _: roster.Rename(_pupil(form), form.get("name", "")),
    "arrange": lambda form, _: roster.Arrange(bool(form.get("locked")), bool(form.get("made_up"))),
    "admit": lambda form, _: roster.Admit(_pupil(form)),
    "relieve": lambda form, _: roster.Relieve(_pupil(form), _pupil(form, "partner")),
    "seat": lambda form, _: roster.Seat(_pupils(form)),
    "dismiss": lambda form, _: roster.Dismiss(form.get("token", "")),
    "revoke": lambda *_: roster.Invite(""),
    "pause": lambda *_: actions.Pause(),
    "resume": lambda *_: actions.Resume(),
    "stop": lambda *_: actions.EndRound(),
    "next": lambda *_: actions.NextRound(),
    "ask": lambda form, asks: actions.Ask(RoundForm.of(form).terms(lobby_of(asks).bounds).board),
    "show": lambda *_: actions.ShowNext(),
    "close": lambda *_: actions.Close(),
    "map": lambda form, _: actions.ShowMap(rules_of(board_of(form.get("game", "")))),
    "unveil": lambda *_: actions.Unveil(),
    "puzzles": lambda *_: actions.ShowPuzzles(),
    "set-puzzles": set_puzzles,
    "projector": project,
}
"""What a teacher does, from its form."""


@router.get(_TEACHER)
async def teacher_page(request: Request, code: str) -> Response:
    wall, classes, token = await wall_for(request, code), classes_of(request), token_of(request)
    school_class, current, mine = wall.school_class, round_of(wall), hashed(code, token or "")
    return school.show(
        request,
        "class_teacher.html",
        wall,
        away=wall.away,
        waiting=_waiting(wall),
        alone=_alone(wall),
        unseated=_unseated(wall),
        ghosts=never_played(wall, await classes.figures(code, token) if wall.away else {}),
        others=[one for one in school_class.teachers if one.token != mine],
        first=school_class.is_teacher(token, first=True),
        round=current,
        form=school.form_of(request, school_class).placed(school_class.pupils),
        opponents=school.OPPONENTS,
    )


_PAGES: dict[str, Callable[[Request, str], Awaitable[Response]]] = {
    "teacher": teacher_page,
    "wall": wall_page,
    "discuss": discuss_page,
    "map": map_page,
    "puzzles": puzzles_page,
    "learned": learned_page,
}
"""The pages from which something is done, and to which it leads back."""


@router.post(_TEACHER + "/end")
async def end(request: Request, code: str) -> Response:
    await classes_of(request).end(code, token_of(request))
    return RedirectResponse("/class?ended=1", 303)


@router.post(_TEACHER + "/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    """Do what a form asks for; what is refused is said by the page from which it was asked."""
    form, classes, token = await fields(request), classes_of(request), token_of(request)
    if name in ("invite", "key"):
        secret, own = new_code(), name == "key"
        await classes.act(code, token, 0, roster.Invite(secret, own))
        return page(request, "class_invite.html", code=code, secret=secret, own=own)
    if name not in _ACTIONS:
        raise UnknownClass(code=code)
    with Trying(request, form=form):
        made = _ACTIONS[name](form, request)
        action = await made if isawaitable(made) else made
        if isinstance(action, actions.StartRound | actions.NextRound) and not form.get("anyway"):
            wall = await classes.wall(code, token)
            last, on = wall.school_class.round, round_of(wall)
            # A round that is still played ends by another only if that is meant.
            if last and on and wall.school_class.is_playing and not on.done:
                raise Unfit("anyway", NotAllowed(problem="round is on", number=last.number))
        await classes.act(code, token, whole(form.get("seen"), 0, 0, 10**9), action)
        if isinstance(action, actions.Project) and action.secret:
            return RedirectResponse(f"/class/{code}/projector/{action.secret}", 303)
        back = form.get("back") or form.get("from")
        return RedirectResponse(f"/class/{code}/{back if back in _PAGES else 'teacher'}", 303)
    asked_from = form.get("from", "")
    at, _, room = asked_from.partition("/")
    path = f"/class/{code}/{asked_from if at in _PAGES else 'teacher'}"
    again = Request({**request.scope, "path": path})
    if at == "wall" and room:
        return await board_page(again, code, room)
    return await _PAGES.get(at, teacher_page)(again, code)


@router.get(_TEACHER + "/{secret}")
async def invited(request: Request, code: str, secret: str) -> Response:
    """For a second teacher: a button. Looking alone lets nobody in."""
    if secret in (*_ACTIONS, "end", "invite", "key"):
        return RedirectResponse(f"/class/{code}/teacher", 303)
    return page(request, "class_let_in.html", at=f"/class/{code}/let-in", secret=secret)


def _alone(wall: Wall) -> list[tuple[Seat, Seat]]:
    """Pupils whose partner is a computer because nobody was left, and that computer."""
    last = wall.school_class.round
    pairs = last is not None and last.plan.opponent == PERSON and wall.school_class.is_playing
    seats = [sorted(room.seats, key=lambda one: not one.is_person) for room in wall.rooms.values()]
    return [(one, two) for one, two in seats if pairs and not two.is_person]


def _unseated(wall: Wall) -> list[Pupil]:
    """Who is here, and has no board in the round that is played."""
    found = wall.school_class
    there = found.pupils if found.is_playing else ()
    return [one for one in there if not found.table_of(one.number) and one.number not in wall.away]


def _waiting(wall: Wall) -> list[tuple[Pupil, Pupil, Pupil | None]]:
    """Each pupil whose partner is away, that partner, and a pupil alone who could play, if any."""
    found, away = wall.school_class, wall.away
    pupils = {one.number: one for one in found.pupils}
    here = pupils.keys() - away
    playing = [one for one in found.tables if found.is_playing and one.room in wall.rooms]
    lone = [pupils[n] for one in playing if None in one.pupils for n in one.pupils if n in here]
    return [
        (pupils[waits], pupils[left], lone[0] if lone else None)
        for one in playing
        for waits, left in (one.pupils, one.pupils[::-1])
        if waits in here and left in away and not wall.rooms[one.room].over
    ]
