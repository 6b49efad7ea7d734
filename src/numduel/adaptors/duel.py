"""How matches become states, actions and observations, the same for every learning library.

The action is the number played, not its place in a list: an agent that plays 7 says 7, whatever
else is legal. While the start is small there are start + 1 actions, 0 to the start. Digit
Subtraction Duel has ten at any size.

For large starts (`encoding="digits"`, usual above 10,000) a move is spelled: ten actions, the
digits 0 to 9, one after another from the first place of the start to its last, leading zeros and
all. From 123456, playing 41 takes the actions 0, 0, 0, 0, 4, 1. The player keeps the turn until
the number is complete. The legal digits are exact: those with which some legal move begins.

On a board of several numbers (`encoding="board"`) the action is the place times the
width, plus the amount played there; the width is the largest number plus 1. On
subtract-a-prime:9+divisor-duel:12 the width is 13, and action 19 plays 6 on the second number.

An observation is the decimal digits of each number, ten places for each with a single 1, the first
digit first, with leading zeros to the length of the largest start. Where moves are spelled, the
digits spelled so far follow in the same way, eleven places a digit: the eleventh says that it is
still to come. Where the first move has rules of its own, the last place says whether it is still
to come. So two positions of one number with different legal moves are never observed alike.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import islice
from math import prod
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from numduel.arithmetic import count_digits, primes_down
from numduel.board import Board, Move
from numduel.errors import IllegalMove, InvalidSetup, TooLarge
from numduel.games import Fault, Game, load
from numduel.games.game import rising
from numduel.games.subtract_a_prime import SubtractAPrime

Flags = npt.NDArray[np.int8]
Seen = npt.NDArray[np.float32]
"""What an agent observes. Floats, since networks take them and some libraries nothing else."""

SMALL = 10_000  # up to this start an action is the whole number; above, it is spelled
KEPT = 2_000  # up to this start, every position that is met is kept, linked to those after it
RETRIES = 3

_LOOKED_AT = 10_000  # so far down a range is looked through for its largest start
_DRAWS = 1_000
_LISTED = 200_000
_LARGEST = {"digit-subtraction-duel": 9}  # games whose moves stay small however large the number is


class Position:
    """A board, and the digits of a move that were spelled so far."""

    def __init__(self, duel: "Duel", board: Board, spelled: tuple[int, ...]) -> None:
        self._duel, self.board, self.spelled = duel, board, spelled
        self._links: dict[int, Position] = {}
        self.over = board.is_over

    def __deepcopy__(self, memo: object) -> "Position":
        return self  # it does not change

    def __reduce__(self) -> tuple[Any, ...]:
        return (self._duel.position, (self.board, self.spelled))

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, smallest first."""
        if self._duel.move_places:
            return self._digits()
        width = self._duel.width
        return tuple(place * width + amount for place, amount in self.board.moves())

    def after(self, action: int) -> "Position":
        """The position after a legal action. Raises `IllegalMove`, `InvalidGame`."""
        found = self._links.get(action) or self._find_after(action)
        if self._duel.keeps:
            self._links[action] = found
        return found

    def actions_for(self, amount: int) -> tuple[int, ...]:
        """The actions that play this amount from here, on a board of one number."""
        written = str(amount).rjust(self._duel.move_places, "0")[len(self.spelled) :]
        return tuple(map(int, written)) if self._duel.move_places else (amount,)

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
        game, number = self.board.numbers[0]
        spelled, rest = int("".join(map(str, (0, *self.spelled)))), 10**self._rest
        lows = [(10 * spelled + digit) * rest for digit in range(0 if self.over else 10)]
        return tuple(d for d, low in enumerate(lows) if has_move(game, number, low, low + rest - 1))

    @property
    def _rest(self) -> int:
        """Places after the next digit."""
        return self._duel.move_places - len(self.spelled) - 1

    def _find_after(self, action: int) -> "Position":
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


class Duel:
    """What stays the same over an environment's matches: the board, starts, encoding.

    With a `low`, matches begin with any number from there to the board's. Raises `InvalidSetup`.
    """

    def __init__(self, board: Board, low: int | None = None, encoding: str = "auto") -> None:
        self.board, self.misere, self.encoding = board, board.misere, encoding
        self.game, self.start = board.numbers[0]
        self.low = self.start if low is None else low
        self.move_places, self.opens = 0, False
        values = [value for _, value in board.numbers]
        self.places = count_digits(max(values))
        if encoding == "board":
            check_size(board, SMALL)
            if board.is_over:
                raise InvalidSetup("not a start", game=self.game, number=self.start)
            self.width = max(values) + 1
            self.size = self.width * len(values)
            self.longest = sum(values)
        elif encoding in ("auto", "number", "digits"):
            largest = _LARGEST.get(self.game.key, self.start)
            if encoding == "digits" or (encoding == "auto" and largest > SMALL):
                self.move_places = count_digits(largest)
            self.width = self.size = 10 if self.move_places else largest + 1
            self.longest = (self.start + 1) * (self.move_places or 1)
            self.later, _ = self.game.after(self.start, next(iter(self.game.moves(self.start))))
            """The rules after the first move."""
            self.opens = self.later is not self.game
        else:
            raise InvalidSetup(problem="encoding", value=encoding)
        self.seen_size = 10 * self.places * len(values) + 11 * self.move_places + self.opens
        self.keeps = prod(value + 1 for value in values) <= KEPT + 1
        self._kept: dict[tuple[Board, tuple[int, ...]], Position] = {}
        self.first = self.position(board)

    @classmethod
    def of(
        cls,
        game: str | Game,
        start: int | Sequence[int] | None = None,
        misere: bool = False,
        encoding: str = "auto",
        **variants: str,
    ) -> "Duel":
        """Matches of one game: from a number, or each from one drawn from a lowest to a highest."""
        rules = game.having(**variants) if isinstance(game, Game) else load(game, **variants)
        given = rules.default_start if start is None else start
        if isinstance(given, int):
            given = (given, given)
        elif not isinstance(given, tuple | list) or len(given) != 2 or not 0 < given[0] <= given[1]:
            raise InvalidSetup(problem="starts", value=str(given))
        low, high = map(int, given)
        for number in range(high, max(low - 1, high - _LOOKED_AT), -1):
            if can_start(rules, number):
                return cls(Board.of(rules, number, bool(misere)), low, encoding)
        raise InvalidSetup("not a start", game=rules, number=high)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Duel, (self.board, self.low, self.encoding))

    def begin(self, random: Random, start: int | None = None) -> Position:
        """From this start, or one drawn evenly; the largest where a thousand draws find none."""
        if start is not None:
            number = int(start)
            if not can_start(self.game, number):
                raise InvalidSetup("not a start", game=self.game, number=number)
            return self.fitting(Board.of(self.game, number, self.misere))
        for _ in range(_DRAWS if self.low < self.start else 0):
            number = random.randint(self.low, self.start)
            if can_start(self.game, number):
                return self.position(Board.of(self.game, number, self.misere))
        return self.first

    def move(self, *actions: int) -> Move:
        """The move that these actions spell; usually there is one of them."""
        if self.move_places:
            return Move(0, int("".join(map(str, actions))))
        (action,) = actions
        return Move(*divmod(action, self.width) if len(self.board.numbers) > 1 else (0, action))

    def fitting(self, board: Board) -> Position:
        """The board's position. Raises `InvalidSetup` for one that is too large to be observed."""
        check_size(board, self.start)
        return self.position(board)

    def position(self, board: Board, spelled: tuple[int, ...] = ()) -> Position:
        """The position, the same object each time while there are few."""
        found = self._kept.get((board, spelled)) or Position(self, board, spelled)
        return self._kept.setdefault((board, spelled), found) if self.keeps else found


def illegal_moves_allowed(policy: str = "retry", retries: int = RETRIES) -> int | None:
    """How many illegal moves a turn may have; one more loses the match. None: each is an error.

    `retry`, as the rulebooks ask: the same player is asked again, and forfeits the match after
    more than `retries` of them. `forfeit`: the first one loses. `raise`: it is an error.
    """
    if policy not in ("retry", "forfeit", "raise"):
        raise InvalidSetup(problem="illegal", value=policy)
    if retries < 0:
        raise InvalidSetup(problem="retries", value=retries)
    return {"retry": retries, "forfeit": 0}.get(policy)


def can_start(game: Game, n: int) -> bool:
    return game.is_start(n) and not game.is_over(n)


def check_size(board: Board, limit: int) -> None:
    for game, value in board.numbers:
        if value > limit:
            raise InvalidSetup(problem="too large", game=game.title, start=value, limit=limit)


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
