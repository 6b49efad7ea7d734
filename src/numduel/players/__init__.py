"""Players that choose moves by themselves, made from a word.

`random` and `largest` have no plan; `level:1` to `level:5` play like people
who get better; `perfect` wins whatever can be won. `engine:COMMAND` is a program,
`llm:MODEL@ADDRESS` a language model.
"""

from __future__ import annotations

from random import Random
from typing import Protocol

from numduel.board import Board, Move
from numduel.errors import UnknownPlayer
from numduel.players.simple import LargestPlayer, RandomPlayer
from numduel.players.view import Limits, SeesMatch, View

__all__ = [
    "LEVELS",
    "PERSON",
    "Limits",
    "Player",
    "SeesMatch",
    "View",
    "close_players",
    "make_player",
    "player_words",
]

PERSON = "person"
"""The word for a human player, who chooses at a prompt."""

LEVELS = tuple(f"level:{level}" for level in range(1, 6))


class Player(Protocol):
    """Whatever chooses moves."""

    def choose(self, board: Board) -> Move:
        """A legal move on a board that is not over."""


def player_words() -> list[str]:
    """The words that name a person or a player that is built in."""
    return [PERSON, "random", "largest", *LEVELS, "perfect"]


def make_player(word: str, random: Random, limits: Limits | None = None) -> Player | None:
    """The player that the word names; None for a person. Raises `UnknownPlayer`.

    Programs and models are made only where `limits` are given: whoever passes
    on words from outside leaves them out, and nothing is run or called.
    """
    if not word.isprintable():  # it stands in records
        raise UnknownPlayer(text=word, known=player_words())
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
        case _ if word in LEVELS:
            from numduel.players.levels import LevelPlayer

            return LevelPlayer(int(word.removeprefix("level:")), random)
        case _ if limits is not None and word.startswith("engine:"):
            from numduel.players.engine import EnginePlayer

            return EnginePlayer(word, limits)
        case _ if limits is not None and word.startswith("llm:"):
            from numduel.players.model import ModelPlayer

            return ModelPlayer(word, limits)
        case _:
            raise UnknownPlayer(text=word, known=player_words())


def close_players(*players: Player | None) -> None:
    """End what was started for these players."""
    for player in players:
        if isinstance(player, SeesMatch):
            player.close()
