"""Single positions with their answers, to ask anybody: which move wins, or is there none?

They are drawn from a seed by the code of the puzzles and never stored: the same seed gives the same
positions on every machine, another one others, and none comes twice. For each skill, `KINDS` says
how boards are drawn, and which are kept: what that promises, tests check without this code.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, Literal, NamedTuple, get_args

from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import NothingToStudy, TooLarge
from numduel.games import OwnRule
from numduel.games.own import meanings
from numduel.match.events import plain
from numduel.solver import Search, solve
from numduel.study import Draw
from numduel.study.difficulty import DIFFICULTIES, Difficulty, answer_rating, difficulty_of
from numduel.study.puzzles import CHOICES, SEVERAL, draw_board, draw_number
from numduel.wording.rules import rule_in_short

__all__ = ["DIFFICULTIES", "SKILLS", "Position", "as_json", "draw_positions"]

Skill = Literal["legality", "win-in-one", "closed-form", "several-numbers", "misere",
                "large-numbers", "own-rule"]  # fmt: skip
SKILLS: tuple[Skill, ...] = get_args(Skill)
OUT_OF_SIGHT: tuple[Skill, ...] = ("closed-form", "large-numbers")
"""Skills whose boards nobody can look through."""
NONE_IN = 3  # one in this many positions of a skill has no winning move
LISTED = 60  # a position has this many winning moves at most; this many legal ones are listed
SEARCHED = 1_000  # moves that a search looks at without an end, where a closed form is needed
LARGE = 13  # a large number has this many digits at least
_PRIMES = ("subtract-a-prime", "prime-subtractor")
_OWN = "own"  # an own rule: there are so many that another seed hardly ever draws the same
_WORDS = ("square", "cube", "prime", "digit", "power-of-2", "fibonacci", "triangular")
_AMOUNT = 30
_SMALL_AMOUNT = 10  # the traps of such rules repeat within 2^10 numbers: all is proved
_TRIES = 10_000


@dataclass(frozen=True, slots=True)
class Position:
    """A board, all moves that win on it, and what it takes to find one."""

    board: Board
    skill: Skill
    winning: tuple[Move, ...]
    rating: int

    @property
    def difficulty(self) -> Difficulty:
        return difficulty_of(self.rating)

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


_TOLD = ("board", "rules", "legal_moves", "winning_moves", "game", "skill", "difficulty", "rating")


@checked
def as_json(position: Position) -> dict[str, Any]:
    """A position and its answer with plain values; documented in docs/measure.md.

    Legal moves are None where there are too many.
    """
    board = position.board
    moves = [board.write_move(move) for move in islice(board.moves(), LISTED + 1)]
    winning = [board.write_move(move) for move in position.winning]
    listed = None if len(moves) > LISTED else moves
    return plain(_TOLD, position, legal_moves=listed, winning_moves=winning)


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
            if not found:
                continue
            rating = answer_rating(board, found.winning, out_of_sight=skill in OUT_OF_SIGHT)
            if difficulty in (None, difficulty_of(rating)):
                drawn.add(board)
                yield Position(board, skill, tuple(found.winning), rating)
                break
        else:
            raise NothingToStudy(problem="no position", skill=skill)


class Candidate(NamedTuple):
    """A board that may be kept, with all its winning moves and its first legal ones."""

    board: Board
    winning: Sequence[Move]
    moves: Sequence[Move]  # one more than are listed


def candidate(skill: Skill, board: Board, none: bool) -> Candidate | None:
    """The board with what is known of it; None where it is not of the skill.

    With `none`, a board on which no move wins. But for legality, there are some moves to choose
    from, and not all of them win. Nothing is kept that is only believed.
    """
    if board.is_over and skill != "legality":
        return None
    verdict = solve(board)
    believed = skill in OUT_OF_SIGHT and verdict.method == "conjecture"
    if (verdict.outcome == "loss") != none or believed:
        return None
    winning, complete = verdict.first_moves(LISTED)
    if not complete:
        return None
    found = Candidate(board, winning, list(islice(board.moves(), LISTED + 1)))
    choices = 2 if skill in OUT_OF_SIGHT else CHOICES
    if skill != "legality" and not len(winning) < len(found.moves) >= choices:
        return None
    return found if KINDS[skill].keeps(found) else None


def _legality(draw: Draw) -> Board:
    kind = draw.one_of(("power-play", "divisor-duel", _OWN))
    if kind == _OWN:
        return Board.parse(f"{_amounts(draw, 5)}:{draw.between(1, _AMOUNT)}")
    variants = ("", ",divisors=even", ",divisors=odd", ",divisors=prime")
    variant = draw.one_of(variants) if kind == "divisor-duel" else ""
    return Board.parse(f"{kind}:{draw_number(draw, 2000)}{variant}")


def _only_legality(found: Candidate) -> bool:
    """Every legal move wins, or there is none."""
    return len(found.winning) == len(found.moves) <= LISTED


def _small(draw: Draw, kinds: Sequence[str]) -> Board:
    kind = draw.one_of(kinds)
    return _own_rule(draw) if kind == _OWN else draw_board(draw, kind)


def _at_once(found: Candidate) -> bool:
    """A move ends the match, or every move allows a reply that does."""
    if found.winning:
        return any(found.board.play(move).is_over for move in found.winning)
    replies = (found.board.play(move) for move in found.moves)
    return len(found.moves) <= LISTED and all(
        any(after.play(reply).is_over for reply in after.moves()) for after in replies
    )


def _long_number(draw: Draw, large: bool) -> Board:
    kinds = ("divisor-duel", "digit-subtraction-duel", _OWN)
    kind = draw.one_of(kinds if large else (*_PRIMES, *kinds))
    game = _amounts(draw, 1, _SMALL_AMOUNT) if kind == _OWN else kind
    longest = 20 if kind == "divisor-duel" else 40
    digits = draw.between(LARGE, longest) if large else draw.between(5, 9)
    return Board.parse(f"{game}:{draw.between(10 ** (digits - 1), 10**digits - 1)}")


def _beyond_search(found: Candidate) -> bool:
    try:
        Search(found.board.misere, SEARCHED).lost(found.board)
    except TooLarge:
        return True
    return False


def _several_count(found: Candidate) -> bool:
    """Two numbers at least have a value other than 0, so that no number decides alone."""
    return sum(bool(solve(Board((number,))).grundy) for number in found.board.numbers) > 1


def _misere(draw: Draw) -> Board:
    board = _small(draw, (*_PRIMES, "divisor-duel", *[_OWN] * 4, *[SEVERAL] * 3))
    return Board(board.numbers, misere=True)


def _reversed(found: Candidate) -> bool:
    """The right answer of normal play is wrong."""
    winning, _ = solve(Board(found.board.numbers)).first_moves(LISTED)
    return set(winning).isdisjoint(found.winning) and bool(winning or found.winning)


def _own_rule(draw: Draw) -> Board:
    rule = _amounts(draw, 1)
    if draw.below(2):
        rule += f"-or-subtract-{draw.one_of(_WORDS)}"
    return Board.parse(f"{rule}:{draw_number(draw, 150)}")


def _amounts(draw: Draw, least: int, most: int = _AMOUNT) -> str:
    """Up to four amounts that may be taken away, as a rule's text."""
    amounts = {draw.between(least, most) for _ in range(draw.between(2, 4))}
    return f"subtract-{'-'.join(map(str, sorted(amounts)))}"


class Kind(NamedTuple):
    """How positions of a skill are made."""

    draw: Callable[[Draw], Board]
    keeps: Callable[[Candidate], bool]
    comes: tuple[Difficulty, ...] = DIFFICULTIES


KINDS: dict[Skill, Kind] = {
    "legality": Kind(_legality, _only_legality, ("easy",)),
    "win-in-one": Kind(lambda draw: _small(draw, (*_PRIMES, *[_OWN] * 6)), _at_once, ("easy",)),
    "closed-form": Kind(lambda draw: _long_number(draw, False), _beyond_search, ("medium", "hard")),
    "several-numbers": Kind(
        lambda draw: draw_board(draw, SEVERAL), _several_count, ("medium", "hard")
    ),
    "misere": Kind(_misere, _reversed),
    "large-numbers": Kind(lambda draw: _long_number(draw, True), _beyond_search, ("hard",)),
    "own-rule": Kind(_own_rule, lambda _: True),
}
