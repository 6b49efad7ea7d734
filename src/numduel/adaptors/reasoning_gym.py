"""A reasoning-gym dataset: single positions, fresh from a seed, scored exactly.

    >>> import reasoning_gym
    >>> import numduel.adaptors.reasoning_gym
    >>> data = reasoning_gym.create_dataset("numduel", size=20, seed=1)
    >>> data.score_answer(data[0]["answer"], data[0])
    1.0

Every answer that wins counts, not only the one that is given, and `[none]` where no move wins.
`skills` and `difficulty` are as in `numduel positions`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numduel.extras import require

require("reasoning-gym", "reasoning_gym")

from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset

from numduel.arena.exam import Setting, question, right_answer, score
from numduel.board import Board
from numduel.study.difficulty import Difficulty
from numduel.study.positions import SKILLS, Position, Skill, as_json

__all__ = ["PositionsConfig", "PositionsDataset"]

NAME = "numduel"


@dataclass
class PositionsConfig:
    seed: int | None = None
    size: int = 500
    skills: tuple[Skill, ...] = SKILLS
    difficulty: Difficulty | None = None


class PositionsDataset(ProceduralDataset):  # type: ignore[misc]
    """Positions, each with one right answer; none comes twice. It can be pickled."""

    def __init__(self, config: PositionsConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    @cached_property
    def _positions(self) -> Sequence[Position]:
        wanted = self.config
        return Setting(str(self.seed), self.size, wanted.skills, wanted.difficulty).positions()

    def __getitem__(self, idx: int) -> dict[str, Any]:
        idx = range(self.size)[idx]
        position = self._positions[idx]
        hard = {"difficulty": position.difficulty, "rating": position.rating}
        told = {"source_dataset": NAME, "source_index": idx, **as_json(position)}
        return {"question": question(position), "answer": f"[{right_answer(position)}]",
                "metadata": told | {"difficulty": hard}}  # fmt: skip

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1 for a winning move, or for `[none]` where none wins; 0 for anything else."""
        board = Board.parse(entry["metadata"]["board"])
        return float(score(board, answer).verdict == "right")


if NAME not in DATASETS:
    register_dataset(NAME, PositionsDataset, PositionsConfig)
