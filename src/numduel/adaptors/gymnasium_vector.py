"""Gymnasium's vector environments, compiled: thousands of agents, each against an opponent.

`gymnasium.make_vec` takes this by itself. It plays as `DuelEnv` does, from starts up to 10,000,
against the computer's players; a match that has ended is begun anew by the next step, as
Gymnasium's own vector environments do it. For other opponents: `vectorization_mode="sync"`.
"""

from random import Random
from typing import Any, ClassVar, NamedTuple

from numduel.extras import COMPILED, require

require("gymnasium", "gymnasium", "numpy")
require(*COMPILED)

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from numduel.adaptors.duel import SMALL, Duel, can_start, check_size
from numduel.adaptors.environment import Environment, chance_to_follow
from numduel.adaptors.vector import Boards
from numduel.adaptors.vector_table import Table, seeded, settle_turns
from numduel.errors import InvalidSetup
from numduel.players import COMPUTERS, make_computer
from numduel.players.levels import PerfectPlayer, least_bad_moves, winning_at_once
from numduel.solver import solve

__all__ = ["DuelVectorEnv"]

OPPONENTS = [word for word in COMPUTERS if word != "beginner"]
Step = tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Any]


class DuelVectorEnv(Environment, Boards, VectorEnv[Any, Any, Any]):
    """Matches of one game, many at a time; parameters are those of `DuelEnv`."""

    render_modes: ClassVar[tuple[str, ...]] = ()
    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "divisor-duel",
        start: Any = None,
        misere: bool = False,
        opponent: str = "perfect",
        first: str = "agent",
        **parameters: Any,
    ) -> None:
        super().__init__(game, start, misere, **parameters)
        duel = self._duel
        check_size(duel.board, SMALL)
        if duel.move_places:
            raise InvalidSetup(problem="whole numbers")
        self._follows = chance_to_follow(first)
        self._lay_out(duel, num_envs)
        self.num_envs, table = len(self._rows), self._table
        self._replies = replies_of(opponent, duel, table)
        boards = [table.board(duel, row) for row in range(len(table.begins) - 1)]
        self._sights = np.stack([duel.position(board).observe() for board in boards])
        starts = [n for n in range(duel.low, duel.start + 1) if can_start(duel.game, n)]
        self._starts = np.array([table.first(start) for start in starts])
        self.single_observation_space = self._space()
        self.single_action_space = Discrete(duel.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> Any:
        """Begin every match, at `options["start"]` if that is given."""
        VectorEnv.reset(self, seed=seed if isinstance(seed, int) else None)
        if seed is not None:
            self._random = seeded(seed)
        self._over.fill(True)
        starts, start = self._starts, (options or {}).get("start")
        if start is not None:
            (number,) = self._duel.begin(self._draws, start).board.numbers
            starts = np.array([self._table.first(number.value)])
        self._settle(starts)
        return self._told()

    def step(self, actions: Any) -> Step:
        """Play each action, and the opponent's answer to it; begin anew what has ended."""
        self._find(actions)
        rewards = self._settle(self._starts)
        seen, infos = self._told()
        return seen, rewards, self._over.copy(), np.zeros(self.num_envs, dtype=np.bool_), infos

    def _settle(self, starts: Any) -> npt.NDArray[np.float64]:
        rewards = np.zeros(self.num_envs)
        settle_turns(
            self._table, self._replies, self._rows, self._over, self._illegals, self._places,
            self._random, starts, self._follows, self._allowed or 0, rewards,
        )  # fmt: skip
        return rewards

    def _told(self) -> tuple[Any, dict[str, Any]]:
        """What the agents observe, and the masks; nothing is legal in a match that is over."""
        masks = self._masks()
        told = np.ones(self.num_envs, dtype=np.bool_)
        infos = {"action_mask": masks, "_action_mask": told,
                 "illegal": self._illegals.copy(), "_illegal": told}  # fmt: skip
        seen = self._sights.take(self._rows, axis=0)
        if self._observed == "array":
            return seen, infos
        return {"observation": seen, "action_mask": masks.copy()}, infos


class Replies(NamedTuple):
    """How an opponent plays, in the terms of `LevelPlayer`."""

    begins: Any  # where the careful answers of each row begin, and those of the last one end
    careful: Any  # places in the table, all of a row equally likely
    at_once: Any  # the place in the table of a move that wins at once, or -1
    lost: Any  # is every answer careful here?
    care: float
    sight: float
    misere: bool


def replies_of(word: str, duel: Duel, table: Table) -> Replies:
    """What the player of this word answers. Raises `InvalidSetup` for one that is not built in."""
    if not isinstance(word, str) or word not in OPPONENTS:
        raise InvalidSetup("unknown player", text=str(word), known=OPPONENTS)
    player, perfect = make_computer(word, Random(0)), PerfectPlayer(Random(0))
    usual = float(word != "random")
    care, sight = getattr(player, "care", usual), getattr(player, "sight", usual)
    rows = len(table.begins) - 1
    begins, careful = [0], []
    at_once, lost = np.full(rows, -1, dtype=np.int64), np.zeros(rows, dtype=np.bool_)
    for row in range(rows):
        low, high = int(table.begins[row]), int(table.begins[row + 1])
        if low < high and care:
            board, amounts = table.board(duel, row), table.amounts[low:high]
            wins = player.choose(board) if word == "largest" else perfect.find_win(board)
            lost[row] = wins is None
            best = [wins] if wins else least_bad_moves(solve(board)) or [*board.moves()]
            careful += [low + int(np.searchsorted(amounts, move.amount)) for move in best]
            if (ends := winning_at_once(board)) is not None:
                at_once[row] = low + int(np.searchsorted(amounts, ends.amount))
        begins.append(len(careful))
    return Replies(
        np.array(begins, dtype=np.int64), np.array(careful, dtype=np.int64), at_once, lost,
        care, sight, duel.misere,
    )  # fmt: skip
