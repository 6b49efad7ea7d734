"""What was learned, round by round: for teachers alone, to print and as a CSV."""

from __future__ import annotations

import asyncio
import csv
import io
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

from numduel.analysis import Analysis, read_json
from numduel.classes import Played, Wall
from numduel.classes.learned import Learned, learned
from numduel.errors import NumduelError
from numduel.match import write_notation
from numduel.thinking.questions import looking_back
from numduel.web.pages.board_view import moves_of
from numduel.web.pages.class_page import game_and_start, page_of
from numduel.web.pages.class_wall import wall_for
from numduel.web.pages.rendering import page
from numduel.web.seats import token_of
from numduel.web.state import classes_of, thinkers_of
from numduel.wording import brief

router = APIRouter(include_in_schema=False)

_NONE = "none"
_COLUMNS = ("Round", "Game", "Matches", "Finished", "Wins kept", "Wins to keep",
            "Commonest mistake", "Has not played")  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoundLearned:
    """One round in words."""

    number: int
    game: str
    found: Learned

    @property
    def title(self) -> str:
        """The heading of the round."""
        return f"Round {self.number}: {self.game}"

    @property
    def matches(self) -> str:
        """How many there were."""
        return f"{self.found.matches} ({self.found.finished} finished)"

    @property
    def share(self) -> str:
        """The share of winning positions kept."""
        if self.found.share is None:
            return "Nobody had a win that could be thrown away."
        kept = f"{self.found.kept} of {self.found.keepable} ({self.found.share:.0%})"
        return f"{kept}, counting the moves that could have thrown a win away."

    @property
    def mistake(self) -> str:
        """The commonest mistake."""
        common = self.found.mistake
        if common is None:
            return _NONE
        played = moves_of(common.board, [common.move])[0]
        at = " + ".join(brief(number.value) for number in common.board.numbers)
        times = "once" if common.times == 1 else f"{common.times} times"
        said = f"At {at}: {played.does.lower()} ({times})."
        if common.best is None:
            return said
        better = moves_of(common.board, [common.best])[0]
        return f"{said} Better: {better.does.lower()}."


@router.get("/class/{code}/learned")
async def learned_page(request: Request, code: str) -> Response:
    """The page to look at and to print."""
    wall = await wall_for(request, code)
    if isinstance(wall, Response):
        return wall
    shown = page_of(request, wall.school_class, wall.version)
    rounds = await _rounds(request, wall)
    return page(request, "class_learned.html", shown=shown, wrong="", rounds=rounds)


@router.get("/class/{code}/learned.csv")
async def learned_file(request: Request, code: str) -> Response:
    """The same as a file to keep."""
    wall = await wall_for(request, code)
    if isinstance(wall, Response):
        return wall
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for one in await _rounds(request, wall):
        found = one.found
        writer.writerow([one.number, one.game, found.matches, found.finished, found.kept,
                         found.keepable, one.mistake, "; ".join(found.idle)])  # fmt: skip
    headers = {"Content-Disposition": f'attachment; filename="class-{code}.csv"'}
    return Response(out.getvalue(), media_type="text/csv", headers=headers)


async def _rounds(request: Request, wall: Wall) -> list[RoundLearned]:
    played = await classes_of(request).records(wall.school_class.code, token_of(request))
    judged = await asyncio.gather(*(_judged(request, one) for one in played))
    found = []
    for each in wall.school_class.rounds:
        matches = [
            (one, analysis)
            for one, analysis in zip(played, judged, strict=True)
            if one.round == each.number and analysis is not None
        ]
        game = game_and_start(each.plan.board)
        tables = [one for one in wall.school_class.kept.tables if one.round == each.number]
        seated = {number for table in tables for number in table.pupils}
        there = [pupil for pupil in wall.school_class.pupils if pupil.number in seated]
        found.append(RoundLearned(each.number, game, learned(matches, there)))
    return found


async def _judged(request: Request, one: Played) -> Analysis | None:
    """The match with its verdicts; None where that takes too long."""
    try:
        told = await thinkers_of(request).ask(
            looking_back.analysis, match=write_notation(one.record)
        )
    except NumduelError:
        return None
    return read_json(told)
