"""Every legal move of every number up to a start, in arrays that compiled code walks through.

Random numbers come from xorshift64* (Vigna 2016), one state for a batch of boards.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from numduel.arithmetic import primes_up
from numduel.errors import InvalidGame, InvalidSetup, TooLarge
from numduel.games import Game
from numduel.games.trial import rising

MOST_MOVES: Final = 20_000_000
"""A table holds at most this many moves: 160 MB."""
_NONE = np.zeros(0, dtype=np.uint32)


class Table(NamedTuple):
    """The moves of all numbers, one number after the other, the smallest first."""

    begins: Any
    """Where the moves of each number begin, and those of the last one end."""
    amounts: Any
    left: Any
    """The numbers that the moves leave; empty where all are subtracted."""


def compiled(function: Any) -> Any:
    """Compile with numba, kept on disk."""
    return numba.njit(cache=True, nogil=True, boundscheck=False)(function)


@compiled
def _below(state: Any, count: Any) -> Any:
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    drawn = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return np.int64((drawn * np.uint64(count)) >> np.uint64(32))


@compiled
def draw(table: Any, numbers: Any, state: Any, drawn: Any, places: Any) -> None:
    """A legal move for each board, all equally likely, and its place in the table."""
    for i in range(numbers.shape[0]):
        begin = np.int64(table.begins[numbers[i]])
        places[i] = begin + _below(state, table.begins[numbers[i] + 1] - begin)
        drawn[i] = table.amounts[places[i]]


@compiled
def mark(table: Any, numbers: Any, masks: Any) -> None:
    """1 for each legal move of each board."""
    for i in range(numbers.shape[0]):
        for k in range(table.begins[numbers[i]], table.begins[numbers[i] + 1]):
            masks[i, table.amounts[k]] = 1


@compiled
def find(table: Any, numbers: Any, actions: Any, drawn: Any, places: Any) -> Any:
    """The place of each action in the table, -1 for an illegal one; how many those are.

    What was drawn for these very numbers has its place already.
    """
    illegal = 0
    for i in range(numbers.shape[0]):
        if drawn.shape[0] and drawn[i] == actions[i]:
            continue
        low, high = np.int64(table.begins[numbers[i]]), np.int64(table.begins[numbers[i] + 1])
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
def settle(  # type: ignore[no-untyped-def]
    table, numbers, players, illegal, actions, places, rewards, over, final, start, misere, allowed
):
    """Carry every board on after the action at its place in the table."""
    for i in range(numbers.shape[0]):
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
            if table.left.shape[0]:
                numbers[i] = table.left[places[i]]
            else:
                numbers[i] -= actions[i]
            if table.begins[numbers[i]] < table.begins[numbers[i] + 1]:
                continue
            rewards[i] = -1 if misere else 1
        over[i] = True
        final[i] = numbers[i]
        numbers[i] = start
        players[i] = 0
        illegal[i] = 0


def table_of(game: Game, start: int) -> Table:
    """All moves up to the start. Raises `TooLarge` when there are too many."""
    make = {"divisor-duel": _divisors, "digit-subtraction-duel": _digits}.get(game.key)
    if make is None:
        return _listed(game, start)
    table = make(game, start) if start <= MOST_MOVES else None
    if table is None:
        raise TooLarge("to list", game=game, number=start)
    return table


def _listed(game: Game, start: int) -> Table:
    """The table of any game, move by move.

    A game may change with its first move, but not after that. Raises `InvalidSetup` for one
    that does, and `InvalidGame` for a move that the table has no place for: compiled code
    reads it without looking.
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
    return Table(*(np.array(column, dtype=np.uint32) for column in (begins, amounts, left)))


def _digits(_: Game, start: int) -> Table | None:
    numbers = rest = np.arange(start + 1)
    legal = np.zeros((start + 1, 10), dtype=np.bool_)
    while rest.any():
        legal[numbers, rest % 10] = True
        rest = rest // 10
    legal[:, 0] = False
    begins = _begins(legal.sum(axis=1))
    if begins[-1] > MOST_MOVES:
        return None
    return Table(begins, np.nonzero(legal)[1].astype(np.uint32), _NONE)


def _divisors(game: Game, start: int) -> Table | None:
    kind = game.settings["divisors"]
    allowed = np.full(start + 1, kind != "prime")
    if kind == "prime":
        allowed[list(primes_up(start))] = True
    elif kind != "all":
        allowed[1 if kind == "even" else 0 :: 2] = False
    counts = np.zeros(start + 1, dtype=np.uint32)
    _count_multiples(allowed, counts)
    begins = _begins(counts)
    if begins[-1] > MOST_MOVES:
        return None
    amounts = np.empty(begins[-1], dtype=np.uint32)
    _fill_multiples(allowed, begins.copy(), amounts)
    return Table(begins, amounts, _NONE)


def _begins(counts: Any) -> Any:
    begins = np.zeros(len(counts) + 1, dtype=np.uint32)
    np.cumsum(counts, out=begins[1:])
    return begins


@compiled
def _count_multiples(allowed: Any, counts: Any) -> None:
    for d in range(2, allowed.shape[0] // 2 + 1):
        if allowed[d]:
            for n in range(2 * d, allowed.shape[0], d):
                counts[n] += 1


@compiled
def _fill_multiples(allowed: Any, free: Any, amounts: Any) -> None:
    """Put each divisor into the free places of its multiples, the smallest first."""
    for d in range(2, allowed.shape[0] // 2 + 1):
        if allowed[d]:
            for n in range(2 * d, allowed.shape[0], d):
                amounts[free[n]] = d
                free[n] += 1
