"""Every error that numduel raises on purpose, in one small tree.

Errors carry fields and no prose: `numduel.wording.errors` turns each into a
sentence for people. `str(error)` is that sentence, `repr(error)` the fields.

    NumduelError
    ├── UnreadableText          text that does not say what it should say
    │   ├── InvalidNumber       not a whole number as people write it
    │   ├── InvalidRule         not an own rule
    │   ├── InvalidBoard        not a board
    │   ├── InvalidMove         not a move of this board
    │   ├── InvalidRecord       not a record, or one that breaks the rules
    │   ├── InvalidNotation     not a match's notation
    │   └── InvalidCertificate  not a certificate, or one that does not prove its claim
    ├── IllegalMove             a move that can be read, but not played
    ├── AmbiguousMove           a move that fits more than one number
    ├── MatchOver               an action on a match that has ended
    ├── NothingToUndo           no move to take back
    ├── TooManyDigits           a number beyond the digits that numduel takes
    ├── TooLarge                more than can be done at this size
    │   ├── TooLargeToFactor    a number beyond the digits that it factors
    │   ├── TooLargeToList      moves that cannot all be listed
    │   ├── TooLargeToSolve     a board beyond what exact search takes
    │   └── TooLargeToProve     a verdict without a proof short enough to write down
    ├── UnknownGame             no game has this key
    ├── UnknownVariant          no such variant, or no such value of it
    ├── InvalidGame             a game that breaks what every game promises
    ├── InvalidStart            not a start of this game
    ├── InvalidSetup            names, series or policies that do not fit
    ├── UnknownPlayer           there is no player of this name
    ├── PlayerFailed            a program or a model that gave no move
    ├── InvalidRange            a range of numbers that the kernels do not take
    ├── UnexpectedLoss          an even loss of Subtract a Prime that was not known
    ├── ClaimFails              a number at which a claim being verified is not shown
    ├── ClaimBroken             a number that breaks a claim, with a proof
    ├── UnknownKernel           there is no block kernel of this name
    ├── NoDevice                no GPU to work on, or none for this claim
    ├── DeviceFailed            a GPU that contradicted itself
    ├── CheckpointError         a checkpoint that cannot be used
    ├── SchedulerError          a scheduler that cannot be reached, or has no workers
    ├── WorkerLost              a worker process that died before it finished
    ├── InvalidHeap             a heap game whose rule breaks the rules
    ├── InvalidTerms            a file of terms that cannot be read
    ├── MissingExtra            a package that is installed with an extra
    ├── RecordFileError         a record file that cannot be written or read
    ├── ResultsFileError        a file of arena results that cannot be used
    ├── StoreError              a history that cannot be read or written
    ├── UnknownMatch            no match of the history has this number
    ├── NothingToStudy          no position of the kind that was asked for
    ├── PictureError            a picture that cannot be made
    ├── TookTooLong             a question that was not answered within its time
    ├── TooManyRequests         more requests than one client may make
    ├── TooBusy                 more questions at once than can be answered
    ├── Unanswerable            a question that has no answer here
    └── RoomError               what cannot be done in a room
        ├── UnknownRoom         no room or replay has this code
        ├── UnknownClass        no class has this code
        ├── SeatsTaken          no seat is free
        ├── NotSeated           whoever asks has no seat there, or is not the host
        ├── NotYourTurn         the other player is to move
        ├── StaleChange         a change that answers an older version of the room
        ├── NotAllowed          an action that does not fit how the room stands
        ├── TooManyRooms        more rooms than are kept
        └── TooManyClasses      more classes than are kept
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class NumduelError(Exception):
    """Something numduel was asked for cannot be done."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(fields)
        self.fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["fields"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_short(value)}" for name, value in self.fields.items())
        return f"{type(self).__name__}({fields})"

    def __str__(self) -> str:
        try:
            return in_words(self)
        except Exception:  # fields are missing: even so, an error can be shown
            return repr(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.fields))


in_words: Callable[[NumduelError], str] = repr
"""The sentence of an error. It is made layers above, so `numduel/__init__.py` sets this."""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:90]}...{text[-90:]}"


def _rebuild(kind: type[NumduelError], fields: dict[str, Any]) -> NumduelError:
    return kind(**fields)


class UnreadableText(NumduelError):
    """The text does not say what it should say."""


class InvalidNumber(UnreadableText):
    """The text is not a whole number. Fields: text, problem."""


class InvalidRule(UnreadableText):
    """Not an own rule. Fields: key, problem, part, nearest (a rule, or None), limit."""


class InvalidBoard(UnreadableText):
    """The text is not a board. Fields: text, problem, and what the problem needs."""


class InvalidMove(UnreadableText):
    """The text is not a move of this board. Fields: text, problem, board, number."""


class InvalidRecord(UnreadableText):
    """The text is not a record. Fields: line, problem, and what the problem needs."""


class InvalidNotation(UnreadableText):
    """The text is not a match's notation. Fields: text, problem, and what the problem needs."""


class InvalidCertificate(UnreadableText):
    """The certificate does not prove what it claims. Fields: problem, and what it needs."""


class IllegalMove(NumduelError):
    """The move cannot be played on this board. Fields: board, move, fault."""


class AmbiguousMove(NumduelError):
    """The move fits more than one number of the board. Fields: board, amount, places."""


class MatchOver(NumduelError):
    """The match has ended."""


class NothingToUndo(NumduelError):
    """There is no move to take back."""


class TooManyDigits(NumduelError):
    """The number has more digits than numduel takes. Fields: digits, limit."""


class TooLarge(NumduelError):
    """It cannot be done at this size."""


class TooLargeToFactor(TooLarge):
    """The number is too large to factor. Fields: number, digits, limit."""


class TooLargeToList(TooLarge):
    """The moves asked for cannot all be listed. Fields: game, number."""


class TooLargeToSolve(TooLarge):
    """The board is too large to solve exactly. Fields: board, misere, limit (moves), largest."""


class TooLargeToProve(TooLarge):
    """No certificate can be written for the verdict. Fields: board, misere."""


class UnknownGame(NumduelError):
    """No game has this key. Fields: key, known."""


class UnknownVariant(NumduelError):
    """No such variant or value. Fields: game, name, value, known (name -> values)."""


class InvalidGame(NumduelError):
    """A game breaks what every game promises. Fields: key, problem."""


class InvalidStart(NumduelError):
    """The number is not a start of this game. Fields: game, number."""


class InvalidSetup(NumduelError):
    """The match cannot be set up like this. Fields: problem, and what the problem needs."""


class UnknownPlayer(NumduelError):
    """There is no player of this name. Fields: text, known."""


class PlayerFailed(NumduelError):
    """A player gave no move. Fields: player, problem, and what the problem needs."""


class InvalidRange(NumduelError):
    """The range cannot be computed. Fields: problem, start, stop, and what the problem needs."""


class UnexpectedLoss(NumduelError):
    """An even number above 310 was not shown won in Subtract a Prime. Fields: number."""


class ClaimFails(NumduelError):
    """The claim does not hold, or is not shown, at a number. Fields: number, claim, proof."""


class ClaimBroken(NumduelError):
    """A number was proved to break a claim. Fields: claim, number, path (of the proof)."""


class UnknownKernel(NumduelError):
    """There is no block kernel of this name. Fields: name."""


class NoDevice(NumduelError):
    """There is no GPU to work on, or none for this claim. Fields: problem, and what it needs."""


class DeviceFailed(NumduelError):
    """A GPU contradicted itself in a range, which is not settled. Fields: start, stop."""


class CheckpointError(NumduelError):
    """The checkpoint cannot be used. Fields: path, problem, and what the problem needs."""


class SchedulerError(NumduelError):
    """The scheduler cannot be used. Fields: address, problem."""


class WorkerLost(NumduelError):
    """A worker process ended before its work. Fields: path (of the checkpoint)."""


class InvalidHeap(NumduelError):
    """The rule of a heap game breaks the rules. Fields: problem, and what the problem needs."""


class InvalidTerms(NumduelError):
    """The file does not hold the terms of a sequence. Fields: path, line, problem."""


class MissingExtra(NumduelError):
    """A package that comes with an extra is missing. Fields: extra, package."""


class RecordFileError(NumduelError):
    """The record file cannot be used. Fields: path, problem."""


class ResultsFileError(NumduelError):
    """The file of arena results cannot be used. Fields: path, problem."""


class StoreError(NumduelError):
    """The history cannot be used. Fields: place, problem, id (of one match)."""


class UnknownMatch(NumduelError):
    """No match of the history has this number. Fields: id."""


class NothingToStudy(NumduelError):
    """There is no position of the kind that was asked for. Fields: problem."""


class PictureError(NumduelError):
    """The picture cannot be made. Fields: path, problem."""


class TookTooLong(NumduelError):
    """The question was not answered in time. Fields: question, seconds."""


class TooBusy(NumduelError):
    """More questions are waiting than can be answered soon."""


class Unanswerable(NumduelError):
    """The question has no answer here. Fields: kind (of the error), message (a sentence)."""


class RoomError(NumduelError):
    """Something cannot be done in a room."""


class UnknownRoom(RoomError):
    """No room or replay has this code. Fields: code."""


class UnknownClass(RoomError):
    """No class has this code. Fields: code."""


class SeatsTaken(RoomError):
    """Both seats of the room are taken. Fields: code."""


class NotSeated(RoomError):
    """Whoever asks may not do this. Fields: code, needs (seat, host, teacher or pupil)."""


class NotYourTurn(RoomError):
    """The other player is to move. Fields: code."""


class StaleChange(RoomError):
    """The change answers an older version of the room. Fields: version, now."""


class NotAllowed(RoomError):
    """The action does not fit how the room stands. Fields: problem, and what it needs."""


class TooManyRooms(RoomError):
    """No more rooms can be kept. Fields: limit."""


class TooManyClasses(RoomError):
    """No more classes can be kept. Fields: limit."""


class TooManyRequests(NumduelError):
    """The client sent more than it may. Fields: what, seconds (until it may again)."""
