"""Gymnasium environments: one agent against an opponent of any strength.

    >>> import gymnasium
    >>> import numduel.adaptors.gymnasium
    >>> match = gymnasium.make("numduel/divisor-duel-v0", opponent="perfect", start=12)
    >>> observation, info = match.reset(seed=1)
    >>> [action for action, legal in enumerate(info["action_mask"]) if legal]
    [2, 3, 4, 6]

Ids are registered when this is imported. `opponent` is a word for a player
(`perfect`, `level:3`, `engine:./bot`, ...) or a function that takes a board and
gives a move; `first` says who begins: `agent`, `opponent` or `random`. `start` is
a number, or a lowest and a highest, and then each match draws its own; a single
match starts elsewhere by `reset(options={"start": 36})`. See `numduel.adaptors.duel`
for actions, `numduel.adaptors.observing` for observations, and
`numduel.adaptors.policy` for illegal actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, cast

from numduel.extras import require

require("gymnasium", "gymnasium", "numpy")

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402
from gymnasium.spaces import Discrete  # noqa: E402

from numduel.adaptors.arrays import legal_mask  # noqa: E402
from numduel.adaptors.duel import make_duel  # noqa: E402
from numduel.adaptors.frame import draw_number  # noqa: E402
from numduel.adaptors.observing import Observing  # noqa: E402
from numduel.adaptors.opponents import Opponent, Opponents  # noqa: E402
from numduel.adaptors.policy import RETRIES, IllegalMoves  # noqa: E402
from numduel.errors import IllegalMove, InvalidSetup  # noqa: E402
from numduel.games import keys  # noqa: E402

__all__ = ["DuelEnv"]

Step = tuple[Any, float, bool, bool, dict[str, Any]]
_MODES = ["ansi", "rgb_array"]


class DuelEnv(gymnasium.Env[Any, np.int64]):
    """Matches of one game, seen by one agent.

    The reward is +1 when the agent wins and -1 when it loses. If the
    opponent should begin and would win before the agent has a turn, the agent
    begins.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": _MODES, "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "divisor-duel",
        start: int | Sequence[int] | None = None,
        misere: bool = False,
        opponent: Opponent = "perfect",
        first: str = "agent",
        encoding: str = "auto",
        illegal: str = "retry",
        retries: int = RETRIES,
        render_mode: str | None = None,
        board: str | None = None,
        observation: str = "array",
        **variants: str,
    ) -> None:
        if first not in ("agent", "opponent", "random"):
            raise InvalidSetup(problem="first", value=first)
        if render_mode not in (None, *_MODES):
            raise InvalidSetup(problem="render", value=render_mode, modes=tuple(_MODES))
        self.render_mode = render_mode
        self._duel = duel = make_duel("DuelEnv", game, start, misere, encoding, board, variants)
        self._observing = Observing(duel, observation)
        self._illegal = IllegalMoves(illegal, retries)
        self._opponent = Opponents(duel, opponent)
        self._first = first
        self._position = duel.first
        self._over = False
        self._draws = Random(0)
        self.observation_space = self._observing.space()
        self.action_space = cast("gymnasium.Space[np.int64]", Discrete(duel.size))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a match, at `options["start"]` if that is given.

        The opponent has moved already where it begins. Raises what is wrong with the start.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.seed(int(self.np_random.integers(2**31)))
            self._draws.seed(int(self.np_random.integers(2**31)))
        self._illegal.clear()
        self._over = False
        draws = self._draws
        self._position = first = self._duel.begin(draws, (options or {}).get("start"))
        if self._first == "opponent" or (self._first == "random" and draws.random() < 0.5):
            self._reply()
            if self._over:
                self._position, self._over = first, False
        return self._observing.of(self._position), self._info()

    def step(self, action: Any) -> Step:
        """Play the action, and the opponent's answer to it."""
        if self._over:
            gymnasium.logger.warn("The match is over: call reset() before another step().")
            return self._told(0.0)
        try:
            self._position = position = self._position.after(int(action))
        except IllegalMove as error:
            self._over = self._illegal.forfeits(error)
            return self._told(-1.0 if self._over else 0.0)
        self._illegal.clear()
        if position.over:
            self._over = True
            return self._told(-1.0 if self._duel.misere else 1.0)
        return self._told(0.0 if position.spelled else self._reply())

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, in the form that sb3-contrib's MaskablePPO asks for."""
        return legal_mask(self._duel, self._position).astype(np.bool_)

    def render(self) -> Any:
        """The board as text, or its number as a picture."""
        if self.render_mode == "rgb_array":
            return draw_number(self._position.number, self._duel.places)
        return str(self._position.board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End what was started for the opponent."""
        self._opponent.close()

    def _told(self, reward: float) -> Step:
        seen = self._observing.of(self._position, not self._over)
        return seen, reward, self._over, False, self._info()

    def _reply(self) -> float:
        """The opponent moves; what the agent gets for it.

        Raises `IllegalMove` when it is a function that plays one.
        """
        position = self._position
        amount = self._opponent.amount(position)
        if amount is None:
            self._over = True
            return 1.0
        for action in position.actions_for(amount):
            position = position.after(action)
        self._position, self._over = position, position.over
        if not position.over:
            return 0.0
        return 1.0 if self._duel.misere else -1.0

    def _info(self) -> dict[str, Any]:
        mask = self._observing.mask(self._position, not self._over)
        return {"action_mask": mask, "illegal": np.int64(self._illegal.count)}


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
