"""`numduel learn`: a tutorial, played at the prompt."""

from functools import partial
from random import Random

import click

from numduel.board import Board
from numduel.cli.console import EndOfInput, Left, Refused, note
from numduel.cli.layout import say
from numduel.cli.parameters import GAME, usage
from numduel.cli.screen import ask_about
from numduel.games import Game
from numduel.players import make_computer
from numduel.program import typed
from numduel.study.lessons import (
    Asks,
    Step,
    after_move,
    check_winner,
    lesson_of,
    refutation,
    wrong_traps,
)
from numduel.wording.text import listed_moves

HELP = "Type your answer, or: moves, hint, rules, skip to the next step, quit."
PROMPTS = {
    Asks.MOVE: "Your move: ",
    Asks.MATCH: "Your move: ",
    Asks.WINNER: "Who wins with best play, 1 (to move) or 2: ",
    Asks.TRAPS: "The traps, separated by commas: ",
}


@click.command("learn")
@click.argument("game", type=GAME)
def command(game: Game) -> None:
    """Learn GAME: six short steps from the rules to the winning idea.

    Each step has a position to solve. Type hint for a hint, quit to leave.
    """
    with usage():
        steps = lesson_of(game)
    say(f"{game.title} in {len(steps)} steps", bold=True)
    try:
        for number, step in enumerate(steps, 1):
            say(f"\nStep {number} of {len(steps)}: {step.title}", bold=True)
            _take(step)
    except (Left, EndOfInput):
        return
    say(f"\nSee the pattern: {typed(f'map {game.key}')}")
    say(f"Done. Now play the computer: {typed(f'play {game.key} --p2 perfect')}")


def _take(step: Step) -> None:
    """Ask until the answer is right; in a match, until it is over."""
    say(step.says)
    board, computer = step.board, make_computer("perfect", Random(1))
    while True:
        number = board.numbers[0]
        if step.asks is not Asks.TRAPS:
            say(f"The number is {number.value}. Legal moves: {listed_moves(number)}")
        accept, hint = partial(_accept, step, board), partial(note, step.hint)
        after = ask_about(board, PROMPTS[step.asks], accept, {"hint": hint}, HELP, "skip")
        if after is None:
            return
        if step.asks is not Asks.MATCH or after.is_over:
            break
        reply = computer.choose(after)
        board = after.play(reply)
        left, now = after.numbers[0].value, board.numbers[0].value
        say(f"You leave {left}. The computer plays {after.write_move(reply)} and leaves {now}.")
    say("You win!" if step.asks is Asks.MATCH else "Right!", fg="green", bold=True)
    say(step.learnt, fg="green")


def _accept(step: Step, board: Board, answer: str) -> Board | None:
    """The board after the right answer, or None to skip the step; `Refused` says what is wrong."""
    said: str | None = None
    if answer.casefold() == "skip":
        return None
    if step.asks is Asks.TRAPS:
        said = wrong_traps(step, answer)
    elif step.asks is Asks.WINNER:
        right = check_winner(answer) == step.winner
        said = None if right else "Not quite. Try again, or type hint."
    else:
        board = after_move(board, answer, ", or type hint")
        said = refutation(board)
    if said is not None:
        raise Refused(said)
    return board
