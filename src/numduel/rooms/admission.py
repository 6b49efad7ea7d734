"""Which terms a room may be opened with, and how long a move may be."""

from typing import NamedTuple

from numduel.arithmetic import count_digits
from numduel.errors import InvalidSetup, NotAllowed, TooManyDigits
from numduel.players import PERSON, player_words
from numduel.rooms.room import Terms
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers

CLOCK = (10, 86_400)
"""The least and the most seconds that a clock may give."""


class Bounds(NamedTuple):
    """How much one database of rooms takes."""

    digits: int = 100
    """Digits of a number: its moves are checked at once, so it has to stay small."""
    numbers: int = 12
    """Numbers on a board."""
    rooms: int = 50_000
    days: int = 30
    """Days after its last change that a room is kept."""

    def check_move(self, text: str) -> None:
        """Raise `TooManyDigits` for a move longer than any number: checking it takes long."""
        digits = sum(map(str.isdigit, text))
        most = self.digits + len(str(self.numbers))
        if digits > most:
            raise TooManyDigits(digits=digits, limit=most)

    async def check_terms(self, terms: Terms, thinkers: Thinkers) -> None:
        """Raise what does not fit: the size, the players, the clock, or a board without a move.

        Players are built-in ones, so that nothing sent here starts a program or reaches an
        address. A computer has to find a first move within its time.
        """
        numbers = terms.board.numbers
        if len(numbers) > self.numbers:
            raise NotAllowed(problem="numbers", limit=self.numbers)
        digits = max(count_digits(number.value) for number in numbers)
        if digits > self.digits:
            raise TooManyDigits(digits=digits, limit=self.digits)
        for word in terms.players:
            if word not in player_words():
                raise InvalidSetup("unknown player", text=word, known=player_words())
        if PERSON not in terms.players:
            raise NotAllowed(problem="no person")
        least, most = CLOCK
        if terms.seconds is not None and not least <= terms.seconds <= most:
            raise no_clock()
        board = str(terms.board)
        known = await thinkers.ask(position.moves, board=board, most=1)
        if not known["moves"]:
            raise NotAllowed(problem="over" if known["complete"] else "unknown moves")
        for word in {*terms.players} - {PERSON}:
            await thinkers.ask(position.move, board=board, player=word, seed=0)


def no_clock() -> NotAllowed:
    return NotAllowed(problem="minutes", least=CLOCK[0], hours=CLOCK[1] // 3600)
