"""What the environments of Gymnasium and PettingZoo have in common.

`start` is a number, or a lowest and a highest, and then each match draws its own; a single match
starts elsewhere by `reset(options={"start": 36})`. `board` is any board of one number, in place of
a game, its start and its variants. `numduel.adaptors.duel` explains `encoding` and `illegal`.

`observation="array"` is usual: the mask is in `info`, where Gymnasium has it, and PettingZoo's
`api_test` has nothing to warn of. `observation="dict"` is for libraries that look for the mask
beside the observation: Tianshou, RLlib's examples, wrappers like those of PettingZoo's tutorials.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict

from numduel.adaptors.duel import RETRIES, Duel, Flags, Position, illegal_moves_allowed
from numduel.board import Board, Move
from numduel.drawing.svg import LIGHT
from numduel.errors import IllegalMove, InvalidSetup
from numduel.games import Game, keys, load

IDS: dict[str, dict[str, str]] = {f"numduel/{key}-v0": {"game": key} for key in keys()}
IDS["numduel/board-v0"] = {}

Frame = npt.NDArray[np.uint8]

_DIGITS = (
    "01110100011001110101110011000101110", "00100011000010000100001000010001110",
    "01110100010000100010001000100011111", "11111000100010000010000011000101110",
    "00010001100101010010111110001000010", "11111100001111000001000011000101110",
    "00110010001000011110100011000101110", "11111000010001000100010000100001000",
    "01110100011000101110100011000101110", "01110100011000101111000010001001100",
)  # fmt: skip
"""Seven rows of five dots a digit, row by row."""
_ROWS, _COLUMNS, _DOT = 7, 5, 8  # a dot's side is of so many pixels
_LONGEST = 30  # digits of a number that is shown whole


class Environment:
    render_modes: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        game: str = "divisor-duel",
        start: int | Sequence[int] | None = None,
        misere: bool = False,
        encoding: str = "auto",
        illegal: str = "retry",
        retries: int = RETRIES,
        render_mode: str | None = None,
        board: str | None = None,
        observation: str = "array",
        **variants: str,
    ) -> None:
        if render_mode not in (None, *self.render_modes):
            raise InvalidSetup(problem="render", value=render_mode, modes=self.render_modes)
        if observation not in ("array", "dict"):
            raise InvalidSetup(problem="observation", value=observation)
        self._check_names(load(game) if board is None else None, variants)
        if board is None:
            self._duel = Duel.of(game, start, misere, encoding, **variants)
        else:
            read = Board.parse(board)
            if len(read.numbers) > 1:
                raise InvalidSetup(problem="several numbers", value=board)
            self._duel = Duel.of(*read.numbers[0], read.misere, encoding)
        self.render_mode, self._observed = render_mode, observation
        self._allowed, self._illegal = illegal_moves_allowed(illegal, retries), 0
        self._draws = Random(0)
        self._position = self._duel.first

    def _check_names(self, game: Game | None, variants: dict[str, str]) -> None:
        """Raises `TypeError`, as Python does: libraries try parameters, and do without these."""
        known = game.variants if game else {}
        offered = f". {game.title} has the variants: {', '.join(known)}" if game and known else ""
        for name in variants.keys() - known.keys():
            kind = type(self).__name__.removeprefix("raw_")
            raise TypeError(f"{kind}() got an unexpected keyword argument {name!r}{offered}")

    def _begin(self, options: dict[str, Any] | None) -> None:
        self._position = self._duel.begin(self._draws, (options or {}).get("start"))
        self._illegal = 0

    def _play(self, action: Any) -> bool | None:
        """Play for who is to move: whether that wins or loses; None while the match goes on."""
        try:
            self._position = self._position.after(int(action))
        except IllegalMove:
            if self._allowed is None:
                raise
            self._illegal += 1
            return False if self._illegal > self._allowed else None
        self._illegal = 0
        return not self._duel.misere if self._position.over else None

    @property
    def _turn_goes_on(self) -> bool:
        """Is the same player to move again: after an illegal action, or half a move?"""
        return self._illegal > 0 or bool(self._position.spelled)

    def _space(self) -> Any:
        seen = Box(0, 1, (self._duel.seen_size,), np.float32)
        if self._observed == "array":
            return seen
        return Dict({"observation": seen, "action_mask": Box(0, 1, (self._duel.size,), np.int8)})

    def _seen(self, position: Position, to_move: bool = True) -> Any:
        """The observation; nothing is legal for who is not to move."""
        seen = position.observe()
        if self._observed == "array":
            return seen
        return {"observation": seen, "action_mask": position.mask(to_move)}

    def answer(self, board: Board, choose: Callable[[Any, Flags], int]) -> Move:
        """The move on any board of an agent who sees an observation and a mask, and says an action.

        Raises `InvalidSetup` for a board that is too large to be observed, and `IllegalMove`.
        """
        position = self._duel.fitting(board)
        actions: list[int] = []
        while not actions or position.spelled:
            actions.append(choose(self._seen(position), position.mask()))
            position = position.after(actions[-1])
        return self._duel.move(*actions)

    def render(self) -> Any:
        """The board as text, on standard output for `human`, or its number as a picture."""
        if self.render_mode == "rgb_array":
            return draw_number(self._position.board.numbers[0].value, self._duel.places)
        if self.render_mode == "human":
            print(self._text())  # noqa: T201  what PettingZoo asks of this mode
        return self._text() if self.render_mode == "ansi" else None

    def _text(self) -> str:
        return str(self._position.board)


def chance_to_follow(first: str) -> float:
    """How likely the agent is not to begin. Raises `InvalidSetup`."""
    chances = {"agent": 0.0, "opponent": 1.0, "random": 0.5}
    if str(first) not in chances:
        raise InvalidSetup(problem="first", value=str(first))
    return chances[str(first)]


def draw_number(number: int, places: int) -> Frame:
    """The number in coloured dots, right-aligned in this many places; of a long one, both ends."""
    shown = str(number).rjust(places)
    if len(shown) > _LONGEST:
        half = _LONGEST // 2 - 1
        shown = f"{shown[:half]}  {shown[-half:]}"
    dots = np.zeros((_ROWS + 4, (_COLUMNS + 1) * len(shown) + 3), dtype=np.bool_)
    for place, digit in enumerate(shown):
        if digit != " ":
            left = 2 + (_COLUMNS + 1) * place
            shape = np.array(list(_DIGITS[int(digit)])) == "1"
            dots[2 : 2 + _ROWS, left : left + _COLUMNS] = shape.reshape(_ROWS, _COLUMNS)
    ink, paper = (
        np.frombuffer(bytes.fromhex(LIGHT[name].removeprefix("#")), dtype=np.uint8)
        for name in ("ink", "paper")
    )
    return np.where(dots[:, :, None], ink, paper).repeat(_DOT, axis=0).repeat(_DOT, axis=1)
