"""`numduel learn`: a tutorial, played at the prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from random import Random

import click

from numduel.board import Board
from numduel.cli.console import Console, EndOfInput, Left, Refused, Taken, Words
from numduel.cli.parameters import GAME, usage
from numduel.cli.screen import check_winner, offered_moves, played
from numduel.errors import NumduelError
from numduel.games import Game
from numduel.players import make_computer
from numduel.program import typed
from numduel.study.lessons import Asks, Step, lesson_of, miscoloured, read_traps, refutation
from numduel.wording import problem
from numduel.wording.text import listed_moves

WORDS = ("moves", "hint", "skip", "quit", "help")
HELP = "Type your answer, or: moves, hint, skip to the next step, quit."
WHO = "Who wins with best play, 1 (to move) or 2: "
MOVE = "Your move: "
TRAPS = "The traps, separated by commas: "


class _Skipped(Exception):
    """The person wants to go on to the next step."""


@click.command("learn")
@click.argument("game", type=GAME)
def command(game: Game) -> int:
    """Learn GAME: six short steps from the rules to the winning idea.

    Each step has a position to solve. Type hint for a hint, quit to leave.
    """
    with usage():
        steps = lesson_of(game)
    console = Console()
    console.show(f"{game.title} in {len(steps)} steps", bold=True)
    try:
        for number, step in enumerate(steps, 1):
            console.show(f"\nStep {number} of {len(steps)}: {step.title}", bold=True)
            _Lesson(console, step).run()
    except (Left, EndOfInput):
        return 0
    console.show(f"\nSee the pattern: {typed(f'map {game.key}')}")
    console.show(f"Done. Now play the computer: {typed(f'play {game.key} --p2 perfect')}")
    return 0


@dataclass
class _Lesson:
    """One step: say, ask, answer."""

    _console: Console
    _step: Step

    def run(self) -> None:
        step, show = self._step, self._console.show
        show(step.says)
        try:
            if step.asks is Asks.MATCH:
                self._play()
            else:
                self._answer()
                show("Right!", fg="green", bold=True)
        except _Skipped:
            return
        show(step.learnt, fg="green")

    def _answer(self) -> None:
        board, asks = self._step.board, self._step.asks
        if asks is not Asks.TRAPS:
            self._show(board)
        if asks is Asks.MOVE:
            self._ask(board, MOVE, partial(_winning, board))
        elif asks is Asks.WINNER:
            self._ask(board, WHO, self._check_winner)
        else:
            self._ask(board, TRAPS, self._check_traps)

    def _ask(self, board: Board, prompt: str, accept: Callable[[str], Taken]) -> Taken:
        """Ask until the answer is right. Raises `_Skipped`, or `Left`."""
        console, moves = self._console, f"Legal moves: {listed_moves(board.numbers[0])}"
        words: Words = {
            "skip": _skip,
            "hint": partial(console.note, self._step.hint),
            "moves": partial(console.show, moves),
            **dict.fromkeys(("?", "help"), partial(console.show, HELP)),
        }
        offers = partial(offered_moves, board) if prompt == MOVE else tuple
        return console.ask_until(prompt, accept, words, lambda: chain(WORDS, offers()))

    def _check_winner(self, answer: str) -> None:
        check_winner(answer)
        if answer != self._step.winner:
            raise Refused("Not quite. Try again, or type hint.")

    def _check_traps(self, answer: str) -> None:
        try:
            said = miscoloured(self._step, read_traps(answer))
        except NumduelError as error:
            said = f"{problem(error)} Separate the numbers with commas."
        if said is not None:
            raise Refused(said)

    def _play(self) -> None:
        """Play to the end; the computer answers as well as it can."""
        board, show = self._step.board, self._console.show
        computer = make_computer("perfect", Random(1))
        while True:
            self._show(board)
            after = self._ask(board, MOVE, partial(_winning, board))
            if after.is_over:
                show("You win!", fg="green", bold=True)
                return
            reply = computer.choose(after)
            board = after.play(reply)
            left, now = after.numbers[0].value, board.numbers[0].value
            played = after.write_move(reply)
            show(f"You leave {left}. The computer plays {played} and leaves {now}.")

    def _show(self, board: Board) -> None:
        number = board.numbers[0]
        self._console.show(f"The number is {number.value}. Legal moves: {listed_moves(number)}")


def _skip() -> None:
    raise _Skipped


def _winning(board: Board, answer: str) -> Board:
    """The board after a move that wins; others are refused, and why."""
    after = played(board, answer, ", or type hint")
    said = refutation(after)
    if said is not None:
        raise Refused(said)
    return after
