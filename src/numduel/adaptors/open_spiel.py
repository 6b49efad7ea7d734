"""OpenSpiel games: `python_subtract_a_prime` and so on, registered when this is imported.

Parameters: `start`, `misere`, the game's variants, `encoding` (see `numduel.adaptors.duel`), and
`large_start` for starts beyond 2^31, written with an n before it, since OpenSpiel would take it for
a machine word: `n10000000000`. An illegal action always raises `IllegalMove`.

`python_board` plays any board, including sums and misère, by its text: parameter `board`
(see `numduel.adaptors.duel`). In the text of an OpenSpiel game, variants are written with
; and @, since a comma and an equals sign mean something there: `divisor-duel:12;divisors@even`.

Every string and tensor of a state says who is to move: OpenSpiel's solvers go by them.
"""

from typing import Any

from numduel.extras import require

require("openspiel", "pyspiel", "open_spiel")

import numpy as np
import pyspiel

from numduel.adaptors.duel import Duel
from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.games import all_games

__all__ = ["Observer", "SpielGame", "SpielState", "short_name"]

USUAL_BOARD = "subtract-a-prime:9+divisor-duel:12"

_QUIET, _PLAIN = str.maketrans(",=", ";@"), str.maketrans(";@", ",=")
"""OpenSpiel's texts of games have no way to write a comma or an equals sign in a value."""

RECALLED = 4_096  # an information tensor holds this many actions of the match: the last ones


@checked
def short_name(key: str) -> str:
    return f"python_{key.replace('-', '_')}"


def _game_type(key: str, title: str, parameters: dict[str, Any]) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name=short_name(key), long_name=title, parameter_specification=parameters,
        dynamics=kind.Dynamics.SEQUENTIAL, chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION, utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL, max_num_players=2, min_num_players=2,
        provides_information_state_string=True, provides_information_state_tensor=True,
        provides_observation_string=True, provides_observation_tensor=True,
    )  # fmt: skip


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its parameters; subclasses say which."""

    key: str
    game_type: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.duel = self.make_duel({**self.game_type.parameter_specification, **given})
        self.longest = min(self.duel.longest, 2**31 - 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.duel.size, max_chance_outcomes=0, num_players=2,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=self.longest,
        )  # fmt: skip
        super().__init__(self.game_type, info, given)

    def make_duel(self, wanted: dict[str, Any]) -> Duel:
        large, start = wanted.pop("large_start"), wanted.pop("start")
        return Duel.of(self.key, read_number(large.removeprefix("n")) if large else start, **wanted)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "Observer":
        """What a player sees: with perfect recall the whole match, otherwise the board."""
        if params:
            raise ValueError(f"observations take no parameters: {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        public = iig_obs_type is None or iig_obs_type.public_info
        return Observer(self, recall, public)


class BoardGame(SpielGame):
    key = "board"
    game_type = _game_type(key, "Number duels on a board", {"board": USUAL_BOARD})

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__({name: text.translate(_QUIET) for name, text in (params or {}).items()})

    def make_duel(self, wanted: dict[str, Any]) -> Duel:
        return Duel(Board.parse(wanted["board"].translate(_PLAIN)), encoding="board")


class SpielState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._duel = game.duel
        self.position = game.duel.first
        self.to_move = 0  # whose turn it is; after the last move, who cannot move

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.position.over else self.to_move

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal)

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)
        if not self.position.spelled:
            self.to_move = 1 - self.to_move

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        first = 1.0 if self._duel.misere == (self.to_move == 0) else -1.0
        return [first, -first] if self.position.over else [0.0, 0.0]

    def __str__(self) -> str:
        """All that tells positions apart, including who is to move: OpenSpiel solves by it."""
        return _told(self.position.board, "".join(map(str, self.position.spelled)), self.to_move)


class Observer:
    """Fills tensors and writes strings, in OpenSpiel's way."""

    @checked
    def __init__(self, game: SpielGame, recall: bool, public: bool) -> None:
        self._duel, self._recall, self._public = game.duel, recall, public
        size = min(game.longest, RECALLED) if recall else game.duel.seen_size
        self.tensor = np.zeros(2 + size if public else 0, np.float32)
        self._to_move, self._rest = self.tensor[:2], self.tensor[2:]
        self.dict = {"to_move": self._to_move, "actions" if recall else "observation": self._rest}

    def set_from(self, state: SpielState, player: int) -> None:
        """Who is to move, then the board's digits; with recall, actions as fractions, in order."""
        if not self._public:
            return
        self.tensor.fill(0)
        self._to_move[state.to_move] = 1
        if self._recall:
            taken = state.history()[-len(self._rest) :]
            self._rest[: len(taken)] = (np.array(taken, dtype=np.float64) + 1) / self._duel.size
        else:
            self._rest[:] = state.position.observe()

    def string_from(self, state: SpielState, player: int) -> str:
        """The board and who is to move; with recall, the start and every action before that."""
        played = ".".join(map(str, state.history()))
        told = _told(self._duel.board, played, state.to_move) if self._recall else str(state)
        return told if self._public else ""


def _told(board: Board, played: str, to_move: int) -> str:
    return f"{board}{'/' if played else ''}{played}, player {to_move} to move"


def _register() -> None:
    kinds: list[type[SpielGame]] = [BoardGame]
    for game in all_games():
        usual = {"start": game.default_start, "large_start": "", "misere": False}
        variants = {name: values[0] for name, values in game.variants.items()}
        made = _game_type(game.key, game.title, {**usual, "encoding": "auto", **variants})
        members = {"key": game.key, "game_type": made, "__doc__": type(game).__doc__}
        name = "".join(part.title() for part in game.key.split("-"))
        kinds.append(type(name, (SpielGame,), members | {"__module__": __name__}))
        globals()[name] = kinds[-1]  # where pickle looks for it
    for kind in kinds:
        if kind.game_type.short_name not in pyspiel.registered_names():
            pyspiel.register_game(kind.game_type, kind)


_register()
