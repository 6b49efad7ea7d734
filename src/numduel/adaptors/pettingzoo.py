"""PettingZoo environments (AEC): two agents, `player_0` and `player_1`, one number.

    >>> from numduel.adaptors import pettingzoo
    >>> match = pettingzoo.env("divisor-duel", start=12, render_mode="ansi")
    >>> match.reset(seed=1)
    >>> match.step(3)
    >>> match.render()
    'divisor-duel:9, player_1 to move'

Ids are registered when this is imported: `pettingzoo.make("aec",
"numduel/divisor-duel-v0")`. The legal actions are in `infos[agent]["action_mask"]`;
`infos[agent]["illegal"]` counts the illegal ones of the turn. See
`numduel.adaptors.duel` for actions and `numduel.adaptors.policy` for illegal ones.
"""

from __future__ import annotations

from typing import Any, ClassVar

from numduel.extras import require

require("pettingzoo", "pettingzoo", "gymnasium", "numpy")

import numpy as np  # noqa: E402
from gymnasium.spaces import Box, Discrete  # noqa: E402
from gymnasium.utils import EzPickle  # noqa: E402
from pettingzoo import AECEnv, aec_registry, register  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from numduel.adaptors.arrays import Flags, legal_mask, observation_size, observe  # noqa: E402
from numduel.adaptors.duel import Duel  # noqa: E402
from numduel.adaptors.policy import RETRIES, IllegalMoves  # noqa: E402
from numduel.errors import IllegalMove, InvalidSetup  # noqa: E402
from numduel.games import keys  # noqa: E402

__all__ = ["env", "raw_env"]

AGENTS = ("player_0", "player_1")


def env(game: str = "divisor-duel", **parameters: Any) -> Any:
    """An environment that also checks that its methods are called in order."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **parameters))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801  PettingZoo's own name
    """Matches of one game from one start.

    Rewards are +1 for the winner and -1 for the loser, when the match is over.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "human"],
        "name": "numduel_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "divisor-duel",
        start: int | None = None,
        misere: bool = False,
        encoding: str = "auto",
        illegal: str = "retry",
        retries: int = RETRIES,
        render_mode: str | None = None,
        board: str | None = None,
        **variants: str,
    ) -> None:
        EzPickle.__init__(
            self, game, start, misere, encoding, illegal, retries, render_mode, board, **variants
        )
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InvalidSetup(problem="render", value=render_mode)
        self.render_mode = render_mode
        if board is None:
            self._duel = duel = Duel(game, start, misere, encoding, **variants)
        else:
            self._duel = duel = Duel.on(board, encoding)
        self._illegal = IllegalMoves(illegal, retries)
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        size = observation_size(duel)
        self.observation_spaces = {agent: Box(0, 1, (size,), np.int8) for agent in AGENTS}
        self.action_spaces = {agent: Discrete(duel.size) for agent in AGENTS}
        self._position = duel.first

    def observation_space(self, agent: str) -> Any:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. Nothing is drawn, so the seed changes nothing."""
        self._position = self._duel.first
        self._illegal.clear()
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self._inform()

    def observe(self, agent: str) -> Flags:
        """The number; both agents see the same."""
        return observe(self._duel, self._position)

    def step(self, action: Any) -> None:
        """Play for the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        other = AGENTS[agent == AGENTS[0]]
        try:
            self._position = self._position.after(int(action))
        except IllegalMove as error:
            if self._illegal.forfeits(error):
                self._end(other)
                self.agent_selection = other
        else:
            self._illegal.clear()
            if not self._position.spelled:
                self.agent_selection = other
            if self._position.over:
                self._end(other if self._duel.misere else agent)
        self._inform()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, winner: str) -> None:
        self.rewards = {agent: 1.0 if agent == winner else -1.0 for agent in AGENTS}
        self.terminations = dict.fromkeys(AGENTS, True)

    def _inform(self) -> None:
        """Say which actions are legal: none for the agent who is not to move."""
        self.infos = {agent: self._info(agent) for agent in AGENTS}

    def _info(self, agent: str) -> dict[str, Any]:
        if agent == self.agent_selection and not self.terminations[agent]:
            mask = legal_mask(self._duel, self._position)
            return {"action_mask": mask, "illegal": self._illegal.count}
        return {"action_mask": np.zeros(self._duel.size, dtype=np.int8), "illegal": 0}

    def render(self) -> str | None:
        """The board and who is to move: as text, or on standard output for `human`."""
        to_move = "over" if self._position.over else f"{self.agent_selection} to move"
        spelled = "".join(map(str, self._position.spelled))
        text = f"{self._position.board}, {to_move}{f', {spelled} so far' if spelled else ''}"
        if self.render_mode == "human":
            print(text)  # noqa: T201  what PettingZoo asks of this mode
            return None
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to close."""


BOARD_ID = "numduel/board-v0"
"""Takes any board of one number: `make("aec", BOARD_ID, board="subtract-1-3-4:21")`."""


def _register() -> None:
    for key in keys():
        name = f"numduel/{key}-v0"
        if name not in aec_registry:
            register("aec", name, f"{__name__}:env", kwargs={"game": key})
    if BOARD_ID not in aec_registry:
        register("aec", BOARD_ID, f"{__name__}:env")


_register()
