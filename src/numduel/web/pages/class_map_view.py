"""The class's own map as its pages show it, and how much of the true map the class found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from numduel.classes.class_map import Seen
from numduel.thinking.questions.position import MapWithPattern

_SIZES = (30, 50, 100)
_AHEAD = 10
"""So many numbers beyond the largest start are to be guessed, at least."""

TRAP, NO_TRAP, NO_GUESS = "trap", "no-trap", "none"
_NEXT = {"": TRAP, TRAP: NO_TRAP, NO_TRAP: NO_GUESS}


@dataclass(frozen=True, slots=True)
class Guesses:
    """What pupils say of one number that the class has not met."""

    trap: int = 0
    no_trap: int = 0


@dataclass(frozen=True, slots=True)
class ClassCell:
    """One number of the map."""

    number: int
    kind: str
    """Classes for its colour, and for the colour that it had before the truth."""
    counts: str
    """What was counted, for eyes."""
    says: str
    """The same for ears."""
    asks: bool
    """Can it be guessed?"""
    mine: str
    """What this pupil says of it: "trap", "no-trap", or nothing yet."""
    found: bool
    """Is it a trap that the class has found?"""

    @property
    def next(self) -> str:
        """What another tap says."""
        return _NEXT[self.mine]


@dataclass(frozen=True, slots=True)
class ClassMapView:
    """The map of one game."""

    title: str
    size: int
    cells: list[ClassCell]
    unveiled: bool
    teaches: bool
    found: int
    traps: int
    guessed_wrongly: int
    """Numbers that the class guessed to be traps, and that are none."""
    pattern: str
    met: int
    guesses: int


def size_for(starts: Iterable[int]) -> int:
    """How far a map goes that pupils started on at these numbers."""
    largest = max(starts, default=0)
    return next((size for size in _SIZES if largest + _AHEAD <= size), _SIZES[-1])


def counted(guesses: Iterable[tuple[int, bool]]) -> dict[int, Guesses]:
    """The guesses of each number."""
    tally = Counter(guesses)
    return {n: Guesses(tally[n, True], tally[n, False]) for n, _ in tally}


def view_of(
    title: str,
    truth: MapWithPattern,
    seen: Mapping[int, Seen],
    guesses: Mapping[int, Guesses],
    *,
    unveiled: bool,
    size: int,
    mine: Mapping[int, bool] | None = None,
) -> ClassMapView:
    """The map; `mine` are a pupil's own guesses, None for a teacher. The truth is told last."""
    numbers, lost = truth["numbers"], set(truth["lost"])
    guessed = {n for n, said in guesses.items() if n not in seen and said.trap > said.no_trap}
    found = lost & (guessed | {n for n, known in seen.items() if known.lost > known.won})
    cells = []
    for number in numbers:
        known, said = seen.get(number), guesses.get(number, Guesses())
        own = None if mine is None else mine.get(number)
        kind, says = _seen(known) if known else ("", _guessed(said))
        if unveiled:
            true, says = ("lost", "a trap") if number in lost else ("plain", "no trap")
            kind = f"{true} was-{kind}" if kind else true
        cells.append(
            ClassCell(
                number=number,
                kind=kind,
                counts=_counts(known, said, unveiled, mine is None),
                says=says,
                asks=known is None and not unveiled and mine is not None,
                mine="" if own is None else TRAP if own else NO_TRAP,
                found=unveiled and number in found,
            )
        )
    return ClassMapView(
        title=title,
        size=size,
        cells=cells,
        unveiled=unveiled,
        teaches=mine is None,
        found=len(found),
        traps=len(lost),
        guessed_wrongly=len(guessed.intersection(numbers) - lost),
        pattern=truth["pattern"] or "",
        met=sum(number in seen for number in numbers),
        guesses=sum(one.trap + one.no_trap for n, one in guesses.items() if n not in seen),
    )


def _seen(seen: Seen) -> tuple[str, str]:
    says = f"the player to move won {seen.won} and lost {seen.lost} times"
    if seen.won == seen.lost:
        return "seen-both", says
    return ("seen-won" if seen.won > seen.lost else "seen-lost"), says


def _guessed(said: Guesses) -> str:
    if not (said.trap or said.no_trap):
        return "not met yet"
    return f"not met yet, {said.trap} say trap, {said.no_trap} say no trap"


def _counts(seen: Seen | None, said: Guesses, unveiled: bool, teaches: bool) -> str:
    """What a cell shows: won and lost, or to a teacher how many say trap and no trap."""
    if unveiled:
        return ""
    if seen is not None:
        return f"{seen.won}:{seen.lost}"
    return f"◆{said.trap} ○{said.no_trap}" if teaches and said != Guesses() else ""
