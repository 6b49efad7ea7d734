"""What was learned, round by round: for teachers alone, to print and as a CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import Response

from numduel.classes.learned import Learned
from numduel.web.pages.board import shown_move
from numduel.web.pages.rendering import download, game_and_start, router
from numduel.web.pages.school.page import show, wall_for
from numduel.web.state import classes_of, token_of
from numduel.wording import brief

_UNKNOWN = "not known yet"
_COLUMNS = ("Round", "Game", "Matches", "Finished", "Wins kept", "Wins to keep",
            "Commonest mistake", "Has not played", "Still being played",
            "Still being looked at", "Too hard to judge")  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoundLearned:
    number: int
    game: str
    found: Learned

    @property
    def title(self) -> str:
        return f"Round {self.number}: {self.game}"

    @property
    def matches(self) -> str:
        return f"{self.count} ({self.found.figures.finished} finished)"

    @property
    def count(self) -> int:
        return self.found.figures.matches + self.found.playing

    @property
    def share(self) -> str:
        figures = self.found.figures
        if figures.share is None:
            return _UNKNOWN if self.missing else "Nobody had a win that could be thrown away."
        kept = f"{figures.kept} of {figures.keepable} ({figures.share:.0%})"
        return f"{kept}, counting the moves that could have thrown a win away."

    @property
    def missing(self) -> str:
        left_out = {
            "still being played": self.found.playing,
            "still being looked at": self.found.figures.waiting,
            "too hard to judge": self.found.figures.too_hard,
        }
        of = f"of {self.count} {'match' if self.count == 1 else 'matches'}"
        said = [
            f"{count} {of} {'is' if count == 1 else 'are'} {what}."
            for what, count in left_out.items()
            if count
        ]
        return " ".join([*said, "Wins kept and mistakes leave them out."]) if said else ""

    @property
    def mistake(self) -> str:
        common = self.found.mistake
        if common is None:
            return _UNKNOWN if self.missing else "none"
        played = shown_move(common.board, common.move)
        at = " + ".join(brief(number.value) for number in common.board.numbers)
        times = "once" if common.times == 1 else f"{common.times} times"
        said = f"At {at}: {played.does.lower()} ({times})."
        if common.best is None:
            return said
        better = shown_move(common.board, common.best)
        return f"{said} Better: {better.does.lower()}."


@router.get("/class/{code}/learned")
async def learned_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    return show(request, "class_learned.html", wall, rounds=await _rounds(request, code))


@router.get("/class/{code}/learned.csv")
async def learned_file(request: Request, code: str) -> Response:
    await wall_for(request, code, boards=False)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for one in await _rounds(request, code):
        found, figures = one.found, one.found.figures
        writer.writerow([one.number, one.game, one.count, figures.finished, figures.kept,
                         figures.keepable, one.mistake, "; ".join(found.idle), found.playing,
                         figures.waiting, figures.too_hard])  # fmt: skip
    return download(out.getvalue(), "text/csv", f"class-{code}.csv")


async def _rounds(request: Request, code: str) -> list[RoundLearned]:
    found = await classes_of(request).learned(code, token_of(request))
    return [RoundLearned(each.number, game_and_start(each.plan.board), one) for each, one in found]
