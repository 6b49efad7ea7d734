"""`numduel resume`: an unfinished match goes on where it stopped."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import click

from numduel.cli.match_run import run_match
from numduel.cli.table import Table
from numduel.errors import InvalidSetup, NothingToStudy
from numduel.players import make_player
from numduel.wording.analysis import described
from numduel.wording.text import counted, series_words

if TYPE_CHECKING:
    from numduel.store import Kept


@click.command("resume")
@click.argument("id", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one event per line, as JSON.")
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
    players = []
    record = kept.record
    for word in record.players:
        try:
            players.append(make_player(word, Random()))
        except InvalidSetup as error:
            raise NothingToStudy(problem="not here", id=kept.id, player=word) from error
    return Table(
        record.setup,
        (players[0], players[1]),
        record.players,
        first=record.setup.first,
        saves=True,
        in_json=as_json,
    )
