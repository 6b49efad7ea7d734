"""An analysis as a figure: the path of the match, and a page around it."""

from __future__ import annotations

from numduel.analysis import Analysis
from numduel.drawing.page import heading, make_page, make_table, paragraph, scrolling
from numduel.drawing.path import Station, draw_path
from numduel.drawing.svg import Picture
from numduel.match import Record, write_notation
from numduel.wording import analysis as report


def path_picture(record: Record, analysis: Analysis) -> Picture:
    """The path of the match over the number line, with the verdicts."""
    starts = [number.value for number in analysis.board.numbers]
    return draw_path(report.headline(record), starts, stations(analysis))


def stations(analysis: Analysis) -> list[Station]:
    """Where the match stopped at each turn."""
    return [
        Station(
            int(row["left"]),
            row["name"],
            row["words"],
            row["said"],
            row["lost_left"],
            row["mistake"],
            row["place"] - 1,
        )
        for row in report.rows(analysis)
    ]


def analysis_page(record: Record, analysis: Analysis) -> str:
    rows = list(report.rows(analysis))
    return make_page(
        report.headline(record),
        [
            scrolling(path_picture(record, analysis)),
            heading("Turn by turn"),
            make_table(
                ["Turn", "Player", "Move", "Verdict"],
                [[str(row["turn"]), row["name"], row["words"], row["said"]] for row in rows],
                [at for at, row in enumerate(rows) if row["mistake"]],
            ),
            *map(paragraph, report.conclusions(analysis)),
            paragraph("The match's notation:", write_notation(record)),
        ],
    )
