"""The file of an exam: what was asked, answered, read and scored, one JSON object a line.

The first line says the task, its hash and the setting. A last line that was cut off is
dropped, and its question is asked again. Another program can score the answers: `prompt`,
`answer` and `winning_moves` are all it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from numduel.arena.exam.task import TASK, fingerprint, question, score
from numduel.arena.results_file import NOT_OURS, WHAT, RunFile
from numduel.arguments import checked
from numduel.board import Board
from numduel.errors import FileError
from numduel.players.view import Sampling, Spent
from numduel.study.positions import DIFFICULTIES, SKILLS, Position, draw_positions
from numduel.study.skills import Difficulty, Skill

_HEAD = "numduel exam"
_MOST = 10**12
"""No count in a file is so large."""
_USUAL = Sampling()


@dataclass(frozen=True)
class Setting:
    """Which positions an exam asks about, and how models are to answer."""

    seed: str = "0"
    skills: tuple[Skill, ...] = SKILLS
    difficulty: Difficulty | None = None
    sampling: Sampling = _USUAL

    def positions(self) -> Iterator[Position]:
        """The positions, without end."""
        return draw_positions(self.seed, self.skills, self.difficulty)

    def fields(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "seed": self.seed,
            "skills": list(self.skills),
            "difficulty": self.difficulty,
            "sampling": self.sampling._asdict(),
        }

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """The setting that `fields` gave. Raises `ValueError`, `KeyError` or `TypeError`."""
        skills, difficulty = tuple(fields["skills"]), fields["difficulty"]
        sampling = Sampling(**fields["sampling"])
        if not {*SKILLS} >= {*skills} or difficulty not in (None, *DIFFICULTIES):
            raise ValueError(fields)
        if not all(value is None or isinstance(value, str | int | float) for value in sampling):
            raise TypeError(fields)
        return cls(str(fields["seed"]), skills, difficulty, sampling)


@dataclass(frozen=True)
class Answer:
    """One answer to one question, with all that scoring it takes."""

    player: str
    number: int
    board: str
    game: str
    skill: str
    rating: int
    winning_moves: list[str]
    prompt: str
    answer: str | None
    reading: str
    verdict: str
    error: str | None = None
    """Why there is no answer."""
    spent: Spent = field(default_factory=Spent)

    @classmethod
    def of(
        cls, player: str, number: int, position: Position, said: str | None, spent: Spent
    ) -> Self:
        """The answer, read and scored."""
        board = position.board
        winning = [*map(board.write_move, position.winning)]
        spent = spent._replace(seconds=round(spent.seconds, 3))
        return cls(
            player, number, str(board), position.game, position.skill, position.rating, winning,
            question(position), said, *score(board, said), spent=spent,
        )  # fmt: skip

    def fields(self) -> dict[str, Any]:
        """As plain values, for a line."""
        return asdict(self) | {"spent": self.spent._asdict()}

    @classmethod
    def scored_again(cls, fields: dict[str, Any]) -> Self:
        """The answer of a line, read and scored anew, whatever the line says of that.

        Raises `ValueError`, `KeyError` or `TypeError` for anything else, or a `NumduelError`.
        """
        said, spent = fields["answer"], Spent(**fields["spent"])
        words = [fields[name] for name in ("player", "board", "game", "skill", "prompt")]
        if not all(isinstance(word, str) for word in (*words, "" if said is None else said)):
            raise TypeError(fields)
        counts = (fields["number"], fields["rating"], *spent[:-1])
        if not all(type(count) is int and 0 <= count < _MOST for count in counts):
            raise ValueError(fields)
        if type(spent.seconds) not in (int, float) or not 0 <= spent.seconds < _MOST:
            raise ValueError(fields)
        reading, verdict = score(Board.parse(fields["board"]), said)
        return cls(**fields | {"reading": reading, "verdict": verdict, "spent": spent})


class ExamFile(RunFile[Answer]):
    """The answers of an exam, as they came: of several to one question the last counts."""

    run = "exam"
    other_kind = "it holds something other than an exam"
    line_is = "an answer"

    @checked
    def __init__(self, path: str, setting: Setting) -> None:
        self.setting = setting
        kind = {_HEAD: TASK, "hash": fingerprint()}
        super().__init__(path, kind, setting.fields(), Answer.fields, Answer.scored_again)

    @classmethod
    def open(cls, path: str) -> ExamFile:
        """The file with whatever setting it has."""
        head, _, _ = cls.parts(Path(path))
        try:
            return cls(path, Setting.of(head))
        except NOT_OURS as error:
            raise FileError(what=WHAT, path=path, problem=cls.other_kind) from error

    def read(self) -> dict[tuple[str, int], Answer]:
        """The answers so far, by player and number, but for failures."""
        return {(a.player, a.number): a for a in self.read_all() if a.verdict != "failed"}

    def check(self, head: dict[str, Any]) -> None:
        task = head.get(_HEAD)
        if task and (task, head.get("hash")) != (TASK, fingerprint()):
            raise self.unusable(f"it is of the task {task!r}, and this is {TASK}")
        super().check(head)


@checked
def score_again(path: str) -> tuple[Setting, list[Answer]]:
    """The setting and the answers of a file, every answer read and scored anew.

    Of several answers to one question the last counts. Raises `FileError`.
    """
    file = ExamFile.open(path)
    last = {(answer.player, answer.number): answer for answer in file.read_all(mend=False)}
    return file.setting, list(last.values())
