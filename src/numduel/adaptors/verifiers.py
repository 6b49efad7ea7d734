"""A taskset for verifiers: single positions, fresh from a seed, with an exact reward.

    >>> from numduel.adaptors.verifiers import PositionsConfig, PositionsTaskset
    >>> task = next(iter(PositionsTaskset(PositionsConfig(seed="1", count=10))))
    >>> task.data.skill
    'legality'

The reward is 1 for a winning move, and for `[none]` where no move wins; 0 otherwise.
"""

from collections.abc import Iterator
from typing import Any

from numduel.extras import require

require("verifiers", "verifiers")

import verifiers.v1 as vf

from numduel.arena.exam import Setting, question, score
from numduel.board import Board
from numduel.study.difficulty import Difficulty
from numduel.study.positions import SKILLS, Skill, as_json

__all__ = ["PositionsTaskset"]


class PositionsConfig(vf.TasksetConfig):  # type: ignore[misc]
    seed: str = "1"
    count: int = 500
    skills: tuple[Skill, ...] = SKILLS
    difficulty: Difficulty | None = None


class PositionData(vf.TaskData):  # type: ignore[misc]
    """A position, as `numduel positions` tells it."""

    board: str
    winning_moves: list[str]
    skill: str
    difficulty: str
    rating: int


class PositionTask(vf.Task[PositionData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    @vf.reward  # type: ignore[untyped-decorator]
    async def right(self, trace: vf.Trace) -> float:
        return self.worth(trace.last_reply)

    async def validate(self, runtime: object = None) -> bool:
        """Do the answers that the task gives for right ones count as such?"""
        answers = self.data.winning_moves or ["none"]
        return all(self.worth(f"[{answer}]") == 1.0 for answer in answers)

    def worth(self, answer: str) -> float:
        return float(score(Board.parse(self.data.board), answer).verdict == "right")


class PositionsTaskset(vf.Taskset[PositionTask, PositionsConfig]):  # type: ignore[misc]
    """Positions without repetition."""

    def load(self) -> Iterator[PositionTask]:
        wanted = self.config
        setting = Setting(wanted.seed, wanted.count, wanted.skills, wanted.difficulty)
        for number, position in enumerate(setting.positions()):
            told: dict[str, Any] = {**as_json(position)}
            asked = {name: told[name] for name in PositionData.__annotations__}
            data = PositionData(id=f"{wanted.seed}-{number}", prompt=question(position), **asked)
            yield PositionTask(data, wanted.task)
