"""What a person types to run numduel again, for sentences that suggest a command."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from shlex import quote


def typed(words: str = "", program: str = "numduel") -> str:
    """A command of numduel, or of a program beside it: "numduel stats".

    If the shell would find another program or none, the command names the folder, as it was
    when numduel was started: ".venv/bin/numduel stats" after `make play`.
    """
    started = Path(sys.argv[0])
    beside = started.with_name(program)
    found = shutil.which(program)
    if started.name == "numduel" and beside.exists():  # and not a test, or python -m numduel
        known = found is not None and Path(found).absolute() == beside.absolute()
        program = program if known else quote(str(beside))
    return f"{program} {words}".rstrip()
