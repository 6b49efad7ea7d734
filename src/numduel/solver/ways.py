"""The ways to a verdict: a theory of one number, XOR of several, the tame rule, search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor
from typing import Protocol

from numduel.board import Board, Move, Number
from numduel.errors import TooLarge
from numduel.solver.search import LIMIT, Search
from numduel.solver.tame import balanced
from numduel.theory import Basis, Theory, find, weakest

_SEARCHED = Basis("search", "Exact: every line of play was looked at.")
_VALUED = Basis("search", "Exact: the values of all numbers that can be reached were computed.")


class Way(Protocol):
    """One way to a verdict. Iterating gives the winning moves of a board that is not lost."""

    @property
    def lost(self) -> bool:
        """Does the player to move lose?"""

    def __iter__(self) -> Iterator[Move]: ...

    def basis(self) -> Basis:
        """How the outcome is known."""

    def grundy(self) -> int:
        """The board's Grundy value in normal play."""

    def grundy_basis(self) -> Basis:
        """How that is known."""


def find_way(board: Board, misere: bool) -> Way:
    """The quickest way that is known to be right for this board."""
    known = [(find(game), n) for game, n in board.numbers]
    if all(theory.reaches(n) for theory, n in known):
        if len(known) == 1:
            [(theory, n)] = known
            lost = theory.lost_misere(n) if misere else theory.lost(n)
            if lost is not None:
                return OneNumber(theory, n, lost, misere)
        elif misere:
            firm = [theory.firm(n) for theory, n in known]
            if None not in firm:
                return TameSum(board, known, [bool(f) for f in firm])
    if len(known) > 1:
        return Searched(board, misere) if misere else NormalSum(board)
    [(theory, n)] = known
    if theory.reaches(n) or theory.searched_beyond:
        try:
            return Searched(board, misere)
        except TooLarge as error:
            if error.problem != "to solve":
                raise
    raise TooLarge("to solve", board=board, misere=misere, limit=LIMIT, largest=theory.largest())


class OneNumber:
    """A theory's answers about one number."""

    __slots__ = ("_misere", "_n", "_theory", "lost")

    def __init__(self, theory: Theory, n: int, lost: bool, misere: bool) -> None:
        self._theory = theory
        self._n = n
        self._misere = misere
        self.lost = lost

    def __iter__(self) -> Iterator[Move]:
        theory, n = self._theory, self._n
        amounts = theory.winning_moves_misere(n) if self._misere else theory.moves_to(n, 0)
        return (Move(0, amount) for amount in amounts)

    def basis(self) -> Basis:
        theory = self._theory
        return theory.misere_basis(self._n) if self._misere else theory.basis(self._n)

    def grundy(self) -> int:
        return self._theory.grundy(self._n)

    def grundy_basis(self) -> Basis:
        return self._theory.grundy_basis(self._n)


class NormalSum:
    """Normal play of any board: XOR of Grundy values (Sprague 1935, Grundy 1939).

    A number that is beyond its game's table takes its value from search.
    """

    __slots__ = ("_numbers", "_search", "_values", "lost")

    def __init__(self, board: Board) -> None:
        self._numbers = board.numbers
        self._search = Search()
        self._values = [self._value(number) for number in board.numbers]
        self.lost = self.grundy() == 0

    def _value(self, number: Number) -> int:
        theory, n = find(number.game), number.value
        return theory.grundy(n) if theory.reaches(n) else self._search.grundy(number)

    def grundy(self) -> int:
        return reduce(xor, self._values)

    def grundy_basis(self) -> Basis:
        theories = [(find(number.game), number.value) for number in self._numbers]
        return weakest([t.grundy_basis(n) if t.reaches(n) else _VALUED for t, n in theories])

    basis = grundy_basis

    def __iter__(self) -> Iterator[Move]:
        total = self.grundy()
        values = self._values
        wanted = [value ^ total for value in values]
        # A value is sure to be reached only from a larger one: those numbers come first.
        places = sorted(range(len(values)), key=lambda place: wanted[place] > values[place])
        unlisted: Exception | None = None
        for place in places:
            try:
                yield from self._moves_to(place, wanted[place])
            except TooLarge as error:
                unlisted = error
        if unlisted:
            raise unlisted

    def _moves_to(self, place: int, value: int) -> Iterator[Move]:
        game, n = number = self._numbers[place]
        theory = find(game)
        if theory.reaches(n):
            return (Move(place, amount) for amount in theory.moves_to(n, value))
        return (
            move
            for move in (Move(place, amount) for amount in game.moves(n))
            if self._search.grundy(Number(*number.game.after(n, move.amount))) == value
        )


class TameSum:
    """Misère play of fickle and firm numbers, by the theorem of `numduel.solver.tame`."""

    __slots__ = ("_board", "_firm", "_parts", "_values", "lost")

    def __init__(self, board: Board, parts: list[tuple[Theory, int]], firm: list[bool]) -> None:
        self._board = board
        self._parts = parts
        self._firm = firm
        self._values = [theory.grundy(n) for theory, n in parts]
        self.lost = balanced(self._values, any(firm))

    def basis(self) -> Basis:
        return weakest([theory.firm_basis(n) for theory, n in self._parts])

    def grundy(self) -> int:
        raise NotImplementedError

    def grundy_basis(self) -> Basis:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Move]:
        unlisted: Exception | None = None
        for place, (theory, n) in enumerate(self._parts):
            rest = self._values[:place] + self._values[place + 1 :]
            rest_firm = any(self._firm[:place] + self._firm[place + 1 :])
            try:
                if theory.tame:
                    # All firm values are above 1, all fickle ones at most 1.
                    wanted = reduce(xor, rest, 0) ^ (not rest_firm)
                    yield from (Move(place, amount) for amount in theory.moves_to(n, wanted))
                else:
                    yield from self._each(place)
            except TooLarge as error:
                unlisted = error
        if unlisted:
            raise unlisted

    def _each(self, place: int) -> Iterator[Move]:
        """Every move on one number, judged alone: some may lead to a wild number."""
        game, n = self._board.numbers[place]
        unsolved: Exception | None = None
        for amount in game.moves(n):
            move = Move(place, amount)
            try:
                if find_way(self._board.play(move), misere=True).lost:
                    yield move
            except TooLarge as error:
                unsolved = error
        if unsolved:
            raise unsolved


class Searched:
    """Play without a rule: exact search, refused beyond its limit."""

    __slots__ = ("_board", "_search", "lost")

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
