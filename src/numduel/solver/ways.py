"""The ways to a verdict: a theory of one number, XOR of several, the tame rule, search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import xor

from numduel.board import Board, Move, Number
from numduel.errors import TooLarge
from numduel.games import OwnRule
from numduel.solver.search import LIMIT, Search
from numduel.theory import Basis, Theory, find, weakest

_SEARCHED = Basis("search", "Exact: every line of play was looked at.")
_VALUED = Basis("search", "Exact: the values of all numbers that can be reached were computed.")


class Way:
    """One way to a verdict. Iterating gives the winning moves of a board that is not lost."""

    __slots__ = ("lost",)
    lost: bool
    """Does the player to move lose?"""

    def __iter__(self) -> Iterator[Move]:
        raise NotImplementedError

    def basis(self) -> Basis:
        """How the outcome is known."""
        raise NotImplementedError

    def grundy(self) -> int:
        """The board's Grundy value, where it is in normal play."""
        raise NotImplementedError

    def grundy_basis(self) -> Basis:
        """How that is known."""
        return self.basis()


def find_way(board: Board, misere: bool) -> Way:
    """The quickest way that is known to be right for this board."""
    if len(board.numbers) == 1:
        return _way_of_one(board, misere)
    if not misere:
        return NormalSum(board)
    parts = [(find(game), n) for game, n in board.numbers]
    try:
        firm = [theory.firm(n) for theory, n in parts]
    except TooLarge as error:
        if error.problem != "to solve":
            raise
        raise TooLarge("to solve", board=board, misere=misere, limit=LIMIT) from error
    if None in firm:
        return Searched(board, misere)
    return TameSum(board, parts, [bool(f) for f in firm])


def _way_of_one(board: Board, misere: bool) -> Way:
    [(game, n)] = board.numbers
    theory = find(game)
    lost = theory.lost(n, misere)
    if lost is not None:
        return OneNumber(theory, n, lost, misere)
    # A table that ends has looked as far as a search would, but where few numbers are reached.
    if not isinstance(game, OwnRule) or game.falls_fast:
        try:
            return Searched(board, misere)
        except TooLarge as error:
            if error.problem != "to solve":
                raise
    raise TooLarge(
        "to solve", board=board, misere=misere, limit=LIMIT, largest=theory.limit(misere)
    )


class OneNumber(Way):
    """A theory's answers about one number."""

    __slots__ = ("_misere", "_n", "_theory")

    def __init__(self, theory: Theory, n: int, lost: bool, misere: bool) -> None:
        self._theory = theory
        self._n = n
        self._misere = misere
        self.lost = lost

    def __iter__(self) -> Iterator[Move]:
        return (Move(0, amount) for amount in self._theory.winning_moves(self._n, self._misere))

    def basis(self) -> Basis:
        return self._theory.basis(self._n, "misere" if self._misere else "outcome")

    def grundy(self) -> int:
        return self._theory.grundy(self._n)

    def grundy_basis(self) -> Basis:
        return self._theory.basis(self._n, "value")


class NormalSum(Way):
    """Normal play of any board: XOR of Grundy values (Sprague 1935, Grundy 1939).

    A number that is beyond its game's table takes its value from search.
    """

    __slots__ = ("_numbers", "_search", "_theories", "_values")

    def __init__(self, board: Board) -> None:
        self._numbers = board.numbers
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
        self.lost = self.grundy() == 0

    def grundy(self) -> int:
        return reduce(xor, self._values)

    def basis(self) -> Basis:
        known = zip(self._theories, self._numbers, strict=True)
        return weakest([t.basis(n, "value") if t else _VALUED for t, (_, n) in known])

    def __iter__(self) -> Iterator[Move]:
        values, total = self._values, self.grundy()
        wanted = [value ^ total for value in values]
        # A value is sure to be reached only from a larger one: those numbers come first.
        places = sorted(range(len(values)), key=lambda place: wanted[place] > values[place])
        return _as_far_as_named(self._moves_to(place, wanted[place]) for place in places)

    def _moves_to(self, place: int, value: int) -> Iterator[Move]:
        (game, n), theory = self._numbers[place], self._theories[place]
        if theory:
            return (Move(place, amount) for amount in theory.moves_to(n, value))
        after = ((amount, Number(*game.after(n, amount))) for amount in game.moves(n))
        valued = self._search.grundy
        return (Move(place, amount) for amount, left in after if valued(left) == value)


class TameSum(Way):
    """Misère play of numbers that are fickle or firm.

    Each number h carries a value v(h). Call a class C of numbers tame when every
    number h of it is fickle, with value 0 or 1, or firm, and

    1. v(h) is the mex of the values of its options in C, as in normal play;
    2. its second value is the mex of the second values of those options, where
       the second value is 1 - v for fickle numbers and v for firm ones, and 1 for
       a number without a move, which is fickle of value 0;
    3. each option outside C (a wild one) has itself an option in C with the value
       and the firmness of h.

    Theorem (after Conway's tame games, On Numbers and Games, ch. 12, and the
    reverting moves of Winning Ways, ch. 13). A sum of numbers of C is lost under
    misère exactly when all are fickle and the XOR of their values is 1, or some
    number is firm and the XOR is 0.

    Proof, by induction on the moves left. Say "balanced" for the sums that are
    claimed lost. From a balanced sum, a move to a wild option is answered as in 3,
    which is balanced again. A move from h to h' in C unbalances it: by 1 the value
    changes, so the XOR does; what might go wrong is that the sum changes from
    "some firm" to "all fickle" or back. If h was the only firm number, the others
    are fickle, so v(h) is 0 or 1, and h' fickle with value 1 - v(h) has the second
    value of h, against 2. If all were fickle and h' is firm, its value would have
    to be 1 - v(h), again the second value of h. From an unbalanced sum: all fickle
    with XOR 0 and a move left, some number of value 1 goes to a fickle 0 or some
    0 with a move goes to a fickle 1. (A fickle 1 has second value 0: by 1 it has an
    option of value 0, and by 2 none of second value 0, so that option is not firm.
    A fickle 0 with a move has second value 1: by 2 it has an option of second value
    0, and by 1 none of value 0, so that option is not a firm 0 but a fickle 1.)
    Some firm and XOR x not 0: make the XOR 0
    as in Nim. This fails only when it takes the one firm number h to a fickle one,
    and the others have XOR y in {0, 1}; if v(h) > 1, then 2 gives an option of
    second value y, which is firm y or fickle 1 - y: balanced. If v(h) = 1, y = 0
    and 2 gives an option of second value 0, which is not of value 1, so firm 0. If
    v(h) = 0, some fickle number has value 1; it goes to a fickle 0.
    """

    __slots__ = ("_board", "_firm", "_parts", "_values")

    def __init__(self, board: Board, parts: list[tuple[Theory, int]], firm: list[bool]) -> None:
        self._board = board
        self._parts = parts
        self._firm = firm
        self._values = [theory.grundy(n) for theory, n in parts]
        self.lost = reduce(xor, self._values) == (not any(firm))

    def basis(self) -> Basis:
        return weakest([theory.basis(n, "value") for theory, n in self._parts])

    def __iter__(self) -> Iterator[Move]:
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
        if find_way(self._board.play(move), misere=True).lost:
            yield move


class Searched(Way):
    """Play without a rule: exact search, refused beyond its limit."""

    __slots__ = ("_board", "_search")

    def __init__(self, board: Board, misere: bool) -> None:
        self._board = board
        self._search = Search(misere)
        self.lost = self._search.lost(board)

    def __iter__(self) -> Iterator[Move]:
        return self._search.winning_moves(self._board)

    def basis(self) -> Basis:
        return _SEARCHED

    def grundy(self) -> int:
        [number] = self._board.numbers
        return self._search.grundy(number)

    def grundy_basis(self) -> Basis:
        return _VALUED


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
