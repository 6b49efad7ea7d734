"""Theories by table: own rules with proved periods, and any game without a theory of its own."""

from array import array
from collections.abc import Callable, Iterator, Sequence

from numduel.board import Board
from numduel.errors import NumduelError, TooLarge
from numduel.extras import COMPILED, is_installed
from numduel.games import Game, OwnRule
from numduel.theory import Basis, Claim, Theory, tables
from numduel.theory.tables import Period, proved_period

SOUGHT = 200_000
TABLED, COMPILED_TO = 1_000_000, 10_000_000
"""Losses are listed below this, and below that with the compiled kernels of the extra `ranges`."""
VALUED = 100_000
"""Values of rules without end (squares, primes, ...) are listed below this."""
LOOKS = 500_000
"""Moves that the table of any other game may look at: two or three seconds."""
MOST = 200_000
"""No such table is longer than this."""
LISTED = Basis("table", "Computed here from the rule, number by number.")

_FIRST = 256
"""The first table reaches so far; a larger one is made when it is needed."""


class NimHeap(Theory):
    """Any amount may be taken: from n every smaller number can be left, so the value of n is n."""

    known = Basis("theorem", "the value of a Nim heap is its size (Bouton 1901).")
    tame = True
    __slots__ = ()

    def grundy(self, n: int) -> int:
        return n

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        return iter((n - value,) if value < n else ())

    def period(self, misere: bool = False) -> Period:
        return Period(1 + misere, 1, proved=True)


class Listing:
    """Losses or values of an own rule, listed as far as somebody asked, and their period."""

    def __init__(
        self,
        game: OwnRule,
        listed: Callable[[Sequence[int], int], Sequence[int]],
        ends: tuple[int, ...],
    ) -> None:
        """`ends`: it is listed below the first, or below the next where that is not enough."""
        self._game, self._listed, self.ends = game, listed, ends
        self._found: Sequence[int] = b""
        self._period: Period | None = None

    def at(self, n: int) -> int | None:
        """What is listed for `n`; None where the list ends before."""
        if n >= len(self._found) and (period := self.period()) is not None:
            n = period.reduced(n)
        if n >= len(self._found):
            end = next((end for end in self.ends if n < end), None)
            if end is None:
                return None
            self._list(min(end, max(_FIRST, 4 * n)))
        return self._found[n]

    def period(self) -> Period | None:
        """The proved period; None where none is proved. Words like `square` have no last amount."""
        amounts = () if self._game.rule.words else self._game.amounts
        while amounts and self._period is None and len(self._found) < SOUGHT:
            self._list(min(SOUGHT, max(4 * amounts[-1] + _FIRST, 4 * len(self._found))))
        return self._period

    def _list(self, size: int) -> None:
        self._found = self._listed(list(self._game.moves(size - 1)), size)
        if not self._game.rule.words:
            self._period = proved_period(self._found, self._game.amounts[-1])


def _losses(amounts: Sequence[int], size: int) -> Sequence[int]:
    if size <= TABLED:
        return tables.losses(amounts, size)
    from numduel.ranges import marking

    return marking.losses(list(amounts), size).tobytes()


class FixedRule(Theory):
    """Every number allows the same amounts, but for those that are too large for it.

    Ferguson's pairing (Theorem 5 of docs/paper.md) holds for any such set, with
    its least amount a in the place of 2: a number has value 1 exactly when the number a below it is
    lost. So the game is tame, and a number is lost under misère exactly when the number a below it
    is lost in normal play.
    """

    tame = True
    game: OwnRule
    __slots__ = ("_least", "losses", "values")

    def __init__(self, game: OwnRule) -> None:
        super().__init__(game)
        self._least = next(game.moves(1000))
        ends = (TABLED, COMPILED_TO) if is_installed(*COMPILED[1:]) else (TABLED,)
        self.losses = Listing(game, _losses, ends)
        self.values = Listing(game, tables.values, (VALUED,))

    def lost(self, n: int, misere: bool = False) -> bool | None:
        if misere:
            return n >= self._least and self.lost(n - self._least)
        return _as_bool(self.losses.at(n))

    def grundy(self, n: int) -> int:
        value = self.values.at(n)
        if value is None:
            raise TooLarge("to solve", board=Board.of(self.game, n), misere=False, limit=VALUED)
        return value

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        if value > 1:
            return super().moves_to(n, value)
        return self._leaving(n, lambda left: self.lost(left, value == 1))

    def basis(self, n: int, of: Claim = "outcome") -> Basis:
        values = self.values.period()
        period = values if values or of == "value" else self.losses.period()
        if period is None:
            return LISTED
        what = "values" if values else "losses"
        return Basis("theorem", f"{what} repeat every {period.length} from {period.start} on.")

    def period(self, misere: bool = False) -> Period | None:
        found = self.losses.period()
        if found is None or not misere:
            return found
        start = found.start + self._least
        while start and self.lost(start - 1, True) == self.lost(start - 1 + found.length, True):
            start -= 1
        return found._replace(start=start)

    def limit(self, misere: bool = False) -> int | None:
        return None if self.losses.period() else self.losses.ends[-1] - 1


class Table:
    """An answer for each number of a game, found from those before it.

    It ends where a move leads to another game, or the moves are too many.
    """

    def __init__(self, game: Game, answer: Callable[[Iterator[int]], int]) -> None:
        """`answer` is given the answers for what the moves leave."""
        self._game, self._answer = game, answer
        self._looks = LOOKS
        self._found = array("H")

    def at(self, n: int) -> int | None:
        """The answer for `n`; None where the table ends before."""
        found, least = self._found, self._game.least
        try:
            while len(found) <= n - least and n < MOST and self._looks > 0:
                found.append(self._answer(self._after(least + len(found))))
        except NumduelError:
            self._looks = 0
        return found[n - least] if len(found) > n - least else None

    def _after(self, n: int) -> Iterator[int]:
        for amount in self._game.moves(n):
            self._looks -= 1
            after, left = self._game.after(n, amount)
            if after is not self._game or self._looks < 0:
                raise TooLarge("to list", game=self._game, number=n)
            yield self._found[left - self._game.least]

    def limit(self) -> int:
        self.at(MOST - 1)
        return self._game.least + len(self._found) - 1


def lost(after: Iterator[int]) -> bool:
    """A number is lost where no move leaves a loss."""
    return not any(after)


def lost_misere(after: Iterator[int]) -> bool:
    """The same, but whoever cannot move has won."""
    first = next(after, None)
    return first is not None and not first and not any(after)


def mex(after: Iterator[int]) -> int:
    reached = set(after)
    return next(value for value in range(len(reached) + 1) if value not in reached)


class Tabled(Theory):
    """Outcomes and values of any game from the rule alone, each number once."""

    known = LISTED
    __slots__ = ("_lost", "_values")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._lost = Table(game, lost), Table(game, lost_misere)
        self._values = Table(game, mex)

    def lost(self, n: int, misere: bool = False) -> bool | None:
        return _as_bool(self._lost[misere].at(n))

    def grundy(self, n: int) -> int:
        value = self._values.at(n)
        if value is None:
            raise TooLarge("to solve", board=Board.of(self.game, n), misere=False, limit=LOOKS)
        return value

    def limit(self, misere: bool = False) -> int:
        return self._lost[misere].limit()


def _as_bool(found: int | None) -> bool | None:
    return None if found is None else bool(found)
