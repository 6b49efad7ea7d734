"""The file of an exam: what was asked, answered, read and scored, one JSON object a line.

The first line says the task, its hash, the version of numduel and the setting. A last line that
was cut off is dropped, and its question is asked again. Another program can score the answers:
`prompt`, `answer`, `finish` and `winning_moves` are all it needs.

A file proves its questions: they are drawn again from the seed, and every line has to be what
numduel writes of its question and its answer. It cannot prove who answered.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Self

from numduel import __version__
from numduel.arena.exam.task import TASK, Scored, fingerprint, question, score
from numduel.arena.results_file import NOT_OURS, WHAT, RunFile
from numduel.arguments import checked
from numduel.errors import FileError
from numduel.players import Sampling, Spent
from numduel.players.model import Completion
from numduel.study.difficulty import Difficulty
from numduel.study.positions import DIFFICULTIES, SKILLS, Position, Skill, draw_positions

_HEAD = "numduel exam"
_MOST = 10**12
"""No count in a file is so large."""
MOST_QUESTIONS = 10**6
_NOTHING = Spent()


@dataclass(frozen=True)
class Setting:
    seed: str = "0"
    count: int = 210
    skills: tuple[Skill, ...] = SKILLS
    difficulty: Difficulty | None = None
    repeat: int = 1
    """So often every question is asked: for models that draw."""
    sampling: Sampling = field(default_factory=Sampling)
    seconds: float | None = None
    """The time for one answer."""
    version: str = __version__

    def positions(self) -> Sequence[Position]:
        return _drawn(self.seed, self.count, self.skills, self.difficulty)

    @property
    def questions(self) -> tuple[object, ...]:
        """What has to be the same where answers are compared."""
        return self.seed, self.count, self.skills, self.difficulty, self.version

    def fields(self) -> dict[str, Any]:
        return asdict(self) | {"skills": list(self.skills), "sampling": self.sampling._asdict()}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        given = {name: fields[name] for name in cls.__dataclass_fields__}
        sampling, counts = Sampling(**given["sampling"]), (given["count"], given["repeat"])
        told = (*sampling, given["seconds"], given["seed"], given["version"])
        good = all(type(count) is int and 0 < count <= MOST_QUESTIONS for count in counts)
        good &= all(isinstance(value, str | int | float | None) for value in told)
        good &= {*SKILLS} >= {*given["skills"]} and given["difficulty"] in (None, *DIFFICULTIES)
        if not good:
            raise ValueError(fields)
        return cls(**given | {"skills": tuple(given["skills"]), "sampling": sampling})


@lru_cache(maxsize=4)
def _drawn(seed: str, count: int, skills: Any, difficulty: Any) -> tuple[Position, ...]:
    return tuple(islice(draw_positions(seed, skills, difficulty), count))


@dataclass(frozen=True)
class Answer:
    """One answer to one question; it is read and scored when it is made."""

    player: str
    number: int
    sample: int
    """Which time the question was asked, from 0."""
    position: Position
    said: Completion | None
    """None where there is no answer, and `error` says why."""
    error: str | None = None
    spent: Spent = _NOTHING
    at: str | None = None
    failures: int = 0
    """So often the question failed before and was asked again; `before` is what that took."""
    before: Spent = _NOTHING
    scored: Scored = field(init=False)

    def __post_init__(self) -> None:
        text, finish = (self.said.text, self.said.finish) if self.said else (None, None)
        object.__setattr__(self, "scored", score(self.position.board, text, finish))

    @property
    def verdict(self) -> str:
        return self.scored.verdict

    @property
    def right(self) -> bool:
        return self.verdict == "right"

    @property
    def stratum(self) -> tuple[str, bool]:
        """Of its skill, a third has no winning move: how many are drawn of each is fixed."""
        return self.position.skill, not self.position.winning

    def after(self, failed: "Answer | None") -> "Answer":
        """The same answer, where the question was asked before and had failed."""
        if failed is None:
            return self
        before = failed.before.plus(failed.spent)
        return replace(self, failures=failed.failures + 1, before=before)

    def fields(self) -> dict[str, Any]:
        position, said = self.position, self.said
        told = (said or Completion(""))._asdict()
        text = told.pop("text")
        return {
            "player": self.player, "number": self.number, "sample": self.sample,
            "board": str(position.board), "game": position.game, "skill": position.skill,
            "rating": position.rating,
            "winning_moves": [*map(position.board.write_move, position.winning)],
            "prompt": question(position), "answer": text if said else None,
            **self.scored._asdict(), "error": self.error, **told,
            "spent": self.spent._asdict(), "at": self.at,
        }  # fmt: skip


class ExamFile(RunFile[Answer]):
    """The answers as they came: one may follow failures to answer."""

    run = "exam"
    other_kind = "it holds something other than an exam"
    line_is = "an answer to a question of this exam, as numduel writes it"
    grows = "count"

    @checked
    def __init__(self, path: str, setting: Setting) -> None:
        self.setting = setting
        kind = {_HEAD: TASK, "hash": fingerprint()}
        super().__init__(path, kind, setting.fields())

    def fields(self, kept: Answer) -> dict[str, Any]:
        return kept.fields()

    @classmethod
    def open(cls, path: str) -> "ExamFile":
        """The file with whatever setting it has."""
        head, _, _ = cls.parts(Path(path))
        try:
            file = cls(path, Setting.of(head))
            file.setting.positions()
        except NOT_OURS as error:
            raise FileError(what=WHAT, path=path, problem=cls.other_kind) from error
        return file

    def read(self, mend: bool = True) -> dict[tuple[str, int, int], Answer]:
        """The answers so far, by player, number and sample; the last of each."""
        found: dict[tuple[str, int, int], Answer] = {}
        for answer in self.read_all(mend):
            key = answer.player, answer.number, answer.sample
            if key in found and found[key].verdict != "failed":
                raise self.unusable(f"{answer.player} answers question {answer.number} twice")
            found[key] = answer.after(found.get(key))
        return found

    def check(self, head: dict[str, Any]) -> None:
        task = head.get(_HEAD)
        if task and (task, head.get("hash")) != (TASK, fingerprint()):
            raise self.unusable(
                f"it is of the task {task!r} with the hash {head.get('hash')!r}, and this is {TASK}"
                f" with {fingerprint()!r}"
            )
        super().check(head)

    def of(self, fields: dict[str, Any]) -> Answer:
        """The answer of a line, read and scored anew: the rest has to be of its question."""
        spent = Spent(**fields["spent"])
        number, sample, text = fields["number"], fields["sample"], fields["answer"]
        told = {name: fields[name] for name in Completion._fields if name != "text"}
        counts = (number, sample, *spent[:-1], told["reasoning_tokens"] or 0)
        amounts = (*counts, spent.seconds, told["cost"] or 0)
        texts = [fields["player"], text, fields["error"], fields["at"]]
        texts += [told[name] for name in ("model", "finish", "reasoning")]
        good = all(type(count) is int for count in counts) and bool(texts[0])
        good &= all(type(each) in (int, float) and 0 <= each < _MOST for each in amounts)
        good &= all(isinstance(each, str | None) for each in texts)
        if not good or number >= self.setting.count or sample >= self.setting.repeat:
            raise ValueError(fields)
        said = None if text is None else Completion(text, **told)
        made = Answer(
            fields["player"], number, sample, self.setting.positions()[number], said,
            fields["error"], spent, fields["at"],
        )  # fmt: skip
        if made.fields() != fields | made.scored._asdict():
            raise ValueError(fields)
        return made
