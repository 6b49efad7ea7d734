"""What a class talks about: a board and the votes on it, the map and the guesses at it."""

from dataclasses import dataclass, replace

from numduel.board import Board
from numduel.classes.actions import Action
from numduel.classes.parts import LARGEST, Guess, Question, Stage, Vote
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import SchoolClass
from numduel.errors import NotAllowed
from numduel.rooms.lobby import Lobby
from numduel.rooms.room import Terms

MOST_QUESTIONS = 200
_LAST_STEP = 3  # of a question: the votes, the reply, the reason


@dataclass(frozen=True, slots=True)
class Ask(Action):
    """Put a board to everybody, who may vote for a move."""

    looks_first = True
    board: Board

    async def prepare(self, lobby: Lobby) -> None:
        await lobby.bounds.check_terms(Terms(self.board), lobby.thinkers)

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        before = found.questions
        if len(before) >= MOST_QUESTIONS:
            raise NotAllowed(problem="questions", limit=MOST_QUESTIONS)
        questions = (*before, Question(len(before) + 1, self.board))
        return rounds.show(found, Stage.QUESTION, questions=questions)


class ShowNext(Action):
    """Show the votes of the last question, then the perfect player's reply, then the reason."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.question is None:
            raise NotAllowed(problem="no question")
        *before, last = found.questions
        shown = last._replace(shown=min(last.shown + 1, _LAST_STEP))
        return rounds.show(found, Stage.QUESTION, questions=(*before, shown))


@dataclass(frozen=True, slots=True)
class ShowMap(Action):
    """Show the map that the class has made of a game, by `learned.rules_of`; pupils may guess."""

    rules: str

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        unveiled = found.unveiled and found.map_game == self.rules
        return rounds.show(found, Stage.MAP, map_game=self.rules, unveiled=unveiled)


class Unveil(Action):
    """Show the true map."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.stage != Stage.MAP:
            raise NotAllowed(problem="no map")
        return rounds.show(found, Stage.MAP, unveiled=True)


@dataclass(frozen=True, slots=True)
class CastVote(Action):
    """Vote for a move, or for another one instead, as long as no votes are shown."""

    by = "pupil"
    answers = False
    question: int
    move: str

    async def prepare(self, lobby: Lobby) -> None:
        lobby.bounds.check_move(self.move)

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        last = found.question if found.stage == Stage.QUESTION else None
        if last is None or last.number != self.question or last.shown:
            raise NotAllowed(problem="voting is over")
        read = last.board.parse_move(self.move)
        last.board.play(read)
        mine = Vote(self.question, found.number_of(token), last.board.write_move(read))
        if mine in found.all_votes:
            return found
        votes = [vote for vote in found.all_votes if vote[:2] != mine[:2]]
        return replace(found, all_votes=(*votes, mine))


@dataclass(frozen=True, slots=True)
class GuessTrap(Action):
    """Guess whether a number is a trap, or not any more (None), before the map is unveiled."""

    by = "pupil"
    answers = False
    value: int
    trap: bool | None

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        game = found.map_game if found.stage == Stage.MAP else None
        if game is None or found.unveiled:
            raise NotAllowed(problem="no map")
        if not 1 <= self.value <= LARGEST:
            raise NotAllowed(problem="guess", limit=LARGEST)
        number, before = found.number_of(token), found.all_guesses
        others = tuple(guess for guess in before if guess[:3] != (game, self.value, number))
        mine = () if self.trap is None else (Guess(game, self.value, number, self.trap),)
        if len(others) + len(mine) == len(before) and set(mine) <= set(before):
            return found
        return replace(found, all_guesses=others + mine)
