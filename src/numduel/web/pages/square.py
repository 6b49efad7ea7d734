"""The hundred square: a map's cells, as `ui.hundred` draws them on every page that has one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from numduel.drawing.square import in_a_cell
from numduel.web.pages.rendering import encoded


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a map."""

    number: int
    kind: str = ""
    """Classes for its colours."""
    text: str = ""
    """What stands there, if it is not the number."""
    small: str = ""
    """What stands below, for eyes."""
    says: str = ""
    """The same, and what the colours mean, for ears."""
    link: str = ""
    guess: str = ""
    """What a tap on it sends."""

    @property
    def size(self) -> str:
        if self.number < 1_000 or self.text not in ("", str(self.number)):
            return ""
        return "four" if self.number < 10_000 else "five"

    @property
    def shown(self) -> str:
        return self.text or in_a_cell(self.number)


def cells_of(
    board: str,
    here: int | None,
    numbers: Sequence[int],
    lost: Collection[int],
    values: Sequence[int | None] | None = None,
    unknown: Collection[int] = (),
) -> list[Cell]:
    """The cells of a map of this board's one number, each with a link to its page of Explore."""
    head, _, tail = board.partition(f":{here}")
    cells = []
    for number, value in zip_longest(numbers, values or ()):
        marks = [
            ("lost", ", a trap", number in lost),
            ("unknown", ", not known", number in unknown),
            ("here", ", the number now", number == here),
        ]
        says = "".join(word for _, word, on in marks if on)
        link = f"/explore?board={encoded(head)}:{number}{encoded(tail)}"
        cell = Cell(number, " ".join(mark for mark, _, on in marks if on), says=says, link=link)
        if value is not None:
            below = in_a_cell(number)
            said = f" is the value of {below}{says}"
            cell = replace(cell, text=str(value), small=below, says=said)
        cells.append(cell)
    return cells
