"""Every closed form against plain mex over the rules, number by number."""

from __future__ import annotations

import pytest

from numduel.errors import InvalidGame
from numduel.games import Game, load
from numduel.theory import find
from rules.plain_rules import mex
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
        with pytest.raises(InvalidGame):
            find(broken())


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
