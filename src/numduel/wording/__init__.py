"""Events and errors as text: each rulebook's own words, one neutral wording, and JSON.

A game names its wording, if it has one: those of the five are in `rulebooks.py`.
"""

from typing import Any

from numduel.arguments import checked
from numduel.match import BadInput, Began, Event, Moved, Over
from numduel.match.events import plain
from numduel.wording.errors import problem
from numduel.wording.neutral import EVENTS, Rule, Wording, summary, wording_for, wording_of
from numduel.wording.rules import rules
from numduel.wording.text import brief, joined, quoted

__all__ = [
    "Rule",
    "Wording",
    "as_json",
    "brief",
    "joined",
    "problem",
    "quoted",
    "rules",
    "summary",
    "wording_for",
    "wording_of",
]


@checked
def as_json(event: Event) -> dict[str, Any]:
    """The event as docs/formats.md has it: players 1 and 2, boards, moves and numbers as text."""
    told = plain(type(event).__annotations__, event)
    match event:
        case Began(setup):
            told = plain(type(setup).__annotations__, setup)
        case BadInput(_, _, error):
            names = ("player", "text", "error", "message", "count")
            told = plain(names, event, error=error.word, message=problem(error))
        case Moved(_, _, move, before, after):
            number = str(after.numbers[move.place].value)
            left = {"move": before.write_move(move), "number": number, "board": str(after)}
            told = {**plain(("turn", "player"), event), **left}
        case Over(board=board, move=move):
            written = board.write_move(move) if move else None
            told = plain(Over.__annotations__, event, move=written)
    return {"event": EVENTS[type(event)], **told}
