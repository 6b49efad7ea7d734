"""The question of where a match was decided."""

from __future__ import annotations

from dataclasses import replace

from numduel.analysis import AnalysisFacts, analyse, as_json
from numduel.errors import InvalidSetup
from numduel.match import Record, read_notation, write_notation
from numduel.running.figure import path_picture
from numduel.wording import analysis as report


class MatchAnalysis(AnalysisFacts):
    """Where a match was decided."""

    match: str
    headline: str
    rows: list[report.Row]
    conclusions: list[str]
    svg: str
    """The path of the match as a picture."""


def analysis(match: str, names: str | None = None) -> MatchAnalysis:
    """Each turn of a match with its verdict, in fields, in words and as a picture.

    `match` is its notation.

    `names` are those of both players, joined by a comma: Alice,Bob.
    """
    record = called(read_notation(match), names)
    judged = analyse(record)
    return {
        "match": write_notation(record),
        **as_json(judged),
        "headline": report.headline(record),
        "rows": report.rows(judged),
        "conclusions": report.conclusions(judged),
        "svg": str(path_picture(record, judged)),
    }


def called(record: Record, names: str | None) -> Record:
    """The match with these names of its players, if any are given."""
    if names is None:
        return record
    first, comma, second = names.partition(",")
    if not comma:
        raise InvalidSetup(problem="two names")
    return replace(record, setup=replace(record.setup, names=(first, second)))
