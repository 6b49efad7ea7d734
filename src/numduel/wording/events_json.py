"""Events as JSON objects, one per line: the schema is in docs/events.md."""

from __future__ import annotations

from typing import Any

from numduel.match import BadInput, Began, Event, Moved, Over, Passed, TurnBegan, Undone
from numduel.wording.errors import problem


def as_json(event: Event) -> dict[str, Any]:
    """The event with plain values: players 1 and 2, boards, moves and numbers as text."""
    match event:
        case Began(setup):
            return {
                "event": "began",
                "board": str(setup.board),
                "names": list(setup.names),
                "first": setup.first + 1,
                "overshoot": setup.overshoot,
                "penalty": setup.penalty,
            }
        case TurnBegan(turn, player, board):
            return {"event": "turn", "turn": turn, "player": player + 1, "board": str(board)}
        case BadInput(player, text, error, count, _):
            return {
                "event": "bad-input",
                "player": player + 1,
                "text": text,
                "error": error.word,
                "message": problem(error),
                "count": count,
            }
        case Moved(turn, player, move, before, after):
            return {
                "event": "moved",
                "turn": turn,
                "player": player + 1,
                "move": before.write_move(move),
                "number": str(after.numbers[move.place].value),
                "board": str(after),
            }
        case Passed(turn, player, count):
            return {"event": "passed", "turn": turn, "player": player + 1, "count": count}
        case Undone(turns):
            return {"event": "undone", "turns": turns}
        case Over(turn, player, winner, ending, board, move):
            return {
                "event": "over",
                "turn": turn,
                "player": player + 1,
                "winner": winner + 1,
                "ending": str(ending),
                "board": str(board),
                "move": board.write_move(move) if move else None,
            }
