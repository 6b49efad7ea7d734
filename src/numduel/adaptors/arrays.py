"""Positions as arrays: what an agent observes, and which actions are legal.

An observation is the number's decimal digits, ten places for each with a single
1, the first digit first, with leading zeros to the length of the start. Where
moves are spelled, the digits spelled so far follow in the same way, eleven
places a digit: the eleventh says that it is still to come. Where the first move
has rules of its own, the last place says whether it is still to come.

So two positions with different legal moves are never observed alike.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt

from numduel.adaptors.board_duel import BoardDuel, BoardPosition
from numduel.adaptors.duel import KEPT, Duel, Position

Flags = npt.NDArray[np.int8]
Seen = npt.NDArray[np.float32]
"""What an agent observes. Floats, since networks take them and some libraries nothing else."""


def observation_size(duel: Duel | BoardDuel) -> int:
    """How long an observation is."""
    if isinstance(duel, BoardDuel):
        return 10 * duel.places * len(duel.board.numbers)
    return 10 * duel.places + 11 * duel.move_places + duel.opens


def observe_board(duel: BoardDuel, position: BoardPosition) -> Seen:
    """The observation of a board of several numbers: the digits of one after the other."""
    values = [str(value).rjust(duel.places, "0") for _, value in position.board.numbers]
    flags = np.zeros(observation_size(duel), dtype=np.float32)
    for place, digit in enumerate("".join(values)):
        flags[10 * place + int(digit)] = 1
    return flags


def observe(duel: Duel, position: Position) -> Seen:
    """The observation of a position; a new array each time."""
    if position.observation is None:
        made = _observation(duel, position)
        if duel.start > KEPT:
            return made
        position.observation = made
    return cast("Seen", position.observation).copy()


def legal_mask(duel: Duel, position: Position) -> Flags:
    """1 for each legal action, 0 for the others; a new array each time."""
    if position.mask is None:
        made = np.zeros(duel.size, dtype=np.int8)
        made[list(position.legal)] = 1
        if duel.start > KEPT:
            return made
        position.mask = made
    return cast("Flags", position.mask).copy()


def _observation(duel: Duel, position: Position) -> Seen:
    flags = np.zeros(observation_size(duel), dtype=np.float32)
    for place, digit in enumerate(str(position.number).rjust(duel.places, "0")):
        flags[10 * place + int(digit)] = 1
    begin = 10 * duel.places
    for place in range(duel.move_places):
        spelled = position.spelled[place] if place < len(position.spelled) else 10
        flags[begin + 11 * place + spelled] = 1
    if duel.opens and position.game is duel.game:
        flags[-1] = 1
    return flags
