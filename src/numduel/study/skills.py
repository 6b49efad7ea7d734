"""What a position can be about: for each skill, how boards are drawn, and which are kept.

Every skill promises something that can be checked without its code, and tests do check it.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Literal, NamedTuple, get_args

from numduel.board import Board, Move
from numduel.errors import TooLarge
from numduel.solver import Search, solve
from numduel.study.draw import Draw
from numduel.study.puzzles import CHOICES, SEVERAL, draw_board, draw_number

Skill = Literal["legality", "win-in-one", "closed-form", "several-numbers", "misere",
                "large-numbers", "own-rule"]  # fmt: skip
SKILLS: tuple[Skill, ...] = get_args(Skill)
Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
LISTED = 60
"""A position has this many winning moves at most; this many legal ones are listed."""
SEARCHED = 1_000
"""Where a closed form is needed, a search that looks at this many moves does not find the end."""
LARGE = 13
"""A large number has this many digits at least."""
_PRIMES = ("subtract-a-prime", "prime-subtractor")
_OWN = "own"
"""An own rule: there are so many that another seed hardly ever draws the same."""
_SOON_OVER = (*_PRIMES, *[_OWN] * 6)
_DIVISORS = ("", ",divisors=even", ",divisors=odd", ",divisors=prime")
_WORDS = ("square", "cube", "prime", "digit", "power-of-2", "fibonacci", "triangular")
_AMOUNT = 30
_SMALL_AMOUNT = 10
"""The traps of rules with such amounts repeat within 2^10 numbers, so that all is proved."""
_OWN_NUMBER = 150


class Candidate(NamedTuple):
    """A board that may be kept, with all its winning moves and its first legal ones."""

    board: Board
    winning: Sequence[Move]
    moves: Sequence[Move]
    """One more than are listed."""


class Kind(NamedTuple):
    """How positions of a skill are made."""

    draw: Callable[[Draw], Board]
    keeps: Callable[[Candidate], bool]
    comes: tuple[Difficulty, ...] = DIFFICULTIES
    """How hard they can be."""


def _legality(draw: Draw) -> Board:
    kind = draw.one_of(("power-play", "divisor-duel", _OWN))
    if kind == _OWN:
        return Board.parse(f"{_amounts(draw, 5)}:{draw.between(1, _AMOUNT)}")
    variant = draw.one_of(_DIVISORS) if kind == "divisor-duel" else ""
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


def _closed_form(draw: Draw) -> Board:
    kind = draw.one_of((*_PRIMES, "divisor-duel", "digit-subtraction-duel", _OWN))
    return _long_number(draw, kind, 5, 9)


def _large_numbers(draw: Draw) -> Board:
    kind = draw.one_of(("divisor-duel", "digit-subtraction-duel", _OWN))
    return _long_number(draw, kind, LARGE, 20 if kind == "divisor-duel" else 40)


def _long_number(draw: Draw, kind: str, least: int, most: int) -> Board:
    game = _amounts(draw, 1, _SMALL_AMOUNT) if kind == _OWN else kind
    digits = draw.between(least, most)
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
    return Board.parse(f"{rule}:{draw_number(draw, _OWN_NUMBER)}")


def _amounts(draw: Draw, least: int, most: int = _AMOUNT) -> str:
    """Up to four amounts that may be taken away, as a rule's text."""
    amounts = {draw.between(least, most) for _ in range(draw.between(2, 4))}
    return f"subtract-{'-'.join(map(str, sorted(amounts)))}"


KINDS: dict[Skill, Kind] = {
    "legality": Kind(_legality, _only_legality, ("easy",)),
    "win-in-one": Kind(lambda draw: _small(draw, _SOON_OVER), _at_once, ("easy",)),
    "closed-form": Kind(_closed_form, _beyond_search, ("medium", "hard")),
    "several-numbers": Kind(
        lambda draw: draw_board(draw, SEVERAL), _several_count, ("medium", "hard")
    ),
    "misere": Kind(_misere, _reversed),
    "large-numbers": Kind(_large_numbers, _beyond_search, ("hard",)),
    "own-rule": Kind(_own_rule, lambda _: True),
}
OUT_OF_SIGHT: tuple[Skill, ...] = ("closed-form", "large-numbers")
"""Skills whose boards nobody can look through."""


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
