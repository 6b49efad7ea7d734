"""Stable-Baselines3: agents and vectorised environments by id."""

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

import numduel.adaptors.gymnasium
from numduel import Board, regret
from numduel.arena.regret import regret_callback
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
    _regret(masked)
    return "check_env on every game; PPO, DQN and MaskablePPO by id; dicts; frames; regret"


def _regret(model: MaskablePPO) -> None:
    """Of a model while it trains, and of a torch module."""
    asked = [Board.of("divisor-duel", n) for n in range(2, 61)]
    model.learn(128, callback=regret_callback(asked, every=64), reset_num_timesteps=False)
    assert 0 <= model.logger.name_to_value["regret/thrown"] <= 1
    assert regret(model, asked).all.asked == 24
    module = torch.nn.Linear(20, 61)
    torch.nn.init.zeros_(module.weight)
    module.bias.data = torch.arange(61.0)
    found = regret(module, asked, env=numduel.adaptors.gymnasium.DuelEnv("divisor-duel"))
    assert found == regret(lambda board: max(board.moves()), asked)
