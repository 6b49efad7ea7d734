"""Make the pictures of docs/ with the project's own commands.

With --check, write nothing: say which picture is not current, and exit 1.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from numduel.cli.app import run
from numduel.drawing.svg import Picture

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


TYPED = ["play", "subtract-a-prime", "--p2", "level:3", "--seed", "1", "--no-save"]
ANSWERS = ["hint", "11", "7"]
"""A match for the picture of the terminal, and what is typed at its prompts."""

_LINE, _LETTER, _SIZE = 19, 8.43, 14
"""The height of a line, and the width and size of a letter."""


def make_pictures(folder: Path) -> None:
    """Run the commands; each writes its picture into the folder."""
    for name, command in COMMANDS.items():
        printed([*command, str(folder / f"{name}.svg")])
    lines = [f"$ numduel {' '.join(TYPED[:4])}", *printed(TYPED, ANSWERS).rstrip().split("\n")]
    (folder / "terminal.svg").write_text(str(draw_terminal(lines)), encoding="utf-8")


def printed(command: list[str], answers: Sequence[str] = ()) -> str:
    """What the command prints when it is given these answers."""
    given = io.StringIO("".join(f"{answer}\n" for answer in answers))
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    stdin, sys.stdin = sys.stdin, given
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = run(command)
    finally:
        sys.stdin = stdin
    if code and not answers:  # answers may end before the match does
        raise SystemExit(f"numduel {' '.join(command)}: exit {code}")
    out.seek(0)
    return out.read()


def draw_terminal(lines: list[str]) -> Picture:
    """These lines as a terminal shows them."""
    width = 40 + _LETTER * max(map(len, lines))
    about = "A match of Subtract a Prime against the computer, typed in a terminal."
    picture = Picture(width, 30 + _LINE * len(lines), "numduel in the terminal", about)
    for at, line in enumerate(lines, 1):
        picture.add("text", line, "ink mono", x=20, y=14 + _LINE * at, font_size=_SIZE,
                    style="white-space: pre")  # fmt: skip
    return picture


os.environ["COLUMNS"] = "80"


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
