"""The task: what is asked about a position, and how an answer is scored; and the file of an exam.

Whatever changes a question, an answer, how answers are read or a score in one of its cases changes
`fingerprint`, and then the task needs a new name: figures are compared under one name only.

A file is one JSON object a line: first the task, its hash, the version of numduel and the setting,
then what was asked, answered, read and scored. Another program can score the answers: `prompt`,
`answer`, `finish` and `winning_moves` are all it needs. A file proves its questions: they are drawn
again from the seed, and every line has to be what numduel writes of its question and its answer.
It cannot prove who answered.
"""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from numduel import __version__
from numduel.arena.results_file import NOT_OURS, WHAT, RunFile
from numduel.arguments import checked
from numduel.board import Board
from numduel.errors import FileError
from numduel.players import Sampling, Spent
from numduel.players.language import NONE, Kind, how_to_answer, read_answer, stands
from numduel.players.model import Completion
from numduel.solver import solve
from numduel.study.difficulty import Difficulty
from numduel.study.positions import DIFFICULTIES, SKILLS, Position, Skill, as_json, draw_positions

TASK = "numduel-2"
FORMS, NUMBERS, UNREADABLE = map(
    tuple[str, ...],
    tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8")).values(),
)  # the ways of writing an answer that the rule of `players/language.py` names, as cases

Verdict = Literal["right", "wrong", "illegal", "unreadable", "truncated", "failed"]
"""What an answer is worth: only a right one counts. Who did not answer at all, failed."""

CUT_OFF = ("length", "max_tokens")  # how servers, and inspect, say that an answer was cut off
_EACH = 10
_HEAD = "numduel exam"
_MOST = 10**12  # no count in a file is so large
MOST_QUESTIONS = 10**6
_NOTHING = Spent()


class Scored(NamedTuple):
    """An answer as it was read, and what it is worth."""

    reading: str  # the move, `none`, `illegal` or `unreadable`; empty without a whole answer
    verdict: Verdict


@checked
def question(position: Position) -> str:
    """What a model is asked: one text, with nothing before it."""
    return "\n".join(
        (
            "Two players take turns at a number game.",
            position.rules,
            "No number ever falls below 0.",
            "",
            *stands(position.board),
            "The match begins now, and it is your turn. Which move wins, however well your"
            " opponent plays?",
            how_to_answer(position.board, none=True),
        )
    )


@checked
def score(board: Board, answer: str | None, finish: str | None = None) -> Scored:
    """Read an answer and say what it is worth, by the solver's verdict; None is no answer.

    `finish` is why it ended, as a server says it. One that was cut off is not read.
    """
    if answer is None or finish in CUT_OFF:
        return Scored("", "failed" if answer is None else "truncated")
    read = read_answer(answer, board, none_allowed=True)
    if read.kind is Kind.NONE:
        return Scored(NONE, "right" if solve(board).outcome == "loss" else "wrong")
    if read.kind is Kind.MOVE and read.move is not None:
        wins = solve(board.play(read.move)).outcome == "loss"
        return Scored(board.write_move(read.move), "right" if wins else "wrong")
    return Scored(read.kind.value, "illegal" if read.kind is Kind.ILLEGAL else "unreadable")


@checked
def right_answer(position: Position) -> str:
    """The first winning move, or `none`."""
    return next(map(position.board.write_move, position.winning), NONE)


@cache
def fingerprint() -> str:
    """A hash of the task: of questions, answers, readings and scores on 73 positions.

    Every form of `forms.toml` is read on some of them, with right answers, wrong ones and none.
    """
    made = sha256(TASK.encode())
    drawn = [*islice(draw_positions(TASK), _EACH * len(SKILLS))]
    drawn += [next(draw_positions(TASK, difficulty=difficulty)) for difficulty in DIFFICULTIES]
    forms = (*FORMS, *NUMBERS, *UNREADABLE)
    for number, position in enumerate(drawn):
        answers = [right_answer(position), NONE, "1", "2:3"]
        read = [score(position.board, f"[{answer}]") for answer in answers]
        for at in range(7):
            form = forms[(7 * number + at) % len(forms)]
            read += [score(position.board, form.format(answer)) for answer in answers[:2]]
        read += [score(position.board, "[1]", finish) for finish in (*CUT_OFF, "stop")]
        read.append(score(position.board, None))
        made.update(json.dumps([as_json(position), question(position), read]).encode())
    return made.hexdigest()[:16]


@dataclass(frozen=True)
class Setting:
    seed: str = "0"
    count: int = 210
    skills: tuple[Skill, ...] = SKILLS
    difficulty: Difficulty | None = None
    repeat: int = 1  # so often every question is asked: for models that draw
    sampling: Sampling = field(default_factory=Sampling)
    seconds: float | None = None  # the time for one answer
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
    sample: int  # which time the question was asked, from 0
    position: Position
    said: Completion | None  # None where there is no answer, and `error` says why
    error: str | None = None
    spent: Spent = _NOTHING
    at: str | None = None
    failures: int = 0  # how often the question failed before; `before` is what that took
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
            Setting.of(head).positions()
            return cls(path, Setting.of(head))
        except NOT_OURS as error:
            raise FileError(what=WHAT, path=path, problem=cls.other_kind) from error

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
            theirs = f"it is of the task {task!r} with the hash {head.get('hash')!r}"
            raise self.unusable(f"{theirs}, and this is {TASK} with {fingerprint()!r}")
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
