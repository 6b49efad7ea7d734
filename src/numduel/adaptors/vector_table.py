"""Every legal move of every number up to a start, in arrays that compiled code walks through.

Random numbers come from xorshift64* (Vigna 2016), one state for a batch of boards.
"""

from itertools import chain
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from numduel.adaptors.duel import Duel
from numduel.arithmetic import primes_up
from numduel.board import Board
from numduel.errors import InvalidGame, InvalidSetup, TooLarge
from numduel.games import Game
from numduel.games.game import rising

MOST_MOVES: Final = 20_000_000  # of a table: 160 MB
_NONE = np.zeros(0, dtype=np.uint32)


class Table(NamedTuple):
    """The moves of all numbers, row by row: the smallest number first, and its smallest move.

    Where the first move has rules of its own, rows from `stop` on are the starts from `low` on.
    """

    begins: Any  # where the moves of each row begin, and those of the last one end
    amounts: Any
    left: Any  # the rows that the moves leave; empty where all are subtracted
    stop: int
    low: int

    @classmethod
    def of(cls, duel: Duel) -> "Table":
        """All moves up to the start. Raises `TooLarge`."""
        make = {"divisor-duel": _divisors, "digit-subtraction-duel": _digits}.get(duel.game.key)
        if make and duel.start > MOST_MOVES:
            raise TooLarge("to list", game=duel.game, number=duel.start)
        begins, amounts, left = make(duel.game, duel.start) if make else _listed(duel)
        return cls(begins, amounts, left, duel.start + 1, duel.low)

    def first(self, start: int) -> int:
        """The row of a match that begins there."""
        opens = len(self.begins) > self.stop + 1
        return self.stop + start - self.low if opens else start

    def numbers(self, rows: Any) -> Any:
        return np.where(rows < self.stop, rows, rows - self.stop + self.low)

    def board(self, duel: Duel, row: int) -> Board:
        opens = row >= self.stop or duel.later is duel.game
        number = max(int(self.numbers(row)), duel.game.least)
        return Board.of(duel.game if opens else duel.later, number, duel.misere)


def compiled(function: Any) -> Any:
    return numba.njit(cache=True, nogil=True, boundscheck=False)(function)


def seeded(seed: Any) -> Any:
    """The state of random numbers. Raises `InvalidSetup` for a seed below 0."""
    if np.min(seed) < 0:
        raise InvalidSetup(problem="seed", value=seed)
    return np.maximum(np.random.SeedSequence(seed).generate_state(1, np.uint64), np.uint64(1))


@compiled
def below(state: Any, count: Any) -> Any:
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    drawn = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return np.int64((drawn * np.uint64(count)) >> np.uint64(32))


@compiled
def chance(state: Any) -> Any:
    return below(state, 1 << 30) / (1 << 30)


@compiled
def pick(table: Any, row: Any, state: Any) -> Any:
    """The place in the table of a legal move, all equally likely."""
    begin = np.int64(table.begins[row])
    return begin + below(state, table.begins[row + 1] - begin)


@compiled
def after(table: Any, row: Any, place: Any) -> Any:
    return np.int64(table.left[place] if table.left.shape[0] else row - table.amounts[place])


@compiled
def stuck(table: Any, row: Any) -> Any:
    return table.begins[row] == table.begins[row + 1]


@compiled
def draw(table: Any, rows: Any, state: Any, drawn: Any, places: Any) -> None:
    """A legal move for each board, and its place in the table."""
    for i in range(rows.shape[0]):
        places[i] = pick(table, rows[i], state)
        drawn[i] = table.amounts[places[i]]


@compiled
def mark(table: Any, rows: Any, over: Any, masks: Any) -> None:
    for i in range(rows.shape[0]):
        if not over[i]:
            for k in range(table.begins[rows[i]], table.begins[rows[i] + 1]):
                masks[i, table.amounts[k]] = 1


@compiled
def find(table: Any, rows: Any, actions: Any, drawn: Any, places: Any) -> Any:
    """The place of each action in the table, -1 for an illegal one; how many those are.

    What was drawn for these very rows has its place already.
    """
    illegal = 0
    for i in range(rows.shape[0]):
        if drawn.shape[0] and drawn[i] == actions[i]:
            continue
        low, high = np.int64(table.begins[rows[i]]), np.int64(table.begins[rows[i] + 1])
        end = high
        while low < high:
            middle = (low + high) >> 1
            if table.amounts[middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        if low < end and table.amounts[low] == actions[i]:
            places[i] = low
        else:
            places[i] = -1
            illegal += 1
    return illegal


@compiled
def settle(table, rows, players, illegal, places, rewards, over, final, start, misere, allowed):  # type: ignore[no-untyped-def]
    for i in range(rows.shape[0]):
        rewards[i] = 0
        over[i] = False
        if places[i] < 0:
            illegal[i] += 1
            if illegal[i] <= allowed:
                continue
            rewards[i] = -1
        else:
            illegal[i] = 0
            players[i] ^= 1
            rows[i] = after(table, rows[i], places[i])
            if not stuck(table, rows[i]):
                continue
            rewards[i] = -1 if misere else 1
        over[i] = True
        final[i] = rows[i]
        rows[i] = start
        players[i] = 0
        illegal[i] = 0


@compiled
def settle_turns(  # type: ignore[no-untyped-def]
    table, replies, rows, over, illegal, places, state, starts, begins, allowed, rewards
):
    """A turn of both sides on every board; a match that is over begins anew instead.

    `begins` is how likely the opponent is to begin. Its answer is found in this loop, not by a
    call: numba would count references to every array each time, and take seven times as long.
    """
    for i in range(rows.shape[0]):
        anew, row = over[i], rows[i]
        if anew:
            row = starts[below(state, starts.shape[0])]
            answers = chance(state) < begins
        elif places[i] < 0:
            illegal[i] += 1
            over[i] = illegal[i] > allowed
            rewards[i] = -1.0 if over[i] else 0.0
            continue
        else:
            row = after(table, row, places[i])
            answers = not stuck(table, row)
        illegal[i] = 0
        left = row
        if answers:
            if replies.lost[row] or (replies.care > 0 and chance(state) < replies.care):
                begin = replies.begins[row]
                place = replies.careful[begin + below(state, replies.begins[row + 1] - begin)]
            else:
                place = pick(table, row, state)
                if replies.sight > 0 and chance(state) < replies.sight:
                    if replies.misere:
                        for _ in range(9):
                            if not stuck(table, after(table, row, place)):
                                break
                            place = pick(table, row, state)
                    elif replies.at_once[row] >= 0:
                        place = replies.at_once[row]
            left = after(table, row, place)
        ended = stuck(table, left)
        over[i] = ended and not anew
        rows[i] = row if anew and ended else left
        if over[i]:
            rewards[i] = 1.0 if answers == replies.misere else -1.0


def _listed(duel: Duel) -> tuple[Any, ...]:
    """The table of any game, move by move; a game may change with its first move, and not later.

    Raises `InvalidGame` for a move without a place in it: compiled code reads it without looking.
    """
    game, start = duel.game, duel.start
    begins, amounts, left = [0], [], []
    opening = range(duel.low if duel.opens else start + 1, start + 1)
    for n in chain(range(start + 1), opening):
        rules = duel.later if len(begins) <= start + 1 else game
        last = 0
        for amount in rules.moves(n) if n >= game.least else ():
            next_game, number = rules.after(n, amount)
            if next_game is not duel.later:
                raise InvalidSetup(problem="changing game", game=game.title)
            if number >= n:
                raise rising(game, n, amount, number)
            if not last < amount <= start or number < 0:
                problem = f"at {n} its move {amount} leaves {number}, after the move {last}"
                raise InvalidGame(key=game.key, problem=problem)
            last = amount
            amounts.append(amount)
            left.append(number)
        begins.append(len(amounts))
        if len(amounts) > MOST_MOVES:
            raise TooLarge("to list", game=game, number=start)
    return tuple(np.array(column, dtype=np.uint32) for column in (begins, amounts, left))


def _digits(game: Game, start: int) -> tuple[Any, ...]:
    numbers = rest = np.arange(start + 1)
    legal = np.zeros((start + 1, 10), dtype=np.bool_)
    while rest.any():
        legal[numbers, rest % 10] = True
        rest = rest // 10
    legal[:, 0] = False
    return _begins(game, legal.sum(axis=1)), np.nonzero(legal)[1].astype(np.uint32), _NONE


def _divisors(game: Game, start: int) -> tuple[Any, ...]:
    kind = game.settings["divisors"]
    allowed = np.full(start + 1, kind != "prime")
    if kind == "prime":
        allowed[list(primes_up(start))] = True
    elif kind != "all":
        allowed[1 if kind == "even" else 0 :: 2] = False
    counts = np.zeros(start + 1, dtype=np.uint32)
    _add_divisors(allowed, counts, _NONE)
    begins = _begins(game, counts)
    amounts = np.empty(begins[-1], dtype=np.uint32)
    _add_divisors(allowed, begins.copy(), amounts)
    return begins, amounts, _NONE


def _begins(game: Game, counts: Any) -> Any:
    begins = np.zeros(len(counts) + 1, dtype=np.uint32)
    np.cumsum(counts, out=begins[1:])
    if begins[-1] > MOST_MOVES:
        raise TooLarge("to list", game=game, number=len(counts) - 1)
    return begins


@compiled
def _add_divisors(allowed: Any, places: Any, amounts: Any) -> None:
    """Put each divisor at the next place of its multiples; without room, only count them."""
    for d in range(2, allowed.shape[0] // 2 + 1):
        if allowed[d]:
            for n in range(2 * d, allowed.shape[0], d):
                if amounts.shape[0]:
                    amounts[places[n]] = d
                places[n] += 1
