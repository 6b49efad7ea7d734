"""A room again, as plainly as it can be said: a list of numbers, and who may do what."""

from dataclasses import dataclass, field
from typing import Any


def proper_divisors(n: int) -> dict[int, int]:
    """Moves of Divisor Duel, and what each leaves."""
    return {d: n - d for d in range(2, n) if n % d == 0}


def prime_factors(n: int) -> dict[int, int]:
    """Moves of Power Play, and what each leaves."""
    return {p: n // p for p in range(2, n + 1) if n % p == 0 and all(p % d for d in range(2, p))}


MOVES = {"divisor-duel": proper_divisors, "power-play": prime_factors}


@dataclass
class PlainRoom:
    """Two friends. Each action gives True for a change, False for none, or the error."""

    game: str
    start: int
    misere: bool
    penalty: int | None
    takeback: bool
    first: int
    sitting: list[str | None]
    turns: list[tuple[str, int]] = field(default_factory=list)
    winner: int | None = None
    bad: int = 0
    asked: int | None = None
    offered: int | None = None
    wins: list[int] = field(default_factory=lambda: [0, 0])
    round: int = 1
    version: int = 1
    moved: int = 0
    last: list[tuple[Any, ...]] = field(default_factory=lambda: [(0,), (0,)])

    @property
    def number(self) -> int:
        return self.turns[-1][1] if self.turns else self.start

    @property
    def to_move(self) -> int:
        return (self.first + len(self.turns)) % 2

    @property
    def moves(self) -> dict[int, int]:
        return MOVES[self.game](self.number)

    def sit(self, who: str) -> bool | str:
        if who in self.sitting:
            return False
        if None not in self.sitting:
            return "SeatsTaken"
        self.sitting[self.sitting.index(None)] = who
        self.version += 1
        return True

    def act(self, who: str, version: int, said: tuple[Any, ...]) -> bool | str:
        """What somebody does who has seen this version; what is sent again is not done again."""
        if who not in self.sitting:
            return "NotSeated"
        seat, what = self.sitting.index(who), said[0]
        if self.last[seat][1:] == (version, *said):
            return False
        other = self.last[1 - seat][0]
        needed = {"play": self.moved, "answer": other}.get(what, 0)
        if version > self.version or version < max(self.last[seat][0], needed):
            return "StaleChange"
        before = len(self.turns), self.round, self.winner
        happened: bool | str = getattr(self, what)(seat, *said[1:])
        if happened is True or happened == "bad":
            self.version += 1
            self.last[seat] = (self.version, version, *said)
            if (len(self.turns), self.round, self.winner) != before:
                self.moved = self.version
        return happened

    def play(self, seat: int, text: str) -> bool | str:
        if stopped := self.stopped():
            return stopped
        if seat != self.to_move:
            return "NotYourTurn"
        if not text.isdigit() or int(text) not in self.moves:
            if self.penalty is None:
                return "bad, and nothing changes"
            self.bad += 1
            if self.bad == self.penalty:
                self.take_turn("pass", self.number)
            return "bad"
        self.take_turn(text, self.moves[int(text)])
        return True

    def take_turn(self, text: str, left: int) -> None:
        self.turns.append((text, left))
        self.bad, self.asked = 0, None
        if not self.moves:
            self.end(1 - self.to_move if not self.misere else self.to_move)

    def end(self, winner: int) -> None:
        self.winner, self.asked = winner, None
        self.wins[winner] += 1

    def stopped(self) -> str | None:
        if self.winner is not None:
            return "MatchOver"
        return "NotAllowed: seat is free" if None in self.sitting else None

    def resign(self, seat: int) -> bool | str:
        if stopped := self.stopped():
            return stopped
        self.end(1 - seat)
        return True

    def last_turn_of(self, seat: int) -> int | None:
        own = [ply for ply in range(len(self.turns)) if (self.first + ply) % 2 == seat]
        return own[-1] if own else None

    def ask(self, seat: int) -> bool | str:
        if stopped := self.stopped():
            return stopped
        if not self.takeback:
            return "NotAllowed: no takeback"
        if self.asked == 1 - seat:
            return "NotAllowed: answer first"
        if self.last_turn_of(seat) is None:
            return "NotAllowed: nothing to take back"
        changed, self.asked = self.asked != seat, seat
        return changed

    def answer(self, seat: int, yes: bool) -> bool | str:
        if stopped := self.stopped():
            return stopped
        if self.asked in (None, seat):
            return "NotAllowed: " + ("not asked" if self.asked is None else "own question")
        if yes:
            del self.turns[self.last_turn_of(self.asked) :]
            self.bad = 0
        self.asked = None
        return True

    def rematch(self, seat: int) -> bool | str:
        if self.winner is None:
            return "NotAllowed: match goes on"
        if self.offered == 1 - seat:
            self.turns, self.winner, self.offered, self.bad = [], None, None, 0
            self.first, self.round = 1 - self.first, self.round + 1
            return True
        changed, self.offered = self.offered != seat, seat
        return changed
