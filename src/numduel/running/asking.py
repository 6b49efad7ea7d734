"""Asking a player that may fail: a program or a model. Its mistakes never crash the match."""

from __future__ import annotations

from numduel.errors import PlayerFailed
from numduel.players import SeesMatch, Turn, View


def ask(player: SeesMatch, view: View) -> Turn:
    """Ask until a legal move comes, at most as often as the player's limits say."""
    turn = Turn(view, player.limits.tries)
    for seen in turn:
        try:
            turn.take(player.answer, seen)
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
            name = type(player).__name__
            turn.refuse(PlayerFailed(player=name, problem="broken", detail=detail))
    return turn
