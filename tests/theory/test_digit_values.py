"""Digit Subtraction Duel's values: the period of blocks, and the definition."""

from __future__ import annotations

import random

import pytest

from numduel.known import digit_values
from numduel.known.digit_values import NOTHING_BEFORE, PERIODIC, State, bit, run, value


def met_at_sizes() -> tuple[set[tuple[int, State]], set[tuple[int, State]]]:
    """Every (leading digits, nine values) met at sizes 5, 7, ... and at 6, 8, ..., if periodic."""
    met: tuple[set[tuple[int, State]], set[tuple[int, State]]] = (set(), set())
    waiting = [(parity, 0, NOTHING_BEFORE) for parity in (0, 1)]
    while waiting:
        parity, leading, state = waiting.pop()
        if (leading, state) in met[parity]:
            continue
        met[parity].add((leading, state))
        for digit in range(10):
            inner = leading | bit(digit)
            waiting.append((1 - parity, inner, state))
            state = run(PERIODIC + 1 - parity, inner, state)
    return met


@pytest.mark.no_cover
def test_blocks_repeat_with_period_two() -> None:
    for parity, pairs in enumerate(met_at_sizes()):
        assert len(pairs) > 1000
        for leading, state in pairs:
            small = run(PERIODIC + parity, leading, state)
            large = run(PERIODIC + parity + 2, leading, state)
            assert small == large, (parity, leading, state)


def test_values_are_those_of_the_definition() -> None:
    values = [0]
    for n in range(1, 20_000):
        reached = {values[n - int(digit)] for digit in str(n) if digit != "0"}
        values.append(min(set(range(11)) - reached))
    for n, expected in enumerate(values):
        assert value(n) == expected, n


def test_the_period_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    random.seed(3)
    numbers = [random.randrange(10 ** (d - 1), 10**d) for d in (8, 9, 10, 11) for _ in range(40)]
    # Just after a block whose leading digits are 1, 3, 4, 5, 6, 7, 8: only there do blocks
    # of even and odd size differ, so a period of one would show.
    numbers += [31857647700000000 + last for last in range(1, 20)]
    numbers += [74685138900000000 + last for last in range(1, 20)]
    with_period = [value(n) for n in numbers]
    monkeypatch.setattr(digit_values, "PERIODIC", 50)
    for n, expected in zip(numbers, with_period, strict=True):
        assert value(n) == expected, n
