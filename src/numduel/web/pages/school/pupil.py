"""Where a class begins and is joined, and a pupil's page: a match, or what the whole class sees."""

from collections.abc import Callable

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.classes import SchoolClass, Stage, is_class_code
from numduel.classes.actions import Action, AnswerPuzzle, CastVote, GuessTrap
from numduel.classes.roster import Join, LetIn
from numduel.errors import NotAllowed, NumduelError, UnknownClass, UnknownRoom
from numduel.rooms import is_code, new_token
from numduel.rooms.tokens import CLASS_CODE_LENGTH
from numduel.web.pages.errors import sentence, status_of
from numduel.web.pages.play.table import table_of
from numduel.web.pages.rendering import fields, page, router, whole
from numduel.web.pages.school.map import NO_TRAP, TRAP, map_for
from numduel.web.pages.school.page import refuse, show
from numduel.web.pages.school.puzzles import puzzle_of
from numduel.web.pages.school.question import question_of
from numduel.web.pages.school.secret import with_class
from numduel.web.state import classes_of, lobby_of, thinkers_of, token_for, token_of, with_cookie

_REFRESH = 4
"""Seconds after which a page without scripts looks again."""
_HEADINGS = {
    Stage.PAUSED: ("Eyes to the front", "Wait for your teacher."),
    Stage.QUESTION: ("What would you play?", ""),
    Stage.MAP: ("Which numbers are traps?", ""),
    Stage.PUZZLES: ("Puzzles", ""),
}
_UNKNOWN = "There is no class or room with this code. Check it and try again."
_SIGNS = 40


def _guess(form: dict[str, str]) -> GuessTrap:
    """Say whether a number is a trap, or take that back: what is wanted, not what to change."""
    number, _, said = form.get("guess", "").partition(":")
    return GuessTrap(whole(number, 0, 0, 10**6), {TRAP: True, NO_TRAP: False}.get(said))


def _answer(form: dict[str, str]) -> AnswerPuzzle:
    posed, _, number = form.get("puzzle", "").partition(".")
    return AnswerPuzzle(whole(posed, 0, 0, 10**6), whole(number, 0, 0, 10**6), form.get("move", ""))


_ACTIONS: dict[str, Callable[[dict[str, str]], Action]] = {
    "join": lambda form: Join(form.get("name", ""), bool(form.get("again"))),
    "vote": lambda form: CastVote(whole(form.get("question"), 0, 0, 10**6), form.get("move", "")),
    "guess": _guess,
    "answer": _answer,
    "let-in": lambda form: LetIn(form.get("secret", ""), form.get("name", "")),
}


@router.get("/class")
async def start_page(request: Request) -> Response:
    ended = request.query_params.get("ended") == "1"
    return page(request, "class_start.html", code=None, wrong="", ended=ended)


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
    wrong, status = _UNKNOWN if typed else "", 404 if typed else 200
    try:
        if is_class_code(code):
            await classes_of(request).look(code, token_of(request))
            return RedirectResponse(f"/class/{code}", 303)
        if is_class_code(start := code[:CLASS_CODE_LENGTH]) and is_code(code[CLASS_CODE_LENGTH:]):
            return RedirectResponse(f"/class/{start}/teacher/{code[CLASS_CODE_LENGTH:]}", 303)
        if is_code(code):
            await lobby_of(request).look(code)
            return RedirectResponse(f"/room/{code}", 303)
    except (UnknownClass, UnknownRoom):
        pass
    except NumduelError as error:
        wrong, status = sentence(error), status_of(error)
    return page(request, "class_start.html", status, code=typed, wrong=wrong, ended=False)


@router.get("/class/{code}")
async def pupil_page(request: Request, code: str) -> Response:
    return await _looked_at(request, code)


@router.post("/class/{code}/{name}")
async def act(request: Request, code: str, name: str) -> Response:
    if name not in _ACTIONS:
        raise UnknownClass(code=code)
    token, form = token_for(request), await fields(request)
    try:
        if name == "join" and token_of(request) is None:
            raise NotAllowed(problem="no cookie")
        await classes_of(request).act(code, token, 0, _ACTIONS[name](form))
    except UnknownClass:
        raise
    except NumduelError as error:
        refuse(request, "", sentence(error), status_of(error))
        taken = isinstance(error, NotAllowed) and error.problem == "name is taken"
        return await _looked_at(request, code, form.get("name", ""), taken)
    return with_cookie(RedirectResponse(f"/class/{code}", 303), request, token)


async def _looked_at(request: Request, code: str, typed: str = "", taken: bool = False) -> Response:
    school_class = await classes_of(request).look(code, token_of(request))
    if school_class.teaches and not hasattr(request.state, "refused"):
        return RedirectResponse(f"/class/{code}/teacher", 303)
    if school_class.me is not None:
        return with_class(await _stage(request, school_class), request, code)
    door, heading = next(iter(school_class.door), None), "Join the class"
    if school_class.removed:
        heading = "You are not in this class any more"
    elif door:
        heading = f"You are at the door, {door.name}"
    answer = show(
        request,
        "class_join.html",
        school_class,
        heading=heading,
        removed=bool(school_class.removed),
        door=door,
        made_up=school_class.made_up,
        typed=typed,
        taken=taken,
    )
    # Only a browser that has been here can join.
    return answer if token_of(request) else with_cookie(answer, request, new_token())


async def _stage(request: Request, school_class: SchoolClass) -> Response:
    me, stage, thinkers = school_class.me, school_class.stage, thinkers_of(request)
    assert me is not None
    place = school_class.table_of(me.number) if school_class.is_playing else None
    heading, says = _HEADINGS.get(stage, _waiting(school_class, me.number, me.name))
    if place and stage in (Stage.PAUSED, Stage.GATHERING):
        over = (await lobby_of(request).look(place.room)).over
        says += "" if over else " Your match will go on."
    told: dict[str, object] = {"table": None, "question": None, "map": None, "refresh": _REFRESH}
    if stage is Stage.ROUND and place is not None:
        room = await lobby_of(request).look(place.room)
        table = await table_of(room, token_of(request), thinkers)
        heading = table.heading
        told |= {"table": table, "room": room, "only_here": False, "lesson": None}
        told["refresh"] = table.refresh
    elif stage is Stage.QUESTION and school_class.question is not None:
        asked, mine = school_class.question, school_class.vote_of(me.number) or ""
        told["question"] = await question_of(asked, school_class, thinkers, mine)
    elif stage is Stage.MAP:
        heading = "The true map" if school_class.unveiled else heading
        told["map"] = await map_for(request, school_class)
    elif stage is Stage.PUZZLES:
        told["puzzle"] = await puzzle_of(school_class, thinkers)
    told |= {"stage": str(stage), "heading": heading, "says": says, "called": me.name}
    at = place.room if place else ""
    return show(request, "class_pupil.html", school_class, room_code=at, **told)


def _waiting(school_class: SchoolClass, number: int, name: str) -> tuple[str, str]:
    if school_class.is_playing and school_class.table_of(number):
        return "Look to the front", "Wait for your teacher."
    if school_class.is_playing:
        return "Look to the front", "Your teacher will give you a board."
    if school_class.round is None:
        return f"You are in, {name}", "Look to the front. Your teacher will start the first round."
    return "Look to the front", "Your teacher will start the next round."
