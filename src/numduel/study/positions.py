"""Single positions with their answers, to ask anybody: which move wins, or is there none?

They are drawn from a seed by the code of the puzzles and never stored: the same seed gives
the same positions on every machine, another one others, and none comes twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

from typing_extensions import TypedDict

from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import NothingToStudy
from numduel.games import OwnRule
from numduel.games.own import meanings
from numduel.match.facts import facts
from numduel.study.difficulty import answer_rating, guessed_rating
from numduel.study.draw import Draw
from numduel.study.puzzles import SEVERAL
from numduel.study.skills import (
    DIFFICULTIES,
    KINDS,
    LISTED,
    OUT_OF_SIGHT,
    SKILLS,
    Candidate,
    Difficulty,
    Skill,
    candidate,
)
from numduel.wording.rule_in_short import rule_in_short

__all__ = ["DIFFICULTIES", "SKILLS", "Position", "as_json", "draw_positions"]

BOUNDS = (1000, 1500)
"""Ratings from which a position is medium, and hard."""
NONE_IN = 3
"""One in this many positions of a skill has no winning move."""
_TRIES = 10_000
_UNCOUNTED = 10_000
"""Legal moves of a number that has too many to count."""


@dataclass(frozen=True, slots=True)
class Position:
    """A board, all moves that win on it, and what it takes to find one."""

    board: Board
    skill: Skill
    winning: tuple[Move, ...]
    rating: int

    @property
    def difficulty(self) -> Difficulty:
        return DIFFICULTIES[sum(self.rating >= bound for bound in BOUNDS)]

    @property
    def game(self) -> str:
        """The key of its game, "several", or "own-rule" for all of these."""
        if len(self.board.numbers) > 1:
            return SEVERAL
        game = self.board.numbers[0].game
        return "own-rule" if isinstance(game, OwnRule) else game.key

    @property
    def rules(self) -> str:
        """The rules in words, with what the words of an own rule mean."""
        said = rule_in_short(self.board)
        games = dict.fromkeys(number.game for number in self.board.numbers)
        said += [meanings(game.rule) for game in games if isinstance(game, OwnRule)]
        return " ".join(filter(None, said))


class PositionJson(TypedDict):
    """A position with plain values; documented in docs/measure.md."""

    board: str
    rules: str
    legal_moves: list[str] | None
    winning_moves: list[str]
    game: str
    skill: Skill
    difficulty: Difficulty
    rating: int


@checked
def as_json(position: Position) -> PositionJson:
    """A position and its answer as plain values; legal moves are None where there are too many."""
    board = position.board
    moves = list(islice(board.moves(), LISTED + 1))
    return facts(
        PositionJson,
        position,
        legal_moves=None if len(moves) > LISTED else [*map(board.write_move, moves)],
        winning_moves=[*map(board.write_move, position.winning)],
    )


@checked
def draw_positions(
    seed: str, skills: Sequence[Skill] = SKILLS, difficulty: Difficulty | None = None
) -> Iterator[Position]:
    """Positions without end, the skills in turn, none twice: take as many as you need.

    In every three of a skill there is one on which no move wins. More of them begin with the
    same ones. Skills that do not come in the difficulty are left out; raises `NothingToStudy`
    where none is left, and where a skill has no more positions.

    >>> [position.skill for position in islice(draw_positions("1"), 3)]
    ['legality', 'win-in-one', 'closed-form']
    """
    asked = [skill for skill in skills if difficulty in (None, *KINDS[skill].comes)]
    if not asked:
        raise NothingToStudy(problem="no position", skill=", ".join(skills))
    drawn: set[Board] = set()
    for number in count():
        turn, place = divmod(number, len(asked))
        skill = asked[place]
        block, at = divmod(turn, NONE_IN)
        none = Draw(f"numduel none {seed} {skill} {block}").below(NONE_IN) == at
        draw = Draw(f"numduel position {seed} {skill} {turn}")
        for _ in range(_TRIES):
            board = KINDS[skill].draw(draw)
            found = None if board in drawn else candidate(skill, board, none)
            position = found and _rated(skill, found)
            if position and difficulty in (None, position.difficulty):
                drawn.add(board)
                yield position
                break
        else:
            raise NothingToStudy(problem="no position", skill=skill)


def _rated(skill: Skill, found: Candidate) -> Position:
    board, winning, _ = found
    if skill in OUT_OF_SIGHT:
        [(game, n)] = board.numbers
        rating = guessed_rating(board, winning, game.count(n) or _UNCOUNTED)
    else:
        rating = answer_rating(board, winning, {})
    return Position(board, skill, tuple(winning), rating)
