"""Divisor Duel as compiled kernels: a table of divisors by a sieve, moves checked by division."""

from __future__ import annotations

from typing import Any

import numpy as np

from numduel.adaptors.vector_rules import MOST_MOVES, Arrays, compiled
from numduel.errors import TooLarge
from numduel.games import Game


@compiled
def _primes(flags: Any) -> None:
    for p in range(2, flags.shape[0]):
        if flags[p]:
            for multiple in range(p * p, flags.shape[0], p):
                flags[multiple] = False


@compiled
def _count(allowed: Any, begins: Any) -> None:
    """How many moves the numbers before each have, all together."""
    start = begins.shape[0] - 2
    for d in range(2, start // 2 + 1):
        if allowed[d]:
            for n in range(2 * d, start + 1, d):
                begins[n + 1] += 1
    for n in range(start + 1):
        begins[n + 1] += begins[n]


@compiled
def _fill(allowed: Any, free: Any, amounts: Any) -> None:
    """The moves of each number, smallest first."""
    start = free.shape[0] - 2
    for d in range(2, start // 2 + 1):
        if allowed[d]:
            for n in range(2 * d, start + 1, d):
                amounts[free[n]] = d
                free[n] += 1


@compiled
def play_divisors(numbers: Any, table: Any, actions: Any, after: Any, over: Any) -> None:
    """The number after each action, -1 for an illegal one; and whether the match is over."""
    begins, _, allowed = table
    for i in range(numbers.shape[0]):
        n, d = numbers[i], actions[i]
        after[i] = -1
        over[i] = False
        if 1 < d < n and allowed[d] and np.uint32(n) % np.uint32(d) == 0:
            after[i] = n - d
            over[i] = begins[n - d] == begins[n - d + 1]


def divisors_to(game: Game, start: int) -> Arrays:
    """Where each number's moves begin, the moves, and which divisors the variant allows.

    Raises `TooLarge` when there are too many.
    """
    kind = game.settings["divisors"]
    if start > MOST_MOVES:
        raise TooLarge("to list", game=game, number=start)
    allowed = np.ones(start + 1, dtype=np.bool_)
    if kind == "prime":
        _primes(allowed)
    elif kind != "all":
        allowed[1 if kind == "even" else 0 :: 2] = False
    begins = np.zeros(start + 2, dtype=np.uint32)
    _count(allowed, begins)
    if begins[-1] > MOST_MOVES:
        raise TooLarge("to list", game=game, number=start)
    amounts = np.zeros(int(begins[-1]), dtype=np.uint32)
    _fill(allowed, begins.copy(), amounts)
    return begins, amounts, allowed
