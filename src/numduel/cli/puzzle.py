"""`numduel puzzle`: a position and a question; a streak of right answers."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from secrets import token_hex

import click

from numduel.cli.completion import complete_games
from numduel.cli.console import Console, EndOfInput
from numduel.errors import NothingToStudy, NumduelError, StoreError
from numduel.games import keys
from numduel.match import DEFAULT_NAMES
from numduel.program import typed
from numduel.study.puzzles import (
    RATINGS,
    SEVERAL,
    Puzzle,
    as_json,
    daily_puzzle,
    make_puzzle,
)
from numduel.study.statistics import daily_streak, streak
from numduel.wording import joined, problem, quoted, wording_for
from numduel.wording.rule_in_short import rule_in_short

EXAMPLES = """\b
Examples:
  numduel puzzle                      any puzzle
  numduel puzzle --daily              the puzzle of the day, the same for everybody
  numduel puzzle divisor-duel --rating 1200
  numduel puzzle several              a board of several numbers
"""
HELP = "Type your answer; moves to see the legal moves, quit to leave without an answer."


@click.command("puzzle", epilog=EXAMPLES)
@click.argument("game", required=False, shell_complete=complete_games)
@click.option("--rating", type=int, metavar="R", help="About how hard: 500 easy, 1800 hard.")
@click.option("--daily", is_flag=True, help="The puzzle of this day (UTC).")
@click.option("--seed", metavar="S", help="Makes the same puzzle again.")
@click.option("--json", "json_", is_flag=True, help="Print puzzle and solution; ask nothing.")
@click.option("--no-save", is_flag=True, help="Do not count the answer.")
def command(
    game: str | None, rating: int | None, daily: bool, seed: str | None, json_: bool, no_save: bool
) -> int:
    """Ask for the one winning move, or who wins. Answers are counted.

    GAME is a game, or several for a board of several numbers. Without it, any.
    """
    puzzle = _find(game, rating, daily, seed, remembers=not json_ and not no_save)
    if json_:
        click.echo(json.dumps(as_json(puzzle)))
        return 0
    console = Console()
    try:
        solved = _ask(console, puzzle)
    except EndOfInput:
        return 0
    if solved is not None and not no_save:
        _count(console, puzzle, solved)
    return 0


def _find(
    game: str | None, rating: int | None, daily: bool, seed: str | None, remembers: bool
) -> Puzzle:
    kind = None if game is None else game.strip().lower().replace(" ", "-")
    if kind is not None and kind not in (*keys(), SEVERAL):
        raise click.UsageError(
            f"There are no puzzles about {quoted(kind)}. Choose {joined([*keys(), SEVERAL])}."
        )
    if daily and (rating is not None or seed is not None):
        raise click.UsageError(
            "The daily puzzle comes from the date alone: leave --rating and --seed out."
        )
    if daily:
        try:
            return daily_puzzle(datetime.now(UTC).date(), kind)
        except NothingToStudy as error:
            raise click.UsageError(problem(error)) from error
    if rating is not None and not 0 < rating <= 4000:
        raise click.UsageError(f"Ratings go from about {RATINGS[0]} to about {RATINGS[1]}.")
    if seed is not None:
        return make_puzzle(seed, kind, rating)
    return make_puzzle(token_hex(16), kind, rating, _answered() if remembers else [])


def _answered() -> list[str]:
    """The boards of the puzzles that were answered, so that others come first."""
    from numduel.store import open_store

    try:
        with open_store() as store:
            return [answer.puzzle for answer in store.answers()]
    except StoreError:
        return []  # told when the answer is to be counted


def _ask(console: Console, puzzle: Puzzle) -> bool | None:
    """Show the puzzle and take the answer; None when somebody leaves."""
    title = f"Daily puzzle of {puzzle.day}" if puzzle.day else "Puzzle"
    console.show(f"{title}, rating {puzzle.rating}", bold=True)
    for place, (game, value) in enumerate(puzzle.board.numbers, 1):
        head = f"{place}: " if puzzle.game == SEVERAL else ""
        later = " (after the opening)" if game.settings.get("opening") == "any" else ""
        console.show(f"  {head}{game.title} {value}{later}")
    for line in rule_in_short(puzzle.board):
        console.show(line)
    console.show(puzzle.question)
    while True:
        answer = console.ask("Your answer: ").strip()
        match answer.casefold():
            case "quit":
                return None
            case "?" | "help":
                console.show(HELP)
            case "moves":
                for line in wording_for(puzzle.board)(DEFAULT_NAMES).moves(puzzle.board):
                    console.show(line)
            case _:
                solved = _judged(console, puzzle, answer)
                if solved is not None:
                    return solved


def _judged(console: Console, puzzle: Puzzle, answer: str) -> bool | None:
    """Was it right? None for what is no answer, with a sentence."""
    if puzzle.asks == "winner":
        if answer not in ("1", "2"):
            console.show(f"{quoted(answer)} is not an answer here: 1 or 2.", fg="yellow")
            return None
    else:
        try:
            move = puzzle.board.parse_move(answer)
            puzzle.board.play(move)
        except NumduelError as error:
            allowed = wording_for(puzzle.board)(DEFAULT_NAMES).allowed_on(puzzle.board)
            console.show(f"{problem(error)} {allowed}.", fg="yellow")
            return None
    solved = puzzle.is_solved_by(answer)
    if solved:
        console.show("Right!", fg="green", bold=True)
    elif puzzle.asks == "winner":
        console.show(f"No: player {puzzle.solution} wins.", fg="red")
    else:
        console.show(f"No: {puzzle.solution} is the move that wins.", fg="red")
    console.show_exactly(f"Why: {typed(f'solve {puzzle.board}')}")
    return solved


def _count(console: Console, puzzle: Puzzle, solved: bool) -> None:
    """Keep the answer, and say how things stand."""
    from numduel.store import PuzzleAnswer, open_store

    now = datetime.now(UTC)
    try:
        with open_store() as store:
            before = store.answers()
            if puzzle.day and any(
                a.day == puzzle.day and a.puzzle == str(puzzle.board) for a in before
            ):
                console.show("This daily puzzle was answered before, so it is not counted again.")
                return
            answer = PuzzleAnswer(
                now, str(puzzle.board), puzzle.game, puzzle.rating, solved, puzzle.day
            )
            store.add_answer(answer)
    except StoreError as error:
        console.show(f"The answer is not counted. {problem(error)}", fg="yellow")
        return
    answers = [*before, answer]
    right = sum(answer.solved for answer in answers)
    in_a_row = streak(answer.solved for answer in answers)
    console.show(f"Solved {right}, failed {len(answers) - right}. In a row: {in_a_row}.")
    if puzzle.day:
        days = {answer.day for answer in answers if answer.solved and answer.day}
        count = daily_streak(days, date.fromisoformat(puzzle.day))
        console.show(f"Daily puzzles solved, days in a row: {count}.")
