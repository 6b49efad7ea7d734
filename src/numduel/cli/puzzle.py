"""`numduel puzzle`: positions and questions, one after another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from secrets import token_hex

import click

from numduel.cli.completion import complete_games
from numduel.cli.console import Console
from numduel.cli.puzzle_session import Session
from numduel.errors import NothingToStudy, StoreError
from numduel.games import keys
from numduel.study.puzzles import (
    RATINGS,
    SEVERAL,
    Puzzle,
    as_json,
    daily_puzzle,
    puzzles_in_turn,
)
from numduel.wording import joined, problem, quoted

EXAMPLES = """\b
Examples:
  numduel puzzle                      any puzzles
  numduel puzzle --daily              the puzzle of the day, the same for everybody
  numduel puzzle divisor-duel --rating 1200
  numduel puzzle several              a board of several numbers
"""


@click.command("puzzle", epilog=EXAMPLES)
@click.argument("game", required=False, shell_complete=complete_games)
@click.option("--rating", type=int, metavar="R", help="About how hard: 500 easy, 1800 hard.")
@click.option("--daily", is_flag=True, help="The puzzle of this day (UTC).")
@click.option("--seed", metavar="S", help="Makes the same puzzles again.")
@click.option(
    "--json", "json_", is_flag=True, help="Print the first puzzle and its solution; ask nothing."
)
@click.option("--no-save", is_flag=True, help="Do not count the answers.")
def command(
    game: str | None, rating: int | None, daily: bool, seed: str | None, json_: bool, no_save: bool
) -> int:
    """Ask for the one winning move, or who wins, puzzle after puzzle. First tries are counted.

    GAME is a game, or several for a board of several numbers. Without it, any. Type hint for
    a hint, show for the answer and the reason, quit to leave.
    """
    puzzles = _find(game, rating, daily, seed, remembers=not json_ and not no_save)
    if json_:
        click.echo(json.dumps(as_json(next(puzzles))))
    else:
        Session(Console(), saves=not no_save).run(puzzles)
    return 0


def _find(
    game: str | None, rating: int | None, daily: bool, seed: str | None, remembers: bool
) -> Iterator[Puzzle]:
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
            return iter([daily_puzzle(datetime.now(UTC).date(), kind)])
        except NothingToStudy as error:
            raise click.UsageError(problem(error)) from error
    if rating is not None and not 0 < rating <= 4000:
        raise click.UsageError(f"Ratings go from about {RATINGS[0]} to about {RATINGS[1]}.")
    if seed is not None:
        return puzzles_in_turn(seed, kind, rating)
    return puzzles_in_turn(token_hex(16), kind, rating, _answered() if remembers else [])


def _answered() -> list[str]:
    """The boards of the puzzles that were answered, so that others come first."""
    from numduel.store import open_store

    try:
        with open_store() as store:
            return [answer.puzzle for answer in store.answers()]
    except StoreError:
        return []  # told when the answer is to be counted
