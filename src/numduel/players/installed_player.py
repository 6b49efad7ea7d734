"""Players of installed packages, by the entry points `numduel.players`: `word = "module:make"`."""

from __future__ import annotations

from random import Random
from typing import Any

from numduel.board import Move
from numduel.errors import InvalidGame, NumduelError, PlayerFailed
from numduel.games.discovery import installed, load_named
from numduel.players.view import Limits, SeesMatch, View

GROUP = "numduel.players"


class InstalledPlayer(SeesMatch):
    """What `make(random)` of the package gave: whatever has `choose(board) -> Move`."""

    def __init__(self, word: str, random: Random, limits: Limits) -> None:
        self.limits = limits
        self._word = word
        try:
            make: Any = load_named(word, installed(GROUP)[word])
            self._choose = make(random).choose
        except InvalidGame as error:
            raise self._failed("installed", error.problem) from error
        except Exception as error:
            raise self._failed("installed", f"{type(error).__name__}: {error}") from error

    def answer(self, view: View) -> Move:
        try:
            return Move(*self._choose(view.board))
        except NumduelError:
            raise
        except Exception as error:
            raise self._failed("broken", f"{type(error).__name__}: {error}") from error

    def _failed(self, problem: str, detail: str) -> PlayerFailed:
        return PlayerFailed(player=self._word, problem=problem, detail=detail)
