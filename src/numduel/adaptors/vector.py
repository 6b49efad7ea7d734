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

Digit Subtraction Duel is computed, to 18 digits. Every other game, own rules
included, is played from a table of all its moves up to the start, which limits
the start: some ten thousand for the prime games, a million for Divisor Duel.
"""

from __future__ import annotations

from typing import Any

from numduel.extras import COMPILED, require

require(*COMPILED)

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402

from numduel.adaptors import vector_rules as rules  # noqa: E402
from numduel.adaptors.duel import RETRIES, Duel, IllegalMoves  # noqa: E402
from numduel.adaptors.vector_divisors import divisors_to, play_divisors  # noqa: E402
from numduel.board import Board, Move  # noqa: E402
from numduel.errors import IllegalMove, InvalidSetup  # noqa: E402

__all__ = ["VectorDuel"]

MOST = 10**18

_ANY: tuple[Any, Any, Any, Any] = (
    rules.table_of, rules.sample_table, rules.mask_table, rules.play_table
)  # fmt: skip
_KERNELS = {
    "divisor-duel": (divisors_to, rules.sample_table, rules.mask_table, play_divisors),
    "digit-subtraction-duel": (
        lambda *_: (), rules.sample_digits, rules.mask_digits, rules.play_digits
    ),
}  # fmt: skip
"""By key: what makes the table, samples moves, marks the legal ones, and plays."""

Rewards = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]


@rules.compiled
def _settle(  # type: ignore[no-untyped-def]
    numbers, players, illegal, after, over, rewards, final, start, misere, retries
):
    """Carry every board on after its action."""
    for i in range(numbers.shape[0]):
        rewards[i] = 0
        if after[i] < 0:
            illegal[i] += 1
            if illegal[i] <= retries:
                continue
            over[i] = True
            rewards[i] = -1
            final[i] = numbers[i]
        else:
            illegal[i] = 0
            numbers[i] = after[i]
            players[i] ^= 1
            if not over[i]:
                continue
            rewards[i] = -1 if misere else 1
            final[i] = after[i]
        numbers[i] = start
        players[i] = 0
        illegal[i] = 0


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
        IllegalMoves(illegal, retries)
        if boards < 1:
            raise InvalidSetup(problem="boards", value=boards)
        duel = Duel.of(game, start, misere, "number", **variants)
        if duel.start > MOST:
            raise InvalidSetup(
                problem="too large", game=duel.game.title, start=duel.start, limit=MOST
            )
        self._duel = duel
        self._raises = illegal == "raise"
        self._retries = retries if illegal == "retry" else 0
        make_table, self._sample, self._mask, self._play = _KERNELS.get(duel.game.key, _ANY)
        self._table = make_table(duel.game, duel.start)
        self._numbers = np.full(boards, duel.start, dtype=np.int64)
        self.numbers = self._numbers.view()
        """The number of each board, read-only: compiled code takes it for a place in a table."""
        self.numbers.flags.writeable = False
        self.players = np.zeros(boards, dtype=np.int8)
        """Who is to move on each board, 0 or 1."""
        self.final = np.full(boards, -1, dtype=np.int64)
        """The number that the last match of each board ended with; -1 before one has."""
        self._illegal = np.zeros(boards, dtype=np.int64)
        self._after = np.zeros(boards, dtype=np.int64)
        self._actions = np.zeros(boards, dtype=np.int64)
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

    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action for each board, all equally likely; the next call overwrites it."""
        self._sample(self._numbers, self._table, self._random, self._actions)
        return self._actions

    def legal_masks(self) -> npt.NDArray[np.int8]:
        """One row for each board, 1 for each legal action."""
        masks = np.zeros((len(self), self.actions), dtype=np.int8)
        self._mask(self._numbers, self._table, masks)
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
        rewards = np.empty(len(self), dtype=np.int8)
        over = np.empty(len(self), dtype=np.bool_)
        self._play(self._numbers, self._table, chosen, self._after, over)
        if self._raises and (self._after < 0).any():
            place = int(np.argmax(self._after < 0))
            board = self.board(place)
            move = Move(0, int(chosen[place]))
            raise IllegalMove(board=board, move=move, fault=board.fault(move))
        _settle(
            self._numbers, self.players, self._illegal, self._after, over, rewards, self.final,
            self._duel.start, self._duel.misere, self._retries,
        )  # fmt: skip
        return rewards, over
