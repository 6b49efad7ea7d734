"""The end of a match: who won and why, the map of the game, and where it was decided."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from numduel.errors import NumduelError
from numduel.match import Ending
from numduel.rooms import Room
from numduel.study.report import short_move
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.telling import YOU
from numduel.web.pages.unveiled import Square, squares_of
from numduel.wording import brief, wording_for

_SECONDS, _DRAWING = 2.5, 1.5
"""Nobody waits longer for the end of a match to be explained, and for its maps to be drawn."""

_LATE = (
    "Working out where this match was decided takes longer than usual."
    " The analysis page tries again."
)
_STILL = "Nothing was played, so there is nothing to look back at."


@dataclass(frozen=True, slots=True)
class End:
    """What is told once a match is over."""

    result: str
    """In the words of the game's rulebook."""
    reason: str
    squares: list[Square] = field(default_factory=list)
    """None where the numbers are too large for a map, or it was not drawn in time."""
    turning: str = ""
    try_from: str = ""
    """The board before the turn that decided the match."""
    more: str = ""
    judged: dict[int, str] = field(default_factory=dict)
    """What each turn did, in words."""
    mistakes: frozenset[int] = frozenset()


async def end_of(room: Room, thinkers: Thinkers, who: tuple[str, str]) -> End:
    """The end of a match that is over; `who` are the players as they are called here."""
    result = " ".join(filter(None, wording_for(room.board)(room.setup.names).winner_line(
        room.setup.names[room.over.winner if room.over else 0])))  # fmt: skip
    reason = reason_of(room, who)
    now = asyncio.get_running_loop().time()
    # The maps first: they are quick for almost every match, and an analysis may not be.
    squares = await squares_of(room, thinkers, now + _DRAWING)
    if not room.turns:
        return End(result, reason, squares, turning=_STILL)
    names = ",".join(room.setup.names)
    try:
        async with asyncio.timeout_at(now + _SECONDS):
            found = await thinkers.ask("analysis", match=room.word, names=names)
    except (NumduelError, TimeoutError):
        return End(result, reason, squares, turning=_LATE)
    turning, try_from = (
        _turning(found, who) if found["turning_point"] else (_steady(found, who), "")
    )
    return End(
        result=result,
        reason=reason,
        squares=squares,
        turning=turning,
        try_from=try_from,
        more=_more(found["conclusions"]),
        judged={row["turn"]: _without_sign(row["said"]) for row in found["rows"]},
        mistakes=frozenset(row["turn"] for row in found["rows"] if row["mistake"]),
    )


def reason_of(room: Room, who: tuple[str, str]) -> str:
    """Why the match is over, in a sentence."""
    over = room.over
    if over is None:
        return ""
    name = who[over.player]
    if over.ending is Ending.RESIGNED:
        return f"{name} resigned."
    if over.ending is Ending.OVERSHOT and over.move is not None:
        return f"{name} played {brief(over.move.amount)}, which takes the total below zero."
    if over.ending is Ending.FORFEITED:
        out = room.clock is not None and room.clock.left[over.player] <= 0
        return f"{name} ran out of time." if out else f"{name} forfeited the match."
    has = "have" if name == YOU else "has"
    return f"{name} {has} no move left{', and under misère that wins' * room.board.misere}."


def _turning(found: dict[str, Any], who: tuple[str, str]) -> tuple[str, str]:
    """The turning point in words, and the board that stood there before."""
    turn = found["turning_point"]
    point = found["moves"][turn - 1]
    name, best = who[point["player"] - 1], point["best"]
    if point["move"] == "pass":
        said = f"{name} lost the turn, and the win with it."
    else:
        kept = f"; {short_move(best)} kept the win" if best else ", and threw the win away"
        said = f"{name} played {short_move(point['move'])}{kept}."
    first = "first " * (sum(row["mistake"] for row in found["rows"]) > 1)
    said = said.replace("You ", "you ", 1)
    return f"Turn {turn} was the {first}turning point: {said}", point["board"]


def _steady(found: dict[str, Any], who: tuple[str, str]) -> str:
    """That no win was thrown away; empty where the first verdict is not known."""
    first = found["moves"][0]
    if first["outcome_before"] is None:
        return ""
    starter = first["player"] - 1
    name = who[starter if first["outcome_before"] == "win" else 1 - starter]
    was = "you were" if name == YOU else f"{name} was"
    return f"No win was thrown away: {was} winning from the first turn on."


def _more(conclusions: list[str]) -> str:
    told = ("First turning point", "No win was thrown away", "Accuracy:")
    return " ".join(said for said in conclusions if not said.startswith(told))


def _without_sign(said: str) -> str:
    return said[2:].capitalize() if said[:2] in ("+ ", "- ", "! ", "? ") else said
