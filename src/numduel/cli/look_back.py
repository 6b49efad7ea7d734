"""Looking back at a match: its analysis in words and pictures, and another try."""

from __future__ import annotations

from random import Random

from numduel.cli.play import make_screen
from numduel.cli.table import Table
from numduel.drawing import Station, draw_path, make_page
from numduel.drawing.svg import Picture
from numduel.errors import NothingToStudy
from numduel.match import Record, Setup, write_word
from numduel.players import PERSON, make_player
from numduel.study import report
from numduel.study.analysis import Analysis, Judged, analyse
from numduel.wording import wording_for

PERFECT = "perfect"


def lay_retry(analysis: Analysis, saves: bool = True) -> Table:
    """A table at the first win that was thrown away, against the perfect player.

    By a person, where one has thrown a win away; else by the computer. Raises
    `NothingToStudy` where nobody has.
    """
    thrown = [judged for judged in analysis.moves if judged.mistake and judged.move is not None]
    if not thrown:
        raise NothingToStudy(problem="no mistake")
    persons = [judged for judged in thrown if analysis.record.players[judged.player] == PERSON]
    point = (persons or thrown)[0]
    person = point.player
    words = (PERSON, PERFECT) if person == 0 else (PERFECT, PERSON)
    players = (make_player(words[0], Random()), make_player(words[1], Random()))
    old = analysis.record.setup
    setup = Setup(point.board, old.names, person, old.overshoot, old.penalty)
    wording = wording_for(point.board)(old.names, (person == 0, person == 1))
    return Table(make_screen(wording), wording, setup, players, words, first=person, saves=saves)


def path_picture(record: Record) -> Picture:
    """The path of the match over the number line, with the verdicts."""
    analysis = analyse(record)
    starts = [number.value for number in record.setup.board.numbers]
    return draw_path(report.headline(record), starts, stations(analysis))


def stations(analysis: Analysis) -> list[Station]:
    """Where the match stopped at each turn."""
    names = analysis.record.setup.names
    return [
        Station(
            _left(judged),
            names[judged.player],
            report.move_words(judged),
            report.judgement(judged),
            judged.outcome_after == "win",
            judged.mistake,
            judged.move.place if judged.move else 0,
        )
        for judged in analysis.moves
    ]


def _left(judged: Judged) -> int:
    """The number that the turn left."""
    if judged.move is None:
        return judged.board.numbers[0].value
    return judged.board.play(judged.move).numbers[judged.move.place].value


def analysis_page(analysis: Analysis) -> str:
    """The analysis as a page that stands alone."""
    record = analysis.record
    names = record.setup.names
    rows = [
        (
            judged.mistake,
            [str(judged.turn), names[judged.player], report.move_words(judged),
             report.judgement(judged)],
        )
        for judged in analysis.moves
    ]  # fmt: skip
    return make_page(
        report.headline(record),
        path_picture(record),
        ["Turn", "Player", "Move", "Verdict"],
        rows,
        report.conclusions(analysis),
        write_word(record),
    )
