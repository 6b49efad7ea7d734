"""Matches in words for language models: what they are told, and how their answers are read.

An answer is read by one short rule, which the prompt states.
Closed thinking is taken away: what stands between `<think>` and `</think>`, and all before an
end without a beginning. An open thought makes the answer unreadable. Of what is left, the last
line that names an answer counts: Answer, Final answer, Move or Winning move, then a colon or "is",
then only one number or none. Without such a line, the last `[15]` or `[none]` counts.
Capitals, bold, quotes, marks of code and formulas, brackets, list signs, a sign or an operation
before the number and a full stop change nothing. Two numbers after one label, or in one pair of
brackets, are unreadable, and so is anything else behind a label and a colon that holds a number.

`arena/exam/forms.toml` has a table of cases, each of which is part of the exam's hash.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from numduel import errors
from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board, Move
from numduel.errors import InvalidNumber, NumduelError
from numduel.players.player import Turn, View
from numduel.wording import problem, summary
from numduel.wording.rules import choices, label, paragraphs
from numduel.wording.text import listed_moves

__all__ = ["Kind", "Reading", "View", "ask", "prompt", "read_answer", "read_text"]

WHAT_COUNTS = (
    "The last line that names an answer counts: Answer, Final answer, Move or Winning move, then a "
    'colon or "is", then only one '
)  # what a number, or none, follows in the rule of `read_text`; docs/measure.md says the same
_TOLD = 20  # of a long match, this many moves are told: a prompt does not grow with every turn
_LISTED = 60  # up to this many legal moves are listed; of more, the first, the last, and how many


@checked
def prompt(view: View, legal: bool = False, history: bool = True) -> str:
    """The match in words; `legal` lists the legal moves, in short if many, `history` the last ones.

    What was wrong with an answer given in this turn is always said.
    """
    lines = [*rules_lines(view.start), *_lines(view, legal, history)]
    return "\n".join([*lines, how_to_answer(view.board)])


def how_to_answer(board: Board, none: bool = False) -> str:
    """The rule by which `read_text` reads an answer, as a model is told it."""
    several = len(board.numbers) > 1
    form, or_none = "place:number" if several else "number", " or none" if none else ""
    told = f"You may think aloud. Then end with a line of its own: Answer: {form}, the number that "
    told += "you take away or divide by" + (", or Answer: none if no move wins" if none else "")
    told += ". For example, 2:15 plays 15 on the second number" if several else ""
    brackets = f"[{form}]" + (" or [none]" if none else "")
    return f"{told}. {WHAT_COUNTS}{form}{or_none}. Without such a line, the last {brackets} counts."


@checked
def ask(view: View, complete: Callable[[str], str], tries: int = 3, legal: bool = False) -> Move:
    """Ask `complete` for a legal move, telling what was wrong; the last error is raised."""
    turn = Turn(view, max(1, tries))
    for seen in turn:
        turn.take(lambda view: read_move(complete(prompt(view, legal)), view.board), seen)
    if turn.move is None:
        raise turn.problems[-1]
    return turn.move


def read_move(text: str, board: Board) -> Move:
    """The legal move that an answer names. Raises what is wrong with it."""
    _, move, error = read_answer(text, board)
    if move is None or error is not None:
        raise error or InvalidNumber(text=text, problem="no number")
    return move


def complaint(error: NumduelError) -> str:
    told = isinstance(error, (errors.IllegalMove, InvalidNumber))
    more = "" if told else " Name one legal move."
    return f"Your answer was not accepted: {problem(error)}{more}"


def rules_lines(board: Board) -> Iterator[str]:
    """The rules, without their examples: each shows a move, and some are good ones."""
    yield "You play a match of a number game against one opponent. You take turns."
    for game in dict.fromkeys(number.game for number in board.numbers):
        yield ""
        yield f"Rules of {game.title}:"
        yield summary(game)
        yield from paragraphs(game)[0]
        for name, value in game.settings.items():
            yield f"In this match: {label(name)}: {dict(choices(game, name))[value]}."
    yield ""
    yield "No number ever falls below 0."
    if len(board.numbers) > 1:
        yield "There are several numbers. A turn plays one of them."
    if board.misere:
        yield "This match is misère, which reverses the goal: whoever cannot move wins."
    elif len(board.numbers) > 1:
        yield "Whoever cannot move on any of them loses."


def _lines(view: View, legal: bool, history: bool) -> Iterator[str]:
    board = view.board
    if history and view.moves:
        count = len(view.moves)
        yield f"The last {_TOLD} of {count} moves:" if count > _TOLD else "The moves so far:"
        yield from deque(_history(view), _TOLD)
        yield ""
    for number, said in zip(board.numbers, stands(board, " now"), strict=True):
        yield said
        if legal:
            yield f"Legal moves: {listed_moves(number, few=_LISTED)}."
    for error in view.problems:
        yield complaint(error)
    yield "It is your turn."


def stands(board: Board, now: str = "") -> list[str]:
    if len(board.numbers) == 1:
        return [f"The number is{now} {board.numbers[0].value}."]
    numbers = enumerate(board.numbers, 1)
    return [f"Number {place} ({game.title}) is{now} {n}." for place, (game, n) in numbers]


def _history(view: View) -> Iterator[str]:
    board = view.start
    for turn, move in enumerate(view.moves):
        who = "The opponent" if (len(view.moves) - turn) % 2 else "You"
        if move is None:
            yield f"- {who} lost the turn."
            continue
        written = board.write_move(move)
        board = board.play(move)
        yield f"- {who} played {written}, which left {board.numbers[move.place].value}."


NONE = "none"  # the answer that no move wins, where that may be answered
_THOUGHT = re.compile(r"(?i:[<◁]/?(?:think|thinking|thought|thoughts|reasoning)[>▷])|\[/?THINK\]")
"""`[Thinking]` is a heading."""
_SPACES = "\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_LOOKS = str.maketrans(
    "【】［］：，" + _SPACES,
    "[][]:," + " " * len(_SPACES),
    "*_`\"'“”‘’«»$~\u200b\u200e\u200f\u2060\ufeff",
)  # bold, code marks, quotes and what is not seen are taken away, and every space is a plain one
_FORMULA = re.compile(r"\\[()\[\]]")  # where TeX begins and ends a formula, as `$` does
_LABELLED = re.compile(
    r"(?:\W*\d+[.)])?\W*(?:(?:so|thus|hence|therefore)\b\W*)?(?:(?:the|my)\s+)?"
    r"(?:final answer|answer|winning move|move)\s*(?:(:)|is\b\s*:?)(.*)",
    re.I,
)
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_AROUND = " \t[](){}<>.,"
_OPERATION = r"(?:(?:subtract|take away|take|minus|play|[-+−–])\s*)?((?:divide by|/|÷)\s*)?"
_NUMBER = r"\d{1,3}(?:,\d{3})+(?!\d)|\d+"
_VALUE = re.compile(rf"(?:(\d+)\s*:\s*)?{_OPERATION}({_NUMBER}|{NONE})(?![\w.:])", re.I)
_BETWEEN = re.compile(r"(?:[\s,;/\[\]()]|or\b|and\b)+", re.I)
_SPEAKS = re.compile(rf"\d|\b{NONE}\b", re.I)
_LONGEST, _SHOWN = 8_000, 200  # characters: room for the largest number with commas; in an error


class Kind(StrEnum):
    MOVE = "move"
    NONE = "none"
    ILLEGAL = "illegal"  # it can be read, but not played
    UNREADABLE = "unreadable"


class Reading(NamedTuple):
    kind: Kind
    move: Move | None = None  # legal or not; None where it names none that a board could have
    error: NumduelError | None = None  # what is wrong with it, where it is illegal or unreadable


@checked
def read_text(text: str) -> str | None:
    r"""What the answer names, as plain text: `15`, `/3`, `2:15` or `none`; None if unreadable.

    >>> read_text("Is it 3? No: that leaves 45.\n\n**Answer:** `15`.")
    '15'

    A function of the text alone. It takes linear time.
    """
    said = _spoken(text)
    if said is None:
        return None
    for line in reversed(said.splitlines()):
        labelled = _LABELLED.match(line)
        if labelled:
            found = _values(labelled[2])
            if found or (labelled[1] and _SPEAKS.search(labelled[2])):
                return found[0] if len(found) == 1 else None
    inside = [found for brackets in _BRACKETS.findall(said) if (found := _values(brackets))]
    return inside[-1][0] if inside and len(inside[-1]) == 1 else None


@checked
def read_answer(text: str, board: Board, *, none_allowed: bool = False) -> Reading:
    """It never raises. With `none_allowed`, the answer `none` says that no move wins."""
    found = read_text(text)
    if found == NONE and none_allowed:
        return Reading(Kind.NONE)
    if found is None or found == NONE:
        shown = text.strip()[-_SHOWN:]
        problem = "several numbers" if len(re.findall(r"\d+", shown)) > 1 else "no number"
        return Reading(Kind.UNREADABLE, None, InvalidNumber(text=shown, problem=problem))
    move: Move | None = None
    place, colon, amount = found.rpartition(":")
    try:
        if colon and not 0 < read_number(place) <= len(board.numbers):
            move = Move(read_number(place) - 1, read_number(amount.removeprefix("/")))
        else:
            move = board.parse_move(found)
        board.play(move)
    except NumduelError as error:
        return Reading(kind_of(error) or Kind.ILLEGAL, move, error)
    return Reading(Kind.MOVE, move)


def kind_of(error: NumduelError) -> Kind | None:
    """How an answer counts that raised this; None where there was no answer at all."""
    if isinstance(error, errors.PlayerFailed):
        return None
    if isinstance(error, errors.InvalidMove):
        return Kind.UNREADABLE if error.problem == "not a number" else Kind.ILLEGAL
    ambiguous = isinstance(error, errors.AmbiguousMove) and error.places
    unreadable = ambiguous or isinstance(error, errors.UnreadableText)
    return Kind.UNREADABLE if unreadable else Kind.ILLEGAL


def _spoken(text: str) -> str | None:
    """The text without its closed thoughts and its looks; None where a thought is left open."""
    kept, start, thinking = list[str](), 0, False
    for mark in _THOUGHT.finditer(text):
        ends = "/" in mark[0]
        if not thinking and ends:
            kept.clear()
        elif not thinking:
            kept.append(text[start : mark.start()])
        thinking, start = not ends, mark.end()
    said = _FORMULA.sub("", "\n".join([*kept, text[start:]])).translate(_LOOKS)
    return None if thinking else re.sub(r"[^\W0-9a-z]", _plain_digit, said)


def _plain_digit(found: re.Match[str]) -> str:
    """A digit of any script as one of 0 to 9; anything else as it is."""
    return str(int(found[0])) if found[0].isdecimal() else found[0]


def _values(text: str) -> list[str]:
    """The numbers, or none, that a text consists of; empty where it says anything else."""
    text = text.strip(_AROUND)
    if len(text) > _LONGEST:
        return []
    found, at = list[str](), 0
    while at < len(text):
        value = _VALUE.match(text, at)
        if value is None:
            return []
        place, divides, amount = value.groups()
        named = f"{place}:" if place else ""
        found.append(named + "/" * bool(divides) + amount.lower().replace(",", ""))
        between = _BETWEEN.match(text, value.end())
        at = between.end() if between else value.end()
        if between is None and at < len(text):
            return []
    return found
