"""Lines that break between words, at the width of whatever shows them, and their colours."""

import os
import re
import sys
from collections.abc import Sequence
from typing import IO, Any

import click

USUAL_WIDTH = 80  # the columns of a pipe, and of a terminal that does not say
_COLUMN = re.compile(r"(?:^ +|\S {2,})(?=\S)")  # after a label or an indent: continued below itself
_LEAST = 20  # text does not stay in a column that is narrower than this

_LOOKS: dict[str, dict[str, Any]] = {
    "lost": {"fg": "yellow", "bold": True},
    "won": {"fg": "cyan"},
    "bad": {"fg": "red", "bold": True},
    "soft": {"dim": True},
    "here": {"reverse": True, "bold": True},
    "here lost": {"reverse": True, "bold": True, "fg": "yellow"},
}


def width_of(stream: IO[str]) -> int:
    """How many columns the stream has; the environment variable COLUMNS overrides it."""
    named = os.environ.get("COLUMNS", "")
    if named.isascii() and named.isdigit() and int(named) > 0:
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or USUAL_WIDTH
    except (OSError, ValueError):
        return USUAL_WIDTH


def wrapped(text: str, width: int) -> list[str]:
    """The line in pieces no wider than `width`, broken between words. Text in a column of its own
    continues in that column. A word that is too long for a line is broken after commas, if it has
    any, and otherwise left whole.
    """
    if len(text) <= width:
        return [text]
    ends = [found.end() for found in _COLUMN.finditer(text) if found.end() <= width - _LEAST]
    hang = ends[-1] if ends else 0
    lines, line = [], text[:hang]
    for word in _words(text[hang:], width - hang):
        if len(line) > hang and len(line) + len(word.rstrip()) > width:
            lines.append(line.rstrip())
            line = " " * hang
        line += word
    return [*lines, line.rstrip()]


def _words(text: str, width: int) -> list[str]:
    """The words, each with the blanks after it; lists without blanks in parts."""
    words = []
    for word in re.findall(r"\S+\s*", text):
        words += re.findall(r"[^,]*,+\s*|[^,]+", word) if len(word) > width else [word]
    return words


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table as lines; figures, which come after the first column, end together."""
    first, *more = (max(map(len, column)) for column in zip(*rows, strict=True))
    line = "  ".join([f"{{:<{first}}}", *(f"{{:>{width}}}" for width in more)])
    return [line.format(*row).rstrip() for row in rows]


def say(text: str = "", err: bool = False, **style: Any) -> None:
    """Print sentences, each line of the text wrapped, in this style where there are colours."""
    width = width_of(sys.stderr if err else sys.stdout)
    lines = [part for line in text.split("\n") for part in wrapped(line, width)]
    click.echo("\n".join(styled(line, **style) for line in lines), err=err)


def say_choice(label: str, said: str) -> None:
    """A line of a menu: what to type, which stands out, and what comes of it."""
    first, *more = wrapped(f"  {label}  {said}", width_of(sys.stdout))
    head = first[: len(label) + 2]
    click.echo("\n".join([styled(head, fg="cyan", bold=True) + first[len(head) :], *more]))


def on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def styled(text: str, **style: Any) -> str:
    """The text in this style; plain in a pipe and under NO_COLOR: see https://no-color.org."""
    return click.style(text, **style) if text and style and has_colour() else text


def has_colour() -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and sys.stdout.isatty()


def shows_all_signs() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def paint(text: str, kind: str) -> str:
    return styled(text, **_LOOKS[kind])


_LARGE = ("┏┓╺┓╺┓╺┓╻╻┏╸┏╸╺┓┏┓┏┓", "┃┃ ┃┏┛╺┫┗┫┗┓┣┓ ┃┣┫┗┫", "┗┛╺┻┗╸╺┛ ╹╺┛┗┛ ╹┗┛╺┛")
"""The digits from 0 to 9, two columns wide, row by row."""


def show_large(number: int) -> None:
    """The number in large digits, where a terminal has colours and can show them."""
    if has_colour() and shows_all_signs() and number < 10**9:
        digits = [2 * int(digit) for digit in str(number)]
        rows = (" ".join(row[at : at + 2] for at in digits) for row in _LARGE)
        click.echo("\n".join(["", *(f"  {styled(row, fg='cyan', bold=True)}" for row in rows)]))


def show_picture(lines: list[str]) -> None:
    """Print the rows as they are, and the sentences after the first blank line wrapped."""
    rows = lines.index("")
    click.echo("\n".join(lines[:rows]))
    say("\n".join(lines[rows:]))


class HelpFormatter(click.HelpFormatter):
    """Click's, also for narrow terminals, with examples that break between words."""

    def __init__(self, width: int | None = None, max_width: int | None = None) -> None:
        self._columns = min(width_of(sys.stdout), USUAL_WIDTH)
        super().__init__(width=width or self._columns - 2, max_width=max_width)

    def getvalue(self) -> str:
        lines = super().getvalue().split("\n")
        return "\n".join(part for line in lines for part in wrapped(line, self._columns))
