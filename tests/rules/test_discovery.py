"""Games of installed packages, and what a game gets by itself from its moves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from numduel import errors, games
from numduel.games import Fault, Game


class Halving(Game):
    """Subtract at most half; whoever is left with 1 loses."""

    key = "halving"
    title = "Halving"
    default_start = 12
    least = 1

    def moves(self, n: int) -> Iterator[int]:
        return iter(range(1, n // 2 + 1))


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Install games as packages would: key to what the package names."""

    def named(key: str, value: object) -> None:
        module = ModuleType("my_games")
        module.Thing = value  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "my_games", module)
        monkeypatch.setattr(games, "_installed", lambda: {key: "my_games:Thing"})
        games.load.cache_clear()
        games._find.cache_clear()

    yield named
    games.load.cache_clear()
    games._find.cache_clear()


def test_an_installed_game_is_found_after_the_built_in_ones(install: object) -> None:
    assert callable(install)
    install("halving", Halving)
    assert games.load("halving").title == "Halving"
    assert games.keys()[-1] == "halving"
    assert len(games.keys()) == 6


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("halving", 7, "it is not a subclass of numduel.games.Game"),
        ("thirds", Halving, "its own key is halving"),
        ("Halving", Halving, "a key is lower-case words joined by hyphens"),
        ("blank", type("Blank", (Game,), {"key": "blank"}), "it does not say its title"),
    ],
)
def test_what_is_no_game_is_named(install: object, key: str, value: object, problem: str) -> None:
    assert callable(install)
    install(key, value)
    with pytest.raises(errors.InvalidGame) as caught:
        games.load(key)
    assert caught.value.problem.startswith(problem)


def test_a_package_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_installed", lambda: {"lost": "no_such_module:Thing"})
    games._find.cache_clear()
    with pytest.raises(errors.InvalidGame, match="no_such_module"):
        games.load("lost")
    with pytest.raises(errors.UnknownGame):
        games.load("nowhere")


def test_what_follows_from_moves_alone() -> None:
    game = Halving()
    assert list(game.moves_down(9)) == [4, 3, 2, 1]
    assert game.count(9) == 4
    assert (game.fault(9, 4), game.fault(9, 5)) == (None, Fault.NOT_LEGAL)
    assert game.is_over(1)
    assert game.after(9, 4) == (game, 5)
    assert game.is_start(1)
    assert not game.is_start(0)


def test_too_many_moves_to_list_is_said() -> None:
    game = Halving()
    assert game.count(10**30) is None
    assert game.fault(10**30, 7) is None
    for ask in (lambda: game.fault(10**30, 10**29), lambda: game.moves_down(10**30)):
        with pytest.raises(errors.InvalidGame, match="too many moves to list"):
            ask()
