"""The ways to a verdict: a theory of one number, XOR of several, the tame rule, search."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import xor

from numduel.arguments import checked
from numduel.board import Board, Move, Number
from numduel.errors import TooLarge
from numduel.games import OwnRule
from numduel.solver.search import LIMIT, Search
from numduel.solver.verdict import Verdict
from numduel.theory import Basis, Theory, find, weakest

_SEARCHED = Basis("search", "Exact: every line of play was looked at.")
_VALUED = Basis("search", "Exact: the values of all numbers that can be reached were computed.")


@checked
def solve(board: Board | str, misere: bool = False) -> Verdict:
    """Who wins the board, or the board of this text, with perfect play, and how.

    >>> verdict = solve("divisor-duel:60")
    >>> verdict.outcome, verdict.grundy, next(iter(verdict.winning_moves))
    ('win', 2, Move(place=0, amount=3))

    Misère when either the argument or the board says so. Raises `TooLarge` where only search
    could tell and the board is too large, and where the game itself needs the factors.
    """
    read = Board.parse(board) if isinstance(board, str) else board
    misere = misere or read.misere
    if len(read.numbers) == 1:
        return _solve_one(read, misere)
    return _solve_misere(read) if misere else NormalSum(read)


def _solve_one(board: Board, misere: bool) -> Verdict:
    [(game, n)] = board.numbers
    theory = find(game)
    lost = theory.lost(n, misere)
    if lost is not None:
        return OneNumber(board, misere, lost, theory)
    # A table that ends has looked as far as a search would, but where few numbers are reached.
    if not isinstance(game, OwnRule) or game.falls_fast:
        try:
            return Searched(board, misere)
        except TooLarge as error:
            if error.problem != "to solve":
                raise
    largest = theory.limit(misere)
    raise TooLarge("to solve", board=board, misere=misere, limit=LIMIT, largest=largest)


def _solve_misere(board: Board) -> Verdict:
    parts = [(find(game), n) for game, n in board.numbers]
    try:
        firm = [theory.firm(n) for theory, n in parts]
    except TooLarge as error:
        if error.problem != "to solve":
            raise
        raise TooLarge("to solve", board=board, misere=True, limit=LIMIT) from error
    if None in firm:
        return Searched(board, misere=True)
    return TameSum(board, parts, [bool(f) for f in firm])


def no_choice_matters(board: Board) -> bool:
    """Does the same player win whatever is played, as in Power Play?"""
    return all(find(number.game).no_choice for number in board.numbers)


def is_settled(board: Board) -> bool:
    """Do theories or tables say who wins, without a search?"""
    if board.misere and len(board.numbers) > 1:
        return False
    try:
        return all(find(game).lost(n, board.misere) is not None for game, n in board.numbers)
    except TooLarge:
        return False


class OneNumber(Verdict):
    __slots__ = ("_n", "_theory")

    def __init__(self, board: Board, misere: bool, lost: bool, theory: Theory) -> None:
        super().__init__(board, misere, lost)
        self._theory, self._n = theory, board.numbers[0].value

    def _winning(self) -> Iterator[Move]:
        return (Move(0, amount) for amount in self._theory.winning_moves(self._n, self.misere))

    @property
    def basis(self) -> Basis:
        return self._theory.basis(self._n, "misere" if self.misere else "outcome")

    @property
    def grundy(self) -> int | None:
        return None if self.misere else self._theory.grundy(self._n)

    @property
    def grundy_basis(self) -> Basis | None:
        return None if self.misere else self._theory.basis(self._n, "value")


class NormalSum(Verdict):
    """Normal play of any board: XOR of Grundy values (Sprague 1935, Grundy 1939).

    A number that is beyond its game's table takes its value from search.
    """

    __slots__ = ("_search", "_theories", "_values")

    def __init__(self, board: Board) -> None:
        self._search = Search()
        self._values: list[int] = []
        self._theories: list[Theory | None] = []
        for number in board.numbers:
            theory: Theory | None = find(number.game)
            try:
                value = find(number.game).grundy(number.value)
            except TooLarge:
                theory, value = None, self._search.grundy(number)
            self._theories.append(theory)
            self._values.append(value)
        super().__init__(board, misere=False, lost=self.grundy == 0)

    @property
    def grundy(self) -> int:
        return reduce(xor, self._values)

    @property
    def basis(self) -> Basis:
        known = zip(self._theories, self.board.numbers, strict=True)
        return weakest([t.basis(n, "value") if t else _VALUED for t, (_, n) in known])

    def _winning(self) -> Iterator[Move]:
        values, total = self._values, self.grundy
        wanted = [value ^ total for value in values]
        # A value is sure to be reached only from a larger one: those numbers come first.
        places = sorted(range(len(values)), key=lambda place: wanted[place] > values[place])
        return _as_far_as_named(self._moves_to(place, wanted[place]) for place in places)

    def _moves_to(self, place: int, value: int) -> Iterator[Move]:
        (game, n), theory = self.board.numbers[place], self._theories[place]
        if theory:
            return (Move(place, amount) for amount in theory.moves_to(n, value))
        after = ((amount, Number(*game.after(n, amount))) for amount in game.moves(n))
        valued = self._search.grundy
        return (Move(place, amount) for amount, left in after if valued(left) == value)


class TameSum(Verdict):
    """Misère play of numbers that are fickle or firm.

    Theorem (after Conway's tame games, On Numbers and Games, ch. 12, and the reverting moves of
    Winning Ways, ch. 13; the terms and the proof are in docs/ALGORITHMS.md). Such a sum is lost
    under misère exactly when all numbers are fickle and the XOR of their values is 1, or some
    number is firm and the XOR is 0.
    """

    __slots__ = ("_firm", "_parts", "_values")

    def __init__(self, board: Board, parts: list[tuple[Theory, int]], firm: list[bool]) -> None:
        self._parts, self._firm = parts, firm
        self._values = [theory.grundy(n) for theory, n in parts]
        super().__init__(board, misere=True, lost=reduce(xor, self._values) == (not any(firm)))

    @property
    def basis(self) -> Basis:
        return weakest([theory.basis(n, "value") for theory, n in self._parts])

    def _winning(self) -> Iterator[Move]:
        return _as_far_as_named(map(self._moves_at, range(len(self._parts))))

    def _moves_at(self, place: int) -> Iterator[Move]:
        theory, n = self._parts[place]
        if not theory.tame:
            moves = theory.game.moves(n)
            return _as_far_as_named(self._if_it_wins(Move(place, amount)) for amount in moves)
        rest = self._values[:place] + self._values[place + 1 :]
        # All firm values are above 1, all fickle ones at most 1.
        rest_firm = any(self._firm[:place] + self._firm[place + 1 :])
        wanted = reduce(xor, rest, 0) ^ (not rest_firm)
        return (Move(place, amount) for amount in theory.moves_to(n, wanted))

    def _if_it_wins(self, move: Move) -> Iterator[Move]:
        """A move that is judged alone: it may lead to a wild number."""
        if solve(self.board.play(move), misere=True).outcome == "loss":
            yield move


class Searched(Verdict):
    """Play without a rule: exact search, refused beyond its limit."""

    __slots__ = ("_search",)

    def __init__(self, board: Board, misere: bool) -> None:
        self._search = Search(misere)
        super().__init__(board, misere, self._search.lost(board))

    def _winning(self) -> Iterator[Move]:
        return self._search.winning_moves(self.board)

    @property
    def basis(self) -> Basis:
        return _SEARCHED

    @property
    def grundy(self) -> int | None:
        return None if self.misere else self._search.grundy(self.board.numbers[0])

    @property
    def grundy_basis(self) -> Basis | None:
        return None if self.misere else _VALUED


def _as_far_as_named(listings: Iterable[Iterator[Move]]) -> Iterator[Move]:
    """All moves that each listing can name; then what kept one from naming more is raised."""
    unlisted: TooLarge | None = None
    for listing in listings:
        try:
            yield from listing
        except TooLarge as error:
            unlisted = error
    if unlisted:
        raise unlisted
