"""Fuzzing guided by coverage: an input that takes a step in our code that none took before is kept,
and changed further.

    python tests/guided.py board 60     try for a minute, and keep what was found in the corpus
"""

import json
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeAlias

import psutil

import numduel
from numduel import NumduelError
from numduel.wording import problem

OURS = str(Path(numduel.__file__).parent)
CORPUS = Path(__file__).with_name("corpus.json")
LONGEST, MOST = 400, 40
"""What the corpus may hold of each kind: characters of an input, and inputs."""
SECONDS, MEMORY = 30, 1 << 30
"""Of the processor's time, and of space, for one input; our code is watched meanwhile."""
NASTY = [
    *("0", "-1", "1", "2", "7", "00", "1e9", "10^13", "9" * 25, "9" * 4001, "²", "\u0663", "é"),
    *("null", "true", "1.5", "NaN", "[]", "{}", "[[[", '"', '"\\ud800"', "\u202e", "\ufeff"),
    *("\ud800", "\0", "\x1b[2J", *"\n\r\t /:.,+~=-%'"),
]

Step: TypeAlias = tuple[CodeType | None, int, CodeType, int]


class Endless(BaseException):
    """An input takes too long. Not an `Exception`: nobody is to catch it."""


class Kind(NamedTuple):
    """What is read: `read` gives a value, which it has read back, or raises `NumduelError`."""

    read: Callable[[str], object]
    seeds: list[str]
    words: list[str]
    also_changed: Callable[[str, Random], str] = lambda text, _: text
    short: int = 200
    """How many inputs are tried in `make test`: about a second."""


class Fuzzing:
    def __init__(self, kind: Kind, corpus: list[str], seed: object) -> None:
        self._kind = kind
        self._chance = Random(str(seed))
        self.seen: set[Step] = set()
        self.corpus: list[str] = []
        for text in dict.fromkeys([*kind.seeds, *corpus]):
            self.try_out(text)

    def run(self, least: int, there_is_time: Callable[[], bool] = lambda: False) -> int:
        """Try so many changes, and more while there is time; how many were tried."""
        tries = 0
        while tries < least or there_is_time():
            self.try_out(self._changed(self._chance.choice(self.corpus)))
            tries += 1
        return tries

    def try_out(self, text: str) -> None:
        steps = self.steps_of(text)
        if not steps <= self.seen or not self.corpus:
            self.seen |= steps
            self.corpus.append(text)

    def steps_of(self, text: str) -> set[Step]:
        """Every line of ours that was reached, with the one before it."""
        steps: set[Step] = set()
        before: tuple[CodeType | None, int] = (None, 0)

        def line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal before
            if event == "line":
                steps.add((*before, frame.f_code, frame.f_lineno))
                before = (frame.f_code, frame.f_lineno)
            return line

        def call(frame: FrameType, _event: str, _: Any) -> Any:
            return line if frame.f_code.co_filename.startswith(OURS) else None

        try:
            with _bounded():
                sys.settrace(call)
                try:
                    self._kind.read(text)
                except NumduelError as error:
                    sys.settrace(None)
                    assert problem(error).isprintable(), "a sentence that cannot be shown"
                finally:
                    sys.settrace(None)
        except (Exception, Endless) as error:
            raise AssertionError(f"{text[:2000]!r} gives {error!r}") from error
        return steps

    def _changed(self, text: str) -> str:
        chance, other = self._chance, self._chance.choice(self.corpus)
        if chance.random() < 0.5:
            text = self._kind.also_changed(text, chance)
        for _ in range(chance.choice((0, 1, 1, 2, 5))):
            at, width = chance.randrange(len(text) + 1), chance.choice((0, 1, 1, 3, 10, 50))
            start = chance.randrange(len(other) + 1)
            pieces = ["", chr(chance.randrange(32, 127)), text[at : at + width]]
            pieces += [chance.choice(NASTY), chance.choice(self._kind.words)]
            pieces += [other[start : start + chance.choice((1, 5, 30))]]
            text = text[:at] + chance.choice(pieces) + text[at + width :]
        return text[:20_000]

    def smallest(self) -> list[str]:
        """Few and short inputs of the corpus that take most of the steps that all of it takes."""
        steps = {text: self.steps_of(text) for text in self.corpus if len(text) <= LONGEST}
        found: list[str] = []
        while steps and len(found) < min(MOST, self._kind.short):
            best = max(steps, key=lambda text: (len(steps[text]), -len(text)))
            new = steps.pop(best)
            if not new:
                break
            found.append(best)
            steps = {text: left - new for text, left in steps.items()}
        return sorted(found)


@contextmanager
def _bounded() -> Iterator[None]:
    def end(*_: object) -> None:
        raise Endless(f"more than {SECONDS} seconds")

    used = psutil.Process().memory_info().vms
    before = resource.getrlimit(resource.RLIMIT_AS)
    heard = signal.signal(signal.SIGVTALRM, end)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, before[1]))
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, before)
        signal.signal(signal.SIGVTALRM, heard)


def kept() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(CORPUS.read_text()) if CORPUS.exists() else {}
    return found


def main(name: str, seconds: str) -> None:
    from house.test_fuzzing import KINDS

    fuzzing = Fuzzing(KINDS[name](), kept().get(name, []), time.time())
    begun, end = len(fuzzing.seen), time.monotonic() + float(seconds)
    tries = fuzzing.run(0, lambda: time.monotonic() < end)
    sys.stdout.write(f"{tries:,} inputs, {begun:,} steps became {len(fuzzing.seen):,}\n")
    CORPUS.write_text(json.dumps({**kept(), name: fuzzing.smallest()}, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
