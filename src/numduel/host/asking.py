"""Asking a player that may err: a program or a model. Its mistakes never end the match's host."""

from __future__ import annotations

from typing import NamedTuple

from numduel.board import Move
from numduel.errors import NumduelError, PlayerFailed
from numduel.players import SeesMatch, View


class Answer(NamedTuple):
    """What came of asking: a legal move, or None when the match is forfeited."""

    move: Move | None
    problems: tuple[NumduelError, ...]
    """What was wrong with each answer before."""


def ask(player: SeesMatch, view: View) -> Answer:
    """Ask until a legal move comes, at most as often as the player's limits say.

    Who lets the time run out is not asked again.
    """
    problems: tuple[NumduelError, ...] = ()
    while len(problems) < player.limits.tries:
        try:
            move = player.answer(view._replace(problems=problems))
            view.board.play(move)
            return Answer(move, problems)
        except NumduelError as error:
            problems = (*problems, error)
            if isinstance(error, PlayerFailed) and error.problem == "time":
                break
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
            failed = PlayerFailed(player=type(player).__name__, problem="broken", detail=detail)
            problems = (*problems, failed)
    return Answer(None, problems)
