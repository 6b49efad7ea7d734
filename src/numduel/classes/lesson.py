"""What a teacher sets and shows: puzzles for everybody, and the projector."""

from dataclasses import dataclass, replace

from numduel.board import Board
from numduel.classes.actions import Action
from numduel.classes.parts import Answer, Posed, Shows, Stage
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import SchoolClass
from numduel.errors import NotAllowed
from numduel.rooms.lobby import Lobby
from numduel.rooms.tokens import hashed

FEWEST, MOST = 5, 20
"""Puzzles of a set."""
MOST_SETS = 20


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Project(Action):
    """What the projector shows, and whether with names; with a secret, by its address alone."""

    answers = False
    shows: Shows | None = None
    names: bool | None = None
    secret: str | None = None
    """Of a new address; "" for none any more."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if self.shows is not None:
            found = replace(found, shows=self.shows)
        if self.names is not None:
            found = replace(found, names=self.names)
        if self.secret is not None:
            projector = hashed(found.code, self.secret) if self.secret else None
            found = replace(found, projector=projector)
        return found
