"""The file of an exam: what was asked, answered, read and scored, one JSON object a line.

The first line says the task, its hash and the setting. A last line that was cut off is
dropped, and its question is asked again. Another program can score the answers: `prompt`,
`answer` and `winning_moves` are all it needs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from numduel.arena.exam.task import TASK, fingerprint, score
from numduel.board import Board
from numduel.errors import FileError, NumduelError
from numduel.players.view import Sampling, Spent
from numduel.study.positions import DIFFICULTIES, SKILLS, Position, as_json, draw_positions
from numduel.study.skills import Difficulty, Skill

_HEAD = "numduel exam"
_LONGEST_HEAD = 1_000_000
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
        """The first line of a file."""
        return {
            _HEAD: TASK,
            "hash": fingerprint(),
            "seed": self.seed,
            "skills": list(self.skills),
            "difficulty": self.difficulty,
            "sampling": self.sampling._asdict(),
        }

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """The setting of a first line. Raises `ValueError`, `KeyError` or `TypeError`."""
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
        cls,
        player: str,
        number: int,
        position: Position,
        prompt: str,
        said: str | None,
        error: str | None,
        spent: Spent,
    ) -> Self:
        """The answer, read and scored."""
        fields = as_json(position)
        scored = score(position.board, said)
        return cls(
            player, number, fields["board"], fields["game"], fields["skill"], fields["rating"],
            fields["winning_moves"], prompt, said, *scored, error,
            spent._replace(seconds=round(spent.seconds, 3)),
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


class ExamFile:
    """Answers on disk. Raises `FileError` when the path holds anything else."""

    def __init__(self, path: str, setting: Setting) -> None:
        self._path = Path(path)
        self._setting = setting

    def read(self) -> dict[tuple[str, int], Answer]:
        """The answers so far, by player and number, but for failures; a new file is begun."""
        if not self._path.exists():
            self._write(json.dumps(self._setting.fields()) + "\n", "x")
            return {}
        setting, answers, whole = _read(self._path)
        if setting != self._setting:
            raise _unusable(self._path, "it is of another exam; name another file, or give the "
                            "same options")  # fmt: skip
        with self._path.open("r+b") as file:
            file.truncate(whole)
        return {(a.player, a.number): a for a in answers if a.verdict != "failed"}

    def add(self, answers: Iterable[Answer]) -> None:
        """Add answers at the end."""
        self._write("".join(json.dumps(answer.fields()) + "\n" for answer in answers), "a")

    def _write(self, text: str, mode: str) -> None:
        try:
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise _unusable(self._path, error.strerror or "it cannot be written") from error


def score_again(path: str) -> tuple[Setting, list[Answer]]:
    """The setting and the answers of a file, every answer read and scored anew.

    Of several answers to one question the last counts. Raises `FileError`.
    """
    setting, answers, _ = _read(Path(path))
    last = {(answer.player, answer.number): answer for answer in answers}
    return setting, list(last.values())


def _read(path: Path) -> tuple[Setting, list[Answer], int]:
    """The setting, the answers, and how many bytes they take."""
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            head = file.readline(_LONGEST_HEAD)
            setting = _setting(path, head)
            text = head + file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(path, getattr(error, "strerror", None) or "it is not text") from error
    whole = text[: text.rfind("\n") + 1]
    answers = []
    for number, line in enumerate(whole.split("\n")[1:-1], 2):
        try:
            answers.append(Answer.scored_again(json.loads(line)))
        except (ValueError, KeyError, TypeError, RecursionError, NumduelError) as error:
            raise _unusable(path, f"line {number} is not an answer") from error
    return setting, answers, len(whole.encode())


def _setting(path: Path, line: str) -> Setting:
    try:
        head = json.loads(line if line.endswith("\n") else "")
        task = head[_HEAD]
        setting = Setting.of(head)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _unusable(path, "it holds something other than an exam") from error
    if (task, head.get("hash")) != (TASK, fingerprint()):
        raise _unusable(path, f"it is of the task {task!r}, and this is {TASK}")
    return setting


def _unusable(path: Path, problem: str) -> FileError:
    return FileError(what="results file", path=path, problem=problem)
