"""Files of an arena: its results, or whole transcripts, to which it can come back.

The first line has the plan and the limits, each line after it a match, all as JSON. A last
line that was cut off is dropped, and its match is played again. Once all is played, the lines
are in the order of the plan: the same matches give the same file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from numduel.arena.match import score_again
from numduel.arena.plan import Plan
from numduel.arena.result import Result
from numduel.errors import FileError, NumduelError
from numduel.players import Limits

FORMATS: Final = {"results": 2, "transcript": 1}
_LONGEST_HEAD = 10_000_000
"""Characters of the first line that are read: whatever is longer is no plan."""
_NOT_OURS = (ValueError, TypeError, LookupError, AttributeError, RecursionError, NumduelError)


class ResultsFile:
    """Matches on disk. Raises `FileError` when the path holds anything else.

    With `transcript`, a line holds the whole match, and reading it means scoring it again.
    """

    def __init__(
        self, path: str, plan: Plan, limits: Limits | None = None, transcript: bool = False
    ) -> None:
        self._path = Path(path)
        self.plan = plan
        self.limits = limits or Limits()
        self.transcript = transcript

    @classmethod
    def open(cls, path: str) -> ResultsFile:
        """The file with whatever plan it has."""
        head = _read_head(Path(path))
        try:
            limits = Limits.of(head["limits"])
            return cls(path, Plan.of(head), limits, transcript=_name("transcript") in head)
        except _NOT_OURS as error:
            raise _unusable(Path(path), "it holds something other than results") from error

    @property
    def _kind(self) -> str:
        return "transcript" if self.transcript else "results"

    @property
    def _head(self) -> dict[str, Any]:
        made = {_name(self._kind): FORMATS[self._kind], **self.plan.fields()}
        return {**made, "limits": self.limits.fields()}

    def read(self, mend: bool = True) -> dict[int, Result]:
        """The results so far, by number; none when there is no file yet.

        A file of the same arena with fewer rounds is taken up. With `mend`, it gets the new
        head, and loses a line that was cut off; without, somebody else may be writing it.
        """
        if not self._path.exists():
            self._write(json.dumps(self._head) + "\n", "x")
            return {}
        head = _read_head(self._path)
        self._check(head)
        lines = self._lines()
        cut = lines.pop() if lines and not lines[-1].endswith("\n") else ""
        found = {}
        for number, line in enumerate(lines, 2):
            try:
                result = (score_again if self.transcript else Result.of)(json.loads(line))
            except _NOT_OURS as error:
                raise self._unusable(f"line {number} is not a match that can be scored") from error
            if not 0 <= result.number < len(self.plan):
                raise self._unusable(f"line {number} is of a match that is not in the plan")
            found[result.number] = result._replace(transcript=None)
        if mend and (cut or head != self._head):
            self._write_anew(lines)
        return found

    def add(self, results: Iterable[Result]) -> None:
        """Add results at the end."""
        self._write("".join(map(self._line, results)), "a")

    def finish(self) -> None:
        """Put the matches in the order of the plan, each once."""
        first = "match" if self.transcript else 0
        by_number = {json.loads(line)[first]: line for line in self._lines()}
        self._write_anew([by_number[number] for number in sorted(by_number)])

    def _lines(self) -> list[str]:
        """The lines after the first, with their ends; the last may have none."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise self._unusable(getattr(error, "strerror", None) or "it is not text") from error
        return text.splitlines(keepends=True)[1:]

    def _write_anew(self, lines: list[str]) -> None:
        beside = self._path.with_name(f"{self._path.name}.new")
        self._write("".join([json.dumps(self._head) + "\n", *lines]), "w", beside)
        beside.replace(self._path)

    def _line(self, result: Result) -> str:
        return json.dumps(result.transcript if self.transcript else result.fields()) + "\n"

    def _check(self, head: dict[str, Any]) -> None:
        """Is it the file of this arena, with as many rounds or fewer?"""
        rounds = head.get("rounds")
        if head | {"rounds": self.plan.rounds} != self._head or type(rounds) is not int:
            ours = head.get(_name(self._kind)) == FORMATS[self._kind]
            other = "it is of another arena; name another file, or give the same options"
            raise self._unusable(other if ours else "it holds something other than results")
        if rounds > self.plan.rounds:
            raise self._unusable(f"it has more rounds: {rounds}")

    def _write(self, text: str, mode: str, path: Path | None = None) -> None:
        try:
            with (path or self._path).open(mode, encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unusable(error.strerror or "it cannot be written") from error

    def _unusable(self, problem: str) -> FileError:
        return _unusable(self._path, problem)


def _name(kind: str) -> str:
    return f"numduel {kind}"


def _read_head(path: Path) -> dict[str, Any]:
    """The first line. Raises `FileError` where it is no head of ours."""
    try:
        with path.open(encoding="utf-8") as file:
            line = file.readline(_LONGEST_HEAD)
        head = json.loads(line if line.endswith("\n") else "")
    except OSError as error:
        raise _unusable(path, error.strerror or "it cannot be read") from error
    except (ValueError, RecursionError) as error:
        raise _unusable(path, "it exists and holds something other than results") from error
    if not isinstance(head, dict) or not head.keys() & {_name(kind) for kind in FORMATS}:
        raise _unusable(path, "it holds something other than results")
    return head


def _unusable(path: Path, problem: str) -> FileError:
    return FileError(what="results file", path=path, problem=problem)
