"""A reasoning-gym dataset: single positions, fresh from a seed, scored exactly.

    >>> import reasoning_gym
    >>> import numduel.adaptors.reasoning_gym
    >>> data = reasoning_gym.create_dataset("numduel", size=20, seed=1)
    >>> data.score_answer(data[0]["answer"], data[0])
    1.0

Every answer that wins counts, not only the one that is given, and `[none]` where no move wins.
`skills` and `difficulty` are as in `numduel positions`.
"""

from dataclasses import dataclass
from itertools import islice
from typing import Any

from numduel.extras import require

require("reasoning-gym", "reasoning_gym")

from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset

from numduel.arena.exam import question, right_answer, score
from numduel.board import Board
from numduel.study.difficulty import Difficulty
from numduel.study.positions import SKILLS, Position, Skill, as_json, draw_positions

__all__ = ["PositionsConfig", "PositionsDataset"]

NAME = "numduel"


@dataclass
class PositionsConfig:
    """Which positions are drawn."""

    seed: int | None = None
    size: int = 500
    skills: tuple[Skill, ...] = SKILLS
    difficulty: Difficulty | None = None


class PositionsDataset(ProceduralDataset):  # type: ignore[misc]
    """Positions, each with one right answer; none comes twice. It can be pickled."""

    def __init__(self, config: PositionsConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._drawn: list[Position] = []

    def __getitem__(self, idx: int) -> dict[str, Any]:
        idx = range(self.size)[idx]
        if idx >= len(self._drawn):  # each begins with the last: twice as many, seldom
            drawn = draw_positions(str(self.seed), self.config.skills, self.config.difficulty)
            self._drawn = list(islice(drawn, min(self.size, max(2 * len(self._drawn), idx + 1))))
        position = self._drawn[idx]
        return {
            "question": question(position),
            "answer": f"[{right_answer(position)}]",
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                **as_json(position),
                "difficulty": {"difficulty": position.difficulty, "rating": position.rating},
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1 for a winning move, or for `[none]` where none wins; 0 for anything else."""
        board = Board.parse(entry["metadata"]["board"])
        return float(score(board, answer).verdict == "right")


if NAME not in DATASETS:
    register_dataset(NAME, PositionsDataset, PositionsConfig)
