"""Tianshou: its PettingZoo wrapper, which reads the mask from a dict observation."""

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector
from tianshou.env import DummyVectorEnv, PettingZooEnv

from numduel.adaptors.pettingzoo import env
from numduel.games import keys

MATCHES = 20


def main() -> str:
    """Two random players who keep to the mask play whole matches of every game."""
    for key in keys():

        def make(key: str = key) -> PettingZooEnv:
            return PettingZooEnv(env(key, observation="dict", illegal="raise"))

        first = make()
        players = [
            MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=first.action_space)
            for _ in range(2)
        ]
        both = MultiAgentOffPolicyAlgorithm(algorithms=players, env=first)
        collector = Collector(both, DummyVectorEnv([make] * 4))
        found = collector.collect(n_episode=MATCHES, reset_before_collect=True)
        assert found.n_collected_episodes == MATCHES
        assert {tuple(sorted(returned)) for returned in found.returns.tolist()} == {(-1.0, 1.0)}
    return "PettingZooEnv with dict observations; masked players, whole matches of every game"
