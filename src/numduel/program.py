"""What a person types to run numduel again, for sentences that suggest a command."""

import os
import sys
from os.path import abspath
from shlex import quote


def typed(words: str = "", program: str = "numduel") -> str:
    """A command of numduel, or of a program beside it: "numduel stats".

    It names the folder, as in ".venv/bin/numduel stats", if the shell would find another program or
    none. This is asked at every start: `pathlib` and `shutil` would take longer than all else.
    """
    folder, slash, started = sys.argv[0].rpartition("/")
    beside = f"{folder}{slash}{program}"
    if started == "numduel" and os.access(beside, os.F_OK):  # and not a test, or python -m numduel
        paths = [f"{folder}/{program}" for folder in os.get_exec_path()]
        found = next((path for path in paths if os.access(path, os.X_OK)), None)
        if found is None or abspath(found) != abspath(beside):  # noqa: PTH100
            program = quote(beside)
    return f"{program} {words}".rstrip()
