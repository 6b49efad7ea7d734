"""`numduel show`: a match as its record."""

from __future__ import annotations

import json
from dataclasses import replace

import click

from numduel.cli.match_source import find_match
from numduel.cli.seats import shown_names
from numduel.match import DEFAULT_NAMES, Record, write_notation


@click.command("show")
@click.argument("match", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one object, as JSON.")
def command(match: str | None, as_json: bool) -> None:
    """Show a match: who played, every turn, how it ended.

    MATCH is the notation of a match (divisor-duel:60/15.15.5, say), a record file
    (- for standard input), or a number of the history. Without it, the latest
    match of the history.
    """
    record = find_match(match)
    if as_json:
        click.echo(json.dumps(record_fields(record), ensure_ascii=False))
        return
    click.echo(_shown(record), nl=False)
    click.echo(f"\nNotation: {write_notation(record)}")


def _shown(record: Record) -> str:
    """The match with names as its screen has them; what is the same is said once."""
    names, _ = shown_names(record.setup.names, record.players)
    players = [
        player if name in (usual, player.capitalize()) else f"{name}, {player}"
        for name, usual, player in zip(names, DEFAULT_NAMES, record.players, strict=True)
    ]
    return replace(record, setup=replace(record.setup, names=names)).told(players)


def record_fields(record: Record) -> dict[str, object]:
    """The match with plain values; documented in docs/study.md."""
    setup = record.setup
    return {
        "match": write_notation(record),
        "date": record.date.isoformat(),
        "board": str(setup.board),
        "names": list(setup.names),
        "players": list(record.players),
        "first": setup.first + 1,
        "moves": record.moves,
        "winner": None if record.winner is None else record.winner + 1,
        "ending": None if record.ending is None else str(record.ending),
    }
