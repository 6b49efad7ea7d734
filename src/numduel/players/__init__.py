"""Players that choose moves by themselves, made from a word.

`random` and `largest` have no plan; `level:1` to `level:5` play like people
who get better; `perfect` wins whatever can be won.
"""

from __future__ import annotations

from random import Random
from typing import Protocol

from numduel.board import Board, Move
from numduel.errors import UnknownPlayer
from numduel.players.simple import LargestPlayer, RandomPlayer

__all__ = ["PERSON", "Player", "make_player", "player_words"]

PERSON = "person"
"""The word for a human player, who chooses at a prompt."""

_LEVELS = tuple(f"level:{level}" for level in range(1, 6))


class Player(Protocol):
    """Whatever chooses moves."""

    def choose(self, board: Board) -> Move:
        """A legal move on a board that is not over."""


def player_words() -> list[str]:
    """The words that name a player."""
    return [PERSON, "random", "largest", *_LEVELS, "perfect"]


def make_player(word: str, random: Random) -> Player | None:
    """The player that the word names; None for a person. Raises `UnknownPlayer`."""
    match word:
        case "person":
            return None
        case "random":
            return RandomPlayer(random)
        case "largest":
            return LargestPlayer()
        case "perfect":
            from numduel.players.perfect import PerfectPlayer

            return PerfectPlayer(random)
        case _ if word in _LEVELS:
            from numduel.players.levels import LevelPlayer

            return LevelPlayer(int(word.removeprefix("level:")), random)
        case _:
            raise UnknownPlayer(text=word, known=player_words())
