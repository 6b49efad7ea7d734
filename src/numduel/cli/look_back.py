"""Another try at a match that was lost."""

from __future__ import annotations

from random import Random

from numduel.analysis import Analysis
from numduel.cli.table import Table
from numduel.errors import NothingToStudy
from numduel.match import Record, Setup
from numduel.players import PERSON, make_player

PERFECT = "perfect"


def lay_retry(record: Record, analysis: Analysis, saves: bool = True) -> Table:
    """A table at the first win that was thrown away, against the perfect player.

    The win may be a person's or, if no person threw one away, the computer's. Raises
    `NothingToStudy` if nobody did.
    """
    thrown = [judged for judged in analysis.moves if judged.mistake and judged.move is not None]
    if not thrown:
        raise NothingToStudy(problem="no mistake")
    persons = [judged for judged in thrown if record.players[judged.player] == PERSON]
    point = (persons or thrown)[0]
    person = point.player
    words = (PERSON, PERFECT) if person == 0 else (PERFECT, PERSON)
    players = (make_player(words[0], Random()), make_player(words[1], Random()))
    old = record.setup
    setup = Setup(point.board, old.names, person, old.overshoot, old.penalty)
    return Table(setup, players, words, first=person, saves=saves)
