"""PettingZoo environments (AEC): two agents, `player_0` and `player_1`, one number.

    >>> from numduel.adaptors import pettingzoo
    >>> match = pettingzoo.env("divisor-duel", start=12, render_mode="ansi")
    >>> match.reset(seed=1)
    >>> match.step(3)
    >>> match.render()
    'divisor-duel:9, player_1 to move'

Ids are registered when this is imported: `pettingzoo.make("aec",
"numduel/divisor-duel-v0")`. The legal actions are in `infos[agent]["action_mask"]`, and with
`observation="dict"` also beside the observation; `infos[agent]["illegal"]` counts the illegal
ones of the turn. `start` is a number, or a lowest and a highest, and then each match draws its
own; a single match starts elsewhere by `reset(options={"start": 36})`. See
`numduel.adaptors.duel` for actions, `numduel.adaptors.observing` for observations, and
`numduel.adaptors.policy` for illegal actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from numduel.extras import require

require("pettingzoo", "pettingzoo", "gymnasium", "numpy")

import numpy as np  # noqa: E402
from gymnasium.spaces import Discrete  # noqa: E402
from gymnasium.utils import EzPickle  # noqa: E402
from pettingzoo import AECEnv, aec_registry, register  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from numduel.adaptors.duel import make_duel  # noqa: E402
from numduel.adaptors.frame import draw_number  # noqa: E402
from numduel.adaptors.observing import Observing  # noqa: E402
from numduel.adaptors.policy import RETRIES, IllegalMoves  # noqa: E402
from numduel.errors import IllegalMove, InvalidSetup  # noqa: E402
from numduel.games import keys  # noqa: E402

__all__ = ["env", "raw_env"]

AGENTS = ("player_0", "player_1")
_MODES = ["ansi", "human", "rgb_array"]


def env(game: str = "divisor-duel", **parameters: Any) -> Any:
    """An environment that also checks that its methods are called in order."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **parameters))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801  PettingZoo's own name
    """Matches of one game.

    Rewards are +1 for the winner and -1 for the loser, when the match is over.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": _MODES,
        "render_fps": 4,
        "name": "numduel_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "divisor-duel",
        start: int | Sequence[int] | None = None,
        misere: bool = False,
        encoding: str = "auto",
        illegal: str = "retry",
        retries: int = RETRIES,
        render_mode: str | None = None,
        board: str | None = None,
        observation: str = "array",
        **variants: str,
    ) -> None:
        EzPickle.__init__(
            self, game, start, misere, encoding, illegal, retries, render_mode, board,
            observation, **variants,
        )  # fmt: skip
        super().__init__()
        if render_mode not in (None, *_MODES):
            raise InvalidSetup(problem="render", value=render_mode, modes=tuple(_MODES))
        self.render_mode = render_mode
        self._duel = duel = make_duel("env", game, start, misere, encoding, board, variants)
        self._observing = Observing(duel, observation)
        self._draws = Random(0)
        self._illegal = IllegalMoves(illegal, retries)
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self.observation_spaces = {agent: self._observing.space() for agent in AGENTS}
        self.action_spaces = {agent: Discrete(duel.size) for agent in AGENTS}
        self._position = duel.first

    def observation_space(self, agent: str) -> Any:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match, at `options["start"]` if that is given.

        The seed matters only where starts are drawn. Raises what is wrong with the start.
        """
        if seed is not None:
            self._draws.seed(int(seed))
        self._position = self._duel.begin(self._draws, (options or {}).get("start"))
        self._illegal.clear()
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self._inform()

    def observe(self, agent: str) -> Any:
        """The number, the same for both agents; what is legal only for the one to move."""
        return self._observing.of(self._position, self._to_move(agent))

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
        to_move = self._to_move(agent)
        mask = self._observing.mask(self._position, to_move)
        return {"action_mask": mask, "illegal": np.int64(self._illegal.count if to_move else 0)}

    def _to_move(self, agent: str) -> bool:
        return agent == self.agent_selection and not self.terminations[agent]

    def render(self) -> Any:
        """The board and who is to move: as text, on standard output for `human`, or a picture."""
        if self.render_mode == "rgb_array":
            return draw_number(self._position.number, self._duel.places)
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
