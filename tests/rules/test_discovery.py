"""Games of installed packages, and what a game gets by itself from its moves."""

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from numduel import errors, games
from numduel.games import Fault, Game
from numduel.wording import problem as worded
from raised import raised


class Halving(Game):
    """Subtract at most half; whoever is left with 1 loses."""

    key = "halving"
    title = "Halving"
    default_start = 12
    least = 1

    def moves(self, n: int) -> Iterator[int]:
        return iter(range(1, n // 2 + 1))


Install = Callable[[str, object], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install games as packages would: key to what the package names."""

    def named(key: str, value: object) -> None:
        module = ModuleType("my_games")
        module.Thing = value  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "my_games", module)
        monkeypatch.setattr(games, "installed", lambda group: {key: "my_games:Thing"})
        games._find.cache_clear()

    yield named
    games._find.cache_clear()


def test_an_installed_game_is_found_and_what_is_none_is_named(install: Install) -> None:
    install("halving", Halving)
    assert games.load("halving").title == "Halving"
    assert games.keys()[5:] == ["halving"]
    for key, value, problem in (
        ("halving", 7, "it is not a subclass of Game: my_games:Thing"),
        ("thirds", Halving, "its own key is halving"),
        ("Halving", Halving, "a key is lower-case words joined by hyphens"),
        ("blank", type("Blank", (Game,), {"key": "blank"}), "it does not say its title"),
    ):
        install(key, value)
        assert raised(errors.InvalidGame, games.load, key).problem.startswith(problem)


BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("at 2 its move 1 leaves 3, which is not smaller", {"after": lambda g, n, m: (g, n + m)}),
    ("at 20 its move 1 leaves 20, which", {"after": lambda g, n, m: (g, n - m * (n != 20))}),
    ("at 1 its move 1 leaves 0, below 1", {"moves": lambda _, n: iter(range(1, n + 1))}),
    ("at 4 its move 1 follows 2, and", {"moves": lambda _, n: reversed(range(1, n // 2 + 1))}),
    ("at 2 its move 1 follows 1, and", {"moves": lambda _, n: iter([1, 1] if n > 1 else [])}),
    ("at 1 its move 0 follows 0, and moves must", {"moves": lambda _, n: iter(range(n // 2 + 1))}),
    ("at 2 its move 1.0 is not a whole", {"moves": lambda _, n: iter([n / 2] if n > 1 else [])}),
    ("at 2 it lists the move 1 and calls it illegal", {"fault": lambda *_: Fault.NOT_LEGAL}),
    ("at 1 it says wrongly whether a move is left", {"is_over": lambda *_: False}),
    ("its usual start 0 is below its least, 1", {"default_start": 0}),
    (
        "at 2 its move 1 leaves 3, which is not smaller",
        {
            "variants": {"way": ("down", "up")},
            "after": lambda g, n, m: (g, n - m if g.settings["way"] == "down" else n + m),
        },
    ),
    (
        "at 1000 its move 1 leaves 2000, which is not smaller",
        {"default_start": 1000, "after": lambda g, n, m: (g, n - m if n < 1000 else 2000)},
    ),
]
"""Rules that keep every promise but one: what is said of each, and how it differs."""


def test_a_trial_finds_what_breaks_the_rules() -> None:
    games.try_out(Halving)
    for problem, methods in BROKEN:
        error = raised(errors.InvalidGame, games.try_out, type("Broken", (Halving,), methods))
        assert error.problem.startswith(problem)
        assert worded(error).startswith('The installed game "halving" cannot be used: ')


def test_a_package_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "installed", lambda _: {"lost": "no_such_module:Thing"})
    games._find.cache_clear()
    raised(errors.InvalidGame, games.load, "lost", match="no_such_module")
    raised(errors.UnknownGame, games.load, "nowhere")


def test_what_follows_from_moves_alone_and_where_they_are_too_many() -> None:
    game = Halving()
    assert list(game.moves_down(9)) == [4, 3, 2, 1]
    assert game.count(9) == 4
    assert (game.fault(9, 4), game.fault(9, 5)) == (None, Fault.NOT_LEGAL)
    assert game.is_over(1)
    assert game.after(9, 4) == (game, 5)
    assert game.is_start(1)
    assert not game.is_start(0)
    assert game.count(10**30) is None
    assert game.fault(10**30, 7) is None
    for ask in (lambda: game.fault(10**30, 10**29), lambda: game.moves_down(10**30)):
        raised(errors.InvalidGame, ask, match="too many moves to list")
