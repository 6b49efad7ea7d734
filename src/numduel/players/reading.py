r"""How a language model's answer is read, by rules that its prompt states.

- Reasoning is never read: what stands between `<think>` and `</think>`, and any text before
  the answer.
- The last answer in brackets counts: `[7]`, `\boxed{7}`, or a JSON object `{"move": 7}`.
- Without one, the last line counts where it is a move: `7`, `**7**`, `Answer: 7`.
- Where none may be answered, it is written like a move: `[none]`, `**Answer:** none`.
- 1,000 and 1 000 and 1'000 are 1000; digits of any script are digits.
- What could be taken in two ways is not read at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board, Move
from numduel.errors import (
    AmbiguousMove,
    InvalidMove,
    InvalidNumber,
    NumduelError,
    PlayerFailed,
    TooManyDigits,
    UnreadableText,
)
from numduel.players.answer_text import (
    CONJUNCTIONS,
    MoveText,
    is_label,
    last_line,
    move_in,
    peeled,
    spoken,
    unstyled,
    words,
)

NONE = "none"
"""The answer that no move wins, where that may be answered."""

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_BRACES = re.compile(r"(\\(?:boxed|fbox)\s{0,9}\{)|[{}]")
_CUT = re.compile(r"(?:\[|\\boxed\s{0,9}\{)[\s0-9,/:]*\Z")
_FIRST_KEYS = frozenset(
    ("move", "answer", "final_answer", "finalanswer", "my_move", "play", "action", "choice")
)
_OTHER_KEYS = frozenset(("number", "amount", "subtract", "divide_by"))
_DIGITS = re.compile("[0-9]+")
_SHOWN = 200
"""Characters of an answer that an error tells."""
_NESTED = 4
"""Objects within objects are read as far as this."""


class Kind(StrEnum):
    """What an answer is."""

    MOVE = "move"
    NONE = "none"
    """The answer that no move wins."""
    ILLEGAL = "illegal"
    """It can be read, but not played."""
    UNREADABLE = "unreadable"


class Reading(NamedTuple):
    """An answer as it was read."""

    kind: Kind
    move: Move | None = None
    """The move that it names, legal or not; None where it names none that a board could have."""
    error: NumduelError | None = None
    """What is wrong with it, where it is illegal or unreadable."""


class _Answer(NamedTuple):
    start: int
    end: int
    content: str
    in_brackets: bool = False


@checked
def read_answer(text: str, board: Board, *, none_allowed: bool = False) -> Reading:
    """What a model's answer says on this board; it never raises, and takes linear time.

    With `none_allowed`, `[none]` says that no move wins.
    """
    said = spoken(text)
    answers = _outermost(answer for answer in _answers(said) if _says(answer.content, none_allowed))
    start, line = last_line(said)
    last = answers[-1] if answers else _Answer(-1, -1, "")
    if _is_cut(said, last.end):
        return _unreadable(line)
    read = _read(last.content, board, none_allowed)
    if read.kind is Kind.UNREADABLE and start >= last.end:
        read = _read(line, board, none_allowed)
    if len(answers) > 1 and _undecided(said, *answers[-2:]):
        return _unreadable(said[answers[-2].start : last.end])
    return read


def kind_of(error: NumduelError) -> Kind | None:
    """How an answer counts that raised this; None where there was no answer at all."""
    if isinstance(error, PlayerFailed):
        return None
    if isinstance(error, InvalidMove):
        return Kind.UNREADABLE if error.problem == "not a number" else Kind.ILLEGAL
    ambiguous = isinstance(error, AmbiguousMove) and error.places
    return Kind.UNREADABLE if ambiguous or isinstance(error, UnreadableText) else Kind.ILLEGAL


def _says(content: str, none_allowed: bool) -> bool:
    """Does it hold a number, or say that there is none?"""
    return any("0" <= c <= "9" for c in content) or (none_allowed and _says_none(content))


def _says_none(content: str) -> bool:
    label, _, said = f" {words(unstyled(content))}".rpartition(" ")
    return said == NONE and (not label or is_label(label.strip()))


def _outermost(answers: Iterator[_Answer]) -> list[_Answer]:
    """In order of their ends, without those inside others; brackets around a box do not count."""
    found: list[_Answer] = []
    for answer in sorted(answers, key=lambda answer: (answer.end, -answer.start)):
        if answer.in_brackets and found and found[-1].start >= answer.start:
            continue
        while found and found[-1].start >= answer.start:
            found.pop()
        found.append(answer)
    return found


def _answers(said: str) -> Iterator[_Answer]:
    """Whatever stands in brackets or boxes, and the moves of JSON objects."""
    for found in _BRACKETS.finditer(said):
        yield _Answer(found.start(), found.end(), found[1], in_brackets=True)
    opened: list[tuple[re.Match[str], int, int]] = []
    boxes, height = 0, 0
    """How many boxes have ended, and how deep the objects just ended are nested."""
    for found in _BRACES.finditer(said):
        if found[0] != "}":
            opened.append((found, boxes, height))
            height = 0
        elif opened:
            brace, before, beside = opened.pop()
            height += 1
            if brace[1] and boxes == before:
                yield _Answer(brace.start(), found.end(), said[brace.end() : found.start()])
            elif not brace[1] and height <= _NESTED:
                content = _object(said[brace.start() : found.end()])
                if content is not None:
                    yield _Answer(brace.start(), found.end(), content)
            boxes += bool(brace[1])
            height = max(height, beside)


def _object(text: str) -> str | None:
    """The move in a JSON object, as text; None where it is no object, or holds none."""
    if text[1:].lstrip()[:1] != '"':
        return None
    try:
        fields: dict[str, Any] = {
            key.casefold().replace(" ", "_"): value for key, value in json.loads(text).items()
        }
    except (ValueError, RecursionError):
        return None
    for keys in (_FIRST_KEYS, _OTHER_KEYS):
        named = {_text(fields[key]) for key in keys & fields.keys()} - {""}
        if named:
            place = _text(fields.get("place"))
            amount = " or ".join(sorted(named))
            return f"{place}:{amount}" if place and ":" not in amount else amount
    return None


def _text(value: Any) -> str:
    """A field's value where it may be a move, else nothing."""
    match value:
        case bool() | None | dict():
            return ""
        case [only]:
            return _text(only)
        case str() if not _says(value, none_allowed=True):
            return ""
        case _:
            return str(value)


def _is_cut(said: str, end: int) -> bool:
    """Does the answer end within brackets, which were to hold a number?"""
    start = max(said.rfind("[", max(end, 0)), said.rfind("\\boxed", max(end, 0)))
    return start >= 0 and _CUT.match(said, start) is not None


def _undecided(said: str, one: _Answer, other: _Answer) -> bool:
    """Are these two different answers side by side, as in "[7] or [8]"?"""
    between = said[one.end : other.start]
    if "\n" in between or words(between) not in CONJUNCTIONS:
        return False
    return move_in(one.content) != move_in(other.content)


def _read(content: str, board: Board, none_allowed: bool) -> Reading:
    if none_allowed and _says_none(content):
        return Reading(Kind.NONE)
    found = move_in(content.strip("[] \n"))
    if found is None or _could_be_placed(found, board):
        return _unreadable(content)
    place, amount, _ = found
    move: Move | None = None
    try:
        if place is not None and not 0 < read_number(place) <= len(board.numbers):
            move = Move(read_number(place) - 1, read_number(amount.removeprefix("/")))
        else:
            move = board.parse_move(amount if place is None else f"{place}:{amount}")
        board.play(move)
    except NumduelError as error:
        kind = kind_of(error)
        return Reading(kind or Kind.ILLEGAL, move, error)
    return Reading(Kind.MOVE, move)


def _could_be_placed(found: MoveText, board: Board) -> bool:
    """On several numbers, is "2,100" as well 100 on the second?"""
    several = len(board.numbers)
    if several == 1 or found.place is not None or len(found.groups) != 2:
        return False
    return 0 < int(found.groups[0]) <= several


def _unreadable(text: str) -> Reading:
    shown = peeled(text[:_SHOWN])
    problem = "no number"
    numbers = {*_DIGITS.findall(shown)}
    if numbers:
        problem = "several numbers"
        try:
            read_number(shown)
        except InvalidNumber as error:
            if error.problem != "mixed" or len(numbers) == 1:
                problem = error.problem
        except TooManyDigits:
            pass
    return Reading(Kind.UNREADABLE, None, InvalidNumber(text=shown, problem=problem))
