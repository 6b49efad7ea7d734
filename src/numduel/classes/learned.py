"""What was learned in a round: wins kept, the commonest mistake, and who has not played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from numduel.analysis import Analysis
from numduel.board import Board, Move
from numduel.classes.school_class import Played
from numduel.players import PERSON
from numduel.store.kept_class import Pupil


@dataclass(frozen=True, slots=True)
class CommonMistake:
    """A move that threw a win away, how often it was played, and one that would have won."""

    board: Board
    move: Move
    times: int
    best: Move | None


@dataclass(frozen=True, slots=True)
class Learned:
    """One round, of all its pupils together."""

    matches: int
    finished: int
    kept: int
    """Wins that pupils kept."""
    keepable: int
    """Positions where a pupil had a win to keep, and a move that throws it away."""
    mistake: CommonMistake | None
    idle: tuple[str, ...]
    """The pupils who have made no move."""

    @property
    def share(self) -> float | None:
        """The share of wins kept; None where there was nothing to keep."""
        return self.kept / self.keepable if self.keepable else None


def learned(matches: Iterable[tuple[Played, Analysis]], pupils: Iterable[Pupil]) -> Learned:
    """What these pupils did in the matches of a round. Computers are left out.

    Of mistakes that are equally common, the first counts.
    """
    kept = keepable = count = finished = 0
    mistakes: Counter[tuple[Board, Move]] = Counter()
    best: dict[Board, Move | None] = {}
    moved: set[int | None] = set()
    for played, analysis in matches:
        record = played.record
        count += 1
        finished += record.winner is not None
        people = [seat for seat in (0, 1) if record.players[seat] == PERSON]
        for seat in people:
            own, of = analysis.kept(seat)
            kept, keepable = kept + own, keepable + of
        for judged in analysis.moves:
            if judged.player not in people or judged.move is None:
                continue
            moved.add(played.pupils[judged.player])
            if judged.mistake:
                mistakes[judged.board, judged.move] += 1
                best[judged.board] = judged.best
    common = None
    if mistakes:
        (board, move), times = mistakes.most_common(1)[0]
        common = CommonMistake(board, move, times, best[board])
    idle = tuple(pupil.name for pupil in pupils if pupil.number not in moved)
    return Learned(count, finished, kept, keepable, common, idle)
