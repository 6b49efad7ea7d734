"""The file of an arena's results, to which it can come back after it was stopped.

The first line is the plan, each line after it a result, all as JSON. A last
line that was cut off is dropped, and its match is played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from numduel.arena.plan import Plan
from numduel.arena.result import Result
from numduel.errors import ResultsFileError

FORMAT = 1
_LONGEST_HEAD = 10_000_000
"""Characters of the first line that are read: whatever is longer is no plan."""


class ResultsFile:
    """Results on disk. Raises `ResultsFileError` when the path holds anything else."""

    def __init__(self, path: str, plan: Plan) -> None:
        self._path = Path(path)
        self._head = {"numduel results": FORMAT, **plan.fields()}
        self._count = len(plan)

    def read(self) -> dict[int, Result]:
        """The results so far, by number; none when there is no file yet."""
        try:
            with self._path.open(encoding="utf-8") as file:
                head = file.readline(_LONGEST_HEAD)
                self._check_head(head)
                text = head + file.read()
        except FileNotFoundError:
            self._write(json.dumps(self._head) + "\n", "x")
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise self._unusable(getattr(error, "strerror", None) or "it is not text") from error
        whole = text[: text.rfind("\n") + 1]
        found = {}
        for number, line in enumerate(whole.splitlines()[1:], 2):
            try:
                result = Result.of(json.loads(line))
            except (ValueError, TypeError) as error:
                raise self._unusable(f"line {number} is not a result") from error
            if not 0 <= result.number < self._count:
                raise self._unusable(f"line {number} is of a match that is not in the plan")
            found[result.number] = result
        if whole != text:
            with self._path.open("r+b") as file:
                file.truncate(len(whole.encode()))
        return found

    def add(self, results: Iterable[Result]) -> None:
        """Add results at the end."""
        self._write("".join(json.dumps(result.fields()) + "\n" for result in results), "a")

    def _check_head(self, line: str) -> None:
        try:
            head = json.loads(line if line.endswith("\n") else "")
        except (ValueError, RecursionError) as error:
            raise self._unusable("it exists and holds something other than results") from error
        if head != self._head:
            known = isinstance(head, dict) and "numduel results" in head
            other = "it is of another arena; name another file, or give the same options"
            raise self._unusable(other if known else "it holds something other than results")

    def _write(self, text: str, mode: str) -> None:
        try:
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unusable(error.strerror or "it cannot be written") from error

    def _unusable(self, problem: str) -> ResultsFileError:
        return ResultsFileError(path=self._path, problem=problem)
