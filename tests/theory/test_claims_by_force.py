"""Claims that go beyond a few thousand, checked again as far as seconds allow."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from numduel.arithmetic import divisors, divisors_up, is_prime
from numduel.errors import TooLargeToFactor, TooManyDigits
from numduel.games import load
from numduel.known.divisor_values import value
from numduel.known.prime_values import EVEN, ODD, LocalValues, by_definition
from numduel.theory import find, misere_divisors
from numduel.theory.divisor_duel import DivisorDuelTheory, split
from soaking import SOAK


@pytest.mark.no_cover
@pytest.mark.soak("rest", short=True)
def test_local_rule_and_exceptions() -> None:
    stop = 400_000 if SOAK else 50_000
    values = by_definition(stop)
    for v, numbers in EVEN.items():
        assert tuple(n for n in range(0, stop, 2) if values[n] == v) == numbers
    for v, numbers in ODD.items():
        assert tuple(n for n in range(1, stop, 2) if values[n] == v) == numbers
    local = LocalValues()
    for n in range(8_192, stop):
        assert local.at(n) == values[n], n


def test_local_values_do_not_depend_on_where_they_start() -> None:
    for start in (10**9, 10**60):
        rising = LocalValues()
        for n in range(start, start + 200):
            assert LocalValues().at(n) == rising.at(n), n


def test_local_values_are_mex_of_sampled_moves() -> None:
    local = LocalValues()
    for n in range(10**40 - 40, 10**40):
        own = local.at(n)
        for p in (2, 3, 5, 7, 11, 13, 101, 211, 499):
            assert local.at(n - p) != own, (n, p)


def test_divisor_values_by_induction_on_the_exponent() -> None:
    """The step of the theorem for every k to 60 and m to 15, and a sample above."""
    random.seed(7)
    for m in [*range(1, 64, 2), *(random.randrange(65, 10**4, 2) for _ in range(20))]:
        for k in range(60 if m < 16 else 12):
            n = m << k
            divisors = [(e << j) for e in range(1, m + 1, 2) if m % e == 0 for j in range(k + 1)]
            reached = {value(*split(n - d)) for d in divisors if 1 < d < n}
            assert value(k, m) == next(v for v in range(200) if v not in reached), (k, m)


@pytest.mark.no_cover
@pytest.mark.soak("rest", short=True)
def test_misere_divisors() -> None:
    stop = 200_000 if SOAK else 50_000
    divisors: list[list[int]] = [[] for _ in range(stop)]
    for d in range(2, stop):
        for multiple in range(2 * d, stop, d):
            divisors[multiple].append(d)
    lost = bytearray(stop)
    for n in range(1, stop):
        lost[n] = bool(divisors[n]) and not any(lost[n - d] for d in divisors[n])
        assert lost[n] == misere_divisors.lost(n), n


def test_misere_powers_follow_their_recurrence() -> None:
    power, triple = misere_divisors._power_lost, misere_divisors._triple_lost
    double = misere_divisors._double_lost
    for k in range(3, 400):
        q = 2 ** (k - 1) - 1
        assert power(k) == (not power(k - 1) and not triple(k - 2) and not double(q)), k
    for k in range(2, 400):
        q, r = 2**k - 1, 3 * 2 ** (k - 1) - 1
        good = is_prime(q) and double(q) and not power(k + 1) and not triple(k - 1)
        assert triple(k) == (good and not double(r)), k
    assert misere_divisors.lost(24_576)
    with pytest.raises(TooManyDigits):
        misere_divisors.lost(2**20_000)


def test_mersenne_exponents_by_lucas_and_lehmer() -> None:
    def mersenne(k: int) -> bool:
        modulus, s = 2**k - 1, 4
        for _ in range(k - 2):
            s = (s * s - 2) % modulus
        return k == 2 or s == 0

    found = tuple(k for k in range(2, 620) if is_prime(k) and mersenne(k))
    assert found == tuple(k for k in misere_divisors.MERSENNE_EXPONENTS if k < 620)


def named(moves: Iterator[int]) -> list[int]:
    """What a listing gives before it says that there may be more."""
    found: list[int] = []
    with pytest.raises(TooLargeToFactor):
        found.extend(iter(lambda: next(moves), None))
    return found


def test_divisors_as_far_as_they_can_be_named() -> None:
    for n in [*range(1, 600), 2**20 * 3**5, 65_537 * 6, 10**12, 720_720 * 65_537]:
        below = [d for d in range(2, min(n, 70_000)) if n % d == 0]
        assert [d for d in divisors_up(n) if d < 70_000] == below, n
    hard = (10**40 + 121) * (10**41 + 109)
    assert named(divisors_up(12 * hard)) == [
        *(2, 3, 4, 6, 12),
        *(hard, 2 * hard, 3 * hard, 4 * hard, 6 * hard),
    ]
    assert named(divisors_up(hard)) == []


def test_large_divisor_duel_moves_need_no_factoring() -> None:
    theory = find(load("divisor-duel"))
    assert theory is not None
    hard = (10**40 + 121) * (10**41 + 109)
    moves = theory.moves_to(hard << 7, 3)
    for _, move in zip(range(1), moves, strict=False):
        assert theory.grundy((hard << 7) - move) == 3
    assert named(theory.moves_to(hard << 7, 0)) == [hard]
    # Above the exponent of two: 2^7 * (m - e) has another valuation.
    assert named(theory.moves_to(hard << 7, 9)) in ([], [1 << 7])


@pytest.mark.parametrize("allowed", ["all", "even"])
def test_moves_by_valuation_are_all_moves(allowed: str) -> None:
    """The listing for large numbers, on numbers small enough to list every divisor."""
    theory = find(load("divisor-duel", divisors=allowed))
    assert isinstance(theory, DivisorDuelTheory)
    random.seed(11)
    large = [random.randrange(1, 2**14) << random.randrange(12) for _ in range(200)]
    for n in [*range(1, 400), *large]:
        legal = [d for d in divisors(n) if theory.game.fault(n, d) is None]
        values = {d: theory.grundy(n - d) for d in legal}
        for v in range(17):
            expected = [d for d in legal if values[d] == v]
            assert list(theory._by_valuation(n, v)) == expected, (n, v)


def test_misere_moves_from_hard_numbers_can_be_named() -> None:
    theory = find(load("divisor-duel"))
    assert theory is not None
    hard = (10**40 + 121) * (10**41 + 109)
    for n in (2 * hard, 4 * hard, 12 * hard, hard << 40):
        assert theory.lost_misere(n) is False
        move = next(theory.winning_moves_misere(n))
        assert theory.lost_misere(n - move), n
