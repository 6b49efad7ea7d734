"""RLlib: its usual PPO by id, with nothing else set."""

import os

os.environ["RAY_AUTH_MODE"] = "disabled"  # or it writes a token into the home folder

from ray.rllib.algorithms.ppo import PPOConfig


def main() -> str:
    """Two rounds of training in this process."""
    config = (
        PPOConfig()
        .environment("numduel.adaptors.gymnasium:numduel/divisor-duel-v0")
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=256, minibatch_size=64, num_epochs=1)
    )
    algorithm = config.build_algo()
    for _ in range(2):
        found = algorithm.train()
    played = found["env_runners"]["num_episodes_lifetime"]
    assert played > 0
    algorithm.stop()
    return "PPO by id, its defaults, two rounds of training"
