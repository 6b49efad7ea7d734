"""The question where a match was decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numduel.analysis import analyse, as_json
from numduel.errors import InvalidSetup
from numduel.host.figure import path_picture
from numduel.match import Record, read_word, write_word
from numduel.wording import analysis as report


def analysis(match: str, names: str | None = None) -> dict[str, Any]:
    """Each turn of a match in one word with its verdict, in fields, in words and as a picture.

    `names` are those of both players with a comma between, like Alice,Bob.
    """
    record = called(read_word(match), names)
    judged = analyse(record)
    return {
        "match": write_word(record),
        **as_json(judged),
        "headline": report.headline(record),
        "rows": [_told(row) for row in report.rows(judged)],
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


def _told(row: report.Row) -> dict[str, Any]:
    return {
        **row._asdict(),
        "player": row.player + 1,
        "place": row.place + 1,
        "left": str(row.left),
    }
