"""A match as text, made to be read by people and read back exactly.

    numduel record 1
    Date: 2026-11-15T09:30:00+00:00
    Board: divisor-duel:60
    Player 1: Alice, person
    Player 2: Bob, random
    First: Alice
    Overshoot: again
    Penalty: off

    1. Alice: 15 -> 45
    2. Bob: 15 -> 30

    Result: unfinished

A finished match says `Result: Alice wins` and `Ending: no move left`, `resigned`,
`forfeited` or `overshot with 13`. A pass is written `pass`. A file may hold several records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from numduel.board import Move
from numduel.errors import InvalidRecord
from numduel.match.events import Ending
from numduel.match.referee import Referee
from numduel.match.setup import Setup

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
    ) -> Record:
        """The match as the referee has it now; the date is now unless given."""
        over = referee.over
        return cls(
            date=(date or datetime.now(UTC)).replace(microsecond=0),
            setup=referee.setup,
            players=players,
            turns=tuple(turn.move for turn in referee.turns),
            winner=over.winner if over else None,
            ending=over.ending if over else None,
            overshot=over.move if over else None,
        )

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


def take(referee: Referee, turn: str) -> Move | None:
    """Take a turn as texts of matches write it: the move, or None for a pass.

    Raises what the referee raises, and `InvalidRecord` for a pass that nothing can cost.
    """
    if turn != "pass":
        move = referee.board.parse_move(turn)
        referee.play(move)
        return move
    if referee.setup.penalty is None:
        raise InvalidRecord(line=0, problem="pass without penalty")
    referee.pass_turn(referee.setup.penalty)
    return None


def finish(referee: Referee, winner: int | None, ending: Ending | None, overshot: str) -> None:
    """End the match as it is said to have ended; for None, it goes on.

    Raises what the referee raises, and `InvalidRecord` where it does not end like that.
    """
    if ending is Ending.RESIGNED and winner is not None:
        referee.resign(1 - winner)
    elif ending is Ending.FORFEITED and winner is not None:
        referee.forfeit(1 - winner)
    elif ending is Ending.OVERSHOT and overshot:
        referee.enter(overshot)
    over = referee.over
    if (winner, ending) != ((over.winner, over.ending) if over else (None, None)):
        raise InvalidRecord(line=0, problem="wrong ending", text=str(ending))
