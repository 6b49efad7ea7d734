"""Theories of own rules and tables of any game, against the plain reading of each rule."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from numduel import Board, solve
from numduel.errors import TooLargeToSolve
from numduel.games import Game, load
from numduel.theory import find
from numduel.theory.nim_heap import NimHeap
from numduel.theory.own_rule import COMPILED_TO, TABLED, VALUED, FixedRule
from numduel.theory.periods import Period, proved_period, seen_period
from numduel.theory.tabled import MOST, Tabled
from rules.plain_rules import PlainRule, misere_losses, values

RULES = [
    PlainRule(amounts=[1, 3, 4]),
    PlainRule(amounts=[2, 5, 6]),
    PlainRule(words=["square"]),
    PlainRule(words=["any"]),
    PlainRule(words=["prime"], amounts=[1]),
    PlainRule(words=["cube", "fibonacci"]),
    PlainRule(words=["digit"], divisors=[2]),
    PlainRule(words=["divisor"]),
    PlainRule(words=["proper-divisor"]),
    PlainRule(divisors=[2, 3], amounts=[5]),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.text)
def test_theories_agree_with_the_plain_rule(rule: PlainRule) -> None:
    theory = find(load(rule.text))
    size = 300
    plain, misere = values(rule, size), misere_losses(rule, size)
    assert theory.reaches(size)
    for n in range(size):
        assert theory.grundy(n) == plain[n]
        assert theory.lost(n) is (plain[n] == 0)
        assert theory.lost_misere(n) is misere[n]
        moves = sorted(rule.moves(n))
        for value in (0, 1, 2):
            assert list(theory.moves_to(n, value)) == [m for m in moves if plain[n - m] == value]
        assert list(theory.winning_moves_misere(n)) == [m for m in moves if misere[n - m]]
    assert theory.basis(size).method in ("theorem", "table")
    assert theory.grundy_basis(size).method in ("theorem", "table")


def test_a_period_is_named_with_its_start() -> None:
    theory = find(load("subtract-1-4-9-16-25"))
    assert isinstance(theory, FixedRule)
    assert theory.lost_period() == Period(28, 34, True)
    assert theory.basis(10**9).method == "theorem"
    assert theory.largest() is None
    assert theory.reaches(10**1000)


def test_series_without_end_have_a_table_and_say_where_it_ends() -> None:
    theory = find(load("subtract-square"))
    assert isinstance(theory, FixedRule)
    assert (theory.lost_period(), theory.values_period()) == (None, None)
    assert theory.basis(100).method == theory.grundy_basis(100).method == "table"
    assert theory.largest() == COMPILED_TO - 1
    assert not theory.searched_beyond
    beyond = TABLED + 12_345
    lost = theory.lost(beyond)
    reached = [theory.lost(beyond - k * k) for k in range(1, int(beyond**0.5) + 1)]
    assert lost is (not any(reached))
    for question, n in ((theory.lost, COMPILED_TO), (theory.grundy, VALUED)):
        with pytest.raises(TooLargeToSolve):
            question(n)
    with pytest.raises(TooLargeToSolve) as refused:
        solve(f"subtract-square:{COMPILED_TO}")
    assert refused.value.largest == COMPILED_TO - 1


def test_a_heap_of_nim_has_its_size() -> None:
    theory = find(load("subtract-any"))
    assert isinstance(theory, NimHeap)
    assert theory.grundy(10**100) == 10**100
    assert list(theory.moves_to(9, 4)) == [5]
    assert list(theory.moves_to(9, 12)) == []


class Phases(Game):
    """A game that is another one after the first move."""

    key, title, default_start = "phases", "Phases", 9
    __slots__ = ()

    def moves(self, n: int) -> Iterator[int]:
        return iter((1,) if n else ())

    def after(self, n: int, amount: int) -> tuple[Game, int]:
        return load("subtract-1-3-4"), n - amount


class Wide(Game):
    """A game of very many moves."""

    key, title, default_start = "wide", "Wide", 9
    __slots__ = ()

    def moves(self, n: int) -> Iterator[int]:
        return iter(range(2, n + 1))


def test_a_table_ends_where_the_rule_says_so() -> None:
    phases = find(Phases())
    assert isinstance(phases, Tabled)
    assert not phases.reaches(5)
    assert phases.searched_beyond
    assert phases.lost_misere(5) is None
    for question in (phases.lost, phases.grundy):
        with pytest.raises(TooLargeToSolve):
            question(5)
    assert solve(Board.of(Phases(), 5)).method == "search"
    wide = find(Wide())
    assert not wide.reaches(MOST)
    largest = wide.largest()
    assert largest is not None
    assert wide.reaches(largest)
    assert not wide.reaches(largest + 1)
    with pytest.raises(TooLargeToSolve):
        wide.grundy(MOST - 1)
    assert find(load("halve")).searched_beyond
    assert not find(load("halve-or-subtract-1")).searched_beyond


def test_periods_are_proved_or_seen() -> None:
    assert proved_period([0, 1, 2, 3], 2) is None
    assert proved_period([9, 0, 1, 0, 1, 0], 1) == Period(1, 2, True)
    assert Period(3, 4, True).reduced(2) == 2
    assert Period(3, 4, True).reduced(103) == 3
    assert seen_period([0, 1] * 15, 10) == Period(0, 2, False)
    assert seen_period(list(range(30))) is None
