"""Make the pictures of docs/ with the project's own commands.

With --check, write nothing: say which picture is not current, and exit 1.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from numduel.cli.app import run

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
MATCH = "divisor-duel:60/15.15.2.14.7"
GAMES = ("subtract-a-prime", "prime-subtractor", "divisor-duel", "power-play",
         "digit-subtraction-duel")  # fmt: skip
COMMANDS: dict[str, list[str]] = {
    **{f"square-{key}": ["map", key, "--output"] for key in GAMES},
    "values-subtract-a-prime": ["map", "subtract-a-prime", "--as", "values", "--output"],
    "graph-divisor-duel": ["map", "divisor-duel", "--as", "graph", "--to", "24", "--output"],
    "path-divisor-duel": ["map", MATCH, "--output"],
    "card-divisor-duel": ["share", MATCH, "--image"],
}
"""Each picture with the command that makes it, but for the file's name."""


def make_pictures(folder: Path) -> None:
    """Run the commands; each writes its picture into the folder."""
    for name, command in COMMANDS.items():
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            code = run([*command, str(folder / f"{name}.svg")])
        if code:
            raise SystemExit(f"numduel {' '.join(command)}: exit {code}")


def main(arguments: list[str], folder: Path = FOLDER) -> int:
    """Write the pictures, or with --check compare them; the exit code comes back."""
    if not arguments:
        folder.mkdir(parents=True, exist_ok=True)
        make_pictures(folder)
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        make_pictures(Path(temporary))
        made = {path.name: path.read_bytes() for path in Path(temporary).iterdir()}
    there = {path.name: path.read_bytes() for path in folder.iterdir()}
    stale = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    if stale:
        print(f"Not current in docs/pictures: {', '.join(stale)}. Run: make reference")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
