"""What was learned, round by round: for teachers alone, to print and as a CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

from numduel.classes.learned import Learned
from numduel.web.pages.board_view import moves_of
from numduel.web.pages.class_page import game_and_start, page_of
from numduel.web.pages.class_wall import wall_for
from numduel.web.pages.rendering import page
from numduel.web.seats import token_of
from numduel.web.state import classes_of
from numduel.wording import brief

router = APIRouter(include_in_schema=False)

_UNKNOWN = "not known yet"
_COLUMNS = ("Round", "Game", "Matches", "Finished", "Wins kept", "Wins to keep",
            "Commonest mistake", "Has not played", "Still being played",
            "Still being looked at", "Too hard to judge")  # fmt: skip


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
            return _UNKNOWN if self.missing else "Nobody had a win that could be thrown away."
        kept = f"{self.found.kept} of {self.found.keepable} ({self.found.share:.0%})"
        return f"{kept}, counting the moves that could have thrown a win away."

    @property
    def missing(self) -> str:
        """What the figures leave out."""
        found = self.found
        left_out = {
            "still being played": found.playing,
            "still being looked at": found.waiting,
            "too hard to judge": found.too_hard,
        }
        of = f"of {found.matches} {'match' if found.matches == 1 else 'matches'}"
        said = [
            f"{count} {of} {'is' if count == 1 else 'are'} {what}."
            for what, count in left_out.items()
            if count
        ]
        return " ".join([*said, "Wins kept and mistakes leave them out."]) if said else ""

    @property
    def mistake(self) -> str:
        """The commonest mistake."""
        common = self.found.mistake
        if common is None:
            return _UNKNOWN if self.missing else "none"
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
    wall = await wall_for(request, code, boards=False)
    if isinstance(wall, Response):
        return wall
    shown = page_of(request, wall.school_class, wall.version)
    rounds = await _rounds(request, code)
    return page(request, "class_learned.html", shown=shown, wrong="", rounds=rounds)


@router.get("/class/{code}/learned.csv")
async def learned_file(request: Request, code: str) -> Response:
    """The same as a file to keep."""
    wall = await wall_for(request, code, boards=False)
    if isinstance(wall, Response):
        return wall
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for one in await _rounds(request, code):
        found = one.found
        writer.writerow([one.number, one.game, found.matches, found.finished, found.kept,
                         found.keepable, one.mistake, "; ".join(found.idle), found.playing,
                         found.waiting, found.too_hard])  # fmt: skip
    headers = {"Content-Disposition": f'attachment; filename="class-{code}.csv"'}
    return Response(out.getvalue(), media_type="text/csv", headers=headers)


async def _rounds(request: Request, code: str) -> list[RoundLearned]:
    found = await classes_of(request).learned(code, token_of(request))
    return [RoundLearned(each.number, game_and_start(each.plan.board), one) for each, one in found]
