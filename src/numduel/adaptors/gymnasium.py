"""Gymnasium environments: one agent against an opponent of any strength.

    >>> import gymnasium
    >>> import numduel.adaptors.gymnasium
    >>> match = gymnasium.make("numduel/divisor-duel-v0", opponent="perfect", start=12)
    >>> observation, info = match.reset(seed=1)
    >>> [action for action, legal in enumerate(info["action_mask"]) if legal]
    [2, 3, 4, 6]

Ids are registered when this is imported. `opponent` is a word for a player
(`perfect`, `level:3`, `random`, ...) or a function that takes a board and gives
a move; `first` says who begins: `agent`, `opponent` or `random`. See
`numduel.adaptors.duel` for actions and `numduel.adaptors.policy` for illegal ones.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from numduel.extras import require

require("gymnasium", "gymnasium", "numpy")

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402
from gymnasium.spaces import Box, Discrete  # noqa: E402

from numduel.adaptors.arrays import Flags, legal_mask, observation_size, observe  # noqa: E402
from numduel.adaptors.duel import Duel  # noqa: E402
from numduel.adaptors.opponents import Opponent, Opponents  # noqa: E402
from numduel.adaptors.policy import RETRIES, IllegalMoves  # noqa: E402
from numduel.errors import IllegalMove, InvalidSetup  # noqa: E402
from numduel.games import keys  # noqa: E402

__all__ = ["DuelEnv"]

Step = tuple[Flags, float, bool, bool, dict[str, Any]]


class DuelEnv(gymnasium.Env[Flags, np.int64]):
    """Matches of one game from one start, seen by one agent.

    The reward is +1 when the agent wins and -1 when it loses. If the
    opponent should begin and would win before the agent has a turn, the agent
    begins.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "divisor-duel",
        start: int | None = None,
        misere: bool = False,
        opponent: Opponent = "perfect",
        first: str = "agent",
        encoding: str = "auto",
        illegal: str = "retry",
        retries: int = RETRIES,
        render_mode: str | None = None,
        board: str | None = None,
        **variants: str,
    ) -> None:
        if first not in ("agent", "opponent", "random"):
            raise InvalidSetup(problem="first", value=first)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InvalidSetup(problem="render", value=render_mode)
        self.render_mode = render_mode
        if board is None:
            self._duel = duel = Duel(game, start, misere, encoding, **variants)
        else:
            self._duel = duel = Duel.on(board, encoding)
        self._illegal = IllegalMoves(illegal, retries)
        self._opponent = Opponents(duel, opponent)
        self._first = first
        self._position = duel.first
        self.observation_space = Box(0, 1, (observation_size(duel),), np.int8)
        self.action_space = cast("gymnasium.Space[np.int64]", Discrete(duel.size))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Flags, dict[str, Any]]:
        """Begin a match; an opponent that begins has already moved."""
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.seed(int(self.np_random.integers(2**31)))
        self._illegal.clear()
        self._position = self._duel.first
        draws = self._first == "random" and self.np_random.integers(2)
        if self._first == "opponent" or draws:
            self._reply()
            if self._position.over:
                self._position = self._duel.first
        return observe(self._duel, self._position), self._info()

    def step(self, action: Any) -> Step:
        """Play the action, and the opponent's reply."""
        try:
            self._position = position = self._position.after(int(action))
        except IllegalMove as error:
            lost = self._illegal.forfeits(error)
            return self._told(-1.0 if lost else 0.0, lost)
        self._illegal.count = 0
        won = 1.0
        if not position.over:
            if position.spelled:
                return self._told(0.0, False)
            self._reply()
            if not self._position.over:
                return self._told(0.0, False)
            won = -1.0
        return self._told(-won if self._duel.misere else won, True)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, in the form that sb3-contrib's MaskablePPO asks for."""
        return legal_mask(self._duel, self._position).astype(np.bool_)

    def render(self) -> str | None:
        """The board as text."""
        return str(self._position.board) if self.render_mode == "ansi" else None

    def _told(self, reward: float, over: bool) -> Step:
        return observe(self._duel, self._position), reward, over, False, self._info()

    def _reply(self) -> None:
        """The opponent moves. Raises `IllegalMove` when it is a function that plays one."""
        position = self._position
        for action in position.actions_for(self._opponent.amount(position)):
            position = position.after(action)
        self._position = position

    def _info(self) -> dict[str, Any]:
        mask = legal_mask(self._duel, self._position)
        return {"action_mask": mask, "illegal": self._illegal.count}


BOARD_ID = "numduel/board-v0"
"""Takes any board of one number: `make(BOARD_ID, board="subtract-1-3-4:21")`."""


def _register() -> None:
    for key in keys():
        name = f"numduel/{key}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, f"{__name__}:DuelEnv", kwargs={"game": key})
    if BOARD_ID not in gymnasium.registry:
        gymnasium.register(BOARD_ID, f"{__name__}:DuelEnv")


_register()
