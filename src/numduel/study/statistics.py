"""What a history adds up to: tallies, accuracy over time, streaks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import count, takewhile
from typing import Any

from numduel.analysis import analyse
from numduel.match import Record
from numduel.match.events import plain
from numduel.players import PERSON


@dataclass(slots=True)
class Tally:
    """How one person has done in one game against one opponent."""

    game: str
    name: str
    against: str
    played: int = 0
    won: int = 0
    lost: int = 0
    kept: int = 0
    keepable: int = 0

    @property
    def unfinished(self) -> int:
        return self.played - self.won - self.lost

    @property
    def accuracy(self) -> float | None:
        return self.kept / self.keepable if self.keepable else None


@dataclass(frozen=True, slots=True)
class Point:
    date: datetime
    accuracy: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """Tallies by game and opponent, and accuracy by match, in the order of time."""

    tallies: list[Tally]
    points: list[Point]
    between_computers: int


def add_up(records: Iterable[Record]) -> Statistics:
    """The statistics of these matches, the earliest first."""
    tallies: dict[tuple[str, str, str], Tally] = {}
    points: list[Point] = []
    computers = 0
    for record in records:
        persons = [seat for seat in (0, 1) if record.players[seat] == PERSON]
        if not persons:
            computers += 1
            continue
        analysis = analyse(record)
        game = " + ".join(number.game.title for number in record.setup.board.numbers)
        for seat in persons:
            other = 1 - seat
            against = (record.setup.names if len(persons) == 2 else record.players)[other]
            key = (game, record.setup.names[seat], against)
            tally = tallies.setdefault(key, Tally(*key))
            tally.played += 1
            tally.won += record.winner == seat
            tally.lost += record.winner == other
            kept, of = analysis.kept(seat)
            tally.kept += kept
            tally.keepable += of
            if of:
                points.append(Point(record.date, kept / of))
    return Statistics([tallies[key] for key in sorted(tallies)], points, computers)


def as_json(statistics: Statistics) -> dict[str, Any]:
    """The statistics with plain values; documented in docs/formats.md."""
    return {
        "tallies": [plain(_TOLD, tally) for tally in statistics.tallies],
        "points": [{"date": p.date.isoformat(), "accuracy": p.accuracy} for p in statistics.points],
        "between_computers": statistics.between_computers,
    }


_TOLD = ("game", "name", "against", "played", "won", "lost", "unfinished", "kept", "keepable",
         "accuracy")  # fmt: skip


def streak(solved: Iterable[bool]) -> int:
    """How many at the end of the row were solved without a failure between them."""
    return sum(1 for _ in takewhile(bool, reversed([*solved])))


def daily_streak(solved_days: Iterable[str], today: date) -> int:
    """How many days in a row, up to today or yesterday, the daily puzzle was solved."""
    days = {date.fromisoformat(day) for day in solved_days}
    last = today if today in days else today - timedelta(days=1)
    return next(back for back in count() if last - timedelta(days=back) not in days)
