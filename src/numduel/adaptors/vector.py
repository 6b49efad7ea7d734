"""Thousands of boards stepped at once, for self-play at the speed of compiled code.

Each step is one player's move. The action is the number played, at any size. `numbers` and
`players` say where each board stands and whose turn it is. A match that ends starts again at once;
`final` has the numbers it ended with.

Moves are read from a table of all that there are up to the start, which limits the start: some ten
thousand for the prime games, a million for Divisor Duel and Digit Subtraction Duel.
"""

from operator import index
from typing import Any

from numduel.extras import COMPILED, require

require(*COMPILED)

import numpy as np
import numpy.typing as npt

from numduel.adaptors.duel import RETRIES, Duel, illegal_moves_allowed
from numduel.adaptors.vector_table import Table, draw, find, mark, seeded, settle
from numduel.arguments import check_count, checked
from numduel.board import Board, Move
from numduel.errors import InvalidSetup
from numduel.games import Game

__all__ = ["VectorDuel"]

Rewards = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
MOST_BOARDS = 10_000_000
MOST_FLAGS = 256_000_000
_NOTHING = np.zeros(0, dtype=np.int64)


class Boards:
    """Boards of one duel, each in a row of its table, and the actions on all of them."""

    _allowed: int | None

    def _lay_out(self, duel: Duel, boards: int) -> None:
        check_count("boards", boards, MOST_BOARDS)
        self._duel, self._table, boards = duel, Table.of(duel), index(boards)
        self._first = self._table.first(duel.start)
        self._rows = np.full(boards, self._first, dtype=np.int64)
        self._over = np.zeros(boards, dtype=np.bool_)
        self._illegals, self._places = np.zeros((2, boards), dtype=np.int64)
        self._random = seeded(0)

    def board(self, place: int) -> Board:
        return self._table.board(self._duel, int(self._rows[place]))

    def _find(self, actions: Any, drawn: npt.NDArray[np.int64] = _NOTHING) -> None:
        """Find the place of each action; -1 for an illegal one, or its error by the policy."""
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != self._rows.shape:
            raise InvalidSetup(problem="actions", value=str(chosen.shape), count=len(self._rows))
        illegal = find(self._table, self._rows, chosen, drawn, self._places)
        if illegal and self._allowed is None:
            for place in map(int, np.flatnonzero((self._places < 0) & ~self._over)):
                self.board(place).play(Move(0, int(chosen[place])))

    def _masks(self) -> npt.NDArray[np.int8]:
        masks = np.zeros((len(self._rows), self._duel.size), dtype=np.int8)
        mark(self._table, self._rows, self._over, masks)
        return masks


class VectorDuel(Boards):
    """Many matches of one game from one start, side by side.

    `illegal` says what happens to an illegal action: `raise` (usual here: the masks are at hand)
    leaves all boards as they were; `retry` leaves that board, and forfeits its match after
    `retries` of them; `forfeit` loses it at once.
    """

    @checked
    def __init__(
        self,
        game: str | Game = "divisor-duel",
        start: int | None = None,
        boards: int = 4096,
        misere: bool = False,
        seed: int = 0,
        illegal: str = "raise",
        retries: int = RETRIES,
        **variants: str,
    ) -> None:
        self._allowed = illegal_moves_allowed(illegal, retries)
        self._lay_out(Duel.of(game, start, misere, "number", **variants), boards)
        self.players = np.zeros(
            len(self._rows), dtype=np.int8
        )  # who is to move on each board, 0 or 1
        self.final = np.full(len(self._rows), -1, dtype=np.int64)  # -1 before a match has ended
        self._drawn = _NOTHING  # what was drawn for the boards as they stand
        self.reset(seed)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The number of each board, read-only."""
        numbers: npt.NDArray[np.int64] = self._table.numbers(self._rows)
        numbers.flags.writeable = False
        return numbers

    @property
    def actions(self) -> int:
        """An action is below this."""
        return self._duel.size

    def reset(self, seed: int | None = None) -> None:
        """Begin every match again; with a seed, samples repeat."""
        if seed is not None:
            self._random = seeded(seed)
        self._rows.fill(self._first)
        self.players.fill(0)
        self.final.fill(-1)
        self._illegals.fill(0)
        self._drawn = _NOTHING

    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action for each board, all equally likely."""
        self._drawn = np.empty(len(self), dtype=np.int64)
        draw(self._table, self._rows, self._random, self._drawn, self._places)
        return self._drawn.copy()

    def legal_moves(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where the moves of each board begin, and all moves, one board after another."""
        low, high = self._table.begins[self._rows], self._table.begins[self._rows + 1]
        begins = np.concatenate([[0], np.cumsum(high.astype(np.int64) - low)])
        places = np.arange(begins[-1]) + np.repeat(low - begins[:-1], np.diff(begins))
        return begins, self._table.amounts[places].astype(np.int64)

    def legal_masks(self) -> npt.NDArray[np.int8]:
        """A row for each board, 1 for each legal action. Raises `InvalidSetup` above 256 MB."""
        if (flags := len(self) * self.actions) > MOST_FLAGS:
            raise InvalidSetup(problem="masks", value=flags, limit=MOST_FLAGS)
        return self._masks()

    def step(self, actions: npt.ArrayLike) -> tuple[Rewards, Flags]:
        """One action on every board: rewards of those who acted (+1, -1, 0), and what ended."""
        drawn, self._drawn = self._drawn, _NOTHING
        self._find(actions, drawn)
        rewards = np.empty(len(self), dtype=np.int8)
        over = np.empty(len(self), dtype=np.bool_)
        settle(
            self._table, self._rows, self.players, self._illegals, self._places, rewards, over,
            self.final, self._first, self._duel.misere, self._allowed or 0,
        )  # fmt: skip
        return rewards, over
