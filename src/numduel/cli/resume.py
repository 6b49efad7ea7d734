"""`numduel resume`: an unfinished match goes on where it stopped."""

from __future__ import annotations

from random import Random

import click

from numduel.cli.play import make_screen, run_match
from numduel.cli.table import Table
from numduel.errors import NothingToStudy, UnknownPlayer
from numduel.match import Record
from numduel.players import make_player
from numduel.wording import wording_for
from numduel.wording.analysis import described


@click.command("resume")
@click.argument("id", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one event a line, as JSON.")
def command(id: int | None, as_json: bool) -> int:
    """Take up an unfinished match of the history: match ID, or the latest."""
    from numduel.store import open_store

    with open_store() as store:
        if id is None:
            found = store.matches(limit=1, unfinished=True)
            if not found:
                raise NothingToStudy(problem="nothing unfinished")
            match_id, record = found[0]
        else:
            match_id, record = store.load(id)
    if record.winner is not None:
        raise NothingToStudy(problem="over", id=match_id)
    table = _lay_table(match_id, record, as_json)
    count = len(record.turns)
    turns = f"{count} turn" if count == 1 else f"{count} turns"
    table.screen.note(f"Match {match_id} goes on: {described(record.setup.board)}, after {turns}.")
    return run_match(table, lambda: table.go_on(match_id, record))


def _lay_table(match_id: int, record: Record, as_json: bool) -> Table:
    players = []
    for word in record.players:
        try:
            players.append(make_player(word, Random()))
        except UnknownPlayer as error:
            raise NothingToStudy(problem="not here", id=match_id, player=word) from error
    seats = (players[0], players[1])
    setup = record.setup
    wording = wording_for(setup.board)(setup.names, (seats[0] is None, seats[1] is None))
    return Table(
        screen=make_screen(wording, as_json),
        wording=wording,
        setup=setup,
        players=seats,
        words=record.players,
        first=setup.first,
        saves=True,
    )
