"""PettingZoo: its suites, and a wrapper as its tutorials have it, trained with MaskablePPO."""

import warnings
from typing import Any

import gymnasium
import numpy as np
from pettingzoo.utils import BaseWrapper
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

from numduel.adaptors.pettingzoo import env
from numduel.games import keys


class SelfPlay(BaseWrapper, gymnasium.Env):  # type: ignore[misc]
    """Both agents as one learner, who reads the mask from the observation."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed, options)
        agent = self.possible_agents[0]
        self.observation_space = super().observation_space(agent)["observation"]
        self.action_space = super().action_space(agent)
        return self.seen(), {}

    def step(self, action: Any) -> Any:
        agent = self.agent_selection
        super().step(int(action))
        over = any(self.terminations.values())
        return self.seen(), self.rewards[agent], over, False, {}

    def seen(self) -> Any:
        return super().observe(self.agent_selection)["observation"]

    def mask(self) -> Any:
        return super().observe(self.agent_selection)["action_mask"].astype(np.bool_)


def main() -> str:
    """Its own tests on every game; then training by self-play."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test, seed_test

        for key in keys():
            api_test(env(key, start=(20, 60)), num_cycles=50)
            api_test(env(key, observation="dict"), num_cycles=50)
            seed_test(lambda key=key: env(key, start=(20, 60)), num_cycles=50)
    made = SelfPlay(env("divisor-duel", observation="dict", illegal="raise", start=(20, 60)))
    made.reset(seed=1)
    MaskablePPO("MlpPolicy", ActionMasker(made, SelfPlay.mask), n_steps=128, seed=1).learn(512)
    return "api_test and seed_test on every game; self-play by MaskablePPO, mask from the dict"
