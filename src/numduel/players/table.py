"""The computer's players in one table, as facts. What is said of them: `wording/players.py`."""

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple, Protocol

from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.players.simple import LargestPlayer, RandomPlayer


class Player(Protocol):
    def choose(self, board: Board) -> Move:
        """A legal move on a board that is not over."""


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


def _level(level: int, care: float, sight: float, keeps: float) -> Computer:
    return Computer(f"level:{level}", _later("LevelPlayer", care, sight), keeps)


COMPUTERS: Final = {
    computer.word: computer
    for computer in (
        Computer("random", RandomPlayer, keeps=0.37),
        Computer("largest", lambda _: LargestPlayer(), keeps=0.70),
        Computer("beginner", _later("BeginnerPlayer"), keeps=0.12),
        _level(1, care=0.1, sight=0.5, keeps=0.53),
        _level(2, care=0.35, sight=0.75, keeps=0.69),
        _level(3, care=0.65, sight=0.9, keeps=0.85),
        _level(4, care=0.9, sight=1.0, keeps=0.96),
        _level(5, care=1.0, sight=1.0, keeps=1.0),
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
