"""TextArena environments: whole matches in words, answers read as the arena reads them.

    >>> import textarena
    >>> import numduel.adaptors.text_arena
    >>> match = textarena.make("numduel/divisor-duel-v0", board="divisor-duel:12")
    >>> match.reset(num_players=2)
    >>> done, info = match.step("Let me think. I play [3].")

Ids are registered when this is imported: one for each game, and `numduel/board-v0`. `board` is any
board, sums and misère with it; `digits=6` draws starts. After `turns` the solver names the winner.
"""

from random import Random
from typing import Any

from numduel.extras import require

require("textarena", "textarena")

import textarena
from textarena.envs.registration import ENV_REGISTRY, register
from textarena.wrappers import LLMObservationWrapper

from numduel.arena import DrawnStart
from numduel.board import Board
from numduel.games import all_games
from numduel.players.language import how_to_answer, read_answer, rules_lines, stands
from numduel.solver import solve
from numduel.wording import problem

__all__ = ["NumduelEnv"]

TURNS = 100
_BOARD = "divisor-duel:60"
_SAYS = textarena.ObservationType


class NumduelEnv(textarena.Env):  # type: ignore[misc]
    """A match of two players. Who has `errors` bad answers in a turn is asked again."""

    def __init__(
        self, board: str = _BOARD, turns: int = TURNS, errors: int = 1, digits: int | None = None
    ) -> None:
        self.start = self.board = Board.parse(board)
        self._turns, self._errors = turns, errors
        self._draw = digits and DrawnStart(self.start.numbers[0].game, digits)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a match anew; the seed draws its start, if that is drawn."""
        if self._draw:
            self.start = self._draw.board(Random(seed))
        self.board = self.start
        make, told = textarena.TwoPlayerState, {"board": str(self.board)}
        self.state = make(num_players=num_players, seed=seed, error_allowance=self._errors)
        self.state.reset(game_state=told, player_prompt_function=self._introduce)
        self._tell(0)

    def _introduce(self, player_id: int, game_state: dict[str, Any]) -> str:
        who = f"You are Player {player_id}. Player 0 begins."
        return "\n".join([*rules_lines(self.start), who, how_to_answer(self.start)])

    def _tell(self, player: int) -> None:
        said = " ".join([*stands(self.board, " now"), f"Player {player} is to move."])
        self.state.add_observation(message=said, observation_type=_SAYS.GAME_BOARD)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play what the answer names; what cannot be played is told, and asked again."""
        state, player = self.state, self.state.current_player_id
        state.add_observation(from_id=player, message=action, observation_type=_SAYS.PLAYER_ACTION)
        read = read_answer(action, self.board)
        if read.error is None and read.move is not None:
            self.board = self.board.play(read.move)
            state.game_state["board"] = str(self.board)
            self._tell(1 - player)
            if self.board.is_over or state.turn + 1 >= self._turns:
                winner = 1 - player if solve(self.board).outcome == "win" else player
                after = f"After {self._turns} turns, the board is won for Player {winner}."
                reason = f"Player {winner} wins." if self.board.is_over else after
                state.set_winner(player_id=winner, reason=reason)
        else:
            state.set_invalid_move(reason=problem(read.error) if read.error else "No move.")
        ended: tuple[bool, dict[str, Any]] = state.step()
        return ended


_BOARDS = {game.key: f"{game.key}:{game.default_start}" for game in all_games()}
for _name, _board in {**_BOARDS, "board": _BOARD}.items():
    if (_id := f"numduel/{_name}-v0") not in ENV_REGISTRY:
        register(_id, NumduelEnv, default_wrappers=[LLMObservationWrapper], board=_board)
