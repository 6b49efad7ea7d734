"""What can be played on a board, for its buttons and the field beside them."""

from __future__ import annotations

from asyncio import gather
from dataclasses import dataclass, replace
from itertools import islice

from numduel.board import Board, Move, Number
from numduel.errors import NumduelError
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board_view import Shown, ShownMove, moves_of, numbers
from numduel.wording import problem, wording_of

MOST = 200
"""Moves of a page that get a button each, the smallest of each number first; others are typed."""

_QUICK = 10**9
"""The moves of numbers below this are listed here; others are asked for elsewhere."""

_GROUP, _PLAIN = 3, 4
_NOBODY = ("Player 1", "Player 2")


@dataclass(frozen=True, slots=True)
class Choice:
    """One number of the board with the moves that get a button."""

    place: int
    shown: Shown
    parts: list[str]
    """The figures in groups of three, so that a long number can be read and wraps well."""
    moves: list[ShownMove]
    complete: bool
    """Are these all its moves? Else the smallest."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a move can be played, and a sentence about it."""

    ok: bool
    says: str


def shown_numbers(board: Board, start: Board | None = None) -> list[Choice]:
    """The numbers alone, for whoever is not to move."""
    return [
        Choice(place, shown, _parts(number.value), [], True)
        for place, (number, shown) in enumerate(
            zip(board.numbers, numbers(board, start), strict=True), 1
        )
    ]


async def choices(board: Board, thinkers: Thinkers, start: Board | None = None) -> list[Choice]:
    """The numbers with their moves. Where finding them takes too long, there are none."""
    listed = await gather(*(_listed(number, thinkers) for number in board.numbers))
    most = _share([len(amounts) for amounts, _ in listed])
    found = []
    for place, (plain, (amounts, known)) in enumerate(
        zip(shown_numbers(board, start), listed, strict=True)
    ):
        complete = known and len(amounts) <= most
        moves = [Move(place, amount) for amount in amounts[:most]]
        found.append(replace(plain, moves=moves_of(board, moves), complete=complete))
    return found


def _share(counts: list[int]) -> int:
    """The most buttons for each number, so that together they are not too many."""
    return next(most for most in range(MOST, 0, -1) if sum(min(most, n) for n in counts) <= MOST)


async def _listed(number: Number, thinkers: Thinkers) -> tuple[list[int], bool]:
    """The first moves, one more than get buttons; and whether the list is right as it is."""
    game, value = number
    if value < _QUICK:
        return list(islice(game.moves(value), MOST + 1)), True
    try:
        answer = await thinkers.ask(position.moves, board=str(number), most=MOST + 1)
    except NumduelError:
        return [], False
    return [int(move["amount"]) for move in answer["moves"]], answer["complete"]


def example(found: list[Choice]) -> str:
    """A move as it is typed on a board of several numbers."""
    return next((choice.moves[0].text for choice in found if choice.moves), "1:2")


def what_is_allowed(board: Board, found: list[Choice]) -> str:
    """A sentence that says what may be played."""
    if len(found) == 1:
        [(game, value)] = board.numbers
        return f"{wording_of(game)(_NOBODY).allowed(game, value)}."
    return f"Play on one of the numbers: its place, a colon and the move, like {example(found)}."


def check(board: Board, text: str) -> Checked:
    """Can the move be played? Found without listing moves."""
    try:
        move = board.parse_move(text)
        board.play(move)
    except NumduelError as error:
        return Checked(False, problem(error))
    shown = moves_of(board, [move])[0]
    where = f" on number {shown.place}" if shown.place else ""
    return Checked(True, f"{shown.does}{where}: {shown.left} is left.")


def _parts(value: int) -> list[str]:
    text = str(value)
    if len(text) <= _PLAIN:
        return [text]
    head = len(text) % _GROUP
    rest = [text[at : at + _GROUP] for at in range(head, len(text), _GROUP)]
    return [text[:head], *rest] if head else rest
