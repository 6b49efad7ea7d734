"""The form that opens a room: what was filled in, and the terms that follow from it."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from secrets import token_hex
from typing import NamedTuple

from numduel.arithmetic import count_digits, read_number
from numduel.board import Board, Number
from numduel.errors import InvalidSetup, NotAllowed, NumduelError, TooManyDigits
from numduel.games import Game, all_games, keys, load
from numduel.match import Setup
from numduel.players import COMPUTERS, LADDER, PERSON
from numduel.rooms import Bounds, Terms
from numduel.rooms.room import CLOCK, no_clock
from numduel.study.duels import draw_contest
from numduel.wording import problem, wording_of
from numduel.wording.players import offered

FRIEND = "friend"
RIVALS = [(word, offered(word)) for word in dict.fromkeys((*LADDER, "perfect", *COMPUTERS))]
OPPONENTS = [*RIVALS, (FRIEND, "A friend, by link")]
USUAL_GAME, USUAL_OPPONENT = "digit-subtraction-duel", LADDER[0]

_QUICK_START = 10**15  # below this a game says at once if a match may start; above, it may factor
_MINUTES = re.compile(r"[0-9]{1,4}(\.[0-9]{1,2})?", re.ASCII)
_NO = ("no", "0", "off")
_LAST = 60  # characters of a board that was drawn; longer ones were not
_MOST_ROWS = 20  # rows of a form that are looked at; fewer make a board


def games_with(keys: Iterable[str]) -> list[Game]:
    """The games to choose from: all that are here, then those of the keys that are own rules."""
    found = {game.key: game for game in all_games()}
    for key in keys:
        with suppress(NumduelError):
            game = load(key)
            found.setdefault(game.key, game)
    return list(found.values())


class Unfit(Exception):
    """Something that was filled in cannot be used: in which field, and the sentence about it."""

    def __init__(self, where: str, error: NumduelError, said: str | None = None) -> None:
        super().__init__(where)
        self.where, self.error, self.said = where, error, said or problem(error)


@contextmanager
def at_field(where: str) -> Iterator[None]:
    """What cannot be used here was filled in at this field."""
    try:
        yield
    except NumduelError as error:
        raise Unfit(where, error) from error


class Row(NamedTuple):
    """One number of the board, as it was filled in. Without one it is drawn, or the usual one."""

    game: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """What was filled in, as text; everything else is as usual."""

    rows: tuple[Row, ...] = (Row(USUAL_GAME),)
    board: str = ""  # a whole board, of any position, instead of rows
    settings: dict[str, str] = field(default_factory=dict)
    misere: bool = False
    opponent: str = USUAL_OPPONENT
    first: str = "1"
    overshoot: str = "again"
    penalty: str = ""
    takeback: bool = True
    minutes: str = ""
    last: str = ""  # the board that was played before: another is drawn then

    @property
    def draws(self) -> bool:
        """Is the start drawn? Against the computer it is, unless somebody chose it.

        Nothing is drawn for an own rule: looking for starts takes as long as its moves are many.
        """
        one = len(self.rows) == 1 and not self.rows[0].number and self.rows[0].game in keys()
        return one and not (self.board or self.misere) and self.opponent in COMPUTERS

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "Form":
        """The form of these fields; of a field that should come once, the last counts."""
        given = [(name, value.strip()) for name, value in pairs]
        once = dict(given)
        usual, variants = cls(), [name for game in all_games() for name in game.variants]
        form = cls(
            rows=_rows(given) or usual.rows,
            board=once.get("board", ""),
            settings={name: once[name] for name in variants if once.get(name)},
            misere=once.get("misere", "") not in ("", *_NO),
            opponent=once.get("opponent", "") or usual.opponent,
            first="2" if once.get("first") == "2" else "1",
            overshoot=once.get("overshoot", "") or usual.overshoot,
            penalty=once.get("penalty", ""),
            takeback=once.get("takeback", "") not in _NO,
            minutes=once.get("minutes", ""),
            last=once.get("last", ""),
        )
        if "add" in once:  # the game after the last one
            after = dict(pairwise([*keys(), keys()[0]]))
            added = Row(after.get(form.rows[-1].game, USUAL_GAME))
            form = replace(form, rows=(*form.rows, added))
        if (drop := once.get("drop", "")).isdigit() and len(form.rows) > 1:
            kept = [row for place, row in enumerate(form.rows, 1) if str(place) != drop[:3]]
            form = replace(form, rows=tuple(kept))
        return form

    def terms(self, bounds: Bounds) -> Terms:
        """The terms. Raises `Unfit`. What takes long to find out is left to the lobby."""
        board = self._board(bounds)
        if self.opponent != FRIEND and self.opponent not in COMPUTERS:
            known = [word for word, _ in OPPONENTS]
            raise Unfit("opponent", InvalidSetup("unknown player", text=self.opponent, known=known))
        other = PERSON if self.opponent == FRIEND else self.opponent
        policies = frozenset().union(*(number.game.policies for number in board.numbers))
        overshoot = self.overshoot if "overshoot" in policies else "again"
        with at_field("penalty"):
            counts = self.penalty and "penalty" in policies
            penalty = read_number(self.penalty) if counts else None
            Setup(board, overshoot=overshoot, penalty=penalty)
        return Terms(
            board=board,
            players=(PERSON, other),
            first=int(self.first) - 1,
            overshoot=overshoot,
            penalty=penalty,
            takeback=self.takeback,
            seconds=self._seconds(),
        )

    def shown_for(self, board: Board) -> "Form":
        settings: dict[str, str] = {}
        for number in board.numbers:
            settings |= number.game.settings
        rows = tuple(Row(number.game.key, str(number.value)) for number in board.numbers)
        return replace(self, rows=rows, board="", settings=settings, misere=board.misere)

    def _board(self, bounds: Bounds) -> Board:
        if self.board:
            with at_field("board"):
                board = Board.parse(self.board.lower())
        else:
            numbers = tuple(self._number(row, place) for place, row in enumerate(self.rows, 1))
            board = Board(numbers, self.misere)
        if len(board.numbers) > bounds.numbers:
            raise Unfit("board", NotAllowed(problem="numbers", limit=bounds.numbers))
        for place, number in enumerate(board.numbers, 1):
            if (digits := count_digits(number.value)) > bounds.digits:
                where = "board" if self.board else f"number-{place}"
                raise Unfit(where, TooManyDigits(digits=digits, limit=bounds.digits))
        return board

    def _number(self, row: Row, place: int) -> Number:
        with at_field(f"game-{place}"):
            game = load(row.game)
            own = {name: self.settings[name] for name in game.variants if name in self.settings}
            game = game.having(**own)
        if self.draws:
            return self._drawn(game)
        with at_field(f"number-{place}"):
            value = read_number(row.number) if row.number else game.default_start
        may_start = value >= game.least if value >= _QUICK_START else game.is_start(value)
        if not may_start:
            no_start = InvalidSetup("not a start", game=game, number=value)
            said = f"{problem(no_start)} {wording_of(game).starts}."
            raise Unfit(f"number-{place}", no_start, said)
        return Number(game, value)

    def _drawn(self, game: Game) -> Number:
        last = None
        with suppress(NumduelError):
            last = Board.parse(self.last) if 0 < len(self.last) <= _LAST else None
        first = self.first == "1"
        return draw_contest(game, self.opponent, token_hex(8), last, first).numbers[0]

    def _seconds(self) -> int | None:
        if not self.minutes:
            return None
        seconds = float(self.minutes) * 60 if _MINUTES.fullmatch(self.minutes) else 0
        if not CLOCK[0] <= seconds <= CLOCK[1]:
            raise Unfit("minutes", no_clock())
        return round(seconds)


def _rows(pairs: list[tuple[str, str]]) -> tuple[Row, ...]:
    """The rows, in order. A number that `was` there for another game gives way, and one that was
    drawn also when it `was` drawn for another opponent.
    """
    rows: list[Row] = []
    shown: list[str] = []
    once = dict(pairs)
    for name, value in pairs:
        if name == "was":
            shown = value.split(" ")
        elif name == "game":
            rows.append(Row(value.lower()))
        elif name == "number":
            game = rows.pop().game if rows and not rows[-1].number else USUAL_GAME
            now = [game, value, once.get("opponent", ""), once.get("first", "")]
            gives_way = shown[1:2] == [value] and shown != now[: len(shown)]
            rows.append(Row(game, "" if gives_way else value))
            shown = []
    return tuple(rows[:_MOST_ROWS])
