"""Where a match was decided: each move with its verdict, the wins thrown away, accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from numduel.board import Board, Move
from numduel.errors import TooLargeToFactor, TooLargeToList, TooLargeToSolve
from numduel.match import Ending, Record, write_word
from numduel.solver import solve

_UNSOLVED = (TooLargeToFactor, TooLargeToList, TooLargeToSolve)
_TRIED = 200
"""How many moves are looked at for one that would throw the win away."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn and its verdict. Both outcomes are those of the player who took the turn.

    `move` is None for a pass. `best` is a move that keeps the win: the move
    played if it did, else the first there is; None where there is none.
    Outcomes are None where the board is too large to solve.
    """

    turn: int
    player: int
    move: Move | None
    board: Board
    outcome_before: str | None
    outcome_after: str | None
    best: Move | None
    had_choice: bool
    """Was there a win, and a move that throws it away? A pass is not chosen, so never."""

    @property
    def mistake(self) -> bool:
        """Did the turn throw a win away?"""
        return self.outcome_before == "win" and self.outcome_after == "loss"

    @property
    def written(self) -> str:
        """The move as text."""
        return "pass" if self.move is None else self.board.write_move(self.move)


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match with the verdict on each of its turns."""

    record: Record
    moves: tuple[Judged, ...]

    @property
    def turning_point(self) -> Judged | None:
        """The first win that was thrown away."""
        return next((judged for judged in self.moves if judged.mistake), None)

    @property
    def resigned_won(self) -> bool:
        """Was the match resigned by the player to move in a won position?"""
        if self.record.ending is not Ending.RESIGNED or self.record.winner is None:
            return False
        referee = self.record.replay()
        return referee.player != self.record.winner and outcome(referee.board) == "win"

    def kept(self, player: int) -> tuple[int, int]:
        """Wins kept by the player, and the positions where there was something to keep."""
        own = [judged for judged in self.moves if judged.player == player and judged.had_choice]
        return sum(not judged.mistake for judged in own), len(own)

    def accuracy(self, player: int) -> float | None:
        """The share of wins kept; None where there was nothing to keep."""
        kept, of = self.kept(player)
        return kept / of if of else None


def outcome(board: Board) -> str | None:
    """Does the player to move "win" or have a "loss"? None where the board is too large."""
    try:
        return solve(board).outcome
    except _UNSOLVED:
        return None


def analyse(record: Record) -> Analysis:
    """Judge every turn of the match. Raises what a broken record breaks."""
    return Analysis(record, tuple(_judged(record)))


def _judged(record: Record) -> Iterator[Judged]:
    board = record.setup.board
    for turn, move in enumerate(record.turns):
        after = board if move is None else board.play(move)
        before, replied = outcome(board), outcome(after)
        ends = {"win": "loss", "loss": "win", None: None}
        player = (record.setup.first + turn) % 2
        best, choice = None, False
        if before == "win":
            won = replied == "loss"
            best = move if won else next(iter(solve(board).winning_moves), None)
            choice = move is not None and (not won or _can_fail(board))
        yield Judged(turn + 1, player, move, board, before, ends[replied], best, choice)
        board = after


def _can_fail(board: Board) -> bool:
    """Is there a legal move that throws the win away?"""
    try:
        return any(outcome(board.play(move)) == "win" for move in islice(board.moves(), _TRIED))
    except _UNSOLVED:
        return True


def as_json(analysis: Analysis) -> dict[str, Any]:
    """The analysis with plain values; the schema is documented in docs/study.md."""
    record, point = analysis.record, analysis.turning_point
    kept = [analysis.kept(player) for player in (0, 1)]
    return {
        "match": write_word(record),
        "board": str(record.setup.board),
        "names": list(record.setup.names),
        "winner": None if record.winner is None else record.winner + 1,
        "moves": [_move_json(judged) for judged in analysis.moves],
        "turning_point": None if point is None else point.turn,
        "kept": [k for k, _ in kept],
        "keepable": [of for _, of in kept],
        "accuracy": [analysis.accuracy(player) for player in (0, 1)],
    }


def _move_json(judged: Judged) -> dict[str, Any]:
    return {
        "turn": judged.turn,
        "player": judged.player + 1,
        "board": str(judged.board),
        "move": judged.written,
        "outcome_before": judged.outcome_before,
        "outcome_after": judged.outcome_after,
        "best": None if judged.best is None else judged.board.write_move(judged.best),
        "mistake": judged.mistake,
    }
