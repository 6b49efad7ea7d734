"""A board in play, as `numduel.adaptors.duel` tells it: legal actions, and what is observed."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from numduel.arithmetic import primes_down
from numduel.board import Board, Move
from numduel.errors import IllegalMove, TooLarge
from numduel.games import Fault, Game
from numduel.games.game import rising
from numduel.games.subtract_a_prime import SubtractAPrime

if TYPE_CHECKING:
    from numduel.adaptors.duel import Duel

Flags = npt.NDArray[np.int8]
Seen = npt.NDArray[np.float32]
"""What an agent observes. Floats, since networks take them and some libraries nothing else."""

_LISTED = 200_000


class Position:
    """A board, and the digits of a move that were spelled so far."""

    def __init__(self, duel: Duel, board: Board, spelled: tuple[int, ...]) -> None:
        self._duel, self.board, self.spelled = duel, board, spelled
        self._links: dict[int, Position] = {}
        self.over = board.is_over

    def __deepcopy__(self, memo: object) -> Position:
        """A position does not change, so it is its own copy."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (self._duel.position, (self.board, self.spelled))

    @property
    def number(self) -> int:
        return self.board.numbers[0].value

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, smallest first."""
        if self._duel.move_places:
            return self._digits()
        width = self._duel.width
        return tuple(place * width + amount for place, amount in self.board.moves())

    def after(self, action: int) -> Position:
        """The position after a legal action. Raises `IllegalMove`, `InvalidGame`."""
        found = self._links.get(action) or self._find_after(action)
        if self._duel.keeps:
            self._links[action] = found
        return found

    def actions_for(self, amount: int) -> tuple[int, ...]:
        """The actions that play this amount from here, on a board of one number."""
        if not self._duel.move_places:
            return (amount,)
        written = str(amount).rjust(self._duel.move_places, "0")
        return tuple(map(int, written))[len(self.spelled) :]

    def mask(self, to_move: bool = True) -> Flags:
        """1 for each legal action of who is to move, 0 for the others; a new array each time."""
        return self._mask.copy() if to_move else np.zeros(self._duel.size, dtype=np.int8)

    @cached_property
    def _mask(self) -> Flags:
        flags = np.zeros(self._duel.size, dtype=np.int8)
        flags[list(self.legal)] = 1
        return flags

    def observe(self) -> Seen:
        """What an agent sees; a new array each time."""
        return self._seen.copy()

    @cached_property
    def _seen(self) -> Seen:
        duel = self._duel
        flags = np.zeros(duel.seen_size, dtype=np.float32)
        digits = "".join(str(value).rjust(duel.places, "0") for _, value in self.board.numbers)
        for place, digit in enumerate(digits):
            flags[10 * place + int(digit)] = 1
        begin = 10 * len(digits)
        for place in range(duel.move_places):
            spelled = self.spelled[place] if place < len(self.spelled) else 10
            flags[begin + 11 * place + spelled] = 1
        if duel.opens and self.board.numbers[0].game is duel.game:
            flags[-1] = 1
        return flags

    def _digits(self) -> tuple[int, ...]:
        """The digits with which a legal move goes on."""
        if self.over:
            return ()
        game, number = self.board.numbers[0]
        spelled, rest = int("".join(map(str, (0, *self.spelled)))), 10**self._rest
        lows = [(10 * spelled + digit) * rest for digit in range(10)]
        return tuple(d for d, low in enumerate(lows) if has_move(game, number, low, low + rest - 1))

    @property
    def _rest(self) -> int:
        """Places that are left after the next digit."""
        return self._duel.move_places - len(self.spelled) - 1

    def _find_after(self, action: int) -> Position:
        spelled = (*self.spelled, action)
        if self._duel.move_places:
            if action not in self.legal:
                raise IllegalMove(board=self.board, move=Move(0, action), fault=Fault.NOT_LEGAL)
            if self._rest:
                return self._duel.position(self.board, spelled)
        move = self._duel.move(*spelled)
        after = self.board.play(move)
        (game, number), left = self.board.numbers[move.place], after.numbers[move.place].value
        if left >= number:
            raise rising(game, number, move.amount, left)
        return self._duel.position(after)


def has_move(game: Game, n: int, low: int, high: int) -> bool:
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
