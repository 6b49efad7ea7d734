"""Theories of own rules and tables of any game, against the plain reading of each rule."""

from random import Random

import pytest

from numduel import Board, solve
from numduel.errors import TooLarge
from numduel.games import Game, load
from numduel.games.own_text import LARGEST_AMOUNT
from numduel.ranges import marking as compiled
from numduel.solver import Search
from numduel.theory import find, tables
from numduel.theory.own_rule import COMPILED_TO, MOST, TABLED, VALUED, FixedRule
from numduel.theory.tables import Period, proved_period, seen_period
from numduel.wording.verdict import pattern
from raised import raised
from rules.plain_rules import PlainRule, losses, values
from soaking import SOAK
from solver.test_verdicts import too_large


def listed(rule: str) -> FixedRule:
    """A theory of the rule that was never asked anything."""
    return FixedRule(load(rule))  # type: ignore[arg-type]


@pytest.mark.soak("rest", short=True)
@pytest.mark.no_cover
def test_questions_in_any_order_agree_with_a_plain_table() -> None:
    """Amounts up to the limit, ten rules at once, to 20 periods or so far, and far beyond."""
    random = Random(25)
    most = 100_000 if SOAK else 5_000
    for _ in range(100 if SOAK else 3):
        rules: list[tuple[FixedRule, list[int]]] = []
        for _ in range(10):
            largest = random.randint(*random.choice([(6, 30), (6, LARGEST_AMOUNT), (250, 520)]))
            others = random.sample(range(1, largest), random.choice([0, 1, 2, 5]))
            amounts = sorted({largest, *others})
            rules.append((listed(f"subtract-{'-'.join(map(str, amounts))}"), amounts))
        for theory, _ in random.choices(rules, k=30):
            random.choice([theory.lost, theory.grundy])(random.randrange(random.choice([60, 600])))
        random.shuffle(rules)
        for theory, amounts in rules:
            far = random.randrange(10**40)
            assert theory.lost(far) is (theory.grundy(far) == 0), amounts
            period = theory.period()
            assert period, amounts
            size = min(most, period.start + 20 * period.length)
            plain_rule = PlainRule(amounts=amounts)
            table = losses(plain_rule, size)
            assert [theory.lost(n) for n in range(size)] == table, amounts
            repeating = range(period.start, size - period.length)
            assert all(table[n] is table[n + period.length] for n in repeating), amounts
            if (near := period.reduced(far)) < size:
                assert theory.lost(far) is table[near], amounts
            few = random.sample(range(min(size, 3 * amounts[-1])), 5)
            plain = values(plain_rule.moves, max(few) + 1)
            assert [theory.grundy(n) for n in few] == [plain[n] for n in few], amounts
            if (repeats := theory.values.period()) and (size := sum(repeats[:2]) * 10) < most:
                plain = values(plain_rule.moves, size)
                start, length, _ = repeats
                same = [plain[n] == plain[n + length] for n in range(size - length)]
                assert all(same[start:]), amounts
                assert not start or not same[start - 1], "it begins as early as it can"
                assert theory.grundy(far) == plain[repeats.reduced(far)], amounts


def test_a_small_number_first_makes_no_false_period() -> None:
    """A table that is shorter than the largest amount proves nothing."""
    assert solve("subtract-1-300:100").outcome == "loss"
    far = solve(f"subtract-1-300:{10**40}")
    table = values(PlainRule(amounts=[1, 300]).moves, 301)
    assert far.grundy == table[10**40 % 301]
    assert (far.outcome == "loss") is (far.grundy == 0)
    assert pattern(load("subtract-1-300")) == "Proved: the traps repeat every 301."
    theory = listed("subtract-300")
    lost = [n for n in range(1500) if theory.lost(n)]
    assert lost == [*range(300), *range(600, 900), *range(1200, 1500)]
    assert proved_period([0] * 300, 300) is None


MIXED = ["subtract-1", "subtract-4", "subtract-cube", "subtract-square", "subtract-triangular"]


@pytest.mark.parametrize("other", MIXED)
def test_many_amounts_give_the_same_losses_in_every_way(
    other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Primes among others: by bits in Python, looked up and marked by kernels, and plainly."""
    size = 3_000
    amounts = list(load(f"{other}-or-subtract-prime").moves(size - 1))
    table = bytes(losses(PlainRule(amounts=amounts), size))
    assert tables.losses(amounts, size) == table
    for many in (0, size):
        monkeypatch.setattr(compiled, "_MANY", many)
        assert compiled.losses(amounts, size).tobytes() == table


def test_primes_among_other_amounts_are_tabled_within_seconds() -> None:
    """Where each loss marked every prime above it, this took minutes."""
    theory = listed("subtract-1-or-subtract-prime")
    shown = range(TABLED, TABLED + 100)
    assert [n for n in shown if theory.lost(n)] == [*shown[::4]]


def test_series_without_end_have_a_table_and_say_where_it_ends() -> None:
    nim = find(load("subtract-any"))
    assert nim.grundy(10**100) == 10**100
    assert [list(nim.moves_to(9, value)) for value in (4, 12)] == [[5], []]
    endless = find(load("subtract-1-4-9-16-25"))
    assert endless.period() == Period(28, 34, True)
    assert endless.basis(10**9).method == "theorem"
    assert endless.limit() is None
    assert endless.lost(10**1000) is not None
    theory = listed("subtract-square")
    assert (theory.period(), theory.values.period()) == (None, None)
    assert theory.basis(100).method == theory.basis(100, "value").method == "table"
    assert theory.limit() == COMPILED_TO - 1
    beyond = TABLED + 12_345
    lost = theory.lost(beyond)
    reached = [theory.lost(beyond - k * k) for k in range(1, int(beyond**0.5) + 1)]
    assert lost is (not any(reached))
    assert theory.lost(COMPILED_TO) is None
    raised(TooLarge, theory.grundy, VALUED, match="Too large to solve")
    assert too_large(f"subtract-square:{COMPILED_TO}").largest == COMPILED_TO - 1


def made(**methods: object) -> Game:
    """A game of somebody else, without a theory."""
    about = {"key": "made", "title": "Made", "default_start": 9}
    game: Game = type("Made", (Game,), about | methods)()
    return game


def test_any_game_has_a_table_which_ends_where_the_rule_says_so() -> None:
    countdown = made(moves=lambda _, n: iter([m for m in (1, 2, 7) if m <= n - n % 3]))
    counted, search, misere = find(countdown), Search(), Search(misere=True)
    for n in range(200):
        board = Board.of(countdown, n)
        assert counted.grundy(n) == search.grundy(board.numbers[0])
        assert counted.lost(n) == search.lost(board)
        assert counted.lost(n, misere=True) == misere.lost(board)
    two_phases = made(
        moves=lambda _, n: iter((1,) if n else ()),
        after=lambda _, n, amount: (load("subtract-1-3-4"), n - amount),
    )
    phases = find(two_phases)
    assert (phases.lost(5), phases.lost(5, misere=True)) == (None, None)
    raised(TooLarge, phases.grundy, 5, match="Too large to solve")
    assert solve(Board.of(two_phases, 5)).method == "search"
    wide = find(made(moves=lambda _, n: iter(range(2, n + 1))))
    largest = wide.limit()
    assert largest is not None
    assert wide.lost(largest) is not None
    assert wide.lost(largest + 1) is None
    assert wide.lost(MOST) is None
    raised(TooLarge, wide.grundy, MOST - 1, match="Too large to solve")


def test_periods_are_proved_or_seen() -> None:
    assert proved_period([0, 1, 2, 3], 2) is None
    assert proved_period([9, 0, 1, 0, 1, 0], 1) == Period(1, 2, True)
    assert Period(3, 4, True).reduced(2) == 2
    assert Period(3, 4, True).reduced(103) == 3
    assert seen_period([0, 1] * 15, 10) == Period(0, 2, False)
    assert seen_period(list(range(30))) is None
