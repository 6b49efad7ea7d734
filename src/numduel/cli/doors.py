"""Where else the menu leads: commands that come back to it."""

from __future__ import annotations

from importlib import import_module

import click

from numduel.cli.console import Console
from numduel.cli.table import LEAVE, Left
from numduel.errors import NumduelError, StoreError
from numduel.games import Game
from numduel.program import typed
from numduel.wording import problem

RESUME = "resume"
ALSO = {"continue": RESUME}
"""Other words that are understood."""

DOORS = {
    RESUME: (["resume"], "continue your last match"),
    "learn": (["learn"], "learn the idea of a game, step by step"),
    "puzzle": (["puzzle"], "solve a puzzle"),
    "map": (["map"], "see the pattern behind a game"),
    "rules": (["rules"], "read the rules of a game"),
    "stats": (["stats"], "see how you are doing"),
    "browser": (["serve", "--open"], "play in the browser"),
}
"""Where else the first question leads: the word, its command, and what it does."""


def open_doors() -> list[str]:
    """The words of those that lead somewhere now."""
    from numduel.store import open_store

    try:
        with open_store() as store:
            unfinished = store.matches(limit=1, unfinished=True)
    except StoreError:
        unfinished = []
    return [word for word in DOORS if word != RESUME or unfinished]


OF_A_GAME = ("learn", "map", "rules")
"""Those that are about one game, which is asked for."""

ABOUT = "About which game [1]: "


def lead_on(console: Console, word: str, game: Game | None) -> None:
    """Run the command of this word, perhaps about a game, then come back. May raise `Left`."""
    name, *options = DOORS[word][0]
    command: click.Command = import_module(f"numduel.cli.{name}").command
    options += [game.key] if game else []
    console.show()
    console.flush()
    try:
        command.main(options, prog_name=typed(name), standalone_mode=False)
    except NumduelError as error:
        console.show(problem(error), fg="yellow")
    except click.ClickException as error:
        console.show(error.format_message(), fg="yellow")
    console.show()
    if console.ask("Press Enter for the menu: ").strip().casefold() in LEAVE:
        raise Left
