"""Lessons of installed packages: taken by entry point, refused where they are none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from numduel.errors import InvalidGame, NothingToStudy
from numduel.games import Game
from numduel.study import lessons
from numduel.study.lessons import Asks, Step, lesson_of


class Stairs(Game):
    """Subtract 1 or 2."""

    key, title, default_start = "stairs", "Stairs", 9
    __slots__ = ()

    def moves(self, n: int) -> Iterator[int]:
        return iter(range(1, min(2, n) + 1))


STEP = Step("One", "Take it.", "divisor-duel:4", Asks.MOVE, "Take 2.", "That is all.")


def test_a_lesson_comes_from_the_package_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NothingToStudy):
        lesson_of(Stairs())
    monkeypatch.setattr(lessons, "load_installed", lambda _group, _key: (STEP,))
    assert lesson_of(Stairs()) == (STEP,)
    monkeypatch.setattr(lessons, "load_installed", lambda _group, _key: ("no step",))
    with pytest.raises(InvalidGame):
        lesson_of(Stairs())
