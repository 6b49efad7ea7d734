"""Asking a player that may err: a program or a model. Its mistakes never end the match's host."""

from __future__ import annotations

from typing import NamedTuple

from numduel.board import Move
from numduel.errors import NumduelError, PlayerFailed
from numduel.players import SeesMatch, Turn, View


class Answer(NamedTuple):
    """What came of asking: a legal move, or None when the match is forfeited."""

    move: Move | None
    problems: tuple[NumduelError, ...]
    """What was wrong with each answer before."""


def ask(player: SeesMatch, view: View) -> Answer:
    """Ask until a legal move comes, at most as often as the player's limits say."""
    turn = Turn(view, player.limits.tries)
    for seen in turn:
        try:
            turn.take(player.answer, seen)
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
            name = type(player).__name__
            turn.refuse(PlayerFailed(player=name, problem="broken", detail=detail))
    return Answer(turn.move, turn.problems)
