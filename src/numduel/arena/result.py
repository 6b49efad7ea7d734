"""One match of an arena, and what is kept of it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from numduel.arena.plan import Pairing
from numduel.board import Board, Move
from numduel.errors import IllegalMove, NumduelError, PlayerFailed
from numduel.players import Player, SeesMatch, View
from numduel.running import ask
from numduel.solver import solve


class Conduct(NamedTuple):
    """How one player played one match."""

    moves: int = 0
    won_boards: int = 0
    """Turns in which the player could have won against anybody."""
    kept: int = 0
    """Of these, the moves that kept the win."""
    unjudged: int = 0
    """Turns on boards that could not be solved."""
    illegal: int = 0
    """Answers that were no legal move."""
    faults: int = 0
    """Failures to answer at all: too late, ended, unreadable as a reply."""


class Result(NamedTuple):
    """The match with this number: who won, and how both played, who began first."""

    number: int
    winner: int
    """0 when the player who began won, 1 when the other did."""
    forfeited: bool
    conduct: tuple[Conduct, Conduct]

    def fields(self) -> list[Any]:
        """As plain values, for a line of JSON."""
        return [self.number, self.winner, int(self.forfeited), *map(list, self.conduct)]

    @classmethod
    def of(cls, fields: Any) -> Result:
        """The result that `fields` gave. Raises `ValueError` or `TypeError` for anything else."""
        number, winner, forfeited, one, other = fields
        if winner not in (0, 1) or not all(
            type(value) is int for value in (number, winner, *one, *other)
        ):
            raise ValueError(fields)
        return cls(number, winner, bool(forfeited), (Conduct(*one), Conduct(*other)))


Tally = Counter[str]
"""Counts of one player in one match, by the names in `Conduct`."""


def play_match(
    pairing: Pairing, players: tuple[Player, Player], random: Random, seed: int
) -> Result:
    """Play one match to its end, whatever the players do.

    `random` is what the players draw from; it is seeded for this very match.
    A player who gives no legal move, or cannot play at all, loses.
    """
    random.seed(f"{seed}/{pairing.number}")
    board = pairing.board
    tallies = (Tally(), Tally())
    seat = 0
    moves: list[Move | None] = []
    while not board.is_over:
        move = _choose(players[seat], board, pairing.board, moves, tallies[seat])
        if move is None:
            return Result(pairing.number, 1 - seat, True, _conduct(tallies))
        try:
            after = board.play(move)
        except IllegalMove:
            tallies[seat]["illegal"] += 1
            return Result(pairing.number, 1 - seat, True, _conduct(tallies))
        count_move(tallies[seat], board, after)
        moves.append(move)
        board = after
        seat = 1 - seat
    winner = seat if board.misere else 1 - seat
    return Result(pairing.number, winner, False, _conduct(tallies))


def _conduct(tallies: tuple[Tally, Tally]) -> tuple[Conduct, Conduct]:
    return Conduct(**tallies[0]), Conduct(**tallies[1])


def _choose(
    player: Player, board: Board, start: Board, moves: list[Move | None], tally: Tally
) -> Move | None:
    """A move, or None when the match is forfeited."""
    if isinstance(player, SeesMatch):
        turn = ask(player, View(board, start, tuple(moves)))
        for error in turn.problems:
            tally["faults" if isinstance(error, PlayerFailed) else "illegal"] += 1
        return turn.move
    try:
        return player.choose(board)
    except NumduelError:
        tally["faults"] += 1
        return None


def count_move(tally: Tally, board: Board, after: Board) -> None:
    """Count a move that led from one board to the other."""
    tally["moves"] += 1
    lost = is_lost(board)
    if lost:
        return
    kept = None if lost is None else is_lost(after)
    if kept is None:
        tally["unjudged"] += 1
    else:
        tally["won_boards"] += 1
        tally["kept"] += kept


@lru_cache(maxsize=100_000)
def is_lost(board: Board) -> bool | None:
    """Does the player to move lose against perfect play? None where that cannot be told."""
    try:
        return solve(board).outcome == "loss"
    except NumduelError:
        return None
