"""Stable-Baselines3: agents and vectorised environments by id."""

from __future__ import annotations

from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

import numduel.adaptors.gymnasium
from numduel.games import keys

DIVISORS = "numduel/divisor-duel-v0"


def main() -> str:
    """Every game is checked; then agents are made by id, as the tutorials make them."""
    for key in keys():
        check_env(numduel.adaptors.gymnasium.DuelEnv(key, start=(20, 60)))
    boards = make_vec_env(DIVISORS, n_envs=4)
    model = PPO("MlpPolicy", boards, n_steps=64).learn(512)
    evaluate_policy(model, boards, n_eval_episodes=5)
    assert boards.render("rgb_array").ndim == 3
    PPO("MlpPolicy", DIVISORS, n_steps=64).learn(128)
    DQN("MlpPolicy", DIVISORS, learning_starts=50).learn(200)
    several = {"observation": "dict", "start": (20, 200), "first": "random"}
    PPO("MultiInputPolicy", make_vec_env(DIVISORS, env_kwargs=several), n_steps=64).learn(128)
    masked = MaskablePPO("MlpPolicy", make_vec_env(DIVISORS, n_envs=2), n_steps=64).learn(256)
    seen = boards.reset()
    masks = boards.env_method("action_masks")
    action, _ = masked.predict(seen[:1], action_masks=masks[0])
    assert masks[0][int(action[0])]
    return "check_env on every game; PPO, DQN and MaskablePPO by id; dict observations; frames"
