"""`numduel puzzle`: puzzles one after another, or the daily duel; `numduel learn`: a tutorial."""

from collections.abc import Iterator
from functools import partial
from itertools import count as naturals
from pathlib import Path
from random import Random
from secrets import token_hex
from shlex import quote

import click

from numduel.board import Board
from numduel.cli import alone, console, options
from numduel.cli.layout import say
from numduel.cli.options import find_game, write_output
from numduel.cli.screen import ask_about, show_board
from numduel.errors import Unanswerable, UnknownGame
from numduel.games import Game, keys
from numduel.players import make_computer
from numduel.program import typed
from numduel.running.puzzle_sheet import COUNT, MOST, make_sheet
from numduel.solver import solve
from numduel.study import lessons
from numduel.study import puzzles as made
from numduel.wording import joined, quoted
from numduel.wording.rules import rule_in_short
from numduel.wording.text import listed_moves
from numduel.wording.why import puzzle_hint, why

PUZZLE_HELP = "Type your answer, or: moves, hint, show (the answer and the reason), rules, quit."
NEXT = "Press Enter for the next puzzle, or type q to stop: "
NO_MORE = "There are no more new puzzles. Try another game or rating."
EXAMPLES = """\b
Examples:
  numduel puzzle                      any puzzles
  numduel puzzle --daily              the daily duel, the same for everybody
  numduel puzzle --rise               harder and harder, until the first miss
  numduel puzzle divisor-duel --rating 1200
  numduel puzzle several              a board of several numbers
  numduel puzzle --sheet sheet.html   twelve puzzles to print, with the answers
"""
LESSON_HELP = "Type your answer, or: moves, hint, rules, skip to the next step, quit."
PROMPTS = {
    lessons.Asks.MOVE: "Which move wins: ",
    lessons.Asks.WINNER: "Who wins with best play, 1 (to move) or 2: ",
    lessons.Asks.TRAPS: "The traps, separated by commas: ",
}


def _read_kind(game: str) -> str:
    if game.strip().lower() == made.SEVERAL:
        return made.SEVERAL
    try:
        return find_game(game).key
    except UnknownGame as error:
        known = joined([*keys(), made.SEVERAL])
        said = f"There are no puzzles about {quoted(game)}. Choose {known}."
        raise click.UsageError(said) from error


@click.command("puzzle", epilog=EXAMPLES)
@click.argument(
    "kind", metavar="[GAME]", required=False, type=options.Read("game", _read_kind, keys)
)
@options.text("--rating", "R", "How hard: about 500 is easy, 1800 hard.", type=int)
@options.flag("--daily", "Play today's duel (UTC): three tries to beat the perfect player.")
@options.flag("--rise", "Harder and harder puzzles, until the first miss.")
@options.text("--seed", "S", "Repeat the same puzzles.")
@options.in_json("one puzzle and its solution; ask nothing")
@options.text("--sheet", "FILE", "Write a sheet to print instead, as HTML.")
@options.number("--count", "N", f"Puzzles on the sheet. Default: {COUNT}.", most=MOST)
@options.flag("--no-save", "Do not count the answers.")
def command(
    kind: str | None, rating: int | None, daily: bool, rise: bool, seed: str | None,
    sheet: str | None, count: int | None, no_save: bool,
) -> None:  # fmt: skip
    """Find the one winning move, or say who wins, puzzle after puzzle. First tries are counted.

    GAME is a game, or several for a board of several numbers. Without it, any. Type hint for
    a hint, show for the answer and the reason, quit to leave.
    """
    if rating is not None and not 0 < rating <= 4000:
        least, most = made.RATINGS
        raise click.UsageError(f"Ratings go from about {least} to about {most}.")
    if daily + rise + (sheet is not None) > 1 or (sheet is not None and options.wants_json()):
        raise click.UsageError("Choose one of --daily, --rise and --sheet; a sheet has no --json.")
    if count is not None and sheet is None:
        raise click.UsageError("--count is for a sheet: add --sheet FILE.")
    if rise and rating is not None:
        raise click.UsageError("A series that rises has its own ratings: leave out --rating.")
    if daily and any(given is not None for given in (kind, rating, seed)):
        raise click.UsageError(
            "The daily duel depends only on the date: leave out GAME, --rating and --seed."
        )
    if daily:
        alone.play_daily(not no_save)
        return
    own_seed = token_hex(4) if seed is None else seed
    about = f"{kind} " if kind else ""
    if sheet is not None:
        count = count or COUNT
        about += f"--rating {rating} " if rating else ""
        again = f"{about}--count {count} --seed {quote(own_seed)} --sheet {quote(Path(sheet).name)}"
        write_output(sheet, make_sheet(own_seed, kind, rating, count, f"numduel puzzle {again}"))
        click.echo(f"The sheet: {sheet}")
        return
    counts = seed is None and not options.wants_json() and not no_save
    answered = [answer.puzzle for answer in alone.kept_answers()] if counts else []
    puzzles = made.puzzles_in_turn(own_seed, kind, rating, answered)
    again = ""
    if rise:
        puzzles = (made.rising_puzzle(own_seed, place, kind) for place in naturals(1))
        again = typed(f"puzzle {about}--rise --seed {quote(own_seed)}")
    options.end_in_json(lambda: made.as_json(next(puzzles)))
    _ask_in_turn(puzzles, not no_save, again)


def _ask_in_turn(puzzles: Iterator[made.Puzzle], saves: bool, again: str) -> None:
    """Ask until somebody leaves; a series, which `again` repeats, ends with the first miss."""
    solved, told = 0, list[list[str]]()
    try:
        for place, puzzle in enumerate(puzzles, 1):
            say(f"Puzzle {place}, rating {puzzle.rating}", bold=True)
            show_board(puzzle.board)
            rule = rule_in_short(puzzle.board)
            if rule not in told:
                say("\n".join(rule))
            told.append(rule)
            say(puzzle.question)
            solved += (right := _ask_puzzle(puzzle, saves))
            if again and not right:
                return
            console.ask_until(partial(console.ask, NEXT), console.one_of({"": None}), {})
            say()
        say(NO_MORE)
    except KeyboardInterrupt:
        say()  # below the prompt
        raise
    finally:
        if again and told:
            say(f"\nYour series: {solved}. For a friend: {again}", bold=True)


def _ask_puzzle(puzzle: made.Puzzle, saves: bool) -> bool:
    """Ask until an answer is right, or shown, and the reason; was it right at once?"""
    board, asks_winner, hints = puzzle.board, puzzle.asks == "winner", naturals(1)
    counted: list[tuple[bool, str]] = []

    def count(right: bool) -> None:
        """Count the puzzle, once: by the first answer, or by the help that was asked for."""
        if not counted:
            kept = (str(board), puzzle.game, puzzle.rating, right)
            counted.append((right, alone.count_answer(*kept) if saves else ""))

    def give_hint() -> None:
        console.note(puzzle_hint(board, next(hints)))
        count(right=False)

    def accept(answer: str) -> None:
        """Take the answer, or the wish to see it; after a move that does not win, ask again."""
        if answer.casefold() in ("show", "why"):
            if asks_winner:
                say(f"Player {puzzle.solution} wins.")
            return
        after = lessons.check_winner(answer) if asks_winner else lessons.after_move(board, answer)
        if puzzle.is_solved_by(answer):
            say("Right!", fg="green", bold=True)
            count(right=True)
        elif isinstance(after, Board):
            say(f"{answer} does not win. {lessons.refutation(after)}", fg="red")
            count(right=False)
            raise Unanswerable(message="")
        else:
            say(f"Not quite. Player {puzzle.solution} wins.", fg="red")

    ask_about(board, "Your answer: ", accept, {"hint": give_hint}, PUZZLE_HELP, "show")
    say(" ".join(why(solve(board))))
    count(right=False)  # if it was not counted yet
    [(right, tally)] = counted
    if tally:
        say(tally)
    return right


@click.command("learn")
@click.argument("game", type=options.GAME)
def learn(game: Game) -> None:
    """Learn GAME: six short steps from the rules to the winning idea.

    Each step has a position to solve. Type hint for a hint, quit to leave.
    """
    with options.usage():
        steps = lessons.lesson_of(game)
    say(f"{game.title} in {len(steps)} steps", bold=True)
    for number, step in enumerate(steps, 1):
        say(f"\nStep {number} of {len(steps)}: {step.title}", bold=True)
        _take(step)
    say(f"\nSee the pattern: {typed(f'map {game.key}')}")
    say(f"Done. Now play the computer: {typed(f'play {game.key} --p2 perfect')}")


def _take(step: lessons.Step) -> None:
    """Ask until the answer is right; in a match, until it is over."""
    say(step.says)
    board, hint = step.board, partial(console.note, step.hint)
    computer = make_computer("perfect", Random(1))
    while True:
        number = board.numbers[0]
        if step.asks is not lessons.Asks.TRAPS:
            say(f"The number is {number.value}. Legal moves: {listed_moves(number)}")
        accept = partial(_accept, step, board)
        prompt = PROMPTS.get(step.asks, "Your move: ")
        after = ask_about(board, prompt, accept, {"hint": hint}, LESSON_HELP, "skip")
        if after is None:
            return
        if step.asks is not lessons.Asks.MATCH or after.is_over:
            break
        reply = computer.choose(after)
        board = after.play(reply)
        left, now = after.numbers[0].value, board.numbers[0].value
        say(f"You leave {left}. The computer plays {after.write_move(reply)} and leaves {now}.")
    say("You win!" if step.asks is lessons.Asks.MATCH else "Right!", fg="green", bold=True)
    say(step.learnt, fg="green")


def _accept(step: lessons.Step, board: Board, answer: str) -> Board | None:
    """The board after the right answer, or None to skip the step. Raises `Unanswerable`."""
    if answer.casefold() == "skip":
        return None
    after, wrong = lessons.reply(step, board, answer, ", or type hint")
    if wrong is not None:
        raise Unanswerable(message=wrong)
    return after
