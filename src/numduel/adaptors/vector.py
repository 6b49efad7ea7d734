"""Thousands of boards stepped at once, for self-play at the speed of compiled code.

    >>> from numduel.adaptors.vector import VectorDuel
    >>> boards = VectorDuel("divisor-duel", start=12, boards=3, seed=1)
    >>> boards.numbers
    array([12, 12, 12])
    >>> rewards, over = boards.step(boards.sample())
    >>> len(rewards), len(over)
    (3, 3)

Each step is one player's move. The action is the number played, at any size.
`numbers` and `players` say where each board stands and whose turn it is. A
match that ends starts again at once; `final` has the numbers it ended with.

Moves are read from a table of all that there are up to the start, which limits
the start: some ten thousand for the prime games, a million for Divisor Duel and
Digit Subtraction Duel.
"""

from __future__ import annotations

from numduel.extras import COMPILED, require

require(*COMPILED)

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402

from numduel.adaptors.duel import RETRIES, Duel, IllegalMoves  # noqa: E402
from numduel.adaptors.vector_table import draw, find, mark, settle, table_of  # noqa: E402
from numduel.board import Board, Move  # noqa: E402
from numduel.errors import IllegalMove, InvalidSetup  # noqa: E402

__all__ = ["VectorDuel"]

Rewards = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
_NOTHING = np.zeros(0, dtype=np.int64)


class VectorDuel:
    """Many matches of one game from one start, side by side.

    `illegal` says what happens to an illegal action: `raise` (usual here: the
    masks are at hand) leaves all boards as they were; `retry` leaves that board,
    and forfeits its match after `retries` of them; `forfeit` loses it at once.
    """

    def __init__(
        self,
        game: str = "divisor-duel",
        start: int | None = None,
        boards: int = 4096,
        misere: bool = False,
        seed: int = 0,
        illegal: str = "raise",
        retries: int = RETRIES,
        **variants: str,
    ) -> None:
        self._policy = IllegalMoves(illegal, retries)
        if boards < 1:
            raise InvalidSetup(problem="boards", value=boards)
        self._duel = duel = Duel.of(game, start, misere, "number", **variants)
        self._table = table_of(duel.game, duel.start)
        self._numbers = np.full(boards, duel.start, dtype=np.int64)
        self.numbers = self._numbers.view()
        """The number of each board, read-only: compiled code takes it for a place in a table."""
        self.numbers.flags.writeable = False
        self.players = np.zeros(boards, dtype=np.int8)
        """Who is to move on each board, 0 or 1."""
        self.final = np.full(boards, -1, dtype=np.int64)
        """The number that the last match of each board ended with; -1 before one has."""
        self._illegal = np.zeros(boards, dtype=np.int64)
        self._places = np.zeros(boards, dtype=np.int64)
        self._drawn = _NOTHING
        """What was drawn for the boards as they stand."""
        self._random = np.zeros(1, dtype=np.uint64)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def actions(self) -> int:
        """How many actions there are: an action is below this."""
        return self._duel.size

    def reset(self, seed: int | None = None) -> None:
        """Begin every match again; with a seed, samples repeat."""
        if seed is not None:
            mixed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
            self._random[0] = mixed or np.uint64(1)
        self._numbers.fill(self._duel.start)
        self.players.fill(0)
        self.final.fill(-1)
        self._illegal.fill(0)
        self._drawn = _NOTHING

    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action for each board, all equally likely."""
        self._drawn = np.empty(len(self), dtype=np.int64)
        draw(self._table, self._numbers, self._random, self._drawn, self._places)
        return self._drawn.copy()

    def legal_masks(self) -> npt.NDArray[np.int8]:
        """One row for each board, 1 for each legal action."""
        masks = np.zeros((len(self), self.actions), dtype=np.int8)
        mark(self._table, self._numbers, masks)
        return masks

    def board(self, place: int) -> Board:
        """One of the boards, as numduel has it."""
        number = int(self._numbers[place])
        game, start = self._duel.game, self._duel.start
        if number != start:
            game, _ = game.after(start, next(iter(game.moves(start))))
        return Board.of(game, number, self._duel.misere)

    def step(self, actions: npt.ArrayLike) -> tuple[Rewards, Flags]:
        """One action on every board: rewards of those who acted (+1, -1, 0), and what ended."""
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != self._numbers.shape:
            raise InvalidSetup(problem="actions", value=str(chosen.shape), count=len(self))
        illegal = find(self._table, self._numbers, chosen, self._drawn, self._places)
        self._drawn = _NOTHING
        if illegal and self._policy.raises:
            place = int(np.argmax(self._places < 0))
            board, move = self.board(place), Move(0, int(chosen[place]))
            raise IllegalMove(board=board, move=move, fault=board.fault(move))
        rewards = np.empty(len(self), dtype=np.int8)
        over = np.empty(len(self), dtype=np.bool_)
        settle(
            self._table, self._numbers, self.players, self._illegal, chosen, self._places, rewards,
            over, self.final, self._duel.start, self._duel.misere, self._policy.allowed,
        )  # fmt: skip
        return rewards, over
