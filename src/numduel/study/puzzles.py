"""Puzzles: positions with exactly one winning move, or the question who wins.

They are made from a seed, the same on every machine, and never stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice
from typing import Any, Literal

from typing_extensions import TypedDict

from numduel.board import Board
from numduel.errors import NothingToStudy
from numduel.match.events import plain
from numduel.solver import no_choice_matters, solve
from numduel.study import Draw
from numduel.study.difficulty import Known, TooDeep, match_rating, winner_rating

Asks = Literal["move", "winner"]
SEVERAL = "several"  # the word for puzzles on boards of several numbers
KINDS = ("subtract-a-prime", "prime-subtractor", "divisor-duel", "power-play",
         "digit-subtraction-duel", SEVERAL)  # fmt: skip
CHOSEN = tuple(kind for kind in KINDS if kind != "power-play")  # its puzzles ask who wins
RATINGS = (400, 2000)  # about the lowest and the highest rating
NEAR = 75  # this far from the rating that was asked for is near enough
FEW = 12  # at least this many puzzles of a game are candidates for a rating, near or not
CHOICES = 3  # a puzzle that asks for a move has at least this many: with two, a coin toss would do
_FIRST, _STEP, _TOP = 550, 75, 1700  # ratings of a series: its first, the rise each time, its last
_NEXT = 4  # at least so many puzzles of a game may come next in its series, near its rating or not
_HARDER = 1000  # from this rating on, boards of several numbers come in a series
_TRIES, _MOVES = 300, 200
_POOL = 1000  # the largest number in a puzzle whose rating was asked for
_LARGEST = {"subtract-a-prime": 240, "prime-subtractor": 240, "divisor-duel": 2000,
            "power-play": 5000, "digit-subtraction-duel": 1500}  # fmt: skip
_RATED = tuple(kind for kind in CHOSEN if kind != SEVERAL)  # for a rating, of any game
_OTHERS = 100  # the largest number for a game that is not built in


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board and a question: which is the one winning move, or who wins?

    `solution` is the move as text, or "1" (who is to move) or "2".
    """

    board: Board
    asks: Asks
    solution: str
    rating: int

    @property
    def game(self) -> str:
        """The key of its game, or "several"."""
        numbers = self.board.numbers
        return numbers[0].game.key if len(numbers) == 1 else SEVERAL

    @property
    def question(self) -> str:
        if self.asks == "move":
            return "Exactly one move wins. Which?"
        return "Player 1 is to move. Who wins with best play, 1 or 2?"

    def is_solved_by(self, answer: str) -> bool:
        """Is the answer right? Raises what cannot be read as an answer."""
        if self.asks == "move":
            return self.board.parse_move(answer) == self.board.parse_move(self.solution)
        return answer.strip() == self.solution


class AskedPuzzle(TypedDict):
    """A board and a question."""

    board: str
    game: str
    asks: Asks
    question: str
    rating: int


def as_json(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle and its solution; documented in docs/formats.md."""
    return plain((*AskedPuzzle.__annotations__, "solution"), puzzle)


def make_puzzle(
    seed: str, kind: str | None = None, rating: int | None = None, answered: Sequence[str] = ()
) -> Puzzle:
    """The puzzle of the seed, about any game or one, near the rating if one is given. Where few
    are, of two that are drawn among the nearest the one that is nearer.

    Boards that were answered, the latest last, do not come again while there are others.
    Raises `NothingToStudy` for a game that makes no puzzles.
    """
    draw = Draw(seed)
    kinds = [kind] if kind else list(KINDS if rating is None else _RATED)
    chosen = kind or draw.one_of(kinds)
    latest = {board: at for at, board in enumerate(answered)}
    found: list[Puzzle] = []
    if rating is not None and chosen != SEVERAL:
        found = _near(_pools(kinds), rating)
    else:
        boards = (draw_board(draw, chosen) for _ in range(_TRIES))
        for puzzle in filter(None, (_puzzle(board, {}) for board in boards)):
            found.append(puzzle)
            near = rating is None or abs(puzzle.rating - rating) <= NEAR
            if near and str(puzzle.board) not in latest:
                return puzzle
    if not found:
        raise NothingToStudy(problem="no puzzle", game=chosen)
    fresh = [puzzle for puzzle in found if str(puzzle.board) not in latest]
    if rating is None or not fresh:
        return min(found, key=lambda puzzle: latest.get(str(puzzle.board), -1))
    first = draw.one_of(_near(fresh, rating, few=1) if chosen == SEVERAL else fresh)
    if chosen == SEVERAL or abs(first.rating - rating) <= NEAR:
        return first
    return min(first, draw.one_of(fresh), key=lambda puzzle: abs(puzzle.rating - rating))


def puzzles_in_turn(
    seed: str, kind: str | None = None, rating: int | None = None, answered: Sequence[str] = ()
) -> Iterator[Puzzle]:
    """Puzzles one after another, that of the seed first, none twice.

    It ends where no new one is found. Boards that were answered before come after all others.
    """
    asked: list[str] = []
    for number in count(1):
        own_seed = seed if number == 1 else f"{seed} {number}"
        puzzle = make_puzzle(own_seed, kind, rating, [*answered, *asked])
        if str(puzzle.board) in asked:
            return
        asked.append(str(puzzle.board))
        yield puzzle


def rising_puzzle(seed: str, place: int, kind: str | None = None) -> Puzzle:
    """The puzzle at a place of a series, counted from 1. The seed makes it the same for a friend.

    None comes twice, as far as there are puzzles. Of any game, none is easier than one before it,
    up to the top; of one game and at the top, none is much easier. The game changes where it can;
    boards of several numbers, of which nothing has to be remembered, come in the harder part.
    """
    ratings = [min(_FIRST + _STEP * at, _TOP) for at in range(place)]
    seeds = [f"{seed} rises {at}" for at in range(place)]
    if kind == SEVERAL:
        return make_puzzle(seeds[-1], kind, ratings[-1])
    fresh, highest, last = _pools([kind] if kind else [*_RATED, SEVERAL]), 0, ""
    if not fresh:
        raise NothingToStudy(problem="no puzzle", game=kind)
    for own_seed, rating in zip(seeds, ratings, strict=True):
        least = highest - (NEAR if kind or rating == _TOP else 0)
        risen = [puzzle for puzzle in fresh if puzzle.rating >= least]
        near, draw = _near(risen or fresh, rating, _NEXT), Draw(own_seed)
        last = draw.one_of(sorted({puzzle.game for puzzle in near} - {last}) or [last])
        puzzle = draw.one_of([puzzle for puzzle in near if puzzle.game == last])
        highest = max(highest, puzzle.rating)
        fresh = [other for other in fresh if other != puzzle] or [puzzle]
    return puzzle


def _near(puzzles: Sequence[Puzzle], rating: int, few: int = FEW) -> list[Puzzle]:
    """The puzzles near the rating, or the nearest few where there are fewer."""
    ordered = sorted(puzzles, key=lambda puzzle: abs(puzzle.rating - rating))
    near = sum(abs(puzzle.rating - rating) <= NEAR for puzzle in ordered)
    return ordered[: max(near, few)]


def _pools(kinds: Sequence[str]) -> list[Puzzle]:
    return [puzzle for kind in kinds for puzzle in _pool(kind)]


@lru_cache(maxsize=16)
def _pool(kind: str) -> tuple[Puzzle, ...]:
    """Every puzzle of the game up to `_POOL`; of several numbers, some that are not easy."""
    known: Known = {}
    if kind == SEVERAL:
        draw = Draw("numduel series")
        boards = dict.fromkeys(draw_board(draw, kind) for _ in range(3 * _TRIES))
        made = filter(None, (_puzzle(board, known) for board in boards))
        return tuple(puzzle for puzzle in made if puzzle.rating >= _HARDER)
    numbers = range(4, min(_LARGEST.get(kind, _OTHERS), _POOL) + 1)
    return tuple(filter(None, (_puzzle(Board.parse(f"{kind}:{n}"), known) for n in numbers)))


def draw_board(draw: Draw, kind: str) -> Board:
    if kind != SEVERAL:
        return Board.parse(f"{kind}:{draw_number(draw, _LARGEST.get(kind, _OTHERS))}")
    games = [draw.one_of(KINDS[:-1]) for _ in range(draw.between(2, 3))]
    most = 30 if len(games) == 2 else 12
    later = {"prime-subtractor": ",opening=any"}
    numbers = [f"{game}:{draw_number(draw, most)}{later.get(game, '')}" for game in games]
    return Board.parse("+".join(numbers))


def draw_number(draw: Draw, most: int) -> int:
    """A number of any size up to the most: small ones as likely as large ones."""
    return draw.between(4, draw.between(6, most))


def _puzzle(board: Board, known: Known) -> Puzzle | None:
    """The puzzle of a board; None where it makes a poor one. `known` remembers depths."""
    if any(game.is_over(value) for game, value in board.numbers):
        return None
    verdict = solve(board)
    try:
        if len(board.numbers) == 1 and no_choice_matters(board):
            solution = "1" if verdict.outcome == "win" else "2"
            return Puzzle(board, "winner", solution, winner_rating(board, known))
        winning, complete = verdict.first_moves(2)
        moves = sum(1 for _ in islice(board.moves(), _MOVES + 1))
        if not complete or len(winning) != 1 or not CHOICES <= moves <= _MOVES:
            return None
        rating = match_rating([(board, winning)], known)
    except TooDeep:
        return None
    return Puzzle(board, "move", board.write_move(winning[0]), rating)
