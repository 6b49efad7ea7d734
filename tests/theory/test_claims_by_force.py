"""Closed forms against plain mex, and claims that go beyond, as far as seconds allow."""

import random
from collections.abc import Iterator

import pytest

from numduel import known
from numduel.arithmetic import divisors, divisors_up, is_prime
from numduel.errors import InvalidGame, TooLarge, TooManyDigits
from numduel.games import Game, load
from numduel.known import EVEN, NOTHING_BEFORE, ODD, PERIODIC, LocalValues, State, by_definition
from numduel.known import digit_bit as bit
from numduel.known import divisor_value as value
from numduel.known import run_block as run
from numduel.theory import divisor_duel, find
from numduel.theory.divisor_duel import DivisorDuelTheory, split
from raised import raised
from rules.plain_rules import HARD, WORDS, mex, values
from rules.test_conformance import every_variant
from soaking import SOAK

STOP = 5_000 if SOAK else 1_200
GAMES = every_variant()


class Tables:
    """Options, values and misère values of a game, by their definitions."""

    def __init__(self, game: Game, stop: int = STOP) -> None:
        later = game.having(opening="any") if "opening" in game.variants else game
        self.values: dict[int, int] = {}
        self.misere: dict[int, int] = {}
        self.options: dict[int, list[tuple[int, int]]] = {}
        for n in range(game.least, stop):
            self.options[n] = [(move, game.after(n, move)[1]) for move in game.moves(n)]
            options = [later.after(n, move)[1] for move in later.moves(n)]
            self.values[n] = mex({self.values[m] for m in options})
            self.misere[n] = mex({self.misere[m] for m in options}) if options else 1


@pytest.mark.soak("rest", short=True)
@pytest.mark.no_cover
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_closed_form_is_the_definition(game: Game) -> None:
    theory = find(game)
    tables = Tables(game)
    for n, options in tables.options.items():
        value = mex({tables.values[m] for _, m in options})
        misere = mex({tables.misere[m] for _, m in options}) if options else 1
        assert theory.lost(n) == (value == 0), n
        assert theory.grundy(n) == value, n
        assert theory.lost(n, misere=True) == (misere == 0), n
        winning = [move for move, m in options if tables.values[m] == 0]
        assert list(theory.moves_to(n, 0)) == winning, n
        winning = [move for move, m in options if tables.misere[m] == 0]
        assert list(theory.winning_moves(n, misere=True)) == winning, n
        if n < 300:
            for v in range(1, 14):
                to_value = [move for move, m in options if tables.values[m] == v]
                assert list(theory.moves_to(n, v)) == to_value, (n, v)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_fickle_firm_and_wild_are_as_the_sum_theorem_asks(game: Game) -> None:
    theory = find(game)
    tables = Tables(game, 600)
    later = find(game.having(opening="any")) if "opening" in game.variants else theory

    def kind(t: object, n: int) -> tuple[int, int] | None:
        firm = t.firm(n)  # type: ignore[attr-defined]
        value = t.grundy(n)  # type: ignore[attr-defined]
        return None if firm is None else (value, value if firm else 1 - value)

    for n, options in tables.options.items():
        own = kind(theory, n)
        if own is None:
            continue
        kinds = [kind(later, m) for _, m in options]
        tame = [pair for pair in kinds if pair is not None]
        second = mex({pair[1] for pair in tame}) if options else 1
        assert own == (mex({pair[0] for pair in tame}), second), n
        for (_, m), pair in zip(options, kinds, strict=True):
            if pair is None:
                assert own in [kind(later, k) for _, k in tables.options[m]], (n, m)


def test_a_theory_that_breaks_is_not_taken_for_none() -> None:
    for number, place in enumerate(("no_such_module:Theory", "numduel.theory:Basis", "numduel:no")):
        broken = type("Broken", (Game,), {"key": f"broken-{number}", "theory": place})
        raised(InvalidGame, find, broken())


def test_bases_say_how_far() -> None:
    theory = find(load("subtract-a-prime"))
    methods = [theory.basis(n).method for n in (100, 10**6, 10**16 - 1, 10**16, 10**30)]
    assert methods == ["table", "table", "table", "conjecture", "conjecture"]
    values = [theory.basis(n, "value").method for n in (100, 10**14 - 1, 10**14, 10**30)]
    assert values == ["table", "table", "conjecture", "conjecture"]
    assert "probable" in theory.basis(10**30).holds
    assert "probable" not in theory.basis(10**16).holds
    misere = find(load("divisor-duel"))
    assert "probable" in misere.basis(10**30, "misere").holds


@pytest.mark.no_cover
@pytest.mark.soak("rest", short=True)
def test_local_rule_and_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = 400_000 if SOAK else 50_000
    values = by_definition(stop)
    for v, numbers in EVEN.items():
        assert tuple(n for n in range(0, stop, 2) if values[n] == v) == numbers
    for v, numbers in ODD.items():
        assert tuple(n for n in range(1, stop, 2) if values[n] == v) == numbers
    monkeypatch.setattr("numduel.known.TABLE", 5_567)
    local = LocalValues()
    for n in range(5_567, stop):
        assert (local.at(n), local.lost(n)) == (values[n], values[n] == 0), n


def test_local_values_do_not_depend_on_where_they_start_and_no_move_keeps_one() -> None:
    for start in (10**9, 10**40):
        rising = LocalValues()
        for n in range(start, start + 100):
            own = rising.at(n)
            assert LocalValues().at(n) == own, n
            for p in (2, 3, 5, 7, 11, 13, 101, 211, 499):
                assert rising.at(n - p) != own, (n, p)


def test_divisor_values_by_induction_on_the_exponent() -> None:
    """The step of the theorem for every k to 60 and m to 15, and a sample above."""
    random.seed(7)
    for m in [*range(1, 64, 2), *(random.randrange(65, 10**4, 2) for _ in range(20))]:
        for k in range(60 if m < 16 else 12):
            n = m << k
            divisors = [(e << j) for e in range(1, m + 1, 2) if m % e == 0 for j in range(k + 1)]
            reached = {value(*split(n - d)) for d in divisors if 1 < d < n}
            assert value(k, m) == mex(reached), (k, m)


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
        assert lost[n] == divisor_duel.misere_lost(n), n


def test_misere_powers_follow_their_recurrence() -> None:
    """Which asks of every 2^k - 1 whether it is prime."""
    power, triple = divisor_duel._power_lost, divisor_duel._triple_lost
    double = divisor_duel._double_lost
    for k in range(3, 620):
        q = 2 ** (k - 1) - 1
        assert power(k) == (not power(k - 1) and not triple(k - 2) and not double(q)), k
    for k in range(2, 620):
        q, r = 2**k - 1, 3 * 2 ** (k - 1) - 1
        good = is_prime(q) and double(q) and not power(k + 1) and not triple(k - 1)
        assert triple(k) == (good and not double(r)), k
    assert divisor_duel.misere_lost(24_576)
    raised(TooManyDigits, divisor_duel.misere_lost, 2**20_000)


def named(moves: Iterator[int]) -> list[int]:
    """What a listing gives before it says that there may be more."""
    found: list[int] = []
    raised(TooLarge, found.extend, iter(lambda: next(moves), None), match="too large to factor")
    return found


def test_divisors_as_far_as_they_can_be_named() -> None:
    for n in [*range(1, 600), 2**20 * 3**5, 65_537 * 6, 10**12, 720_720 * 65_537]:
        below = [d for d in range(2, min(n, 70_000)) if n % d == 0]
        assert [d for d in divisors_up(n) if d < 70_000] == below, n
    named_of_twelve = [2, 3, 4, 6, 12, HARD, 2 * HARD, 3 * HARD, 4 * HARD, 6 * HARD]
    assert named(divisors_up(12 * HARD)) == named_of_twelve
    assert named(divisors_up(HARD)) == []


def test_moves_from_hard_numbers_need_no_factoring() -> None:
    theory, n = find(load("divisor-duel")), HARD << 7
    assert theory.grundy(n - next(theory.moves_to(n, 3))) == 3
    assert named(theory.moves_to(n, 0)) == [HARD]
    # Above the exponent of two: 2^7 * (m - e) has another valuation.
    assert named(theory.moves_to(n, 9)) in ([], [1 << 7])
    assert named(find(load("divisor-duel", divisors="odd")).moves_to(n, 0)) == [HARD]
    assert named(load("subtract-divisor").moves(6 * HARD))[-2:] == [3 * HARD, 6 * HARD]
    for n in (2 * HARD, 4 * HARD, 12 * HARD, HARD << 40):
        assert theory.lost(n, misere=True) is False
        assert theory.lost(n - next(theory.winning_moves(n, misere=True)), misere=True), n


def test_moves_by_valuation_are_all_moves() -> None:
    """The listing for large numbers, on numbers small enough to list every divisor."""
    theory = find(load("divisor-duel"))
    assert isinstance(theory, DivisorDuelTheory)
    random.seed(11)
    large = [random.randrange(1, 2**14) << random.randrange(12) for _ in range(200)]
    for n in [*range(1, 400), *large]:
        legal = [d for d in divisors(n) if theory.game.fault(n, d) is None]
        values = {d: theory.grundy(n - d) for d in legal}
        for v in range(17):
            expected = [d for d in legal if values[d] == v]
            assert list(theory._by_valuation(n, v)) == expected, (n, v)


@pytest.mark.no_cover
def test_blocks_repeat_with_period_two() -> None:
    """At every (leading digits, nine values) met at sizes 5, 7, ... and 6, 8, ..., if periodic."""
    met: tuple[set[tuple[int, State]], set[tuple[int, State]]] = (set(), set())
    waiting = [(parity, 0, NOTHING_BEFORE) for parity in (0, 1)]
    while waiting:
        parity, leading, state = waiting.pop()
        if (leading, state) in met[parity]:
            continue
        met[parity].add((leading, state))
        small, large = (run(PERIODIC + parity + more, leading, state) for more in (0, 2))
        assert small == large, (parity, leading, state)
        for digit in range(10):
            inner = leading | bit(digit)
            waiting.append((1 - parity, inner, state))
            state = run(PERIODIC + 1 - parity, inner, state)
    assert min(map(len, met)) > 1000


def test_values_are_those_of_the_definition() -> None:
    for n, expected in enumerate(values(WORDS["digit"], 20_000)):
        assert known.digit_value(n) == expected, n
    assert [known.digit_value(int("123456789"[:v])) for v in range(1, 10)] == [*range(1, 10)]


def test_the_period_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    random.seed(3)
    numbers = [random.randrange(10 ** (d - 1), 10**d) for d in (8, 9, 10, 11) for _ in range(40)]
    # Just after a block whose leading digits are 1, 3, 4, 5, 6, 7, 8: only there do blocks
    # of even and odd size differ, so a period of one would show.
    numbers += [31857647700000000 + last for last in range(1, 20)]
    numbers += [74685138900000000 + last for last in range(1, 20)]
    with_period = [known.digit_value(n) for n in numbers]
    monkeypatch.setattr(known, "PERIODIC", 50)
    for n, expected in zip(numbers, with_period, strict=True):
        assert known.digit_value(n) == expected, n
