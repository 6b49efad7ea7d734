"""Files that a command is given: to read, up to a limit, or to write."""

from __future__ import annotations

import errno
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import IO

import click

from numduel.wording import quoted

LONGEST = 10_000_000
"""Characters of a file that are read."""


def read_input(path: str) -> str:
    """The text of the file, of standard input for "-". Raises `OSError`, which says why not."""
    try:
        with nullcontext(sys.stdin) if path == "-" else Path(path).open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1)
    except ValueError as error:
        raise OSError(errno.EILSEQ, "it is not text") from error
    if len(text) > LONGEST:
        raise OSError(errno.EFBIG, f"it is longer than {LONGEST:,} characters")
    return text


def open_output(path: str, new: bool = True) -> IO[bytes]:
    """Open the file for writing; a `new` one must not exist yet. A sentence says why not."""
    try:
        return Path(path).open("xb" if new else "wb")
    except OSError as error:
        raise click.ClickException(
            f"{quoted(path)} cannot be written: {error.strerror}."
        ) from error


def write_output(path: str, text: str, new: bool = False) -> None:
    """Write the text."""
    with open_output(path, new) as file:
        file.write(text.encode())
