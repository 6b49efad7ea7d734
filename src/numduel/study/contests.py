"""Starts that make a match against the computer, drawn anew for each: from larger numbers, rung by
rung, and always such that the visitor can win, but not at once and not by any move.

`tests/study/test_contests.py` measures what comes of them, for each game and each rung.
"""

from functools import lru_cache

from numduel.analysis import outcome
from numduel.board import Board
from numduel.games import Game
from numduel.players import LADDER
from numduel.solver import no_choice_matters, solve
from numduel.study import Draw
from numduel.study.difficulty import Known, remoteness

CALL = "beginner"
"""The one opponent where no choice matters: there one calls the winner, and beats nobody."""
_USUAL = ((20, 60), (30, 90), (45, 125), (60, 150), (80, 180), (100, 200))
"""The least and the largest start for each rung; a prime game's moves still fit on a screen."""
_RANGES = {
    "divisor-duel": ((20, 60), (30, 80), (40, 100), (60, 130), (80, 160), (100, 200)),
    # Below 100, whoever faces a trap has one move. Far above it, a match takes twenty turns.
    "digit-subtraction-duel": ((21, 49), (31, 79), (51, 99), (101, 119), (101, 139), (111, 159)),
    "power-play": ((12, 240),) * len(LADDER),
}
_MOVES = (3, 3, 5, 5, 5, 5)
"""The moves of both until the visitor wins, for each rung: at least so many."""


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


_LISTED = 60
_LARGEST = 1000
"""Larger numbers were not drawn, and may take long to solve."""


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
