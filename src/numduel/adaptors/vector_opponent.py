"""The computer's players over a table of moves, in compiled code: what each answers in each row."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np

from numduel.adaptors.duel import Duel
from numduel.adaptors.vector_table import Table, after, below, compiled, pick, stuck
from numduel.errors import InvalidSetup
from numduel.players import COMPUTERS, make_computer
from numduel.players.levels import LevelPlayer, PerfectPlayer, least_bad_moves, winning_at_once
from numduel.players.simple import LargestPlayer, RandomPlayer
from numduel.solver import solve

OPPONENTS = [word for word in COMPUTERS if word != "beginner"]


class Replies(NamedTuple):
    """How an opponent plays, in the terms of `LevelPlayer`."""

    begins: Any
    """Where the careful answers of each row begin, and those of the last one end."""
    careful: Any
    """Places in the table, all of a row equally likely."""
    at_once: Any
    """The place in the table of a move that wins at once, or -1."""
    lost: Any
    """Is every answer careful here?"""
    care: float
    sight: float
    misere: bool


def replies_of(word: str, duel: Duel, table: Table) -> Replies:
    """What the player of this word answers. Raises `InvalidSetup` for one that is not built in."""
    if not isinstance(word, str) or word not in OPPONENTS:
        raise InvalidSetup("unknown player", text=str(word), known=OPPONENTS)
    player, perfect = make_computer(word, Random(0)), PerfectPlayer(Random(0))
    care, sight = 1.0, 1.0
    if isinstance(player, LevelPlayer):
        care, sight = player.care, player.sight
    elif isinstance(player, RandomPlayer):
        care, sight = 0.0, 0.0
    rows = len(table.begins) - 1
    begins, careful = [0], []
    at_once, lost = np.full(rows, -1, dtype=np.int64), np.zeros(rows, dtype=np.bool_)
    for row in range(rows):
        low, high = int(table.begins[row]), int(table.begins[row + 1])
        if low < high and care:
            board = table.board(duel, row)
            amounts, at_end = table.amounts[low:high], winning_at_once(board)
            best = [player.choose(board)] if isinstance(player, LargestPlayer) else []
            if not best:
                wins = perfect.find_win(board)
                lost[row] = wins is None
                best = [wins] if wins else least_bad_moves(solve(board)) or [*board.moves()]
            careful += [low + int(np.searchsorted(amounts, move.amount)) for move in best]
            if at_end is not None:
                at_once[row] = low + int(np.searchsorted(amounts, at_end.amount))
        begins.append(len(careful))
    return Replies(
        np.array(begins, dtype=np.int64), np.array(careful, dtype=np.int64), at_once, lost,
        care, sight, duel.misere,
    )  # fmt: skip


@compiled
def _chance(state: Any) -> Any:
    return below(state, 1 << 30) / (1 << 30)


@compiled
def _answer(table: Any, replies: Any, row: Any, state: Any) -> Any:
    """The row that the opponent leaves."""
    if replies.lost[row] or (replies.care > 0 and _chance(state) < replies.care):
        begin = replies.begins[row]
        place = replies.careful[begin + below(state, replies.begins[row + 1] - begin)]
        return after(table, row, place)
    place = pick(table, row, state)
    if replies.sight > 0 and _chance(state) < replies.sight:
        if replies.misere:
            for _ in range(9):
                if not stuck(table, after(table, row, place)):
                    break
                place = pick(table, row, state)
        elif replies.at_once[row] >= 0:
            place = replies.at_once[row]
    return after(table, row, place)


@compiled
def settle_turns(  # type: ignore[no-untyped-def]
    table, replies, rows, over, illegal, places, state, starts, begins, allowed, rewards
):
    """A turn of both sides on every board; a match that is over begins anew instead.

    `begins` is how likely the opponent is to begin.
    """
    for i in range(rows.shape[0]):
        if over[i]:
            over[i] = False
            illegal[i] = 0
            rows[i] = starts[below(state, starts.shape[0])]
            if _chance(state) < begins:
                row = _answer(table, replies, rows[i], state)
                if not stuck(table, row):
                    rows[i] = row
        elif places[i] < 0:
            illegal[i] += 1
            over[i] = illegal[i] > allowed
            rewards[i] = -1.0 if over[i] else 0.0
        else:
            illegal[i] = 0
            rows[i] = after(table, rows[i], places[i])
            over[i] = stuck(table, rows[i])
            rewards[i] = 1.0 if over[i] else 0.0
            if not over[i]:
                rows[i] = _answer(table, replies, rows[i], state)
                over[i] = stuck(table, rows[i])
                rewards[i] = -1.0 if over[i] else 0.0
            if replies.misere:
                rewards[i] = -rewards[i]
