"""An analysis as a figure: the path of the match, and a page around it."""

from __future__ import annotations

from numduel.drawing import Station, draw_path, make_page
from numduel.drawing.svg import Picture
from numduel.match import write_word
from numduel.study import report
from numduel.study.analysis import Analysis


def path_picture(analysis: Analysis) -> Picture:
    """The path of the match over the number line, with the verdicts."""
    starts = [number.value for number in analysis.record.setup.board.numbers]
    return draw_path(report.headline(analysis.record), starts, stations(analysis))


def stations(analysis: Analysis) -> list[Station]:
    """Where the match stopped at each turn."""
    return [
        Station(row.left, row.name, row.words, row.said, row.lost_left, row.mistake, row.place)
        for row in report.rows(analysis)
    ]


def analysis_page(analysis: Analysis) -> str:
    """The analysis as a page that stands alone."""
    rows = [
        (row.mistake, [str(row.turn), row.name, row.words, row.said])
        for row in report.rows(analysis)
    ]
    return make_page(
        report.headline(analysis.record),
        path_picture(analysis),
        ["Turn", "Player", "Move", "Verdict"],
        rows,
        report.conclusions(analysis),
        write_word(analysis.record),
    )
