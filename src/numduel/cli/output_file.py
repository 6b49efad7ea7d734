"""Files that a command is given to write; if that fails, a sentence says why."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import click

from numduel.wording import quoted


def open_output(path: str, new: bool = True) -> IO[bytes]:
    """Open the file for writing; a `new` one must not exist yet."""
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
