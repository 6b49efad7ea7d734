"""Files that a command is given to read, up to a limit."""

from __future__ import annotations

import errno
import sys
from contextlib import nullcontext
from pathlib import Path

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
