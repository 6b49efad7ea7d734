"""PettingZoo environments (AEC): two agents, `player_0` and `player_1`, one number.

Ids are registered when this is imported: `pettingzoo.make("aec", "numduel/divisor-duel-v0")`;
`numduel/board-v0` takes any board of one number. The legal actions are in
`infos[agent]["action_mask"]`, and with `observation="dict"` also beside the observation;
`infos[agent]["illegal"]` counts the illegal ones of the turn. Parameters are those of
`numduel.adaptors.environment`.
"""

from typing import Any, ClassVar

from numduel.extras import require

require("pettingzoo", "pettingzoo", "gymnasium", "numpy")

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv, aec_registry, register
from pettingzoo.utils import wrappers

from numduel.adaptors.environment import IDS, Environment

__all__ = ["env", "raw_env"]

AGENTS = ("player_0", "player_1")


def env(game: str = "divisor-duel", **parameters: Any) -> Any:
    """An environment that also checks that its methods are called in order."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **parameters))


class raw_env(Environment, AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801  PettingZoo's name
    """Matches of one game: +1 for the winner and -1 for the loser, when the match is over."""

    render_modes: ClassVar[tuple[str, ...]] = ("ansi", "human", "rgb_array")
    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [*render_modes], "render_fps": 4, "name": "numduel_v0",
        "is_parallelizable": False,
    }  # fmt: skip

    def __init__(self, *parameters: Any, **named: Any) -> None:
        EzPickle.__init__(self, *parameters, **named)
        Environment.__init__(self, *parameters, **named)
        self.possible_agents, self.agents = list(AGENTS), list(AGENTS)
        self.observation_spaces = {agent: self._space() for agent in AGENTS}
        self.action_spaces = {agent: Discrete(self._duel.size) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match, at `options["start"]` if that is given; the seed draws starts."""
        if seed is not None:
            self._draws.seed(int(seed))
        self._begin(options)
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards, self._cumulative_rewards = (dict.fromkeys(AGENTS, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(AGENTS, False) for _ in range(2))
        self._skip_agent_selection = None
        self._inform()

    def observe(self, agent: str) -> Any:
        """The number, the same for both agents; what is legal only for the one to move."""
        return self._seen(self._position, self._to_move(agent))

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        other = AGENTS[agent == AGENTS[0]]
        won = self._play(action)
        if won is not None:
            self.rewards = {agent: 1.0 if won else -1.0, other: -1.0 if won else 1.0}
            self.terminations = dict.fromkeys(AGENTS, True)
        if won is not None or not self._turn_goes_on:
            self.agent_selection = other
        self._inform()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _inform(self) -> None:
        self.infos = {}
        for agent in AGENTS:
            to_move = self._to_move(agent)
            illegal = np.int64(self._illegal if to_move else 0)
            self.infos[agent] = {"action_mask": self._position.mask(to_move), "illegal": illegal}

    def _to_move(self, agent: str) -> bool:
        return agent == self.agent_selection and not self.terminations[agent]

    def _text(self) -> str:
        to_move = "over" if self._position.over else f"{self.agent_selection} to move"
        spelled = "".join(map(str, self._position.spelled))
        return f"{self._position.board}, {to_move}{f', {spelled} so far' if spelled else ''}"

    def close(self) -> None:
        """Nothing to close; PettingZoo's `api_test` asks for the method."""


for _name, _fixed in IDS.items():
    if _name not in aec_registry:
        register("aec", _name, f"{__name__}:env", kwargs=_fixed)
