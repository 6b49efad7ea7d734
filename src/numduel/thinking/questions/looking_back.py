"""Questions about a match: where it was decided, and how it stood after each of its turns."""

from dataclasses import replace

from typing_extensions import TypedDict

from numduel.analysis import AnalysisFacts, analyse, as_json
from numduel.board import Board
from numduel.drawing.path import path_picture
from numduel.errors import InvalidSetup
from numduel.match import Record, Turn, read_notation, read_records, write_notation
from numduel.wording import analysis as report
from numduel.wording import brief
from numduel.wording.text import shown_move

_HEAD = "numduel record"
TURNS = 50  # turns of a long match that are shown at once


class MatchAnalysis(AnalysisFacts):
    """Where a match was decided."""

    match: str
    headline: str
    rows: list[report.Row]
    conclusions: list[str]
    svg: str
    """The path of the match as a picture."""


def analysis(match: str, names: str | None = None, you: int | None = None) -> MatchAnalysis:
    """Each turn of a match with its verdict, in fields, in words and as a picture.

    `match` is its notation.

    `names` are those of both players, joined by a comma: Alice,Bob. `you` is the number of the
    player who is called "you".
    """
    record = _called(read_notation(match), names)
    judged, who = analyse(record), report.by_name(record.setup.names, you and you - 1)
    return {
        "match": write_notation(record),
        **as_json(judged),
        "headline": report.headline(record, who),
        "rows": report.rows(judged, who),
        "conclusions": report.conclusions(judged, who),
        "svg": str(path_picture(record, judged, who)),
    }


class ReplayedTurn(TypedDict):
    """A turn in short. Place, amount and what it left are null for a turn that was lost."""

    turn: int
    player: int
    place: int | None
    amount: str | None
    shown: str | None
    """The amount with its sign, or ÷ and what the number was divided by."""
    left: str | None
    board: str
    """The board after it."""


class ReplayedMatch(TypedDict):
    match: str
    headline: str
    names: list[str]
    count: int
    turn: int
    board: str
    player: int
    """Who is to move there."""
    turns: list[ReplayedTurn]
    """Those around the turn."""
    winner: int | None
    end: str | None
    """Why it is over, in a sentence."""


def replay(
    match: str, turn: int | None = None, names: str | None = None, you: int | None = None
) -> ReplayedMatch:
    """A match, by its notation or its record (of several, the last), and its board after the turn:
    0 is the start, None the end. `names` and `you` as for an analysis.
    """
    record = _called(_read(match), names)
    referee, who = record.replay(), report.by_name(record.setup.names, you and you - 1)
    turns, over = referee.turns, referee.over
    at = len(turns) if turn is None else max(0, min(turn, len(turns)))
    boards = [record.setup.board, *(one.board for one in turns)]
    first = max(0, min(at - TURNS // 2, len(turns) - TURNS))
    near = enumerate(turns[first : first + TURNS], first + 1)
    return {
        "match": write_notation(record),
        "headline": report.headline(record, who),
        "names": list(record.setup.names),
        "count": len(turns),
        "turn": at,
        "board": str(boards[at]),
        "player": (record.setup.first + at) % 2 + 1,
        "turns": [_told(number, one, boards[number - 1]) for number, one in near],
        "winner": None if over is None else over.winner + 1,
        "end": None if over is None else report.reason(who, over),
    }


def _called(record: Record, names: str | None) -> Record:
    if names is None:
        return record
    first, comma, second = names.partition(",")
    if not comma:
        raise InvalidSetup(problem="two names")
    return replace(record, setup=replace(record.setup, names=(first, second)))


def _read(match: str) -> Record:
    text = match.strip()
    if not text.removeprefix("\ufeff").startswith(_HEAD):
        return read_notation(text)
    return read_records(text)[-1]


def _told(number: int, turn: Turn, before: Board) -> ReplayedTurn:
    move = turn.move
    return {
        "turn": number,
        "player": turn.player + 1,
        "place": move and move.place + 1,
        "amount": move and brief(move.amount),
        "shown": move and shown_move(before, move),
        "left": move and brief(turn.board.numbers[move.place].value),
        "board": str(turn.board),
    }
