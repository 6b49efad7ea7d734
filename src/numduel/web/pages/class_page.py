"""What all pages of a class share: who looks, what they follow, and the round in words."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import HTMLResponse

from numduel.board import Board
from numduel.classes import SchoolClass, Stage, Wall
from numduel.web.links import base_of
from numduel.web.pages.rendering import page
from numduel.wording import brief

_PAUSED = {
    Stage.PAUSED: "Paused. ",
    Stage.QUESTION: "Paused for a question. ",
    Stage.MAP: "Paused for the map. ",
}


@dataclass(frozen=True, slots=True)
class ClassPage:
    """A class's page for one visitor."""

    code: str
    version: int
    """What the page follows by."""
    seen: int
    """The version of what everybody sees, which a teacher's changes answer."""
    teaches: bool
    address: str
    """Where pupils type the code, without what browsers add."""
    room: str = ""
    """The room whose table this page shows."""

    @property
    def at(self) -> str:
        """The address of the class."""
        return f"/class/{self.code}"

    @property
    def spelled(self) -> str:
        """The code as it is shown."""
        return self.code.upper()

    @property
    def follows(self) -> str:
        """What the page follows: a teacher sees every board, a pupil what all are to see."""
        return f"{self.at}/wall" if self.teaches else self.at

    @property
    def live(self) -> str:
        """The address of its live news."""
        return f"/api/classes/{self.code}/{'wall/' if self.teaches else ''}live"


@dataclass(frozen=True, slots=True)
class RoundView:
    """The last round in words."""

    number: int
    title: str
    progress: str
    running: bool
    paused: bool
    done: bool
    """Has every board been played to its end?"""


def page_of(
    request: Request, school_class: SchoolClass, version: int | None = None, room: str = ""
) -> ClassPage:
    """The page of the class as who looks sees it, at the version of the wall for a teacher."""
    return ClassPage(
        code=school_class.code,
        version=school_class.version if version is None else version,
        seen=school_class.version,
        teaches=school_class.teaches,
        address=f"{base_of(request)}class".partition("://")[2],
        room=room,
    )


def round_of(wall: Wall) -> RoundView | None:
    """The last round; None before the first."""
    last = wall.school_class.round
    if last is None:
        return None
    rooms = wall.rooms.values()
    count, done = len(rooms), sum(room.over is not None or room.round > 1 for room in rooms)
    progress = f"{done} of {count} {'board is' if count == 1 else 'boards are'} done."
    return RoundView(
        number=last.number,
        title=f"Round {last.number}: {game_and_start(last.plan.board)}",
        progress=f"{_waits_for(wall.school_class)}{progress}",
        running=wall.school_class.is_playing,
        paused=wall.school_class.stage is not Stage.ROUND,
        done=done == count,
    )


def _waits_for(school_class: SchoolClass) -> str:
    """Why nobody plays; nothing while they do."""
    return _PAUSED.get(school_class.stage, "") if school_class.is_playing else "The round is over. "


def game_and_start(board: Board) -> str:
    """What is played: "Divisor Duel from 24"."""
    return ", ".join(f"{game.title} from {brief(value)}" for game, value in board.numbers)


def gone(request: Request) -> HTMLResponse:
    """There is no such class, or no longer."""
    return page(request, "class_gone.html", 404)
