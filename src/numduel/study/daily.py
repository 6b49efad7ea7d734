"""The daily duel: one board a day, the same for everybody, played to its end against Perfect.

The board and every reply follow from the date and the moves: whoever plays the same moves on the
same day comes to the same end, on every machine. A try ends with the first move that throws the
win away; there are three.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib import resources

from typing_extensions import TypedDict

from numduel.analysis import outcome
from numduel.board import Board, Move
from numduel.errors import NothingToStudy
from numduel.match.events import facts
from numduel.players.levels import least_bad_moves
from numduel.solver import solve
from numduel.study import Draw

FIRST_DAY = date(2026, 1, 5)
"""The day of duel 1, a Monday."""
TRIES = 3
KEPT, LOST = "🟦", "🟨"


@dataclass(frozen=True, slots=True)
class Duel:
    day: date
    number: int
    """Counted from the first day."""
    board: Board
    rating: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A move of the visitor, and what Perfect replies: nothing to the last move of a match."""

    board: Board
    move: Move
    kept: bool
    """Is the win still there?"""
    reply: Move | None

    @property
    def left(self) -> Board:
        """The board after the move."""
        return self.board.play(self.move)

    @property
    def after(self) -> Board:
        """The board after the reply."""
        return self.left if self.reply is None else self.left.play(self.reply)


@dataclass(frozen=True, slots=True)
class Play:
    """What was played of a duel: tries, each a row of turns; the last may go on."""

    duel: Duel
    tries: tuple[tuple[Turn, ...], ...]

    @property
    def last(self) -> Turn | None:
        return self.tries[-1][-1] if self.tries else None

    @property
    def left(self) -> int:
        """Tries that are left."""
        return TRIES - sum(not one[-1].kept for one in self.tries)

    @property
    def solved(self) -> bool:
        return self.last is not None and self.last.kept and self.last.reply is None

    @property
    def won_by(self) -> Move | None:
        """The first move of the try that solved it."""
        return self.tries[-1][0].move if self.solved else None

    @property
    def over(self) -> bool:
        return self.solved or not self.left

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Those of the try that goes on; empty where another begins."""
        return self.tries[-1] if self.last and self.last.kept and not self.over else ()

    @property
    def board(self) -> Board:
        """The board on which a move is asked for; the day's own where none is."""
        return self.turns[-1].after if self.turns else self.duel.board

    @property
    def squares(self) -> str:
        """A square for each turn, which gives nothing away: 🟦🟦🟨 🟦🟦🟦🟦."""
        return " ".join("".join(KEPT if t.kept else LOST for t in one) for one in self.tries)

    @property
    def shared(self) -> str:
        return f"numduel {self.duel.number} {self.squares}".strip()

    @property
    def played(self) -> str:
        """The moves as text, which `play_duel` reads: 5.8.5.7.9."""
        return ".".join(turn.board.write_move(turn.move) for one in self.tries for turn in one)


def daily_duel(day: date) -> Duel:
    """The duel of the day (UTC). Raises `NothingToStudy` before the first."""
    number = (day - FIRST_DAY).days + 1
    if number < 1:
        raise NothingToStudy("no daily duel", day=day.isoformat(), first=FIRST_DAY.isoformat())
    boards = _boards()
    text, rating = boards[(number - 1) % len(boards)].split()
    return Duel(day, number, Board.parse(text), int(rating))


@cache
def _boards() -> list[str]:
    """Boards with their ratings, whole weeks from a Monday: `tools/duels.py` chose them, and
    `tests/study/test_daily.py` holds them to what a duel promises. Then they come again.
    """
    return resources.files(__package__).joinpath("duels.txt").read_text().splitlines()


def play_duel(duel: Duel, moves: Iterable[str]) -> Play:
    """What these moves of the visitor come to, one after another, try after try.

    What comes after the end is not looked at. Raises what `Board.parse_move` and `Board.play` do.
    """
    play = Play(duel, ())
    for text in moves:
        if play.over:
            break
        before = play.tries[:-1] if play.turns else play.tries
        turn = _turn(play.board, play.board.parse_move(text))
        play = Play(duel, (*before, (*play.turns, turn)))
    return play


@lru_cache(maxsize=4096)
def _turn(board: Board, move: Move) -> Turn:
    left = board.play(move)
    kept, reply = outcome(left) == "loss", None
    if not left.is_over:
        reply = perfect_reply(left) if kept else solve(left).winning_move()
    return Turn(board, move, kept, reply)


def perfect_reply(board: Board) -> Move:
    """Where Perfect has lost, it makes the win as hard to find as it can."""
    return Draw(f"numduel duel {board}").one_of(least_bad_moves(solve(board)))


class TurnFacts(TypedDict):
    """A turn of a duel: the move, and what came of it."""

    board: str
    move: str
    kept: bool
    reply: str | None


class DuelFacts(TypedDict):
    """A daily duel and what was played of it; documented in docs/formats.md."""

    day: str
    number: int
    board: str
    """The board on which a move is asked for."""
    start: str
    rating: int
    tries: list[list[TurnFacts]]
    left: int
    """Tries that are left."""
    solved: bool
    over: bool
    squares: str


def as_json(play: Play) -> DuelFacts:
    duel, tries = play.duel, [[_turn_facts(turn) for turn in one] for one in play.tries]
    own = {"day": duel.day.isoformat(), "number": duel.number, "rating": duel.rating}
    return facts(DuelFacts, play, start=str(duel.board), tries=tries, **own)


def _turn_facts(turn: Turn) -> TurnFacts:
    reply = turn.reply and turn.left.write_move(turn.reply)
    return facts(TurnFacts, turn, move=turn.board.write_move(turn.move), reply=reply)
