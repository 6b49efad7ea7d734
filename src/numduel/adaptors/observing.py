"""What an agent is given: an array, or a dict of it and the mask of legal actions.

`observation="array"` is usual: the mask is in `info`, where Gymnasium has it, and PettingZoo's
`api_test` has nothing to warn of. `observation="dict"` is for libraries that look for the mask
beside the observation: Tianshou, RLlib's examples, and wrappers like those of PettingZoo's
tutorials.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict

from numduel.adaptors.arrays import legal_mask, observation_size, observe
from numduel.adaptors.duel import Duel, Position
from numduel.errors import InvalidSetup


class Observing:
    """Observations of one form. Raises `InvalidSetup` for an unknown form."""

    def __init__(self, duel: Duel, form: str) -> None:
        if form not in ("array", "dict"):
            raise InvalidSetup(problem="observation", value=form)
        self._duel = duel
        self._dict = form == "dict"

    def space(self) -> Any:
        """The space that the observations are in."""
        seen = Box(0, 1, (observation_size(self._duel),), np.float32)
        if not self._dict:
            return seen
        return Dict({"observation": seen, "action_mask": Box(0, 1, (self._duel.size,), np.int8)})

    def of(self, position: Position, to_move: bool = True) -> Any:
        """The observation; nothing is legal for who is not to move."""
        seen = observe(self._duel, position)
        if not self._dict:
            return seen
        return {"observation": seen, "action_mask": self.mask(position, to_move)}

    def mask(self, position: Position, to_move: bool = True) -> Any:
        """1 for each legal action; none for who is not to move."""
        if to_move:
            return legal_mask(self._duel, position)
        return np.zeros(self._duel.size, np.int8)
