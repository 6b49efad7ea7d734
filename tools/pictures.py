"""Make the pictures of docs/ with the project's own commands.

With --check, write nothing: say which picture is not current, and exit 1.
"""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from numduel.cli.app import run
from numduel.drawing.svg import Picture
from numduel.games import load
from numduel.match import read_notation
from numduel.study.maps import make_map

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

DOOR = "digit-subtraction-duel:25/5.2.8.1.9"
"""The match that README.md opens with."""

_CELL, _LATE = 42, 0.9
"""Of that picture: the size of a number's square, and the seconds from one turn to the next."""

_LINE, _LETTER, _SIZE = 19, 8.43, 14
"""The height of a line, and the width and size of a letter."""


def make_pictures(folder: Path) -> None:
    """Run the commands; each writes its picture into the folder."""
    for name, command in COMMANDS.items():
        printed([*command, str(folder / f"{name}.svg")])
    lines = [f"$ numduel {' '.join(TYPED[:4])}", *printed(TYPED, ANSWERS).rstrip().split("\n")]
    (folder / "terminal.svg").write_text(str(draw_terminal(lines)), encoding="utf-8")
    (folder / "door.svg").write_text(str(draw_door()), encoding="utf-8")


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


def draw_door() -> Picture:
    """A short match on the numbers up to 50, turn by turn; at its end, the traps turn gold.

    Where motion is not wanted, or not possible, the end is shown.
    """
    match = read_notation(DOOR)
    said, path = ["From 25, take away a digit."], [25]
    for turn, move in enumerate(match.turns):
        path.append(path[-1] - move.amount)
        said.append(f"{('You', 'Pip')[turn % 2]} took {move.amount}: {path[-1]} left.")
    said[-1] += " You win!"
    end = len(path)
    about = f"{' '.join(said)} At the end, the column 10, 20, 30, 40, 50 turns gold."
    picture = Picture(760, 40 + 5 * _CELL, "A match of Digit Subtraction Duel", about)
    picture.add("style", "@media (prefers-reduced-motion: no-preference) { .late { animation: "
                "come 0.5s both } } @keyframes come { from { opacity: 0 } }")  # fmt: skip
    for cell in make_map(load("digit-subtraction-duel"), 50).cells:
        x, y = _spot(cell.number)
        _square(picture, x, y, str(cell.number), "won", "ink", 0)
        if cell.lost:
            _square(picture, x, y, str(cell.number), "lost", "on-gold late", end)
    for turn, number in enumerate(path[:-1]):
        x, y = _spot(number)
        picture.add("rect", None, f"{('one', 'two')[turn % 2]} late", x=x - 19, y=y - 19, width=38,
                    height=38, rx=4, style=f"{_after(turn)}; stroke-width: 4")  # fmt: skip
    for turn, words in enumerate([*said, "Never start your turn on gold."]):
        picture.add("text", words, "ink late", x=465, y=50 + 31 * turn, font_size=17,
                    font_weight="bold" if turn in (0, end) else "normal",
                    style=_after(turn))  # fmt: skip
    return picture


def _spot(number: int) -> tuple[float, float]:
    row, column = divmod(number - 1, 10)
    return 20 + _CELL * (column + 0.5), 20 + _CELL * (row + 0.5)


def _square(
    picture: Picture, x: float, y: float, words: str, kind: str, ink: str, turn: int
) -> None:
    late = {"style": _after(turn)} if turn else {}
    side = _CELL - 4
    picture.add("rect", None, f"{kind} late" if turn else kind, x=x - side / 2, y=y - side / 2,
                width=side, height=side, rx=4, **late)  # fmt: skip
    picture.add("text", words, ink, x=x, y=y + 6, font_size=16, text_anchor="middle", **late)


def _after(turn: int) -> str:
    return f"animation-delay: {turn * _LATE:.1f}s"


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
