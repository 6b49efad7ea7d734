"""The path of a match over the number line, a page around it, and a card; boards as tiles."""

from collections.abc import Sequence
from contextlib import suppress
from html import escape
from itertools import islice

from numduel.analysis import Analysis
from numduel.board import Board
from numduel.drawing import svg
from numduel.drawing.svg import Picture, short
from numduel.errors import TooLarge
from numduel.match import Record, write_notation
from numduel.solver import Verdict
from numduel.wording import analysis as report
from numduel.wording import brief
from numduel.wording.verdict import lines

_ROW, _HEAD = 30, 84
_LEFT, _LINE, _RIGHT = 190, 380, 270
_SHOWN = 300  # the most turns that are drawn; the rest of a longer match is left out
_CARD_WIDTH, _CARD_HEIGHT = 640, 336
_PER_LINE = 62
_TILE, _TILE_HEIGHT, _GAP = 220, 120, 10
_MOVES, _ACROSS = 8, 4  # of boards: the moves in a tile, and the tiles in a row


def path_picture(record: Record, analysis: Analysis, who: report.Both | None = None) -> Picture:
    starts = [number.value for number in analysis.board.numbers]
    return draw_path(report.headline(record, who), starts, report.rows(analysis, who))


def draw_path(title: str, starts: Sequence[int], rows: Sequence[report.Row]) -> Picture:
    """The numbers at the start, and the turns of the match from top to bottom."""
    shown = rows[:_SHOWN]
    description = " ".join(
        f"Turn {row['turn']}: {row['name']} {row['words']}, {row['said']}." for row in shown
    )
    height = _HEAD + (len(shown) + 1) * _ROW + 40
    picture = Picture(_LEFT + _LINE + _RIGHT, height, title, description or "No moves yet.")
    picture.text(20, 34, title, min(18, 1200 / len(title)), bold=True)
    most = max(*starts, 1)

    def x_of(number: int) -> float:
        return _LEFT + _LINE * (number * 10_000 // most) / 10_000

    top, bottom = _HEAD - 8, _HEAD + (len(shown) + 0.5) * _ROW
    for quarter in range(5):
        x = _LEFT + _LINE * quarter / 4
        picture.line(x, top, x, bottom, "line")
        label = str(most * quarter // 4)
        label = label if len(label) < 10 else f"{len(label)} digits"
        picture.text(x, top - 8, label, 11, "soft", anchor="middle")
    at = {place: (x_of(number), _HEAD + 6.0) for place, number in enumerate(starts)}
    spots = [(x_of(int(row["left"])), _HEAD + 6.0 + row["turn"] * _ROW) for row in shown]
    for row, spot in zip(shown, spots, strict=True):
        place = row["place"] - 1
        picture.line(*at[place], *spot, ("one", "two")[place % 2])
        at[place] = spot
    for number in starts:
        picture.circle(x_of(number), _HEAD + 6.0, 5)
    picture.text(20, _HEAD + 11, "start", 13, "soft")
    for row, (x, y) in zip(shown, spots, strict=True):
        _mark(picture, x, y, "lost" if row["lost_left"] else "won")
        if row["mistake"]:
            picture.circle(x, y, 12, "bad")
        picture.text(20, y + 5, short(f"{row['turn']}. {row['name']}: {row['words']}", 23), 13)
        kind, said = "wrong" if row["mistake"] else "soft", short(row["said"], 40)
        picture.text(_LEFT + _LINE + 18, y + 5, said, 12, kind, bold=row["mistake"])
    legend = {"lost": "a trap is left", "won": "no trap is left", "bad": "a win thrown away"}
    for x, (kind, words) in zip((_LEFT, _LEFT + 140, _LEFT + 300), legend.items(), strict=True):
        _mark(picture, x, height - 22, kind)
        picture.text(x + 16, height - 18, words, 12, "soft")
    if len(rows) > _SHOWN:
        picture.text(20, height - 14, f"The first {_SHOWN} of {len(rows)} turns.", 12, "soft")
    return picture


def _mark(picture: Picture, x: float, y: float, kind: str) -> None:
    if kind == "lost":
        picture.box(x - 7, y - 7, 14, kind, rx=2)
        picture.diamond(x, y, 4)
    else:
        picture.circle(x, y, 7, kind)


def draw_card(title: str, lines: Sequence[str], numbers: Sequence[int], notation: str) -> Picture:
    """A match in words and notation, with its path: `numbers` are those from start to end."""
    words = " ".join([*lines, f"The match: {notation}"])
    picture = Picture(_CARD_WIDTH, _CARD_HEIGHT, title, words)
    picture.text(28, 50, title, min(24, 900 / len(title)), bold=True)
    for at, line in enumerate(lines):
        picture.text(28, 82 + 22 * at, line, 15, "soft")
    top, bottom = 138, 236
    most, count = max(*numbers, 1), max(len(numbers) - 1, 1)
    spots = [
        (40 + 560 * at / count, bottom - (bottom - top) * (n * 1000 // most) / 1000)
        for at, n in enumerate(numbers)
    ]
    picture.line(28, bottom + 8, _CARD_WIDTH - 28, bottom + 8, "line")
    if len(spots) > 1:
        picture.way(spots)
    for at, (x, y) in enumerate(spots[:80]):
        picture.circle(x, y)
        if len(spots) <= 14 and numbers[at] < 10**6:
            picture.text(x, y - 9, str(numbers[at]), 13, anchor="middle")
    rows = [notation[start : start + _PER_LINE] for start in range(0, len(notation), _PER_LINE)]
    if len(rows) > 2:
        rows = [rows[0], f"{rows[1][:-3]}..."]
    for at, row in enumerate(rows):
        picture.add("text", row, "ink mono", x=28, y=276 + 20 * at, font_size=15)
    picture.text(_CARD_WIDTH - 28, _CARD_HEIGHT - 14, "numduel", 13, "soft", anchor="end")
    return picture


def analysis_page(record: Record, analysis: Analysis) -> str:
    rows = report.rows(analysis)
    return svg.make_page(
        report.headline(record),
        [
            svg.scrolling(path_picture(record, analysis)),
            svg.heading("Turn by turn"),
            svg.make_table(
                ["Turn", "Player", "Move", "Verdict"],
                [[str(row["turn"]), row["name"], row["words"], row["said"]] for row in rows],
                [at for at, row in enumerate(rows) if row["mistake"]],
            ),
            *map(svg.paragraph, report.conclusions(analysis)),
            svg.paragraph("The match's notation:", write_notation(record)),
        ],
    )


def draw_board(board: Board) -> Picture:
    """A tile for each number, with its game and what can be played; four in a row."""
    count = len(board.numbers)
    across, down = min(count, _ACROSS), -(-count // _ACROSS)
    ending = "The last to move loses." if board.misere else "The last to move wins."
    picture = Picture(
        across * (_TILE + _GAP) + _GAP, down * (_TILE_HEIGHT + _GAP) + _GAP + 24, str(board), ending
    )
    for place, (game, value) in enumerate(board.numbers):
        x = _GAP + place % _ACROSS * (_TILE + _GAP)
        y = _GAP + place // _ACROSS * (_TILE_HEIGHT + _GAP)
        middle = x + _TILE / 2
        moves = []
        with suppress(TooLarge):  # to factor
            moves = [brief(amount) for amount in islice(game.moves(value), _MOVES + 1)]
        told = ", ".join(moves[:_MOVES]) + ", ..." * (len(moves) > _MOVES)
        told = told or "no move left" * game.is_over(value)
        number = brief(value)
        picture.add("rect", x=x, y=y, width=_TILE, height=_TILE_HEIGHT, rx=8, kind="line")
        picture.text(middle, y + 24, game.title, 14, "soft", "middle")
        picture.text(middle, y + 74, number, min(44, 320 / len(number)), "ink", "middle")
        picture.text(middle, y + 104, told, 13, "soft", "middle")
    picture.text(picture.width / 2, picture.height - 10, ending, 13, "soft", "middle")
    return picture


def show_verdict(verdict: Verdict) -> str:
    said = "".join(f"<p>{escape(line)}</p>" for line in lines(verdict, 10))
    return f"{draw_board(verdict.board)}{said}"
