"""The end of a match: who won and why, the maps of its numbers, and where it was decided."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from numduel.analysis import Analysis, read_json
from numduel.board import Board
from numduel.errors import NumduelError
from numduel.games import Game
from numduel.match import Ending
from numduel.rooms import Room
from numduel.study.maps import MAX_NUMBER, MapFacts
from numduel.thinking.questions import looking_back, position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board import Cell, numbers
from numduel.wording import analysis as words
from numduel.wording.why import no_choice_reasons

_SECONDS, _DRAWING = 2.5, 1.5  # seconds to wait at most: for the explanation, and for the maps
_MOST = 4  # squares of one match at most; Explore shows more
_SIDE = 100

_LATE = (
    "Working out where this match was decided is taking longer than usual."
    " The analysis page will try again."
)


Verdicts = dict[int, tuple[str, bool]]  # by turn, what is said of it; and was it a mistake?


def verdicts(analysis: Analysis) -> Verdicts:
    return {one.turn: (words.judgement(one).capitalize(), one.mistake) for one in analysis.moves}


@dataclass(slots=True)
class End:
    reason: str
    squares: list[dict[str, Any]] = field(default_factory=list)  # if they are drawn in time
    turning: str = ""
    try_from: str = ""  # the board before the turn that decided the match
    try_turn: int = 0
    more: str = ""
    judged: Verdicts = field(default_factory=dict)


async def end_of(room: Room, thinkers: Thinkers, who: words.Both) -> End:
    """The end of a match; `who` are the players as called here. Without hints, only the reason."""
    over, clock = room.over, room.clock
    assert over is not None
    forfeited = over.ending is Ending.FORFEITED
    out = forfeited and clock is not None and clock.left[over.player] <= 0  # of time
    end = End(words.reason(who, over, out))
    if not room.hints:
        return end
    now = asyncio.get_running_loop().time()
    # The maps first: they are quick for almost every match, and an analysis may not be.
    end.squares = await _squares(room, thinkers, now + _DRAWING)
    if not room.turns:
        return end
    names = ",".join(room.setup.names)
    try:
        async with asyncio.timeout_at(now + _SECONDS):
            told = await thinkers.ask(looking_back.analysis, match=room.notation, names=names)
    except (NumduelError, TimeoutError):
        end.turning = _LATE
        return end
    analysis = read_json(told)
    end.turning, end.judged = " ".join(words.decided(analysis, who, out)), verdicts(analysis)
    if point := analysis.turning_point:
        end.try_from, end.try_turn = str(point.board), point.turn
    if analysis.no_choice:
        end.more = " ".join(no_choice_reasons(room.setup.board))
    return end


async def _squares(room: Room, thinkers: Thinkers, until: float) -> list[dict[str, Any]]:
    """The first squares that a map can show and that are drawn by `until`, in the loop's time."""
    fit = [place for place, one in enumerate(room.board.numbers) if one.value <= MAX_NUMBER]
    found = []
    for place in fit[:_MOST]:
        try:
            async with asyncio.timeout_at(until):
                found.append(await _square(room, place, thinkers))
        except (NumduelError, TimeoutError):
            continue
    return found


async def _square(room: Room, place: int, thinkers: Thinkers) -> dict[str, Any]:
    """The hundred numbers around the last one that stood at a place of the board; and a trap to
    explain: the match's last from which there is a move, else the first.
    """
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
    cells = [_cell(number, number in lost, turns.get(number)) for number in drawn["numbers"]]
    open_ones = [n for n in drawn["numbers"] if n in lost and next(iter(game.moves(n)), None)]
    trap = next((n for n in (*filter(turns.get, open_ones), *open_ones)), None)
    why = ""
    if trap is not None:
        verdict = await thinkers.ask(position.verdict, board=str(Board.of(game, trap, misere)))
        why = " ".join(verdict["why"])
    traps = not lost.isdisjoint(drawn["numbers"])
    title = _title(start, place, first)
    return {"title": title, "cells": cells, "traps": traps, "trap": trap, "why": why}


def _cell(number: int, lost: bool, turn: int | None) -> Cell:
    """A number of the match's map; turn 0 is the start, None was not visited."""
    kind, says = ("lost", ", a trap") if lost else ("", "")
    if turn is None:
        return Cell(number, kind, str(number), says=says)
    says += f", reached in turn {turn}" if turn else ", the start of this match"
    return Cell(number, f"{kind} played", str(number), str(turn or "start"), says)


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
