"""Questions about a board: its moves, its verdict, its map, a player's move."""

from collections.abc import Callable
from itertools import islice
from random import Random

from typing_extensions import TypedDict

from numduel.board import Board, Move
from numduel.errors import NotAllowed, NothingToStudy, NumduelError, TooLarge
from numduel.players import make_computer
from numduel.solver import Verdict, no_choice_matters, solve
from numduel.study.maps import MapFacts, make_map, map_around
from numduel.study.maps import as_json as map_json
from numduel.wording.verdict import VerdictFacts, pattern
from numduel.wording.verdict import as_json as verdict_json
from numduel.wording.why import STEPS, argument, why
from numduel.wording.why import hint as hint_on

MOST = 1000  # the most moves in one answer
_EXACT = 1 << 53  # integers from here on are not exact in every program that reads JSON


def read(board: str) -> Board:
    """The board of a text, in letters of any size."""
    return Board.parse(board.lower())


class LegalMove(TypedDict):
    """A move, and what it leaves."""

    move: str
    """As you send it."""
    place: int
    """Which number of the board, counted from 1."""
    amount: str
    left: str
    """What that number is afterwards."""
    ends: bool
    """Does this leave the other player no move?"""


class Moves(TypedDict):
    """The first legal moves of a board."""

    complete: bool
    """Are these all?"""
    count: int | None
    """How many there are; null where that is not known."""
    moves: list[LegalMove]


def moves(board: str, most: int = 40) -> Moves:
    """The first legal moves, number by number, what each leaves, and whether these are all.

    They are counted where counting is cheap. A number that is too large to factor has the
    moves that are known.
    """
    asked = read(board)
    found, complete = _first_moves(asked, max(0, min(most, MOST)))
    told = [_told(asked, move) for move in found]
    return {"complete": complete, "count": _count(asked), "moves": told}


def _first_moves(board: Board, most: int) -> tuple[list[Move], bool]:
    found: list[Move] = []
    complete = True
    for place, (game, value) in enumerate(board.numbers):
        try:
            for amount in islice(game.moves(value), most - len(found) + 1):
                found.append(Move(place, amount))  # noqa: PERF401  what came before an error counts
        except TooLarge:
            complete = False
        if len(found) > most:
            return found[:most], False
    return found, complete


def _count(board: Board) -> int | None:
    try:
        counts = [game.count(value) for game, value in board.numbers]
    except TooLarge:
        return None
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) and sum(known) < _EXACT else None


def _told(board: Board, move: Move) -> LegalMove:
    after = board.play(move)
    return {
        "move": board.write_move(move),
        "place": move.place + 1,
        "amount": str(move.amount),
        "left": str(after.numbers[move.place].value),
        "ends": after.is_over,
    }


class ChosenMove(TypedDict):
    move: str


def move(board: str, player: str, seed: str | int) -> ChosenMove:
    """The move that a built-in player chooses; programs, models and persons are not asked."""
    chooser = make_computer(player, Random(seed))
    asked = read(board)
    if asked.is_over:
        raise NotAllowed("match over")
    return {"move": asked.write_move(chooser.choose(asked))}


class Hint(TypedDict):
    """Something to think about."""

    text: str
    move: str | None
    """The winning move, once a hint names it."""
    why: list[str]
    """The reasons, with the last hint."""


def hint(board: str, step: int = 1) -> Hint:
    """What to say the first, second and third time that somebody asks for a hint."""
    asked, step = read(board), max(1, min(step, STEPS))
    text = hint_on(asked, step)
    if step < STEPS:
        return {"text": text, "move": None, "why": []}
    found = solve(asked)
    move = None if no_choice_matters(asked) else found.named_move
    return {"text": text, "move": move and asked.write_move(move), "why": _sentences(why, found)}


class ExplainedVerdict(VerdictFacts):
    """Who wins a board with best play, and why."""

    why: list[str]
    argument: list[str]
    """The same at length."""
    parts: list[int]
    """The Grundy values of several numbers, whose xor is that of the board; else none."""


def verdict(board: str, most: int = 10) -> ExplainedVerdict:
    """Who wins, by which moves, how that is known; in short and as a full argument.

    If the reasons are too long to give, there are none, and the verdict comes without.
    """
    found = solve(read(board))
    short = _sentences(why, found)
    return {
        **verdict_json(found, max(0, min(most, MOST))),
        "why": short,
        "argument": _sentences(argument, found) or short,
        "parts": _parts(found),
    }


def _parts(found: Verdict) -> list[int]:
    if found.misere or len(found.board.numbers) == 1:
        return []
    try:
        values = [solve(Board((number,))).grundy for number in found.board.numbers]
    except NumduelError:
        return []
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []


def _sentences(reasons: Callable[[Verdict], list[str]], found: Verdict) -> list[str]:
    try:
        return reasons(found)
    except NumduelError:
        return []


class TitledMap(MapFacts):
    """Which numbers of a game are traps."""

    title: str
    unknown: list[int]
    """Numbers that are too large to judge."""


def map_of(board: str, to: int | None = 100, values: bool = False, start: int = 1) -> TitledMap:
    """Which numbers from `start` to `to` are traps, under the rules of the board's one number.

    For None, which of the numbers around that one are, at any size.
    """
    asked = read(board)
    if len(asked.numbers) != 1:
        raise NothingToStudy(problem="one number", count=len(asked.numbers))
    number = asked.numbers[0]
    if to is None:
        made = map_around(number, asked.misere, values)
    else:
        made = make_map(number.game, to, asked.misere, values, start)
    unknown = [cell.number for cell in made.cells if cell.lost is None]
    return {"title": made.title, **map_json(made), "unknown": unknown}


class MapWithPattern(TitledMap):
    """A map, and what repeats on it."""

    pattern: str | None
    """A sentence that says whether it is proved; null where nothing is known or seen."""


def overview(board: str, to: int) -> MapWithPattern:
    """The map of a game from 1 on, and its pattern."""
    asked = read(board)
    return {**map_of(board, to), "pattern": pattern(asked.numbers[0].game, asked.misere)}
