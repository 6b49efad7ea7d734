"""Own rules, solved: against plain search, number by number, and every period over ten turns."""

import json
from contextlib import suppress
from itertools import islice
from random import Random

import pytest

from numduel import Board, Move
from numduel import theory as theories
from numduel.errors import TooLarge
from numduel.games import load
from numduel.solver import solve
from numduel.solver.certificate import certificate
from numduel.solver.check import check
from numduel.theory import find
from rules.plain_rules import PlainRule, losses, pair_losses, random_rule, values
from soaking import SOAK
from solver.test_certificates import HARD, refused

RANDOM = [random_rule(Random(seed)) for seed in range(300 if SOAK else 8)]
SINGLE = 2001 if SOAK else 1001
PAIR = 41
WORDS = ("square", "any", "prime", "digit", "divisor", "proper-divisor")
RULES = [
    *(PlainRule(words=[word]) for word in WORDS),
    PlainRule(words=["prime"], amounts=[1]),
    PlainRule(words=["cube", "fibonacci"]),
    PlainRule(words=["digit"], divisors=[2]),
    PlainRule(divisors=[2, 3], amounts=[5]),
]


@pytest.mark.soak("rest", short=True)
@pytest.mark.parametrize("rule", [*RULES, *RANDOM], ids=lambda rule: rule.text)
def test_rules_agree_with_plain_search(rule: PlainRule) -> None:
    random = Random(rule.text)
    game = load(rule.text)
    plain, misere = values(rule.moves, SINGLE), losses(rule, SINGLE, misere=True)
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
    number = game.key
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


def test_known_games_have_their_known_answers() -> None:
    """Bachet: multiples of k + 1. Nim: the value is the heap. Subtract a square: OEIS A030193."""
    assert [n for n in range(40) if lost("subtract-1-to-3", n)] == list(range(0, 40, 4))
    assert [solve(f"subtract-any:{n}").grundy for n in range(20)] == list(range(20))
    squares = [0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57, 62, 65, 67, 72, 85, 95]
    assert [n for n in range(96) if lost("subtract-square", n)] == squares
    holds = solve(f"subtract-1-3-4:{10**999}").holds
    assert holds == "values repeat every 7 from 0 on."
    assert solve(f"subtract-1-3-4:{10**999}").method == "theorem"
    fibonacci = [0, 4, 10, 14, 20, 24, 30, 36, 40, 46, 50, 56, 60, 66, 72, 76, 82, 86, 92, 96]
    assert [n for n in range(100) if lost("subtract-fibonacci", n)] == fibonacci


def lost(rule: str, n: int) -> bool:
    return solve(f"{rule}:{n}").outcome == "loss"


@pytest.mark.parametrize("misere", [False, True])
def test_rules_with_closed_forms_are_solved_and_certified_at_any_size(misere: bool) -> None:
    """Two are games of the rulebooks; of the others, every named move leaves what it should."""
    same = {"subtract-prime": "subtract-a-prime", "subtract-digit": "digit-subtraction-duel"}
    for own, game in same.items():
        for n in (999_983, 9_999_991, 100_000_000_039, 10**30 + 57, 10**30 + 60):
            verdict, expected = (solve(f"{key}:{n}", misere) for key in (own, game))
            for said in ("outcome", "grundy", "basis"):
                assert getattr(verdict, said) == getattr(expected, said), (own, n)
            assert verdict.first_moves(3) == expected.first_moves(3)
            assert check(certificate(verdict)).outcome == verdict.outcome
    for rule in ("subtract-divisor", "subtract-proper-divisor"):
        for n in (10**30, 10**30 + 57, 3 << 100, HARD, HARD << 5):
            verdict = solve(f"{rule}:{n}", misere)
            assert verdict.method == "theorem"
            assert check(certificate(verdict)).outcome == verdict.outcome
            moves, complete = verdict.first_moves(4)
            assert bool(moves) is (verdict.outcome == "win")
            others = [Move(0, d) for d in range(1, 40) if n % d == 0 and Move(0, d) not in moves]
            for move in moves:
                assert solve(verdict.board.play(move), misere).outcome == "loss", (rule, n, move)
            for move in others if complete else []:
                assert solve(verdict.board.play(move), misere).outcome == "win", (rule, n, move)
            theory = find(load(rule))
            for value in range(5):
                with suppress(TooLarge):
                    for move in islice(theory.moves_to(n, value), 3):
                        assert theory.grundy(n - move) == value


@pytest.mark.parametrize("misere", [False, True])
def test_periods_are_certified(misere: bool) -> None:
    verdict = solve(f"subtract-2-5-6:{10**500 + 7}", misere)
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
    data = json.loads(certificate(solve(f"subtract-1-2:{3 * 10**9}")))
    check(json.dumps(data))
    for rule in ("subtract-square", "halve-or-subtract-1-2", "divisor-duel"):
        refused(data, board=f"{rule}:{3 * 10**9}")


def test_tables_of_own_rules_are_let_go() -> None:
    games = [load(f"subtract-{k}-{k + 7}") for k in range(1, 60)]
    for game in games:
        find(game).lost(1000)
    assert theories._of_rule.cache_info().currsize <= 16
