"""How matches become states and actions, the same for every learning environment.

The action is the number played, not its place in a list. So an agent that
plays 7 says 7, whatever else is legal. While the start is small there are
start + 1 actions, 0 to the start. Digit Subtraction Duel has ten at any size.

For large starts (`encoding="digits"`, usual above 10,000) a move is spelled:
ten actions, the digits 0 to 9, one after another from the first place of the
start to its last, leading zeros and all. From 123456, playing 41 takes the
actions 0, 0, 0, 0, 4, 1. The player keeps the turn until the number is complete. The
legal digits are exact at every place: those with which some legal move begins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

from numduel.adaptors.starts import Starts
from numduel.arithmetic import count_digits, primes_down
from numduel.board import Board, Move
from numduel.errors import IllegalMove, InvalidSetup, TooLarge
from numduel.games import Fault, Game, load
from numduel.games.subtract_a_prime import SubtractAPrime
from numduel.games.trial import rising

SMALL = 10_000
"""Up to this start an action is the whole number; above, it is spelled digit by digit."""

KEPT = 2_000
"""Up to this start every position that is met is kept, linked to those after it."""

_LISTED = 200_000
_LARGEST = {"digit-subtraction-duel": 9}
"""Games whose moves stay small however large the number is."""


class Duel:
    """What stays the same over an environment's matches: game, starts, misère, encoding.

    `start` is a number, or a lowest and a highest: then each match draws its own. Raises
    `InvalidSetup` where a match cannot start, or the first player could not move, and
    for an unknown encoding.
    """

    def __init__(
        self,
        game: str | Game,
        start: int | Sequence[int] | None = None,
        misere: bool = False,
        encoding: str = "auto",
        **variants: str,
    ) -> None:
        self.game = game.having(**variants) if isinstance(game, Game) else load(game, **variants)
        self.starts = Starts.of(self.game, start)
        self.start = self.starts.high
        self.misere = bool(misere)
        if encoding not in ("auto", "number", "digits"):
            raise InvalidSetup(problem="encoding", value=encoding)
        largest = _LARGEST.get(self.game.key, self.start)
        self.spells = encoding == "digits" or (encoding == "auto" and largest > SMALL)
        self.places = count_digits(self.start)
        self.move_places = count_digits(largest) if self.spells else 0
        self.size = 10 if self.spells else largest + 1
        self.longest = (self.start + 1) * (self.move_places or 1)
        later, _ = self.game.after(self.start, next(iter(self.game.moves(self.start))))
        self.opens = later is not self.game
        """Has the first move rules of its own?"""
        self._kept: dict[tuple[Game, int, tuple[int, ...]], Position] = {}
        self.first = self.position(self.game, self.start)

    @classmethod
    def on(cls, board: str, encoding: str = "auto") -> Duel:
        """Matches on a board of one number, given as its text: any rule, any variant, misère.

        Raises what `Board.parse` raises, and `InvalidSetup` for several numbers.
        """
        read = Board.parse(board)
        if len(read.numbers) > 1:
            raise InvalidSetup(problem="several numbers", value=board)
        [(game, start)] = read.numbers
        return cls(game, start, read.misere, encoding)

    def __reduce__(self) -> tuple[Any, ...]:
        encoding = "digits" if self.spells else "number"
        return (Duel, (self.game, self.starts[1:], self.misere, encoding))

    @property
    def board(self) -> Board:
        """The board that a match begins with; the largest, where starts are drawn."""
        return Board.of(self.game, self.start, self.misere)

    def begin(self, random: Random, start: int | None = None) -> Position:
        """The first position of a match: from this start, or from one that is drawn.

        Raises what is wrong with the start.
        """
        drawn = self.starts.draw(random) if start is None else self.starts.checked(int(start))
        return self.position(self.game, drawn)

    def position(self, game: Game, number: int, spelled: tuple[int, ...] = ()) -> Position:
        """The position, the same object each time while the start is small."""
        if self.start > KEPT:
            return Position(self, game, number, spelled)
        key = (game, number, spelled)
        if key not in self._kept:
            self._kept[key] = Position(self, game, number, spelled)
        return self._kept[key]


class Position:
    """A number under its game, and the digits of a move that were spelled so far."""

    __slots__ = (
        "_duel", "_legal", "_links", "game", "mask", "number", "observation", "over", "spelled"
    )  # fmt: skip

    def __init__(self, duel: Duel, game: Game, number: int, spelled: tuple[int, ...] = ()) -> None:
        self._duel = duel
        self._legal: tuple[int, ...] | None = None
        self._links: dict[int, Position] = {}
        self.game = game
        self.number = number
        self.spelled = spelled
        self.over = game.is_over(number)
        self.mask: object = None
        self.observation: object = None

    def __deepcopy__(self, memo: object) -> Position:
        """A position does not change, so it is its own copy."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self._duel, self.game, self.number, self.spelled))

    @property
    def board(self) -> Board:
        """The board, without what is spelled."""
        return Board.of(self.game, self.number, self._duel.misere)

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, smallest first."""
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def after(self, action: int) -> Position:
        """The position after a legal action. Raises `IllegalMove`, `InvalidGame`."""
        found = self._links.get(action)
        if found is None:
            found = self._find_after(action)
            if self._duel.start <= KEPT:
                self._links[action] = found
        return found

    def actions_for(self, amount: int) -> tuple[int, ...]:
        """The actions that play this amount from here."""
        if not self._duel.spells:
            return (amount,)
        written = str(amount).rjust(self._duel.move_places, "0")
        return tuple(map(int, written))[len(self.spelled) :]

    def _find_legal(self) -> tuple[int, ...]:
        if self.over:
            return ()
        if not self._duel.spells:
            return tuple(self.game.moves(self.number))
        spelled, rest = int("".join(map(str, (0, *self.spelled)))), 10**self._rest
        return tuple(
            digit
            for digit in range(10)
            if has_move(
                self.game,
                self.number,
                (10 * spelled + digit) * rest,
                (10 * spelled + digit + 1) * rest - 1,
            )
        )

    @property
    def _rest(self) -> int:
        """Places that are left after the next digit."""
        return self._duel.move_places - len(self.spelled) - 1

    def _find_after(self, action: int) -> Position:
        if not self._duel.spells:
            return self._play(action)
        if action not in self.legal:
            raise IllegalMove(board=self.board, move=Move(0, action), fault=Fault.NOT_LEGAL)
        spelled = (*self.spelled, action)
        if self._rest:
            return self._duel.position(self.game, self.number, spelled)
        return self._play(int("".join(map(str, spelled))))

    def _play(self, amount: int) -> Position:
        fault = self.game.fault(self.number, amount)
        if fault is not None:
            raise IllegalMove(board=self.board, move=Move(0, amount), fault=fault)
        game, number = self.game.after(self.number, amount)
        if number >= self.number:
            raise rising(self.game, self.number, amount, number)
        return self._duel.position(game, number)


def _again(duel: Duel, game: Game, number: int, spelled: tuple[int, ...]) -> Position:
    return duel.position(game, number, spelled)


def has_move(game: Game, n: int, low: int, high: int) -> bool:
    """Is some legal move at `n` from `low` to `high`?"""
    if isinstance(game, SubtractAPrime):
        for prime in primes_down(min(high, n)):
            if prime < low or game.fault(n, prime) is None:
                return prime >= low
        return False
    moves = _listed(game, n)
    place = bisect_left(moves, low)
    return place < len(moves) and moves[place] <= high


@lru_cache(maxsize=64)
def _listed(game: Game, n: int) -> tuple[int, ...]:
    """All legal moves. Raises `TooLarge` when there are too many."""
    moves = tuple(islice(game.moves(n), _LISTED + 1))
    if len(moves) > _LISTED:
        raise TooLarge("to list", game=game, number=n)
    return moves


def make_duel(
    kind: str,
    game: str,
    start: int | Sequence[int] | None,
    misere: bool,
    encoding: str,
    board: str | None,
    variants: dict[str, str],
) -> Duel:
    """The duel that an environment's parameters ask for: on a board's text, or of a game.

    Raises `TypeError` for a parameter that is no variant of the game, as Python does: learning
    libraries try parameters of their own, and go without those that are answered so.
    """
    known = () if board is not None else load(game).variants
    for name in variants:
        if name not in known:
            offered = f". {load(game).title} has the variants: {', '.join(known)}" if known else ""
            raise TypeError(f"{kind}() got an unexpected keyword argument {name!r}{offered}")
    if board is not None:
        return Duel.on(board, encoding)
    return Duel(game, start, misere, encoding, **variants)
