"""`numduel share`: the notation of a match, with a few words around it, or a card."""

from __future__ import annotations

import json

import click

from numduel.board import Board
from numduel.cli.layout import say
from numduel.cli.match_source import find_match
from numduel.drawing.path import draw_card
from numduel.drawing.picture_file import save_picture
from numduel.match import Record, write_notation
from numduel.program import typed
from numduel.wording.analysis import described
from numduel.wording.text import counted


@click.command("share")
@click.argument("match", required=False)
@click.option("--image", metavar="FILE", help="Write a card as well: .svg or .png.")
@click.option("--json", "as_json", is_flag=True, help="Print one object, as JSON.")
def command(match: str | None, image: str | None, as_json: bool) -> None:
    """Print the notation of a match, to send to someone, with a few words.

    MATCH is a number of the history, a record file or a match's notation. Without it, the
    latest match of the history. Names are left out.
    """
    record = find_match(match)
    notation, text = write_notation(record), _text(record)
    if image is not None:
        save_picture(
            draw_card(described(record.setup.board), [text, _question(record)],
                      _numbers(record), notation),
            image,
        )  # fmt: skip
    if as_json:
        click.echo(json.dumps({"match": notation, "text": text, "image": image}))
        return
    say(f"{described(record.setup.board)}: {text[0].lower()}{text[1:]}")
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


def _question(record: Record) -> str:
    return "What would you play?" if record.winner is None else "Where was it decided?"


def _numbers(record: Record) -> list[int]:
    """The sum of the board's numbers, from the start to the end."""
    board: Board = record.setup.board
    sums = [sum(number.value for number in board.numbers)]
    for move in record.turns:
        if move is not None:
            board = board.play(move)
        sums.append(sum(number.value for number in board.numbers))
    return sums
