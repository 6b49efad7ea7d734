"""TorchRL: GymEnv by id, its specs, info, and its action mask."""

import torch
from torchrl.envs import ActionMask, GymEnv, TransformedEnv
from torchrl.envs.utils import check_env_specs

import numduel.adaptors.gymnasium  # noqa: F401  registers the ids
from numduel.games import keys


def main() -> str:
    """Rollouts of random actions: masked ones are all legal, and end in a win or a loss."""
    for key in keys():
        check_env_specs(GymEnv(f"numduel/{key}-v0"))
        check_env_specs(GymEnv(f"numduel/{key}-v0", observation="dict"))
    told = GymEnv("numduel/divisor-duel-v0", categorical_action_encoding=True)
    told.auto_register_info_dict()
    assert "illegal" in told.rollout(5)
    board = GymEnv(
        "numduel/divisor-duel-v0",
        categorical_action_encoding=True,
        observation="dict",
        start=(20, 200),
        illegal="raise",
    )
    masked = TransformedEnv(board, ActionMask())
    torch.manual_seed(1)
    for _ in range(20):
        rollout = masked.rollout(200)
        assert rollout["next", "reward"][-1].item() in (1.0, -1.0)
    return "check_env_specs on every game; GymEnv by id; info; ActionMask rollouts"
