"""Own rules, solved: against plain search, number by number, and every period over ten turns."""

from __future__ import annotations

import json
from random import Random

import pytest

from numduel import Board
from numduel.games import Game, OwnRule, load
from numduel.solver import Search, solve
from numduel.solver.certificate import certificate
from numduel.solver.check import check
from numduel.theory import find
from numduel.theory.own_rule import FixedRule
from numduel.theory.tabled import Tabled
from rules.plain_rules import misere_losses, pair_losses, random_rule, values
from soaking import SOAK
from solver.test_certificates import refused

SEEDS = range(300 if SOAK else 8)
SINGLE = 3001 if SOAK else 1001
PAIR = 41


@pytest.mark.soak("rest", short=True)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_rules_agree_with_plain_search(seed: int) -> None:
    random = Random(seed)
    rule = random_rule(random)
    game = load(rule.text)
    plain, misere = values(rule, SINGLE), misere_losses(rule, SINGLE)
    looked_at = {*range(120), *random.sample(range(SINGLE), 60)}
    for n in range(SINGLE):
        verdict = solve(Board.of(game, n))
        assert (verdict.outcome, verdict.grundy) == ("loss" if plain[n] == 0 else "win", plain[n])
        reversed_goal = solve(Board.of(game, n, misere=True))
        assert (reversed_goal.outcome == "loss") is misere[n], (rule.text, n)
        if n in looked_at:
            winning = [move.amount for move in verdict.winning_moves]
            assert winning == [m for m in sorted(rule.moves(n)) if plain[n - m] == 0]
            winning = [move.amount for move in reversed_goal.winning_moves]
            assert winning == [m for m in sorted(rule.moves(n)) if misere[n - m]]


@pytest.mark.soak("rest", short=True)
@pytest.mark.parametrize("seed", SEEDS)
def test_sums_of_two_agree_with_plain_search(seed: int) -> None:
    random = Random(seed)
    rule = random_rule(random)
    number = load(rule.text).key
    for misere in (False, True):
        plain = pair_losses(rule, PAIR, misere)
        ending = "~misere" if misere else ""
        for a, b in random.sample(list(plain), 60 if SOAK else 30):
            board = Board.parse(f"{number}:{a}+{number}:{b}{ending}")
            verdict = solve(board)
            assert (verdict.outcome == "loss") is plain[a, b], (str(board), misere)
            winning = {(move.place, move.amount) for move in verdict.winning_moves}
            left = [(0, m, plain[a - m, b]) for m in rule.moves(a)]
            left += [(1, m, plain[a, b - m]) for m in rule.moves(b)]
            assert winning == {(place, m) for place, m, lost in left if lost}


@pytest.mark.soak("rest", short=True)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_claimed_period_holds_for_ten_turns(seed: int) -> None:
    random = Random(1000 + seed)
    rule = random_rule(random)
    rule.words, rule.divisors = [], []
    rule.amounts = rule.amounts or random.sample(range(1, 40), 4)
    theory = find(load(rule.text))
    assert isinstance(theory, FixedRule)
    period, losses = theory.values_period(), theory.lost_period()
    assert period is not None, "such small sets repeat early"
    assert losses is not None
    plain = values(rule, period.start + 11 * period.length)
    for n in range(period.start, period.start + 10 * period.length):
        assert plain[n] == plain[n + period.length]
    assert period.start == 0 or plain[period.start - 1] != plain[period.start - 1 + period.length]
    lost = [value == 0 for value in plain]
    for n in range(losses.start, len(lost) - losses.length):
        assert lost[n] == lost[n + losses.length]
    far = 10**1000 + random.randrange(10**6)
    near = period.start + (far - period.start) % period.length
    assert solve(Board.of(theory.game, far)).grundy == plain[near]
    assert solve(Board.of(theory.game, far)).method == "theorem"


def test_known_games_have_their_known_answers() -> None:
    """Bachet: multiples of k + 1. Nim: the value is the heap. Subtract a square: OEIS A030193."""
    assert [n for n in range(40) if lost("subtract-1-to-3", n)] == list(range(0, 40, 4))
    assert [solve(Board.parse(f"subtract-any:{n}")).grundy for n in range(20)] == list(range(20))
    squares = [0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57, 62, 65, 67, 72, 85, 95]
    assert [n for n in range(96) if lost("subtract-square", n)] == squares
    holds = solve(Board.parse(f"subtract-1-3-4:{10**999}")).holds
    assert holds == "values repeat every 7 from 0 on."
    fibonacci = [0, 4, 10, 14, 20, 24, 30, 36, 40, 46, 50, 56, 60, 66, 72, 76, 82, 86, 92, 96]
    assert [n for n in range(100) if lost("subtract-fibonacci", n)] == fibonacci


def lost(rule: str, n: int) -> bool:
    return solve(Board.parse(f"{rule}:{n}")).outcome == "loss"


def test_numbers_that_reach_few_others_are_solved_at_any_size() -> None:
    for power in (999, 1000):
        assert lost("halve", 3 * 2**power) is (power % 2 == 0)
        assert lost("divide-by-2-3", 2**power * 3**7) is ((power + 7) % 2 == 0)


@pytest.mark.parametrize("misere", [False, True])
def test_periods_are_certified(misere: bool) -> None:
    board = Board.parse(f"subtract-2-5-6:{10**500 + 7}")
    verdict = solve(board, misere)
    text = certificate(verdict)
    report = check(text)
    assert (report.outcome, report.relies_on) == (verdict.outcome, [])
    data = json.loads(text)
    assert data["proof"]["kind"] == "period"
    bits = data["proof"]["lost"]
    for place in range(len(bits)):
        forged = bits[:place] + "10"[int(bits[place])] + bits[place + 1 :]
        refused(data, proof={**data["proof"], "lost": forged})
    for wrong in ({"length": data["proof"]["length"] + 1}, {"start": -1}, {"length": "7"}):
        refused(data, proof={**data["proof"], **wrong})
    refused(data, outcome="loss" if data["outcome"] == "win" else "win")


def test_a_period_certifies_only_amounts_that_the_rule_names() -> None:
    data = json.loads(certificate(solve(Board.parse(f"subtract-1-2:{3 * 10**9}"))))
    check(json.dumps(data))
    for rule in ("subtract-square", "halve-or-subtract-1-2", "divisor-duel"):
        refused(data, board=f"{rule}:{3 * 10**9}")


class Countdown(Game):
    """A game of somebody else, without a theory."""

    key, title, default_start = "countdown", "Countdown", 20
    __slots__ = ()

    def moves(self, n: int):  # type: ignore[no-untyped-def]
        return iter([m for m in (1, 2, 7) if m <= n - n % 3])


def test_any_game_without_a_theory_has_a_table() -> None:
    game = Countdown()
    theory, search = find(game), Search()
    assert isinstance(theory, Tabled)
    for n in range(200):
        board = Board.of(game, n)
        assert theory.grundy(n) == search.grundy(board.numbers[0])
        assert theory.lost(n) == search.lost(board)
        assert theory.lost_misere(n) == Search(misere=True).lost(board)


def test_tables_of_own_rules_are_let_go() -> None:
    games = [load(f"subtract-{k}-{k + 7}-square".replace("-square", "")) for k in range(1, 60)]
    for game in games:
        assert isinstance(game, OwnRule)
        find(game).lost(1000)
    from numduel import theory

    assert theory._of_rule.cache_info().currsize <= 16
