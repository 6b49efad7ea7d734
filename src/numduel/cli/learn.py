"""`numduel learn`: a tutorial, played at the prompt."""

from __future__ import annotations

from itertools import chain
from random import Random

import click

from numduel.board import Board
from numduel.cli.completion import complete_games
from numduel.cli.console import Console, EndOfInput
from numduel.cli.games import find_game
from numduel.cli.screen import offered_moves
from numduel.cli.table import LEAVE, Left
from numduel.cli.usage import usage
from numduel.errors import NumduelError
from numduel.players import make_computer
from numduel.program import typed
from numduel.study.lessons import Asks, Step, lesson_of, miscoloured, read_traps, refutation
from numduel.wording import problem, quoted, wording_for
from numduel.wording.text import listed_moves

WORDS = ("moves", "hint", "skip", "quit", "help")
HELP = "Type your answer, or: moves, hint, skip to the next step, quit."
WHO = "Who wins with best play, 1 (to move) or 2: "
MOVE = "Your move: "
TRAPS = "The traps, separated by commas: "


@click.command("learn")
@click.argument("game", shell_complete=complete_games)
def command(game: str) -> int:
    """Learn GAME: six short steps from the rules to the winning idea.

    Each step has a position to solve. Type hint for a hint, quit to leave.
    """
    with usage():
        found = find_game(game)
        steps = lesson_of(found)
    console = Console()
    console.show(f"{found.title} in {len(steps)} steps", bold=True)
    try:
        for number, step in enumerate(steps, 1):
            console.show()
            console.show(f"Step {number} of {len(steps)}: {step.title}", bold=True)
            _Lesson(console, step).run()
    except (Left, EndOfInput):
        return 0
    console.show()
    console.show(f"See the pattern: {typed(f'map {found.key}')}")
    console.show(f"Done. Now play the computer: {typed(f'play {found.key} --p2 perfect')}")
    return 0


class _Lesson:
    """One step: say, ask, answer."""

    def __init__(self, console: Console, step: Step) -> None:
        self._console = console
        self._step = step

    def run(self) -> None:
        step = self._step
        self._console.show(step.says)
        done = {
            Asks.WINNER: self._winner,
            Asks.MOVE: self._move,
            Asks.TRAPS: self._traps,
            Asks.MATCH: self._match,
        }
        if done[step.asks]():
            self._console.show(step.learnt, fg="green")

    def _ask(self, board: Board, prompt: str) -> str | None:
        """An answer that is no command; None to skip the step."""
        while True:
            moves = offered_moves(board) if prompt == MOVE else ()
            answer = self._console.ask(prompt, chain(WORDS, moves)).strip()
            match answer.casefold():
                case word if word in LEAVE:
                    raise Left
                case "skip":
                    return None
                case "hint":
                    self._console.show(self._step.hint, fg="yellow")
                case "moves":
                    self._console.show(f"Legal moves: {listed_moves(board.numbers[0])}")
                case "?" | "help":
                    self._console.show(HELP)
                case _:
                    return answer

    def _winner(self) -> bool:
        board = self._step.board
        self._show(board)
        while True:
            answer = self._ask(board, WHO)
            if answer is None:
                return False
            if answer == self._step.winner:
                self._console.show("Right!", fg="green", bold=True)
                return True
            if answer in ("1", "2"):
                self._console.show("Not quite. Try again, or type hint.", fg="yellow")
            else:
                self._console.show(f"{quoted(answer)} is not an answer. Enter 1 or 2.", fg="yellow")

    def _traps(self) -> bool:
        while True:
            answer = self._ask(self._step.board, TRAPS)
            if answer is None:
                return False
            try:
                said = miscoloured(self._step, read_traps(answer))
            except NumduelError as error:
                said = f"{problem(error)} Separate the numbers with commas."
            if said is None:
                self._console.show("Right!", fg="green", bold=True)
                return True
            self._console.show(said, fg="yellow")

    def _move(self) -> bool:
        board = self._step.board
        self._show(board)
        after = self._winning_move(board)
        if after is not None:
            self._console.show("Right!", fg="green", bold=True)
        return after is not None

    def _winning_move(self, board: Board) -> Board | None:
        """The board after a move that wins; others are explained and asked again."""
        while True:
            answer = self._ask(board, MOVE)
            if answer is None:
                return None
            try:
                move = board.parse_move(answer)
                after = board.play(move)
            except NumduelError as error:
                allowed = wording_for(board)(("", "")).allowed_on(board)
                self._console.show(f"{problem(error)} {allowed}, or type hint.", fg="yellow")
                continue
            said = refutation(after)
            if said is None:
                return after
            self._console.show(said, fg="yellow")

    def _match(self) -> bool:
        """Play to the end; the computer answers as well as it can."""
        board = self._step.board
        computer = make_computer("perfect", Random(1))
        while True:
            self._show(board)
            after = self._winning_move(board)
            if after is None:
                return False
            if after.is_over:
                self._console.show("You win!", fg="green", bold=True)
                return True
            reply = computer.choose(after)
            board = after.play(reply)
            left, now = after.numbers[0].value, board.numbers[0].value
            self._console.show(
                f"You leave {left}. The computer plays {after.write_move(reply)} and leaves {now}."
            )

    def _show(self, board: Board) -> None:
        number = board.numbers[0]
        self._console.show(f"The number is {number.value}. Legal moves: {listed_moves(number)}")
