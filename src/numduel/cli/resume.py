"""`numduel resume`: an unfinished match goes on where it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from numduel.cli.match_run import run_match
from numduel.cli.parameters import json_option
from numduel.cli.table import Table
from numduel.errors import InvalidSetup, NothingToStudy
from numduel.wording.analysis import described
from numduel.wording.text import counted, series_words

if TYPE_CHECKING:
    from numduel.store import Kept


@click.command("resume")
@click.argument("id", type=int, required=False)
@json_option("one event per line, as JSON")
def command(id: int | None, as_json: bool) -> int:
    """Continue an unfinished match of the history: match ID, or the latest.

    A series continues with its tally, to its end.
    """
    from numduel.store import open_store

    with open_store() as store:
        is_latest = id is None
        if id is None:
            found = store.matches(limit=1, unfinished=True)
            if not found:
                raise NothingToStudy(problem="nothing unfinished")
            id = found[0].id
        kept = store.load(id)
    if kept.record.winner is not None:
        raise NothingToStudy(problem="over", id=kept.id)
    table = _lay_table(kept, as_json)
    table.screen.note(_greeting(kept, is_latest))
    return run_match(table, lambda: table.go_on(kept))


def _greeting(kept: Kept, is_latest: bool) -> str:
    turns = counted(len(kept.record.turns), "turn")
    said = f"Match {kept.id} continues: {described(kept.record.setup.board)}, after {turns}."
    if is_latest:
        began = kept.record.date.astimezone().strftime("%Y-%m-%d %H:%M")
        said = f"{said} It is your latest unfinished match, from {began}."
    return said if kept.series is None else f"{said} {series_words(kept.series)}"


def _lay_table(kept: Kept, as_json: bool) -> Table:
    setup, words = kept.record.setup, kept.record.players
    try:
        return Table(setup, words, first=setup.first, saves=True, in_json=as_json)
    except InvalidSetup as error:
        raise NothingToStudy(problem="not here", id=kept.id, player=error.text) from error
