"""The end of a match: who won and why, the map of the game, and where it was decided."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from numduel.analysis import read_json
from numduel.errors import NumduelError
from numduel.match import Ending
from numduel.rooms import Room
from numduel.thinking.questions import looking_back
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.hundred_squares import Square, squares_of
from numduel.wording import analysis as words
from numduel.wording.why import no_choice_reasons

_SECONDS, _DRAWING = 2.5, 1.5
"""Nobody waits longer than this for the explanation and the maps at the end of a match."""

_LATE = (
    "Working out where this match was decided is taking longer than usual."
    " The analysis page will try again."
)
_STILL = "No moves were played, so there is nothing to look back at."


@dataclass(frozen=True, slots=True)
class End:
    """What is shown once a match is over."""

    reason: str
    squares: list[Square] = field(default_factory=list)
    """None where the numbers are too large for a map, or it was not drawn in time."""
    turning: str = ""
    try_from: str = ""
    """The board before the turn that decided the match."""
    try_turn: int = 0
    more: str = ""
    judged: dict[int, str] = field(default_factory=dict)
    """What each turn did, in words."""
    mistakes: frozenset[int] = frozenset()


async def end_of(room: Room, thinkers: Thinkers, who: words.Both) -> End:
    """The end of a match that is over; `who` are the players as they are called here.

    Where no hints are given, nothing is told of the map, or of who should have played what.
    """
    out = _is_out_of_time(room)
    reason = words.reason(who, room.over, out) if room.over else ""
    if not room.hints:
        return End(reason)
    now = asyncio.get_running_loop().time()
    # The maps first: they are quick for almost every match, and an analysis may not be.
    squares = await squares_of(room, thinkers, now + _DRAWING)
    if not room.turns:
        return End(reason, squares, turning=_STILL)
    names = ",".join(room.setup.names)
    try:
        async with asyncio.timeout_at(now + _SECONDS):
            told = await thinkers.ask(looking_back.analysis, match=room.notation, names=names)
    except (NumduelError, TimeoutError):
        return End(reason, squares, turning=_LATE)
    analysis = read_json(told)
    point = analysis.turning_point
    said = [
        words.turning_point(analysis, who),
        words.given_up(analysis, who, out),
        words.steady(analysis, who),
    ]
    return End(
        reason=reason,
        squares=squares,
        turning=" ".join(filter(None, said)),
        try_from=str(point.board) if point else "",
        try_turn=point.turn if point else 0,
        more=" ".join(no_choice_reasons(room.setup.board)) if analysis.no_choice else "",
        judged={one.turn: words.judgement(one).capitalize() for one in analysis.moves},
        mistakes=frozenset(one.turn for one in analysis.moves if one.mistake),
    )


def _is_out_of_time(room: Room) -> bool:
    """Did the clock end the match?"""
    over, clock = room.over, room.clock
    if over is None or clock is None:
        return False
    return over.ending is Ending.FORFEITED and clock.left[over.player] <= 0
