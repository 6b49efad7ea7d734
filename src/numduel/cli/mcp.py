"""`numduel mcp`: a Model Context Protocol server on standard input and output."""

from __future__ import annotations

import click


@click.command("mcp")
@click.option("--seed", type=int, metavar="S", help="Repeat the same random choices.")
@click.option(
    "--no-answers",
    is_flag=True,
    help="Measure a model: no verdicts, and no second match before the first is over.",
)
def command(seed: int | None, no_answers: bool) -> None:
    """Serve the Model Context Protocol on standard input and output.

    A language model that is connected to it can list games, start matches, see
    legal moves, play, and ask for verdicts.
    """
    from numduel.adaptors.mcp import make_server

    make_server(seed, not no_answers).run("stdio")
