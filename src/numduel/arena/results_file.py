"""Files that an arena or an exam adds to, and goes on from.

The first line, the head, says what the file is of; each line after it is a match or an answer, all
as JSON. A last line that was cut off is dropped, and what it told is played or asked again.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from numduel import json_lines
from numduel.arena.match import Result, score_again
from numduel.arena.plan import Plan
from numduel.arguments import checked
from numduel.errors import FileError, NumduelError
from numduel.players import Limits

NOT_OURS = (ValueError, TypeError, LookupError, AttributeError, NumduelError)
"""What the values of somebody else's file raise."""

WHAT = "results file"
Kept = TypeVar("Kept")


class RunFile(Generic[Kept]):
    """Raises `FileError` when the path holds anything else."""

    run = other_kind = line_is = grows = ""
    """The words for such a run, other files, what a line has to be, and what may grow."""

    def __init__(self, path: str, kind: dict[str, Any], setting: dict[str, Any]) -> None:
        """`kind` and `setting` are the head."""
        self.path, self._kind, self._head = Path(path), kind, kind | setting

    def fields(self, kept: Kept) -> Any:
        """What is written of it."""
        raise NotImplementedError

    def of(self, fields: Any) -> Kept:
        """What `fields` gave. Raises some of `NOT_OURS` for other values."""
        raise NotImplementedError

    def check(self, head: dict[str, Any]) -> None:
        """Raises `FileError` for the head of another run, or of one with more in it."""
        most, count = self._head[self.grows], head.get(self.grows)
        if head | {self.grows: most} != self._head:
            other = f"it is of another {self.run}; name another file, or give the same options"
            raise self.unusable(other if self._kind.items() <= head.items() else self.other_kind)
        if type(count) is not int or count > most:
            raise self.unusable(f"it is of more than {most}: its {self.grows} are {count}")

    def read_all(self, mend: bool = True) -> list[Kept]:
        """What the file holds, in its order; where there is no file, it is begun.

        `mend` writes the new head and drops a line cut off: not while others write the file.
        """
        if not self.path.exists():
            self._append([self._head], "xb")
        head, lines, torn = self.parts(self.path)
        self.check(head)
        found = []
        for number, line in enumerate(lines, 2):
            try:
                found.append(self.of(json_lines.read_line(line)))
            except NOT_OURS as error:
                raise self.unusable(f"line {number} is not {self.line_is}") from error
        if mend and (torn or head != self._head):
            self.write_anew(lines)
        return found

    def add(self, found: Iterable[Kept]) -> None:
        self._append(map(self.fields, found))

    def _append(self, values: Iterable[Any], mode: Literal["ab", "xb"] = "ab") -> None:
        with json_lines.usable(WHAT, self.path), self.path.open(mode) as file:
            json_lines.append(file, map(json_lines.write_line, values))

    @classmethod
    def parts(cls, path: Path) -> tuple[dict[str, Any], list[bytes], bytes]:
        """A file's head, the lines after it, and the beginning of one that was cut off."""
        with json_lines.usable(WHAT, path), path.open("rb") as file:
            try:
                head = dict(json_lines.read_head(file))
            except (ValueError, TypeError) as error:
                raise FileError(what=WHAT, path=path, problem=cls.other_kind) from error
            return head, *json_lines.whole_lines(file)

    def write_anew(self, lines: Iterable[bytes]) -> None:
        """Put these lines after the head, in place of all that was there."""
        with json_lines.usable(WHAT, self.path):
            json_lines.write_anew(self.path, [json_lines.write_line(self._head), *lines])

    def unusable(self, problem: str) -> FileError:
        return FileError(what=WHAT, path=self.path, problem=problem)


class ResultsFile(RunFile[Result]):
    """The matches of an arena, in the order of its plan once all are played.

    With `transcript`, a line holds the whole match, and reading it means scoring it again.
    """

    run = "arena"
    other_kind = "it exists and holds something other than results"
    line_is = "a match that can be scored"
    grows = "rounds"

    @checked
    def __init__(
        self, path: str, plan: Plan, limits: Limits | None = None, transcript: bool = False
    ) -> None:
        self.plan, self.limits, self.transcript = plan, limits or Limits(), transcript
        kind = {"numduel transcript": 1} if transcript else {"numduel results": 2}
        super().__init__(path, kind, {**plan.fields(), "limits": self.limits.fields()})

    def fields(self, kept: Result) -> Any:
        return kept.transcript if self.transcript else kept.fields()

    def of(self, fields: Any) -> Result:
        return score_again(fields) if self.transcript else Result.of(fields)

    @classmethod
    def open(cls, path: str) -> "ResultsFile":
        """The file with whatever plan it has."""
        head, _, _ = cls.parts(Path(path))
        try:
            limits = Limits.of(head["limits"])
            return cls(path, Plan.of(head), limits, transcript="numduel transcript" in head)
        except NOT_OURS as error:
            raise FileError(what=WHAT, path=path, problem=cls.other_kind) from error

    def read(self, mend: bool = True) -> dict[int, Result]:
        """The results so far, by number; fewer rounds of the same arena are gone on from."""
        found = self.read_all(mend)
        for line, result in enumerate(found, 2):
            if not 0 <= result.number < len(self.plan):
                raise self.unusable(f"line {line} is of a match that is not in the plan")
        return {result.number: result._replace(transcript=None) for result in found}

    def finish(self) -> None:
        """Put the matches in the order of the plan, each once."""
        first = "match" if self.transcript else 0
        by_number = {json_lines.read_line(line)[first]: line for line in self.parts(self.path)[1]}
        self.write_anew(by_number[number] for number in sorted(by_number))
