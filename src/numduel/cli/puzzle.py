"""`numduel puzzle`: positions and questions, one after another."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from shlex import quote

import click

from numduel.cli.matches import open_history
from numduel.cli.parameters import (
    Read,
    find_game,
    json_option,
    number_option,
    print_json,
    usage,
    write_output,
)
from numduel.cli.puzzle_session import Session, off_rating
from numduel.errors import StoreError, UnknownGame
from numduel.games import keys
from numduel.running.puzzle_sheet import COUNT, MOST, make_sheet
from numduel.study.puzzles import RATINGS, SEVERAL, daily_puzzle, puzzles_in_turn
from numduel.study.puzzles import as_json as facts_of
from numduel.wording import joined, quoted

EXAMPLES = """\b
Examples:
  numduel puzzle                      any puzzles
  numduel puzzle --daily              the puzzle of the day, the same for everybody
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


KIND = Read("game", _read_kind, lambda _: keys())


@click.command("puzzle", epilog=EXAMPLES)
@click.argument("kind", metavar="[GAME]", required=False, type=KIND)
@click.option("--rating", type=int, metavar="R", help="How hard: about 500 is easy, 1800 hard.")
@click.option("--daily", is_flag=True, help="Today's puzzle (UTC).")
@click.option("--seed", metavar="S", help="Repeat the same puzzles.")
@json_option("one puzzle and its solution; ask nothing")
@click.option("--sheet", metavar="FILE", help="Write a sheet to print instead, as HTML.")
@number_option("--count", "N", f"Puzzles on the sheet. Default: {COUNT}.", most=MOST)
@click.option("--no-save", is_flag=True, help="Do not count the answers.")
def command(
    kind: str | None,
    rating: int | None,
    daily: bool,
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
    if sheet is not None:
        if daily or as_json:
            raise click.UsageError("A sheet has many puzzles: leave out --daily and --json.")
        _write_sheet(sheet, seed or token_hex(4), kind, rating, count or COUNT)
        return
    if count is not None:
        raise click.UsageError("--count is for a sheet: add --sheet FILE.")
    if daily:
        if rating is not None or seed is not None:
            raise click.UsageError(
                "The daily puzzle depends only on the date: leave out --rating and --seed."
            )
        with usage():
            puzzles = iter([daily_puzzle(datetime.now(UTC).date(), kind)])
    else:
        answered = _answered() if seed is None and not as_json and not no_save else []
        puzzles = puzzles_in_turn(token_hex(16) if seed is None else seed, kind, rating, answered)
    if as_json:
        puzzle = next(puzzles)
        print_json(facts_of(puzzle))
        if note := off_rating(puzzle, kind, rating):
            click.echo(note, err=True)
    else:
        Session(saves=not no_save, rating=rating, kind=kind).run(puzzles)


def _write_sheet(path: str, seed: str, kind: str | None, rating: int | None, count: int) -> None:
    chosen = (f"{kind} " if kind else "") + (f"--rating {rating} " if rating else "")
    options = f"{chosen}--count {count} --seed {quote(seed)} --sheet {quote(Path(path).name)}"
    write_output(path, make_sheet(seed, kind, rating, count, f"numduel puzzle {options}"))
    click.echo(f"The sheet: {path}")


def _answered() -> list[str]:
    """The boards of the puzzles that were answered, so that others come first."""
    try:
        with open_history() as store:
            return [answer.puzzle for answer in store.answers()]
    except StoreError:
        return []  # reported when the answer is counted
