"""Players that choose moves by themselves, made from a word.

The computer's own players are in the table below, what is said of them in `wording/players.py`.
`engine:COMMAND` is a program, `llm:MODEL@ADDRESS` a language model. An installed package adds a
player by an entry point in the group `numduel.players`, named by the player's word.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

from numduel.arguments import checked
from numduel.board import Move
from numduel.errors import InvalidGame, InvalidSetup, NumduelError
from numduel.games import installed, load_named
from numduel.players.player import (
    Exchange,
    LargestPlayer,
    Limits,
    Player,
    RandomPlayer,
    Sampling,
    SeesMatch,
    Spent,
    Turn,
    View,
)

__all__ = [
    "COMPUTERS", "LADDER", "PERSON", "Exchange", "Limits", "Player", "Sampling", "SeesMatch",
    "Spent", "Turn", "View", "close_players", "installed_words", "make_computer", "make_player",
    "next_rung", "player_words",
]  # fmt: skip

PERSON = "person"  # the word for a human player, who chooses at a prompt
_GROUP = "numduel.players"  # the entry points of installed players: `word = "module:make"`


class Computer(NamedTuple):
    word: str
    make: Callable[[Random], Player]
    keeps: float
    """Of the wins that it could have thrown away, the share that it kept in matches against
    `random`. `tools/strength.py` measures it again."""


def _later(name: str, *care: float) -> Callable[[Random], Player]:
    """A player of `levels.py`, which is loaded with its first: it needs the solver."""

    def make(random: Random) -> Player:
        from numduel.players import levels

        made: Player = getattr(levels, name)(*care, random)
        return made

    return make


COMPUTERS: Final = {
    computer.word: computer
    for computer in (
        Computer("random", RandomPlayer, keeps=0.37),
        Computer("largest", lambda _: LargestPlayer(), keeps=0.70),
        Computer("beginner", _later("BeginnerPlayer"), keeps=0.12),
        Computer("level:1", _later("LevelPlayer", 0.1, 0.5), keeps=0.53),
        Computer("level:2", _later("LevelPlayer", 0.35, 0.75), keeps=0.69),
        Computer("level:3", _later("LevelPlayer", 0.65, 0.9), keeps=0.85),
        Computer("level:4", _later("LevelPlayer", 0.9, 1.0), keeps=0.96),
        Computer("level:5", _later("LevelPlayer", 1.0, 1.0), keeps=1.0),
        Computer("perfect", _later("PerfectPlayer"), keeps=1.0),
    )
}

LADDER: Final = ("beginner", *(f"level:{level}" for level in range(1, 6)))
"""From rung to rung they play better. Whoever beats one can try the next."""


@checked
def next_rung(word: str) -> str | None:
    """The next stronger player of the ladder; None above it, and for others."""
    later = LADDER[LADDER.index(word) + 1 :] if word in LADDER else ()
    return later[0] if later else None


def player_words() -> list[str]:
    return [PERSON, *COMPUTERS]


def installed_words() -> list[str]:
    return sorted(installed(_GROUP).keys() - {*player_words()})


@checked
def make_computer(word: str, random: Random) -> Player:
    """The built-in player of this word: no person, no program, no model. Raises `InvalidSetup`."""
    if word not in COMPUTERS:
        raise InvalidSetup("unknown player", text=word, known=[*COMPUTERS])
    return COMPUTERS[word].make(random)


@checked
def make_player(word: str, random: Random, limits: Limits | None = None) -> Player | None:
    """The player that the word names; None for a person.

    Raises `InvalidSetup`, or `PlayerFailed` for one that is broken. Programs and models are made
    only where `limits` are given: whoever passes on words from outside leaves them out.
    """
    if not word.isprintable():  # it stands in records
        raise InvalidSetup("unknown player", text=word, known=player_words())
    if word == PERSON:
        return None
    if word in COMPUTERS:
        return COMPUTERS[word].make(random)
    if limits is not None and word.startswith("engine:"):
        from numduel.players.engine import EnginePlayer

        return EnginePlayer(word, limits)
    if limits is not None and word.startswith("llm:"):
        from numduel.players.model import ModelPlayer

        return ModelPlayer(word, limits)
    if word in installed_words():
        return InstalledPlayer(word, random, limits or Limits())
    raise InvalidSetup("unknown player", text=word, known=[*player_words(), *installed_words()])


class InstalledPlayer(SeesMatch):
    """What `make(random)` of the package gave: whatever has `choose(board) -> Move`."""

    def __init__(self, word: str, random: Random, limits: Limits) -> None:
        self.word, self.limits = word, limits
        try:
            make: Any = load_named(word, installed(_GROUP)[word])
            self._choose = make(random).choose
        except InvalidGame as error:
            raise self.failed("installed", detail=error.problem) from error
        except Exception as error:
            raise self.failed("installed", detail=f"{type(error).__name__}: {error}") from error

    def answer(self, view: View) -> Move:
        try:
            return Move(*self._choose(view.board))
        except NumduelError:
            raise
        except Exception as error:
            raise self.failed("broken", detail=f"{type(error).__name__}: {error}") from error


@checked
def close_players(*players: Player | None) -> None:
    """End what was started for these players."""
    for player in players:
        if isinstance(player, SeesMatch):
            player.close()
