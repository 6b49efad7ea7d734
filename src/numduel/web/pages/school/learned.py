"""What was learned, round by round: for teachers alone, to print and as a CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import Response

from numduel.classes import SchoolClass
from numduel.classes.learned import Figures, Learned, Result, Share, results
from numduel.classes.parts import LARGEST, board_of
from numduel.thinking.questions import position
from numduel.web.pages.board import shown_move
from numduel.web.pages.rendering import download, game_and_start, router
from numduel.web.pages.school.page import show, wall_for
from numduel.web.state import classes_of, thinkers_of, token_of
from numduel.wording import brief

_UNKNOWN = "not known yet"
_COLUMNS = ("Round", "Game", "Matches", "Finished", "Wins kept", "Wins to keep",
            "Commonest mistake", "Has not played", "Waited", "Still being played",
            "Still being looked at", "Too hard to judge")  # fmt: skip
_OF_PUPILS = ("Pupil", "Rounds played", "Matches finished", "Won", "Wins kept at first",
              "Wins kept at last", "Votes right", "Guesses right", "Puzzles right",
              "Still being looked at")  # fmt: skip


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


def _share(share: Share) -> str:
    return f"{share.right} of {share.of}" if share.of else ""


def _accuracy(figures: Figures | None) -> str:
    return "" if figures is None or figures.share is None else f"{figures.share:.0%}"


def _row(one: Result) -> list[object]:
    """What the table and the CSV say of a pupil, by `_OF_PUPILS`."""
    return [one.name, one.rounds, one.matches, one.won, _accuracy(one.first), _accuracy(one.last),
            _share(one.votes), _share(one.guesses), _share(one.puzzles), one.waiting]  # fmt: skip


@router.get("/class/{code}/learned")
async def learned_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    rounds = await rounds_of(request, code)
    pupils = await _results(request, wall.school_class)
    return show(
        request,
        "class_learned.html",
        wall,
        rounds=rounds,
        columns=_OF_PUPILS,
        pupils=[_row(one) for one in pupils],
        waiting=sum(one.waiting for one in pupils),
    )


@router.get("/class/{code}/learned.csv")
async def learned_file(request: Request, code: str) -> Response:
    await wall_for(request, code, boards=False)
    told: list[list[object]] = []
    for one in await rounds_of(request, code):
        found, figures = one.found, one.found.figures
        told.append([one.number, one.game, one.count, figures.finished, figures.kept,
                     figures.keepable, one.mistake, "; ".join(found.idle),
                     "; ".join(found.waited), found.playing, figures.waiting,
                     figures.too_hard])  # fmt: skip
    return _csv(_COLUMNS, told, f"class-{code}.csv")


@router.get("/class/{code}/results.csv")
async def results_file(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    await rounds_of(request, code)  # so that what is over is counted
    pupils = await _results(request, wall.school_class)
    return _csv(_OF_PUPILS, [_row(one) for one in pupils], f"pupils-{code}.csv")


def _csv(columns: Sequence[str], rows: list[list[object]], name: str) -> Response:
    out = io.StringIO()
    csv.writer(out).writerows([columns, *rows])
    return download(out.getvalue(), "text/csv", name)


async def rounds_of(request: Request, code: str, token: str | None = None) -> list[RoundLearned]:
    found = await classes_of(request).learned(code, token or token_of(request))
    return [RoundLearned(each.number, game_and_start(each.plan.board), one) for each, one in found]


async def _results(request: Request, school_class: SchoolClass) -> list[Result]:
    classes, token = classes_of(request), token_of(request)
    school_class = await classes.look(school_class.code, token)  # what was solved meanwhile
    figures = await classes.figures(school_class.code, token)
    traps = {}
    for rules in {one.game for one in school_class.all_guesses}:
        ask = thinkers_of(request).ask
        told = await ask(position.overview, board=str(board_of(rules)), to=LARGEST)
        traps[rules] = set(told["lost"])
    return results(school_class, figures, traps)
