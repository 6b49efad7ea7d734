"""Any game without a theory of its own: a table from its smallest number up, grown as needed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from numduel.board import Board
from numduel.errors import NumduelError, TooLarge
from numduel.games import Game, OwnRule
from numduel.theory.theory import Basis, Theory

LOOKS = 500_000
"""Moves that one table may look at: two or three seconds."""
MOST = 200_000
"""No table is longer than this."""

LISTED = Basis("table", "Computed here from the rule, number by number.")


class _Table:
    """Answers for the numbers from the least on, as far as the moves can be looked at."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._looks = LOOKS

    def left(self, n: int) -> Iterator[int]:
        """What the moves at `n` leave. Raises `_Ends` where the table has to end."""
        for amount in self._game.moves(n):
            self._looks -= 1
            after, number = self._game.after(n, amount)
            if after is not self._game or self._looks < 0:
                raise _Ends
            yield number


class _Ends(Exception):
    """The table goes no further."""


class Outcomes(_Table):
    """Who loses; a number needs one move to a loss to be won."""

    def __init__(self, game: Game, misere: bool) -> None:
        super().__init__(game)
        self._least = game.least
        self._without_moves = not misere
        self.lost = bytearray()

    def reaches(self, n: int) -> bool:
        """Grow the table up to `n`; False where it ends before."""
        lost, least = self.lost, self._least
        if n >= MOST:
            return False
        try:
            while len(lost) <= n - least and self._looks > 0:
                has_move = wins = False
                for left in self.left(least + len(lost)):
                    has_move = True
                    if lost[left - least]:
                        wins = True
                        break
                lost.append(not wins if has_move else self._without_moves)
        except (NumduelError, _Ends):
            self._looks = 0
        return len(lost) > n - least

    def __getitem__(self, n: int) -> bool:
        return bool(self.lost[n - self._least])


class _Values(_Table):
    """Grundy values, by mex."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._least = game.least
        self._values = array("H")

    def at(self, n: int) -> int | None:
        """The value of `n`; None where the table ends before."""
        values, least = self._values, self._least
        try:
            while n < MOST and len(values) <= n - least and self._looks > 0:
                reached = {values[left - least] for left in self.left(least + len(values))}
                values.append(next(v for v in range(len(reached) + 1) if v not in reached))
        except (NumduelError, _Ends):
            self._looks = 0
        return values[n - least] if len(values) > n - least else None


class Tabled(Theory):
    """Outcomes and values from the rule alone, each number once.

    Where a move leads to another game, or the moves are too many, the table
    ends, and `reaches` says so.
    """

    __slots__ = ("_misere", "_normal", "_values")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._normal = Outcomes(game, misere=False)
        self._misere = Outcomes(game, misere=True)
        self._values = _Values(game)

    def reaches(self, n: int) -> bool:
        return self._normal.reaches(n)

    @property
    def searched_beyond(self) -> bool:
        return not isinstance(self.game, OwnRule) or self.game.falls_fast

    def largest(self) -> int:
        """The largest number whose outcome the table can tell."""
        self.reaches(MOST - 1)
        return self.game.least + len(self._normal.lost) - 1

    def lost(self, n: int) -> bool:
        if not self.reaches(n):
            raise TooLarge("to solve", board=Board.of(self.game, n), misere=False, limit=LOOKS)
        return self._normal[n]

    def basis(self, n: int) -> Basis:
        return LISTED

    def grundy(self, n: int) -> int:
        value = self._values.at(n)
        if value is None:
            raise TooLarge("to solve", board=Board.of(self.game, n), misere=False, limit=LOOKS)
        return value

    def grundy_basis(self, n: int) -> Basis:
        return LISTED

    def lost_misere(self, n: int) -> bool | None:
        return self._misere[n] if self._misere.reaches(n) else None

    def winning_moves_misere(self, n: int) -> Iterator[int]:
        after = ((move, self.game.after(n, move)[1]) for move in self.game.moves(n))
        return (move for move, left in after if self._misere[left])
