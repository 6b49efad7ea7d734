"""`numduel mcp`: a Model Context Protocol server on standard input and output."""

from __future__ import annotations

import click


@click.command("mcp")
@click.option("--seed", type=int, metavar="S", help="Repeat the same random choices.")
def command(seed: int | None) -> None:
    """Serve the Model Context Protocol on standard input and output.

    A language model that is connected to it can list games, start matches, see
    legal moves, play, and ask for verdicts.
    """
    from numduel.adaptors.mcp import make_server

    make_server(seed).run("stdio")
