"""What all pages of a class share: who looks, what they follow, and the round in words."""

from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from numduel.classes import SchoolClass, Stage, Wall
from numduel.errors import NotSeated
from numduel.web.pages.rendering import game_and_start, page
from numduel.web.pages.school.round_form import RoundForm
from numduel.web.state import classes_of, token_of

_PAUSED = {
    Stage.GATHERING: "Paused. ",
    Stage.PAUSED: "Paused. ",
    Stage.QUESTION: "Paused for a question. ",
    Stage.MAP: "Paused for the map. ",
    Stage.PUZZLES: "Paused for puzzles. ",
}


@dataclass(frozen=True, slots=True)
class RoundView:
    number: int
    title: str
    progress: str
    running: bool
    paused: bool
    done: bool
    """Has every board been played to its end?"""


async def wall_for(request: Request, code: str, boards: bool = True) -> Wall:
    """What a teacher sees, with all boards or without; anybody else is sent to the class."""
    try:
        return await classes_of(request).wall(code, token_of(request), boards)
    except NotSeated as error:
        raise HTTPException(303, headers={"Location": f"/class/{code}"}) from error


def show(
    request: Request,
    name: str,
    seen: Wall | SchoolClass,
    *,
    room_code: str = "",
    **told: object,
) -> HTMLResponse:
    """A page of the class; `room_code` is of the room whose table it shows, if any.

    Where something was refused, it says so: see `refuse`.
    """
    at, wrong, status = getattr(request.state, "refused", ("", "", 200))
    school_class = seen.school_class if isinstance(seen, Wall) else seen
    code, topic = school_class.code, "walls" if school_class.teaches else "classes"
    shown = {
        "at": f"/class/{code}",
        "code": code.upper(),
        "live": f"/api/{topic}/{code}/live",
        "version": seen.version,
        "seen": school_class.version,
        "teaches": school_class.teaches,
        "room": room_code,
        "projector": school_class.projector is not None,
        "shows": school_class.shows,
        "names": school_class.names,
        "door": len(school_class.door) if school_class.teaches else 0,
        "refused": hasattr(request.state, "refused"),
        "secret": school_class.me is not None and not school_class.tells,
    }
    if shown["refused"]:
        told["path"] = f"/class/{code}/{at}".rstrip("/")
    return page(request, name, status, shown=shown, wrong=wrong, **told)


def refuse(
    request: Request, at: str, said: str, status: int, form: dict[str, str] | None = None
) -> None:
    """The page of the class that is shown next, at this address, says what was wrong."""
    request.state.refused, request.state.filled = (at, said, status), form


def form_of(request: Request, school_class: SchoolClass) -> RoundForm:
    """The form of a round: as it was sent and refused, else as it was for the last round."""
    filled = getattr(request.state, "filled", None)
    return RoundForm.of(filled) if filled else RoundForm.after(school_class.round)


def round_of(wall: Wall) -> RoundView | None:
    """The last round; None before the first."""
    school_class = wall.school_class
    last = school_class.round
    if last is None:
        return None
    rooms = wall.rooms.values()
    count, done = len(rooms), sum(room.over is not None or room.round > 1 for room in rooms)
    waits = "The round is over. "
    if school_class.is_playing:
        waits = _PAUSED.get(school_class.stage, "")
    return RoundView(
        number=last.number,
        title=f"Round {last.number}: {game_and_start(last.plan.board)}",
        progress=f"{waits}{done} of {count} {'board is' if count == 1 else 'boards are'} done.",
        running=school_class.is_playing,
        paused=school_class.stage is not Stage.ROUND,
        done=done == count,
    )
