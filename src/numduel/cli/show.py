"""`numduel show` and `numduel share`: a match as its record, or in a line to send."""

from __future__ import annotations

from dataclasses import replace

import click

from numduel.board import Board
from numduel.cli.layout import say
from numduel.cli.matches import MATCH, latest_match, shown_names
from numduel.cli.parameters import json_option, print_json
from numduel.drawing.path import draw_card
from numduel.drawing.picture_file import save_picture
from numduel.match import DEFAULT_NAMES, Record, write_notation
from numduel.program import typed
from numduel.wording.analysis import described
from numduel.wording.text import counted


@click.command("show")
@click.argument("match", required=False, type=MATCH)
@json_option()
def command(match: Record | None, as_json: bool) -> None:
    """Show a match: who played, every turn, how it ended.

    MATCH is the notation of a match (divisor-duel:60/15.15.5, say), a record file
    (- for standard input), or a number of the history. Without it, the latest
    match of the history.
    """
    record = match or latest_match()
    if as_json:
        print_json(record_fields(record))
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
    """The match with plain values; documented in docs/formats.md."""
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


@click.command("share")
@click.argument("match", required=False, type=MATCH)
@click.option("--image", metavar="FILE", help="Write a card as well: .svg or .png.")
@json_option()
def share(match: Record | None, image: str | None, as_json: bool) -> None:
    """Print the notation of a match, to send to someone, with a few words.

    MATCH is a number of the history, a record file or a match's notation. Without it, the
    latest match of the history. Names are left out.
    """
    record = match or latest_match()
    notation, text = write_notation(record), _text(record)
    board = described(record.setup.board)
    if image is not None:
        asks = "What would you play?" if record.winner is None else "Where was it decided?"
        save_picture(draw_card(board, [text, asks], _numbers(record), notation), image)
    if as_json:
        print_json({"match": notation, "text": text, "image": image})
        return
    say(f"{board}: {text[0].lower()}{text[1:]}")
    click.echo(notation)
    click.echo(f"See it: {typed(f'show {notation}')}")
    if image is not None:
        click.echo(f"The card: {image}")


def _text(record: Record) -> str:
    turns = counted(len(record.turns), "turn")
    if record.winner is None:
        return f"Unfinished after {turns}."
    began = "who began" if record.winner == record.setup.first else "who moved second"
    return f"Won by the player {began}, in {turns}."


def _numbers(record: Record) -> list[int]:
    """The sum of the board's numbers, from the start to the end."""
    board: Board = record.setup.board
    boards = [board]
    for move in record.turns:
        board = board if move is None else board.play(move)
        boards.append(board)
    return [sum(number.value for number in board.numbers) for board in boards]
