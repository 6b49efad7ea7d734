"""The reference: plain search, for any game, any variant, any board."""

from collections.abc import Iterator

from numduel.board import Board, Move, Number
from numduel.errors import TooLarge

LIMIT = 500_000
"""Moves that one search may look at: two or three seconds."""
_FREE_BITS = 16
"""Listing the moves of a larger number may take a factoring: its cost doubles every 8 bits."""
Position = tuple[Number, ...]
"""Numbers that have a move left, in one fixed order."""


class Search:
    """Exact answers by looking at every line of play, each position once.

    No line may be endless. Raises `TooLarge` once it has looked at `limit` moves.
    """

    def __init__(self, misere: bool = False, limit: int = LIMIT) -> None:
        self.misere = misere
        self.limit = limit
        self._looked = 0
        self._lost: dict[Position, bool] = {}
        self._values: dict[Number, int] = {}
        self._live: dict[Number, bool] = {}

    def lost(self, board: Board) -> bool:
        """Does the player to move lose, under this search's own ending rule?"""
        root = self._position(board.numbers)
        known = self._lost
        # A stack of its own: numbers in the thousands nest deeper than calls may.
        stack: list[tuple[Position, Iterator[Position]]] = []
        if root not in known:
            stack.append((root, self._options(root)))
        child: Position | None = None
        while stack:
            position, options = stack[-1]
            while child is None or child in known:
                if child is not None and known[child]:
                    known[position] = False
                    break
                child = next(options, None)
                if child is None:
                    # Without a move the mover loses; under misère, wins.
                    known[position] = bool(position) or not self.misere
                    break
                self._look(board)
            if position in known:
                stack.pop()
                child = position
            elif child is not None:
                stack.append((child, self._options(child)))
                child = None
        return known[root]

    def grundy(self, number: Number) -> int:
        values = self._values
        waiting = [number]
        while waiting:
            current = waiting[-1]
            if current in values:
                waiting.pop()
                continue
            options = []
            for option in self._after(current):
                self._look(Board((number,)))
                options.append(option)
            unknown = [option for option in options if option not in values]
            if unknown:
                waiting += unknown
                continue
            reached = {values[option] for option in options}
            values[current] = next(v for v in range(len(reached) + 1) if v not in reached)
            waiting.pop()
        return values[number]

    def winning_moves(self, board: Board) -> Iterator[Move]:
        return (move for move in board.moves() if self.lost(board.play(move)))

    def _look(self, board: Board) -> None:
        self._looked += 1
        if self._looked > self.limit:
            raise TooLarge("to solve", board=board, misere=self.misere, limit=self.limit)

    def _after(self, number: Number) -> Iterator[Number]:
        game, value = number
        if value >> _FREE_BITS and game.factors:
            self._looked += 1 << min(value.bit_length() // 8, 30)
        return (Number(*game.after(value, amount)) for amount in game.moves(value))

    def _has_moves(self, number: Number) -> bool:
        live = self._live.get(number)
        if live is None:
            live = self._live[number] = not number.game.is_over(number.value)
        return live

    def _position(self, numbers: Position) -> Position:
        """The numbers that still count, in an order that does not depend on their places."""
        live = [number for number in numbers if self._has_moves(number)]
        return tuple(sorted(live, key=lambda number: (id(number.game), number.value)))

    def _options(self, position: Position) -> Iterator[Position]:
        for place, number in enumerate(position):
            rest = position[:place] + position[place + 1 :]
            for after in self._after(number):
                yield self._position((*rest, after))
