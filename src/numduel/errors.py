"""Every error that numduel raises on purpose.

Errors carry fields and no prose: `numduel.wording.errors` turns each into a
sentence for people. `str(error)` is that sentence, `repr(error)` the fields.
Many name their `problem`, and have the fields which that needs.
"""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, ClassVar


class NumduelError(Exception):
    """Something numduel was asked for cannot be done."""

    words: ClassVar[Mapping[str, str]] = {}
    """Problems that have a word of their own, and these words."""

    def __init__(self, problem: str | None = None, /, **fields: Any) -> None:
        fields = fields if problem is None else {"problem": problem, **fields}
        super().__init__(fields)
        self.fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["fields"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def word(self) -> str:
        """One word for programs, in events and in the API: it stays as it is."""
        own = self.words.get(self.fields.get("problem", ""), type(self).__name__)
        return str(self.fields.get("kind", own))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_short(value)}" for name, value in self.fields.items())
        return f"{type(self).__name__}({fields})"

    def __str__(self) -> str:
        """The sentence of the error; it is made layers above."""
        try:
            return str(import_module("numduel.wording").problem(self))
        except Exception:  # fields are missing: even so, an error can be shown
            return repr(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.fields), ()


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:90]}...{text[-90:]}"


class InvalidArgument(NumduelError, TypeError):
    """A value of another type than is asked for. Fields: name, value, expected (names of types)."""


class UnreadableText(NumduelError):
    """Text does not say what it should say. This is the root of the next seven."""


class InvalidNumber(UnreadableText):
    """Not a whole number as people write it. Fields: text, problem."""


class InvalidRule(UnreadableText):
    """Not an own rule. Fields: key, problem, part, nearest (a rule, or None), limit."""


class InvalidBoard(UnreadableText):
    """Not a board. Fields: text, problem."""


class InvalidMove(UnreadableText):
    """Not a move of this board. Fields: text, problem, board, number."""


class InvalidRecord(UnreadableText):
    """Not a record, or one that breaks the rules. Fields: line, problem."""


class InvalidNotation(UnreadableText):
    """Not a match's notation. Fields: text, problem."""


class InvalidCertificate(UnreadableText):
    """Not a certificate, or one that does not prove its claim. Fields: problem."""


class IllegalMove(NumduelError):
    """The move can be read, but not played. Fields: board, move, fault."""


class AmbiguousMove(NumduelError):
    """The move fits several numbers of the board, or none. Fields: board, amount, places."""


class NotAllowed(NumduelError):
    """The action does not fit how the match, the room or the class stands. Fields: problem."""

    words: ClassVar[Mapping[str, str]] = {
        "match over": "MatchOver",
        "nothing to undo": "NothingToUndo",
        "seats taken": "SeatsTaken",
        "not your turn": "NotYourTurn",
        "stale": "StaleChange",
    }


class NotSeated(NumduelError):
    """Whoever asks may not do this. Fields: code, needs (seat, host, teacher or pupil)."""


class TooManyDigits(NumduelError):
    """The number has more digits than numduel takes. Fields: digits, limit."""


class TooLarge(NumduelError):
    """Too large to factor, to list all moves, to solve or to prove. Fields: problem."""

    words: ClassVar[Mapping[str, str]] = {
        "to factor": "TooLargeToFactor",
        "to list": "TooLargeToList",
        "to solve": "TooLargeToSolve",
        "to prove": "TooLargeToProve",
    }


class UnknownGame(NumduelError):
    """No game has this key. Fields: key, known."""


class InvalidGame(NumduelError):
    """A game breaks what every game promises. Fields: key, problem."""


class InvalidSetup(NumduelError):
    """A match, an arena or an environment cannot be set up like this. Fields: problem."""

    words: ClassVar[Mapping[str, str]] = {
        "not a start": "InvalidStart",
        "unknown variant": "UnknownVariant",
        "unknown player": "UnknownPlayer",
    }


class PlayerFailed(NumduelError):
    """A program or a model gave no move, or cannot be asked. Fields: player, problem."""


class InvalidRange(NumduelError):
    """The range of numbers cannot be computed. Fields: problem."""


class ClaimFails(NumduelError):
    """A claim is not shown at a number, or is broken by it. Fields: claim, number, proof."""


class RunFailed(NumduelError):
    """A GPU, a cluster or a worker that a run needs is missing, or failed. Fields: problem."""


class MissingExtra(NumduelError):
    """A package that comes with an extra is missing. Fields: extra, package."""


class FileError(NumduelError):
    """A file cannot be written, read or used. Fields: what (it is), path, problem."""

    words: ClassVar[Mapping[str, str]] = {"no fonts": "PictureError"}


class StoreError(NumduelError):
    """The history cannot be used. Fields: place, problem, id (of one match)."""


class UnknownMatch(NumduelError):
    """No match of the history has this number. Fields: id."""


class UnknownRoom(NumduelError):
    """No room or replay has this code. Fields: code."""


class UnknownClass(NumduelError):
    """No class has this code. Fields: code."""


class NothingToStudy(NumduelError):
    """There is no position of the kind that was asked for. Fields: problem."""


class TookTooLong(NumduelError):
    """The question was not answered in time. Fields: question, seconds."""


class TooBusy(NumduelError):
    """The server has no more to give: thinkers, or places for rooms or classes. Fields: limit."""

    words: ClassVar[Mapping[str, str]] = {"rooms": "TooManyRooms", "classes": "TooManyClasses"}


class TooManyRequests(NumduelError):
    """The client sent more than it may. Fields: what, seconds (until it may again)."""


class Unanswerable(NumduelError):
    """The question has no answer here. Fields: kind (the word of the error met), message."""
