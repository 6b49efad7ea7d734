"""What is typed of a match: which one, by file, notation or number; its names, first and start."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, Final

from numduel import errors
from numduel.arithmetic import read_number
from numduel.cli import console, options
from numduel.cli.layout import say
from numduel.games import Game
from numduel.match import DEFAULT_NAMES, Record, events, read_notation, read_records
from numduel.players import PERSON
from numduel.wording import joined, problem, quoted, wording_of
from numduel.wording.players import KINDS, computer_name
from numduel.wording.text import Subject

if TYPE_CHECKING:
    from numduel.store import Kept, Store

DRAW: Final = "draw"  # typed for a start that is drawn


def open_history() -> Store:
    """The history of this machine. What it needs takes a moment to import, so it is not at once."""
    from numduel.store import open_store

    return open_store()


def from_history(read: Callable[[Store], list[console.Taken]]) -> list[console.Taken]:
    """What is kept; nothing where there is no history to read: that is said when it matters."""
    try:
        with open_history() as store:
            return read(store)
    except errors.StoreError:
        return []


def find_match(what: str) -> Record:
    """The match; of a file with several records, the last."""
    if what.isascii() and what.isdigit():
        with open_history() as store:
            return store.load(int(what)).record
    is_file = os.path.exists(what)  # noqa: PTH110  not an error for a long notation
    if "/" in what and ":" in what.partition("/")[0] and not is_file:
        return read_notation(what)
    records = read_records(options.read_input(what, "record file"))
    if not records:
        raise errors.FileError("it holds no record", what="record file", path=what)
    return records[-1]


MATCH: Final = options.Read("match", find_match, kind=errors.UnreadableText)


def latest_match() -> Record:
    with open_history() as store:
        latest = store.matches(limit=2)
        if not latest:
            raise errors.NothingToStudy(problem="nothing kept")
        # A series keeps its next match before anybody has moved: look back at the one before.
        first = store.load(latest[0].id)
        to_come = first.series is not None and not first.record.turns
        return store.load(latest[-1].id).record if to_come else first.record


def whole_matches(store: Store) -> Iterator[Kept]:
    """Those that can be read and keep the rules, the latest last; of each other, a sentence."""
    from numduel.store import is_whole

    for match in store.matches()[::-1]:
        if is_whole(match):
            yield match
        else:
            say(f"numduel: Match {match.id} is damaged and was left out.", err=True)


def shown_names(
    names: tuple[str, str], words: tuple[str, str]
) -> tuple[tuple[str, str], int | None]:
    """The names on the screen, and the seat of the one person, against a computer. The computer has
    its own name there. Records and JSON keep "Player 2".
    """
    for you in (0, 1):
        other = words[1 - you]
        if words[you] == PERSON and other in KINDS and names == DEFAULT_NAMES:
            own = computer_name(other)
            return ((names[0], own) if you == 0 else (own, names[1])), you
    return names, None


def who_played(record: Record, unmasked: bool = False) -> tuple[Subject, Subject]:
    """The players as the terminal calls them; `unmasked` adds a computer's name: "Bob (Iris)"."""
    names, you = shown_names(record.setup.names, record.players)

    def who(seat: int) -> Subject:
        name, word = names[seat], record.players[seat]
        if unmasked and word in KINDS and computer_name(word) != name:
            name = f"{name} ({computer_name(word)})"
        return Subject(name, seat == you)

    return who(0), who(1)


def read_names(text: str | None) -> tuple[str, str]:
    """Two names with a comma between; the usual ones for None. Raises `InvalidSetup`."""
    names = DEFAULT_NAMES if text is None else tuple(name.strip() for name in text.split(","))
    if len(names) != 2:
        raise errors.InvalidSetup(problem="two names")
    events.check_names(names)
    return names


def read_first(text: str, names: tuple[str, str], random: Random, allowed: tuple[str, ...]) -> int:
    """Who begins: a seat, "Player 2", a name, or "random". `Unanswerable` names what is allowed."""
    word = text.strip().casefold()
    if word == "random":
        return random.randrange(2)
    for seat in (0, 1):
        if word in (str(seat + 1), DEFAULT_NAMES[seat].casefold(), names[seat].casefold()):
            return seat
    said = f"There is no player {quoted(text)}. Enter {joined([*allowed])}."
    raise errors.Unanswerable(message=said)


def read_start(game: Game, text: str) -> int:
    """A number that a match can start from. `Unanswerable` says what would be right."""
    try:
        start = read_number(text)
        if not game.is_start(start):
            raise errors.InvalidSetup("not a start", game=game, number=start)
    except errors.NumduelError as error:
        said = f"{problem(error)} {wording_of(game).starts}."
        raise errors.Unanswerable(message=said) from error
    return start
