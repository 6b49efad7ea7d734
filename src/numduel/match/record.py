"""A match as text, made to be read by people and read back exactly, as docs/formats.md shows it.

Its record says everything; a file may hold several. Its notation, to be sent to somebody, says what
was played, not by whom: the board, a slash, and the turns with dots between them; `pass` for a turn
that was lost. Anything unusual comes after a second slash, in this order:

    power-play:30/pass.2/first=2,penalty=3
    prime-subtractor:23/13/overshoot=loses,overshot=13
    subtract-a-prime:20+divisor-duel:60~misere/2:15/resigned=2
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from numduel.arguments import checked
from numduel.board import Move
from numduel.errors import InvalidRecord
from numduel.match.events import Ending, Setup
from numduel.match.referee import Referee

FORMAT = 1
HEADING = f"numduel record {FORMAT}"
ENDINGS = {
    Ending.NO_MOVE: "no move left",
    Ending.RESIGNED: "resigned",
    Ending.OVERSHOT: "overshot with ",
    Ending.FORFEITED: "forfeited",
}


@dataclass(frozen=True, slots=True)
class Record:
    """One match: when, how it was set up, who played, each turn, how it ended."""

    date: datetime
    setup: Setup
    players: tuple[str, str] = ("person", "person")
    turns: tuple[Move | None, ...] = ()
    winner: int | None = None
    ending: Ending | None = None
    overshot: Move | None = None

    @classmethod
    def of(
        cls,
        referee: Referee,
        date: datetime | None = None,
        players: tuple[str, str] = ("person", "person"),
    ) -> "Record":
        """The match as the referee has it now; the date is now unless given."""
        date = (date or datetime.now(UTC)).replace(microsecond=0)
        turns, over = tuple(turn.move for turn in referee.turns), referee.over
        ended = (over.winner, over.ending, over.move) if over else (None, None, None)
        return cls(date, referee.setup, players, turns, *ended)

    @property
    def moves(self) -> list[str]:
        """Every turn as text; "pass" for a turn that was lost."""
        write = self.setup.board.write_move
        return ["pass" if move is None else write(move) for move in self.turns]

    def replay(self) -> Referee:
        """A referee who has seen the whole match. Raises the error of one that breaks the rules."""
        referee = Referee(self.setup)
        referee.begin()
        for move in self.turns:
            if move is None:
                referee.pass_turn(self.setup.penalty or 1)
            else:
                referee.play(move)
        overshot = "" if self.overshot is None else referee.board.write_move(self.overshot)
        finish(referee, self.winner, self.ending, overshot)
        return referee

    def __str__(self) -> str:
        both = zip(self.setup.names, self.players, strict=True)
        return f"{HEADING}\n{self.told([f'{name}, {player}' for name, player in both])}"

    def told(self, players: Sequence[str]) -> str:
        """The lines of the record, with these words for who played; `str` can be read back."""
        return "\n".join(self._lines(players)) + "\n"

    def _lines(self, players: Sequence[str]) -> Iterator[str]:
        setup, names = self.setup, self.setup.names
        yield f"Date: {self.date.isoformat()}"
        yield f"Board: {setup.board}"
        for seat in (0, 1):
            yield f"Player {seat + 1}: {players[seat]}"
        yield f"First: {names[setup.first]}"
        yield f"Overshoot: {setup.overshoot}"
        yield f"Penalty: {setup.penalty or 'off'}"
        yield ""
        board = setup.board
        for turn, move in enumerate(self.turns):
            said = "pass"
            if move is not None:
                written = board.write_move(move)
                board = board.play(move)
                said = f"{written} -> {board.numbers[move.place].value}"
            yield f"{turn + 1}. {names[(setup.first + turn) % 2]}: {said}"
        if self.turns:
            yield ""
        if self.winner is None or self.ending is None:
            yield "Result: unfinished"
            return
        yield f"Result: {names[self.winner]} wins"
        with_move = board.write_move(self.overshot) if self.overshot else ""
        yield f"Ending: {ENDINGS[self.ending]}{with_move}"


def finish(referee: Referee, winner: int | None, ending: Ending | None, overshot: str) -> None:
    """For None, it goes on. Raises as the referee does, or `InvalidRecord` for another ending."""
    if ending is Ending.RESIGNED and winner is not None:
        referee.resign(1 - winner)
    elif ending is Ending.FORFEITED and winner is not None:
        referee.forfeit(1 - winner)
    elif ending is Ending.OVERSHOT and overshot:
        referee.enter(overshot)
    over = referee.over
    if (winner, ending) != ((over.winner, over.ending) if over else (None, None)):
        raise InvalidRecord(line=0, problem="wrong ending", text=str(ending))


@checked
def write_notation(record: Record, moves: Sequence[str] | None = None) -> str:
    """The notation; `moves` are those of the record where they are written already."""
    setup = record.setup
    notes: dict[str, str] = {}
    if setup.first:
        notes["first"] = "2"
    if setup.overshoot != "again":
        notes["overshoot"] = setup.overshoot
    if setup.penalty is not None:
        notes["penalty"] = str(setup.penalty)
    if record.overshot is not None:
        notes["overshot"] = setup.board.write_move(record.overshot)
    elif record.ending in (Ending.RESIGNED, Ending.FORFEITED) and record.winner is not None:
        notes[record.ending] = str(2 - record.winner)
    written = ",".join(f"{name}={value}" for name, value in notes.items())
    moves = record.moves if moves is None else moves
    return f"{setup.board}/{'.'.join(moves)}" + (f"/{written}" if written else "")
