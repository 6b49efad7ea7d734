"""Write docs/commands.md and docs/games.md from the program itself.

With --check, write nothing: say which file is not current, and exit 1.
"""

import re
import sys
from inspect import cleandoc
from pathlib import Path
from textwrap import fill

import click

from numduel.cli.app import app
from numduel.games import Game, keys, load
from numduel.players import COMPUTERS
from numduel.research.claims import CLAIMS, PARTS
from numduel.wording.players import computer_name, how_it_plays

FOLDER = Path(__file__).parents[1] / "docs"
HEAD = "<!-- Written by tools/reference.py. Change the program, then run: make reference -->\n\n"
POLICIES = {
    "overshoot": "`--overshoot loses`: a prime above the total loses at once",
    "penalty": "`--penalty K`: K bad inputs in a row lose the turn",
}
_HELP = re.compile(r"\n(\nOptions:\n)?  -h, --help +Show this message and exit\.(?=\n|$)")
"""The option that every command has, and its heading where it is the only one."""
PLAYERS = """\
The computer's players, as `src/numduel/players/__init__.py` has them.

Wins kept: of the positions that could be won and thrown away, the share in which the
player kept the win. It was measured against `random`, from 60 in Subtract a Prime, Divisor
Duel and Digit Subtraction Duel. `python tools/strength.py` measures it again.

On a lost board, levels and `perfect` leave no win at once if they can, and few ways to win. On a
board too large to solve, a level looks one move ahead, and `perfect` does not play.
"""


def commands() -> list[tuple[str, click.Command]]:
    """Every command with its full name, `numduel` itself first."""
    context = click.Context(app, info_name="numduel")
    found: list[tuple[str, click.Command]] = [("numduel", app)]
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None, name
        found.append((f"numduel {name}", command))
        if isinstance(command, click.Group):
            found += [(f"numduel {name} {sub}", c) for sub, c in command.commands.items()]
    return found


def builtin_games() -> list[Game]:
    """The games of this repository, without those of installed packages."""
    games = [load(key) for key in keys()]
    return [game for game in games if type(game).__module__.startswith("numduel.games.")]


def help_text(name: str, command: click.Command) -> str:
    """What `NAME --help` prints on a screen of 80 columns, where click leaves two free."""
    settings = {"help_option_names": ["-h", "--help"], **command.context_settings}
    with click.Context(command, info_name=name, terminal_width=78, **settings) as context:
        return command.get_help(context)


def commands_page() -> str:
    """docs/commands.md."""
    parts = [
        f"{HEAD}# Commands\n\n"
        "Every command, as its own `--help` shows it. Each takes `-h` and `--help`.\n\n"
        "Exit codes: 0 done, 1 a clear failure, 2 bad usage, 130 interrupted.\n"
    ]
    for name, command in commands():
        told = _HELP.sub("", help_text(name, command))
        if command is app:  # its examples are those of the commands
            told = told.partition("\n\n  Examples:")[0]
        parts.append(f"\n## {name}\n\n```text\n{told}\n```\n")
    return "".join(parts)


def game_section(game: Game) -> str:
    """One game, from what its class says of itself."""
    facts = [f"Key: `{game.key}`", f"starts at {game.default_start}"]
    for name, values in game.variants.items():
        default, *others = (f"`{name}={value}`" for value in values)
        facts.append(f"variants {default} (default), {', '.join(others)}")
    facts += [f"option {POLICIES[policy]}" for policy in sorted(game.policies)]
    told = fill(f"{'; '.join(facts)}.", 100)
    return f"\n## {game.title}\n\n{cleandoc(type(game).__doc__ or '')}\n\n{told}\n"


def games_page() -> str:
    """docs/games.md."""
    head = (
        f"{HEAD}# Games, players and claims\n\n"
        "Every built-in game, as its class in `src/numduel/games/` has it; then the computer's\n"
        "[players](#players), and the [claims](#claims) that can be verified over a range.\n"
    )
    return head + "".join(map(game_section, builtin_games())) + players() + claims()


def players() -> str:
    """The table of the computer's players."""
    rows = [
        f"| `{word}` | {computer_name(word)} | {how_it_plays(word)} | {computer.keeps:.0%} |"
        for word, computer in COMPUTERS.items()
    ]
    table = "\n".join(["| Word | Name | How it plays | Wins kept |", "|---|---|---|---|", *rows])
    return f"\n## Players\n\n{PLAYERS}\n{table}\n"


def claims() -> str:
    """What can be verified."""
    rows = [f"| `{claim.name}` | {claim.says} |" for claim in CLAIMS.values()]
    table = "\n".join(["| Claim | Says |", "|---|---|", *rows])
    parts = ", ".join(f"`{name}`" for name in PARTS)
    more = f"The sentences of `values` can be named alone, in this order: {parts}."
    what = "What `numduel verify` can verify over a range."
    return f"\n## Claims\n\n{what}\n\n{table}\n\n{more}\n"


PAGES = {"commands.md": commands_page, "games.md": games_page}


def main(arguments: list[str], folder: Path = FOLDER) -> int:
    """Write the pages, or with --check compare them; the exit code comes back."""
    if arguments not in ([], ["--check"]):
        print(f"Usage: {Path(__file__).name} [--check]", file=sys.stderr)
        return 2
    stale = []
    for name, page in PAGES.items():
        path, text = folder / name, page()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not arguments:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if arguments and stale:
        names = " and ".join(f"docs/{name}" for name in stale)
        print(f"Not current: {names}. Run: make reference", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
