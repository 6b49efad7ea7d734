"""Gymnasium environments: one agent against an opponent of any strength.

Ids are registered when this is imported: `make("numduel/divisor-duel-v0", opponent="level:3")`, or
`make("numduel/board-v0", board="subtract-1-3-4:21")` for any board of one number. The other
parameters are those of `numduel.adaptors.environment`.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, ClassVar, cast

from numduel.extras import require

require("gymnasium", "gymnasium", "numpy")

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete

from numduel import players
from numduel.adaptors.duel import Position
from numduel.adaptors.environment import IDS, Environment, chance_to_follow
from numduel.board import Board, Move
from numduel.errors import InvalidSetup
from numduel.running import ask

__all__ = ["DuelEnv"]

Step = tuple[Any, float, bool, bool, dict[str, Any]]
Opponent = str | Callable[[Board], Move | int]
"""A word for a player (`perfect`, `level:3`, `engine:./bot`, ...), or a function of the board."""


class DuelEnv(Environment, gymnasium.Env[Any, np.int64]):
    """Matches of one game, seen by one agent.

    The reward is +1 when the agent wins and -1 when it loses. `first` says who begins: `agent`,
    `opponent` or `random`. If the opponent should begin and would win before the agent has a
    turn, the agent begins.

    Programs and models are asked again when they answer no legal move, as in the arena, and
    forfeit the match after their last try. The perfect player's choices are kept for small
    starts, where a position comes again and again.
    """

    render_modes: ClassVar[tuple[str, ...]] = ("ansi", "rgb_array")
    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*render_modes], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "divisor-duel",
        start: int | Sequence[int] | None = None,
        misere: bool = False,
        opponent: Opponent = "perfect",
        first: str = "agent",
        **parameters: Any,
    ) -> None:
        super().__init__(game, start, misere, **parameters)
        self._opponent, self._kept = opponent, dict[Position, int]()
        self._keeps = opponent == "perfect" and self._duel.keeps
        self._plain = opponent == "random" and not self._duel.move_places
        self._player: players.Player | None = None
        self._seat(0)
        self._follows = chance_to_follow(first)
        self._over = False
        self.observation_space = self._space()
        self.action_space = cast("gymnasium.Space[np.int64]", Discrete(self._duel.size))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a match, at `options["start"]` if that is given; the opponent may have moved."""
        gymnasium.Env.reset(self, seed=seed)
        if seed is not None:
            self._seat(int(self.np_random.integers(2**31)))
            self._draws.seed(int(self.np_random.integers(2**31)))
        self._begin(options)
        self._over = False
        first = self._position
        follows = self._follows == 1 or (self._follows == 0.5 and self._draws.random() < 0.5)
        if follows and self._reply() is not None:
            self._position = first
        return self._seen(self._position), self._info()

    def step(self, action: Any) -> Step:
        """Play the action, and the opponent's answer to it."""
        won = None
        if self._over:
            gymnasium.logger.warn("The match is over: call reset() before another step().")
        else:
            won = self._play(action)
            if won is None and not self._turn_goes_on:
                won = self._reply()
            self._over = won is not None
        reward = 0.0 if won is None else 1.0 if won else -1.0
        seen = self._seen(self._position, not self._over)
        return seen, reward, self._over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, in the form that sb3-contrib's MaskablePPO asks for."""
        return self._position.mask().astype(np.bool_)

    def close(self) -> None:
        players.close_players(self._player)

    def _reply(self) -> bool | None:
        """The opponent moves: whether the agent wins by that; None while the match goes on."""
        position = self._position
        amount = self._amount(position)
        if amount is None:
            return True
        for action in position.actions_for(amount):
            position = position.after(action)
        self._position = position
        return self._duel.misere if position.over else None

    def _info(self) -> dict[str, Any]:
        mask = self._position.mask(not self._over)
        return {"action_mask": mask, "illegal": np.int64(self._illegal)}

    def _seat(self, seed: int) -> None:
        """Make the opponent anew, with a seed. Raises `InvalidSetup`."""
        self._random = Random(seed)
        self._kept.clear()
        if callable(self._opponent):
            self._choose = self._opponent
            return
        players.close_players(self._player)
        self._player = players.make_player(self._opponent, self._random, players.Limits())
        if self._player is None:
            known = players.player_words()[1:]
            raise InvalidSetup("unknown player", text=self._opponent, known=known)
        self._choose = self._player.choose

    def _amount(self, position: Position) -> int | None:
        """The amount that the opponent plays; None where it forfeits."""
        if self._plain:
            return self._random.choice(position.legal)
        kept = self._kept.get(position)
        if kept is not None:
            return kept
        if isinstance(self._player, players.SeesMatch):
            move = ask(self._player, players.View.of(position.board)).move
            return None if move is None else move.amount
        chosen = self._choose(position.board)
        amount = chosen.amount if isinstance(chosen, Move) else int(chosen)
        if self._keeps:
            self._kept[position] = amount
        return amount


for _name, _fixed in IDS.items():
    if _name not in gymnasium.registry:
        gymnasium.register(
            _name, f"{__name__}:DuelEnv", vector_entry_point=f"{__name__}_vector:DuelVectorEnv",
            kwargs=_fixed,
        )  # fmt: skip
