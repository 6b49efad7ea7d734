"""A match at a table, from its first prompt to the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from numduel.cli.console import EndOfInput
from numduel.cli.layout import say
from numduel.cli.screen import TextScreen
from numduel.cli.table import INPUT_ENDED, Left, Table
from numduel.match import write_notation
from numduel.players import PERSON
from numduel.program import typed


def run_match(table: Table, play: Callable[[], None]) -> int:
    """Play, and give the exit code: 0 done or left, 1 when the input ended."""
    try:
        play()
    except Left:
        say_how_to_go_on(table)
        return 0
    except EndOfInput:
        say(INPUT_ENDED, err=True)
        return 1
    finally:
        table.close()
    _offer_analysis(table)
    return 0


def say_how_to_go_on(table: Table) -> None:
    """Tell whoever leaves a match how to continue it, if it is kept."""
    kept = table.keeper.match_id if table.keeper else None
    unfinished = table.last is not None and table.last.winner is None
    if kept is not None and unfinished and isinstance(table.screen, TextScreen):
        say(f"The match is saved. Continue with: {typed(f'resume {kept}')}")


def _offer_analysis(table: Table) -> None:
    """After a match of a person against the computer, on a terminal: how to look back."""
    persons = table.words.count(PERSON)
    if persons != 1 or table.last is None or not isinstance(table.screen, TextScreen):
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        kept = table.keeper.match_id if table.keeper else None
        what = write_notation(table.last) if kept is None else kept
        click.echo(f"\nWhere was it decided? {typed(f'analyse {what}')}")
