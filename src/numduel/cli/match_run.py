"""A match at a table, from its first prompt to the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from numduel.cli.console import EndOfInput, Left
from numduel.cli.layout import say
from numduel.cli.screen import TextScreen
from numduel.cli.table import Table
from numduel.match import write_notation
from numduel.players import PERSON
from numduel.program import typed


def run_match(table: Table, play: Callable[[], None]) -> int:
    """Play, and give the exit code: 0 done or left, 1 when the input ended."""
    try:
        with telling_how_to_go_on(table):
            play()
    except Left:
        return 0
    except EndOfInput:
        return 1
    finally:
        table.close()
    _offer_analysis(table)
    return 0


@contextmanager
def telling_how_to_go_on(table: Table) -> Iterator[None]:
    """Tell whoever leaves the match in the block, in whatever way, what becomes of it."""
    try:
        yield
    except Left:
        _say_how_to_go_on(table)
        raise
    except EndOfInput:
        say("numduel: the input ended before the match did.", err=True)
        if sys.stdin.isatty():
            _say_how_to_go_on(table)
        raise
    except KeyboardInterrupt:
        click.echo(err=True)  # below the prompt
        _say_how_to_go_on(table)
        raise


def _say_how_to_go_on(table: Table) -> None:
    if table.keeper is None or not isinstance(table.screen, TextScreen):
        return
    played, kept = table.last, None
    if played is not None:
        if played.winner is not None:
            return
        kept = table.keeper.left(played)
    if kept is None:
        if played is None or not played.turns:
            say("No move was played, so there is nothing to save.")
    elif kept.record.winner is None:
        say(f"The match is saved. Continue with: {typed(f'resume {kept.id}')}")
    else:
        say(f"Match {kept.id} was finished in another terminal: {typed(f'show {kept.id}')}")


def _offer_analysis(table: Table) -> None:
    """After a match of a person against the computer, on a terminal: how to look back."""
    persons = table.words.count(PERSON)
    if persons != 1 or table.last is None or not isinstance(table.screen, TextScreen):
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        kept = table.keeper.match_id if table.keeper else None
        what = write_notation(table.last) if kept is None else kept
        click.echo(f"\nWhere was it decided? {typed(f'analyse {what}')}")
