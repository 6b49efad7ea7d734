"""Who sits where: names, read and shown, and who begins."""

from __future__ import annotations

from random import Random

from numduel.errors import InvalidSetup
from numduel.match import DEFAULT_NAMES, Record
from numduel.players import PERSON
from numduel.wording.players import KINDS, computer_name
from numduel.wording.text import Subject


def shown_names(
    names: tuple[str, str], words: tuple[str, str]
) -> tuple[tuple[str, str], int | None]:
    """The names on the screen, and the seat of the one person, against a computer.

    The computer has its own name there. Records and JSON keep "Player 2".
    """
    for you in (0, 1):
        other = words[1 - you]
        if words[you] == PERSON and other in KINDS and names == DEFAULT_NAMES:
            own = computer_name(other)
            return ((names[0], own) if you == 0 else (own, names[1])), you
    return names, None


def who_played(record: Record, unmasked: bool = False) -> tuple[Subject, Subject]:
    """The players of a match as the terminal calls them.

    A computer under a given name is `unmasked` where that is asked for: "Bob (Iris)".
    """
    names, you = shown_names(record.setup.names, record.players)

    def who(seat: int) -> Subject:
        name, word = names[seat], record.players[seat]
        if unmasked and word in KINDS and computer_name(word) != name:
            name = f"{name} ({computer_name(word)})"
        return Subject(name, seat == you)

    return who(0), who(1)


def only_person(record: Record) -> int | None:
    """The seat of a person who played against no other."""
    return record.players.index(PERSON) if record.players.count(PERSON) == 1 else None


def read_names(text: str | None) -> tuple[str, str]:
    """Two names with a comma between; the usual ones for None. Raises `InvalidSetup`."""
    if text is None:
        return DEFAULT_NAMES
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise InvalidSetup(problem="two names")
    return names[0], names[1]


def read_first(text: str, names: tuple[str, str], random: Random) -> int | None:
    """Who begins: a seat, "Player 2", a name, or "random"; None for anything else."""
    word = text.strip().casefold()
    if word == "random":
        return random.randrange(2)
    for seat in (0, 1):
        if word in (str(seat + 1), DEFAULT_NAMES[seat].casefold(), names[seat].casefold()):
            return seat
    return None
