"""Colour for maps and plots, where the terminal wants it."""

from __future__ import annotations

import sys

import click

from numduel.cli.console import wants_colour
from numduel.cli.layout import say

_LOOKS = {
    "lost": {"fg": "yellow", "bold": True},
    "won": {"fg": "cyan"},
    "bad": {"fg": "red", "bold": True},
    "soft": {"dim": True},
    "here": {"reverse": True, "bold": True},
}


def paint(text: str, kind: str) -> str:
    """The text in the look of its kind; plain in a pipe and under NO_COLOR."""
    if not (sys.stdout.isatty() and wants_colour()):
        return text
    return click.style(text, **_LOOKS[kind])  # type: ignore[arg-type]


def show_picture(lines: list[str]) -> None:
    """Print the rows as they are, and the sentences after the first blank line wrapped."""
    rows = lines.index("")
    click.echo("\n".join(lines[:rows]))
    say("\n".join(lines[rows:]))
