"""The daily duel: one board a day, the same for everybody, played to its end against Perfect.

The board and every reply follow from the date and the moves: whoever plays the same moves on the
same day comes to the same end, on every machine. A try ends with the first move that throws the
win away; there are three.

And contests: starts that make a match against the computer, drawn anew for each: from larger
numbers, rung by rung, and always such that the visitor can win, but not at once and not by any
move. `tests/study/test_contests.py` measures what comes of them, for each game and each rung.
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
from numduel.games import Game
from numduel.match.events import facts
from numduel.players import LADDER
from numduel.players.levels import least_bad_moves
from numduel.solver import no_choice_matters, solve
from numduel.study import Draw
from numduel.study.difficulty import Known, remoteness

FIRST_DAY = date(2026, 1, 5)  # the day of duel 1, a Monday
TRIES = 3
KEPT, LOST = "🟦", "🟨"
CALL = "beginner"  # where no choice matters, the one opponent: one calls the winner
_USUAL = ((20, 60), (30, 90), (45, 125), (60, 150), (80, 180), (100, 200))
"""The least and the largest start for each rung; a prime game's moves still fit on a screen."""
_RANGES = {
    "divisor-duel": ((20, 60), (30, 80), (40, 100), (60, 130), (80, 160), (100, 200)),
    # Below 100, whoever faces a trap has one move. Far above it, a match takes twenty turns.
    "digit-subtraction-duel": ((21, 49), (31, 79), (51, 99), (101, 119), (101, 139), (111, 159)),
    "power-play": ((12, 240),) * len(LADDER),
}
_MOVES = (3, 3, 5, 5, 5, 5)  # for each rung, moves of both until the visitor wins, at least
_LISTED = 60
_LARGEST = 1000  # larger numbers were not drawn, and may take long to solve


@dataclass(frozen=True, slots=True)
class Duel:
    day: date
    number: int
    board: Board
    rating: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A move of the visitor, and what Perfect replies: nothing to the last move of a match."""

    board: Board
    move: Move
    kept: bool
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


def draw_contest(
    game: Game, opponent: str, seed: str, last: Board | None = None, begins: bool = True
) -> Board:
    """A start for a match against a player of the ladder; against others as on the highest rung.

    `last` is the start before this one: no first move keeps the win on both, so what won there
    does not win here. With `begins` false the opponent moves first. A game that has no such
    start, as an own rule may, starts at its usual number.
    """
    starts = contest_starts(game, opponent, begins)
    before, value = last.numbers[0] if last is not None else (None, 0)
    if before is game and value <= _LARGEST:
        other = [n for n in starts if n != value]
        won = _winning(game, value)
        fresh = [n for n in other if won.isdisjoint(_winning(game, n))] if begins else other
        starts = tuple(fresh or other) or starts
    draw = Draw(seed)
    if starts and no_choice_matters(Board.of(game, starts[0])):  # no call may be the better guess
        wins = draw.one_of(("win", "loss"))
        starts = tuple(n for n in starts if outcome(Board.of(game, n)) == wins) or starts
    return Board.of(game, draw.one_of(starts) if starts else game.default_start)


@lru_cache(maxsize=128)
def contest_starts(game: Game, opponent: str, begins: bool = True) -> tuple[int, ...]:
    """The numbers that a contest against this opponent may start from."""
    rung = LADDER.index(opponent) if opponent in LADDER else len(LADDER) - 1
    least, most = _RANGES.get(game.key, _USUAL)[rung]
    known: Known = {}
    boards = [Board.of(game, n) for n in range(least, most + 1) if game.is_start(n)]
    if no_choice_matters(boards[0]):  # a call that is open, and soon told
        fit = [board for board in boards if 3 <= remoteness(board, known) <= 6]
    else:
        fit = [board for board in boards if _makes_a_match(board, begins, _MOVES[rung], known)]
    return tuple(board.numbers[0].value for board in fit)


@lru_cache(maxsize=1024)
def _winning(game: Game, n: int) -> frozenset[int]:
    return frozenset(move.amount for move in solve(Board.of(game, n)).first_moves(_LISTED)[0])


def _makes_a_match(board: Board, begins: bool, moves: int, known: Known) -> bool:
    """Can the visitor win, and must both choose? No first move ends it, and one is a mistake."""
    after = [board.play(move) for move in board.moves()]
    if outcome(board) != ("win" if begins else "loss") or any(one.is_over for one in after):
        return False
    if begins and all(outcome(one) == "loss" for one in after):
        return False
    return remoteness(board, known) >= moves - (not begins)
