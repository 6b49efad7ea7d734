"""The maps shown at the end of a match: a hundred square for each of its numbers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from numduel.board import Board
from numduel.errors import NumduelError
from numduel.games import Game
from numduel.rooms import Room
from numduel.study.maps import MAX_NUMBER, MapFacts
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board_view import numbers

MOST = 4
"""The most squares of one match. Explore shows more."""

_SIDE = 100


@dataclass(frozen=True, slots=True)
class MapCell:
    """One number of a square."""

    number: int
    lost: bool
    turn: int | None
    """The turn that led here in this match; 0 is the start, None was not visited."""


@dataclass(frozen=True, slots=True)
class Square:
    """The hundred numbers around the last one that stood at a place of the board."""

    title: str
    cells: list[MapCell]
    trap: int | None
    """A trap to explain: the last of this match from which there is a move, else the first."""
    why: str
    """Why it is one."""

    @property
    def traps(self) -> bool:
        """Is one of its numbers a trap?"""
        return any(cell.lost for cell in self.cells)


async def squares_of(room: Room, thinkers: Thinkers, until: float) -> list[Square]:
    """The squares of the first numbers that can be mapped, as far as they are drawn in time.

    A number beyond the largest map has none. `until` is in the time of the event loop.
    """
    fit = [place for place, one in enumerate(room.board.numbers) if one.value <= MAX_NUMBER]
    found = []
    for place in fit[:MOST]:
        try:
            async with asyncio.timeout_at(until):
                found.append(await _square(room, place, thinkers))
        except (NumduelError, TimeoutError):
            continue
    return found


async def _square(room: Room, place: int, thinkers: Thinkers) -> Square:
    start, misere = room.setup.board, room.board.misere
    game, last = room.board.numbers[place]
    first = max(0, last - 1) // _SIDE * _SIDE + 1
    drawn = await _drawn(thinkers, game, misere, first, first + _SIDE - 1)
    lost = set(drawn["lost"])
    rules, begun = start.numbers[place]
    if rules != game and begun in drawn["numbers"]:
        # The first move is under a rule of its own.
        lost.discard(begun)
        lost.update((await _drawn(thinkers, rules, misere, begun, begun))["lost"])
    turns: dict[int, int] = {}
    for turn, board in enumerate((start, *(turn.board for turn in room.turns))):
        turns.setdefault(board.numbers[place].value, turn)
    cells = [MapCell(number, number in lost, turns.get(number)) for number in drawn["numbers"]]
    trap = _trap(game, cells)
    why = ""
    if trap is not None:
        verdict = await thinkers.ask(position.verdict, board=str(Board.of(game, trap, misere)))
        why = " ".join(verdict["why"])
    return Square(_title(start, place, first), cells, trap, why)


def _trap(game: Game, cells: list[MapCell]) -> int | None:
    open_ones = [one for one in cells if one.lost and next(iter(game.moves(one.number)), None)]
    visited = [one for one in open_ones if one.turn]
    return next((one.number for one in (*visited, *open_ones)), None)


async def _drawn(thinkers: Thinkers, game: Game, misere: bool, first: int, last: int) -> MapFacts:
    board = Board.of(game, max(1, game.least), misere)
    return await thinkers.ask(position.map_of, board=str(board), to=last, start=first)


def _title(start: Board, place: int, first: int) -> str:
    said = numbers(start)[place].title
    if start.misere:
        said += ", misère"
    if first > 1:
        said += f", {first} to {first + _SIDE - 1}"
    return f"{said} (number {place + 1})" if len(start.numbers) > 1 else said
