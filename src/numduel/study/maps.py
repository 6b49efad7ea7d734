"""Maps of a game: the outcome and the value of every number up to some number."""

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import TypedDict

from numduel.arguments import checked
from numduel.arithmetic import count_digits
from numduel.board import Board, Number
from numduel.drawing import Cell, Picture, draw_graph, draw_square, draw_values
from numduel.errors import NothingToStudy, TooLarge
from numduel.games import Game
from numduel.match import Record
from numduel.solver import solve
from numduel.wording.rules import unusual

__all__ = ["Graph", "Map", "as_json", "make_graph", "make_map", "map_around"]

MAX_NUMBER, MAX_GRAPH, MAX_COLUMNS = 10_000, 60, 100
AROUND = 100  # numbers of a map around another; a fifth around one of `MANY_DIGITS`, or more
MANY_DIGITS = 100


@dataclass(frozen=True, slots=True)
class Map:
    """A game's numbers from its smallest up, or from a later one. A notebook shows its picture."""

    game: Game
    misere: bool
    cells: tuple[Cell, ...]

    @property
    def title(self) -> str:
        """The game, with what is unusual about it."""
        extras = ["=".join(item) for item in unusual(self.game).items()]
        extras += ["misère"] if self.misere else []
        return f"{self.game.title} ({', '.join(extras)})" if extras else self.game.title

    def picture(self, columns: int = 10) -> Picture:
        """The Grundy values where the map has them, otherwise the traps."""
        has_values = all(cell.value is not None for cell in self.cells)
        return (draw_values if has_values else draw_square)(self.title, self.cells, columns)

    def _repr_svg_(self) -> str:
        return str(self.picture())


@dataclass(frozen=True, slots=True)
class Graph:
    """The numbers that can be reached from one number, and the moves between them."""

    map: Map
    moves: dict[int, tuple[int, ...]]
    """Each number with those that one move leads to, the largest first."""

    @property
    def lost(self) -> dict[int, bool]:
        return {cell.number: bool(cell.lost) for cell in self.map.cells}

    def picture(self) -> Picture:
        return draw_graph(self.map.title, self.lost, self.moves)

    def _repr_svg_(self) -> str:
        return str(self.picture())


@checked
def make_map(
    game: Game, to: int, misere: bool = False, values: bool = False, start: int = 1
) -> Map:
    """The map from `start` to the number `to`. Raises `NothingToStudy` for a size beyond reading.

    It begins with 1 at the least, as on a hundred square, and with the game's smallest number.
    """
    least = max(game.least, start) if start > 1 else game.least
    _check_size(least, to)
    shown = range(max(1, least), to + 1)
    return Map(game, misere, tuple(_cell(game, n, misere, values) for n in shown))


def _check_size(least: int, value: int, limit: int = MAX_NUMBER) -> None:
    if not least <= value <= limit:
        raise NothingToStudy(problem="map size", least=least, limit=limit, value=value)


@checked
def map_around(number: Number, misere: bool = False, values: bool = False) -> Map:
    """The map of the hundred numbers around one of any size; of twenty around a very large one.

    Rows of ten begin with a number that ends in 1, as on a hundred square.
    """
    game, n = number
    side = AROUND if count_digits(n) <= MANY_DIGITS else AROUND // 5
    first = max(1, game.least, (n - 1) // 10 * 10 + 1 - side // 2)
    shown = range(first, first + side)
    return Map(game, misere, tuple(_cell(game, one, misere, values) for one in shown))


def map_in_play(board: Board, way: Sequence[int] = ()) -> Map:
    """The numbers in tens up to the number of a board that can be played, a hundred at most.

    Of a match that began higher, instead the tens that it went through on its `way`. Raises
    `NothingToStudy` for boards of several numbers, and numbers beyond reading.
    """
    if len(board.numbers) != 1:
        raise NothingToStudy(problem="one number", count=len(board.numbers))
    game, here = board.numbers[0]
    _check_size(game.least, here)
    to = max(10, -(-here // 10) * 10)
    amount = next(iter(game.moves(here)), None)
    later = game if amount is None else game.after(here, amount)[0]  # no longer the opening
    tens = {(n - 1) // 10 for n in way if n} if way and to > AROUND else range((to - 99) // 10, to)
    shown = [n for n in range(max(1, game.least), to + 1) if (n - 1) // 10 in tens]
    cells = (_cell(game if n == here else later, n, board.misere) for n in shown)
    return Map(later, board.misere, tuple(cells))


def way_of(record: Record) -> list[int]:
    """The numbers that a match went through, from its start to its end; the first of several."""
    boards = [record.setup.board, *(turn.board for turn in record.replay().turns)]
    return [board.numbers[0].value for board in boards]


class MapFacts(TypedDict):
    """A map with plain values; documented in docs/formats.md."""

    game: str
    settings: dict[str, str]
    misere: bool
    numbers: list[int]
    lost: list[int]
    values: list[int] | None
    """Grundy values; null under misère, and where they were not asked for."""


@checked
def as_json(made: Map) -> MapFacts:
    values = [cell.value for cell in made.cells if cell.value is not None]
    return {
        "game": made.game.key,
        "settings": dict(made.game.settings),
        "misere": made.misere,
        "numbers": [cell.number for cell in made.cells],
        "lost": [cell.number for cell in made.cells if cell.lost],
        "values": values if len(values) == len(made.cells) else None,
    }


def _cell(game: Game, n: int, misere: bool, values: bool = False) -> Cell:
    try:
        verdict = solve(Board.of(game, n, misere))
    except TooLarge:
        return Cell(n, None)
    return Cell(n, verdict.outcome == "loss", verdict.grundy if values else None)


@checked
def make_graph(game: Game, start: int, misere: bool = False) -> Graph:
    """All positions that can come up from the start."""
    if start > MAX_GRAPH:
        raise NothingToStudy(problem="graph size", limit=MAX_GRAPH, value=start)
    _check_size(game.least, start, MAX_GRAPH)
    moves: dict[int, tuple[int, ...]] = {}
    cells: dict[int, Cell] = {}
    waiting = [(game, start)]
    while waiting:
        rules, n = waiting.pop()
        if n in moves:
            continue
        after = [rules.after(n, amount) for amount in rules.moves(n)]
        moves[n] = tuple(sorted({left for _, left in after}, reverse=True))
        cells[n] = _cell(rules, n, misere)
        waiting += after
    ordered = tuple(cells[n] for n in sorted(cells))
    return Graph(Map(game, misere, ordered), {n: moves[n] for n in sorted(moves, reverse=True)})
