"""What is done in a class, but for who is in it: each action says who may, and what comes of it."""

from dataclasses import dataclass, replace
from typing import ClassVar, dataclass_transform

from numduel.board import Board
from numduel.classes import parts
from numduel.classes.pairing import PAIRINGS
from numduel.classes.parts import Answer, Guess, Posed, Question, RoundPlan, Shows, Stage, Vote
from numduel.classes.rounds import STAND_IN, Rounds
from numduel.classes.school_class import SchoolClass
from numduel.errors import NotAllowed
from numduel.players import PERSON
from numduel.rooms.lobby import Lobby
from numduel.rooms.room import Terms
from numduel.rooms.tokens import hashed

MOST_QUESTIONS = 200
_LAST_STEP = 3  # of a question: the votes, the reply, the reason
FEWEST, MOST = 5, 20  # puzzles of a set
MOST_SETS = 20
MOST_GUESSES = 12_000  # two maps of a full class, or four of thirty pupils


@dataclass_transform(frozen_default=True)
class Action:
    """Something that is done in a class. Its fields are all that it says."""

    by: ClassVar[str] = "teacher"  # who may: also "first teacher", "pupil", or "" for anybody
    answers: ClassVar[bool] = True  # must they have seen the version? Where all are to see a change
    looks_first: ClassVar[bool] = False
    """Is the class looked at before? Where thinkers are asked, and where it matters who is away."""
    opens: ClassVar[bool] = False  # may it open rooms?

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    async def prepare(self, lobby: Lobby) -> None:
        """What takes thinking, before anything is locked. Raises what does not fit."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        """The class once it is done; the same one where nothing changes. Raises `NotAllowed`."""
        raise NotImplementedError

    def is_done(self, after: SchoolClass) -> bool:
        """Is nothing left of it in the class after it? Else it is applied again, in a transaction
        of its own: others need not wait for all of it.
        """
        return True


class StartRound(Action):
    """Seat everybody, and begin; a round that goes on ends."""

    looks_first = opens = True
    plan: RoundPlan
    away: frozenset[int] = frozenset()

    async def prepare(self, lobby: Lobby) -> None:
        plan = self.plan
        if plan.pairing not in PAIRINGS:
            raise NotAllowed(problem="pairing")
        computer = STAND_IN if plan.opponent == PERSON else plan.opponent
        terms = Terms(plan.board, (PERSON, computer), seconds=plan.seconds)
        await lobby.bounds.check_terms(terms, lobby.thinkers)

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.start(found, self.plan, self.away)


class NextRound(Action):
    """The same plan and pairs again; the other player begins."""

    looks_first = opens = True
    away: frozenset[int] = frozenset()

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.round is None:
            raise NotAllowed(problem="no round")
        return rounds.start(found, found.round.plan._replace(pairing="same"), self.away)


class EndRound(Action):
    """Nobody plays on in the round; matches that go on stay unfinished."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if not found.is_playing:
            raise NotAllowed(problem="no round")
        return rounds.end(found)


class Pause(Action):
    """Eyes to the front: nobody plays, no clock runs, no computer moves."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.show(found, Stage.PAUSED)


class Resume(Action):
    """Back to the round, or to waiting for one, from a pause, a question or the map."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.show(found, Stage.ROUND if found.is_playing else Stage.GATHERING)


class Close(Action):
    """Away with the question or the map; a round waits until the teacher lets it go on."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.show(found, Stage.GATHERING)


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


class ShowMap(Action):
    """Show the map that the class has made of a game, by `learned.rules_of`; pupils may guess."""

    rules: str

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        unveiled = found.unveiled and found.map_game == self.rules
        return rounds.show(found, Stage.MAP, map_game=self.rules, unveiled=unveiled)


class Unveil(Action):
    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.stage != Stage.MAP:
            raise NotAllowed(problem="no map")
        return rounds.show(found, Stage.MAP, unveiled=True)


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
        if not 1 <= self.value <= parts.LARGEST:
            raise NotAllowed(problem="guess", limit=parts.LARGEST)
        number, before = found.number_of(token), found.all_guesses
        others = tuple(guess for guess in before if guess[:3] != (game, self.value, number))
        mine = () if self.trap is None else (Guess(game, self.value, number, self.trap),)
        if len(others) + len(mine) == len(before) and set(mine) <= set(before):
            return found
        if len(others) + len(mine) > MOST_GUESSES:
            raise NotAllowed(problem="guesses", limit=MOST_GUESSES)
        return replace(found, all_guesses=others + mine)


class SetPuzzles(Action):
    """Put puzzles to everybody: each a board, what is asked, and the right answers."""

    puzzles: tuple[tuple[Board, str, tuple[str, ...]], ...]

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if not FEWEST <= len(self.puzzles) <= MOST:
            raise NotAllowed(problem="puzzles", least=FEWEST, most=MOST)
        last = found.puzzle_set
        if last >= MOST_SETS:
            raise NotAllowed(problem="puzzle sets", limit=MOST_SETS)
        posed = [
            Posed(last + 1, number, board, asks, " ".join(right))
            for number, (board, asks, right) in enumerate(self.puzzles, 1)
        ]
        return rounds.show(found, Stage.PUZZLES, all_puzzles=(*found.all_puzzles, *posed))


class ShowPuzzles(Action):
    """Back to the last puzzle set."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if not found.all_puzzles:
            raise NotAllowed(problem="no puzzle")
        return rounds.show(found, Stage.PUZZLES)


class AnswerPuzzle(Action):
    """Answer a puzzle of the last set; only the first answer counts."""

    by = "pupil"
    answers = False
    set: int
    number: int
    text: str

    async def prepare(self, lobby: Lobby) -> None:
        lobby.bounds.check_move(self.text)

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        asked = {one[:2]: one for one in found.puzzles}.get((self.set, self.number))
        if asked is None or found.stage != Stage.PUZZLES:
            raise NotAllowed(problem="no puzzle")
        pupil = found.number_of(token)
        if any(one.number == self.number and one.pupil == pupil for one in found.answers):
            return found
        text = self.text.strip()
        if asked.asks == "move":
            move = asked.board.parse_move(text)
            asked.board.play(move)
            text = asked.board.write_move(move)
        elif text not in ("1", "2"):
            raise NotAllowed(problem="no puzzle")
        mine = Answer(asked.set, asked.number, pupil, text, text in asked.solution.split())
        return replace(found, all_answers=(*found.all_answers, mine))


class Project(Action):
    """What the projector shows, and whether with names; with a secret, by its address alone."""

    answers = False
    shows: Shows | None = None
    names: bool | None = None
    secret: str | None = None  # of a new address; "" for none any more

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if self.shows is not None:
            found = replace(found, shows=self.shows)
        if self.names is not None:
            found = replace(found, names=self.names)
        if self.secret is not None:
            projector = hashed(found.code, self.secret) if self.secret else None
            found = replace(found, projector=projector)
        return found
