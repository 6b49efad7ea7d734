"""The rules as compiled kernels: a table of moves for any game, arithmetic for digits.

Each kernel walks a batch of boards. Random numbers come from xorshift64*
(Vigna 2016), one state for the batch.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np
import numpy.typing as npt

from numduel.errors import InvalidGame, InvalidSetup, TooLarge
from numduel.games import Game
from numduel.games.trial import rising

I64 = npt.NDArray[np.int64]
Arrays = tuple[Any, ...]

MOST_MOVES: Final = 20_000_000
"""A table holds at most this many moves: 160 MB."""

_SETS = np.array([sum({1 << int(d) for d in str(n)} - {1}) for n in range(1000)], dtype=np.int64)
"""Bit d is set when d is a nonzero digit of n."""


def _picks() -> tuple[I64, I64]:
    """For each set of digits: how many there are, and which, smallest first."""
    counts = np.zeros(1024, dtype=np.int64)
    chosen = np.zeros((1024, 9), dtype=np.int64)
    for digits in range(1024):
        found = [d for d in range(1, 10) if digits >> d & 1]
        counts[digits] = len(found)
        chosen[digits, : len(found)] = found
    return counts, chosen


_COUNTS, _CHOSEN = _picks()


def compiled(function: Any) -> Any:
    """Compile with numba, kept on disk."""
    return numba.njit(cache=True, nogil=True, boundscheck=False)(function)


@compiled
def _random(state: Any) -> Any:
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return (x * np.uint64(2685821657736338717)) >> np.uint64(32)


@compiled
def _below(state: Any, count: Any) -> Any:
    return np.int64((_random(state) * np.uint64(count)) >> np.uint64(32))


@compiled
def _digit_set(n: Any) -> Any:
    found = np.int64(0)
    rest = np.uint64(n)
    while rest:
        found |= _SETS[rest % np.uint64(1000)]
        rest //= np.uint64(1000)
    return found


@compiled
def sample_digits(numbers: Any, _table: Any, state: Any, actions: Any) -> None:
    """A legal digit for each board, all equally likely."""
    for i in range(numbers.shape[0]):
        digits = _digit_set(numbers[i])
        actions[i] = _CHOSEN[digits, _below(state, _COUNTS[digits])]


@compiled
def mask_digits(numbers: Any, _table: Any, masks: Any) -> None:
    """1 for each legal digit of each board."""
    for i in range(numbers.shape[0]):
        digits = _digit_set(numbers[i])
        for d in range(1, 10):
            masks[i, d] = (digits >> d) & 1


@compiled
def play_digits(numbers: Any, _table: Any, actions: Any, after: Any, over: Any) -> None:
    """The number after each action, -1 for an illegal one; and whether the match is over."""
    for i in range(numbers.shape[0]):
        d = actions[i]
        legal = 0 < d < 10 and (_digit_set(numbers[i]) >> d) & 1
        after[i] = numbers[i] - d if legal else -1
        over[i] = after[i] == 0


@compiled
def sample_table(numbers: Any, table: Any, state: Any, actions: Any) -> None:
    """A legal move for each board, all equally likely."""
    begins, amounts, _ = table
    for i in range(numbers.shape[0]):
        begin = begins[numbers[i]]
        actions[i] = amounts[begin + _below(state, begins[numbers[i] + 1] - begin)]


@compiled
def mask_table(numbers: Any, table: Any, masks: Any) -> None:
    """1 for each legal move of each board."""
    begins, amounts, _ = table
    for i in range(numbers.shape[0]):
        for k in range(begins[numbers[i]], begins[numbers[i] + 1]):
            masks[i, amounts[k]] = 1


@compiled
def play_table(numbers: Any, table: Any, actions: Any, after: Any, over: Any) -> None:
    """The number after each action, -1 for an illegal one; and whether the match is over."""
    begins, amounts, left = table
    for i in range(numbers.shape[0]):
        low, high = begins[numbers[i]], begins[numbers[i] + 1]
        end = high
        while low < high:
            middle = (low + high) >> 1
            if amounts[middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        if low < end and amounts[low] == actions[i]:
            after[i] = left[low]
            over[i] = begins[left[low]] == begins[left[low] + 1]
        else:
            after[i] = -1
            over[i] = False


def table_of(game: Game, start: int) -> Arrays:
    """All moves of all numbers up to the start: where each number's begin, amounts, results.

    A game may change with its first move, but not after that. Raises
    `TooLarge` when there are too many moves, and `InvalidGame` for one
    that the table has no place for: compiled code reads it without looking.
    """
    later, _ = game.after(start, next(iter(game.moves(start))))
    begins, amounts, left = [0], [], []
    for n in range(start + 1):
        rules = game if n == start else later
        last = 0
        for amount in rules.moves(n) if n >= game.least else ():
            next_game, number = rules.after(n, amount)
            if next_game is not later:
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
    return tuple(np.array(column, dtype=np.int64) for column in (begins, amounts, left))
