"""`numduel puzzle`: puzzles one after another, with tries, hints and reasons; or the daily duel."""

from collections.abc import Iterator
from functools import partial
from itertools import count as naturals
from pathlib import Path
from secrets import token_hex
from shlex import quote

import click

from numduel.cli.console import EndOfInput, Left, Refused, ask, ask_until, note, one_of
from numduel.cli.daily import count_answer, kept_answers, play_daily
from numduel.cli.layout import say
from numduel.cli.parameters import (
    Read,
    find_game,
    json_option,
    number_option,
    print_json,
    write_output,
)
from numduel.cli.screen import ask_about, show_board
from numduel.errors import UnknownGame
from numduel.games import keys
from numduel.program import typed
from numduel.running.puzzle_sheet import COUNT, MOST, make_sheet
from numduel.solver import solve
from numduel.study.lessons import after_move, check_winner, refutation
from numduel.study.puzzles import RATINGS, SEVERAL, Puzzle, puzzles_in_turn, rising_puzzle
from numduel.study.puzzles import as_json as facts_of
from numduel.wording import joined, quoted
from numduel.wording.hints import puzzle_hint
from numduel.wording.rule_in_short import rule_in_short
from numduel.wording.why import why

HELP = "Type your answer, or: moves, hint, show (the answer and the reason), rules, quit."
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


def _read_kind(game: str) -> str:
    if game.strip().lower() == SEVERAL:
        return SEVERAL
    try:
        return find_game(game).key
    except UnknownGame as error:
        raise click.UsageError(
            f"There are no puzzles about {quoted(game)}. Choose {joined([*keys(), SEVERAL])}."
        ) from error


KIND = Read("game", _read_kind, keys)


@click.command("puzzle", epilog=EXAMPLES)
@click.argument("kind", metavar="[GAME]", required=False, type=KIND)
@click.option("--rating", type=int, metavar="R", help="How hard: about 500 is easy, 1800 hard.")
@click.option(
    "--daily", is_flag=True, help="Play today's duel (UTC): three tries to beat the perfect player."
)
@click.option("--rise", is_flag=True, help="Harder and harder puzzles, until the first miss.")
@click.option("--seed", metavar="S", help="Repeat the same puzzles.")
@json_option("one puzzle and its solution; ask nothing")
@click.option("--sheet", metavar="FILE", help="Write a sheet to print instead, as HTML.")
@number_option("--count", "N", f"Puzzles on the sheet. Default: {COUNT}.", most=MOST)
@click.option("--no-save", is_flag=True, help="Do not count the answers.")
def command(
    kind: str | None,
    rating: int | None,
    daily: bool,
    rise: bool,
    seed: str | None,
    as_json: bool,
    sheet: str | None,
    count: int | None,
    no_save: bool,
) -> None:
    """Find the one winning move, or say who wins, puzzle after puzzle. First tries are counted.

    GAME is a game, or several for a board of several numbers. Without it, any. Type hint for
    a hint, show for the answer and the reason, quit to leave.
    """
    if rating is not None and not 0 < rating <= 4000:
        raise click.UsageError(f"Ratings go from about {RATINGS[0]} to about {RATINGS[1]}.")
    if daily + rise + (sheet is not None) > 1 or (sheet is not None and as_json):
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
        play_daily(not no_save, as_json)
        return
    own_seed = token_hex(4) if seed is None else seed
    if sheet is not None:
        _write_sheet(sheet, own_seed, kind, rating, count or COUNT)
        return
    counts = seed is None and not as_json and not no_save
    answered = [answer.puzzle for answer in kept_answers()] if counts else []
    puzzles = puzzles_in_turn(own_seed, kind, rating, answered)
    again = ""
    if rise:
        puzzles = (rising_puzzle(own_seed, place, kind) for place in naturals(1))
        again = typed(f"puzzle {f'{kind} ' if kind else ''}--rise --seed {quote(own_seed)}")
    if as_json:
        print_json(facts_of(next(puzzles)))
    else:
        Session(not no_save, again).run(puzzles)


def _write_sheet(path: str, seed: str, kind: str | None, rating: int | None, count: int) -> None:
    chosen = (f"{kind} " if kind else "") + (f"--rating {rating} " if rating else "")
    options = f"{chosen}--count {count} --seed {quote(seed)} --sheet {quote(Path(path).name)}"
    write_output(path, make_sheet(seed, kind, rating, count, f"numduel puzzle {options}"))
    click.echo(f"The sheet: {path}")


class Session:
    """Asks puzzles and keeps count. A right answer without a hint is a first try.

    With the command that repeats it, `again`, it is a series, which ends with the first miss.
    """

    def __init__(self, saves: bool, again: str = "") -> None:
        self._saves, self._again = saves, again
        self._rules: list[list[str]] = []
        """Of each puzzle: a rule is told once."""

    def run(self, puzzles: Iterator[Puzzle]) -> None:
        """Ask one after another, until there are no more or somebody leaves."""
        solved = 0
        try:
            for puzzle in puzzles:
                solved += (right := self._ask(puzzle))
                if self._again and not right:
                    return
                ask_until(partial(ask, NEXT), one_of({"": None}), {})
                say()
            say(NO_MORE)
        except (Left, EndOfInput):
            pass
        except KeyboardInterrupt:
            say()  # below the prompt
            raise
        finally:
            if self._again and self._rules:
                say(f"\nYour series: {solved}. For a friend: {self._again}", bold=True)

    def _ask(self, puzzle: Puzzle) -> bool:
        """Ask until an answer is right, or shown, and the reason; was it right at once?"""
        self._show(puzzle)
        board, asks_winner, hints = puzzle.board, puzzle.asks == "winner", 0
        counted: list[bool] = []
        tally = ""

        def count(right: bool) -> None:
            """Count the puzzle, once: by the first answer, or by the help that was asked for."""
            nonlocal tally
            if not counted and self._saves:
                tally = count_answer(str(board), puzzle.game, puzzle.rating, right)
            counted.append(right)

        def give_hint() -> None:
            nonlocal hints
            hints += 1
            note(puzzle_hint(board, hints))
            count(right=False)

        def accept(answer: str) -> None:
            """Take the answer, or the wish to see it; after a move that does not win, ask again."""
            if answer.casefold() in ("show", "why"):
                if asks_winner:
                    say(f"Player {puzzle.solution} wins.")
                return
            after = after_move(board, answer) if not asks_winner else None
            if asks_winner:
                check_winner(answer)
            if puzzle.is_solved_by(answer):
                say("Right!", fg="green", bold=True)
                count(right=True)
            elif after is None:
                say(f"Not quite. Player {puzzle.solution} wins.", fg="red")
            else:
                say(f"{answer} does not win. {refutation(after)}", fg="red")
                count(right=False)
                raise Refused

        ask_about(board, "Your answer: ", accept, {"hint": give_hint}, HELP, "show")
        say(" ".join(why(solve(board))))
        count(right=False)  # if it was not counted yet
        if tally:
            say(tally)
        return counted[0]

    def _show(self, puzzle: Puzzle) -> None:
        say(f"Puzzle {len(self._rules) + 1}, rating {puzzle.rating}", bold=True)
        show_board(puzzle.board)
        rule = rule_in_short(puzzle.board)
        if rule not in self._rules:
            say("\n".join(rule))
        self._rules.append(rule)
        say(puzzle.question)
