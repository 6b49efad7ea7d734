"""How hard a puzzle is, as measured: how many of a panel of simple readers get it wrong.

Some readers look a few moves ahead, and guess among what they cannot tell apart by then.
Some follow a rule of thumb. Where moves divide, some try the first few primes. What each of
them answers is worked out, not sampled, and in fractions: it is the same on every machine.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Literal, get_args

from numduel.arithmetic import primes_up
from numduel.board import Board, Move
from numduel.games import Reduction

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
_BOUNDS = (1000, 1500)  # ratings from which a position is medium, and hard
Known = dict[Board, tuple[bool, int]]  # is a board lost, and in how many moves does it end?
LIMIT = 60_000  # moves that one question may look at
_AHEAD = range(8)  # how many moves ahead the readers look; 0 is a guess
_TRIED = (1, 2, 4, 8, 16, 32, 64, 128)  # how many primes the patience of those who divide lasts for
_UNCOUNTED = 10_000  # legal moves of a number that has too many to count


def difficulty_of(rating: int) -> Difficulty:
    return DIFFICULTIES[sum(rating >= bound for bound in _BOUNDS)]


def match_rating(turns: Sequence[tuple[Board, Sequence[Move]]], known: Known) -> int:
    """The rating of a match, or of a part: its boards where a move is asked for, the first one
    first, each with the moves that win. Whoever errs once has lost. Raises `TooDeep`.
    """
    readers = zip(*(_wrong(board, winning, known) for board, winning in turns), strict=True)
    wrong = [1 - prod((1 - one for one in reader), start=Fraction(1)) for reader in readers]
    return _rating(turns[0][0], wrong)


def answer_rating(board: Board, winning: Sequence[Move], out_of_sight: bool) -> int:
    """The rating of a board of which is asked which move wins, or whether none does.

    Whoever sees a winning move plays it; whoever sees that no move is left to hope for says
    so; all others guess among these moves and none. On a board so large that nobody sees its end,
    `out_of_sight`, all of them guess. Raises `TooDeep`.
    """
    if not out_of_sight:
        return _rating(board, _wrong(board, winning, {}, none=1))
    [(game, n)] = board.numbers
    return _rating(board, [1 - Fraction(max(1, len(winning)), (game.count(n) or _UNCOUNTED) + 1)])


def winner_rating(board: Board, known: Known) -> int:
    """The rating of a board of which is asked who wins. Raises `TooDeep`."""
    guess = Fraction(1, 2)
    if all(number.game.reduction is Reduction.DIVIDE for number in board.numbers):
        needed = max(_primes_needed(number.value) for number in board.numbers)
        return _rating(board, [guess if tried < needed else Fraction(0) for tried in _TRIED])
    end = remoteness(board, known)
    return _rating(board, [guess if ahead < end else Fraction(0) for ahead in _AHEAD])


def _wrong(board: Board, winning: Sequence[Move], known: Known, none: int = 0) -> list[Fraction]:
    """How often each reader who looks ahead or follows a thumb errs; `none` is 1 if it is an
    answer. Raises `TooDeep`.
    """
    remoteness(board, known)
    left = {move: board.play(move) for move in board.moves()}
    seen = {move: known[after][1] + 1 for move, after in left.items()}
    wrong = []
    for ahead in _AHEAD:
        finds = any(seen[move] <= ahead for move in winning)
        unseen = sum(depth > ahead for depth in seen.values()) + none
        wrong.append(Fraction(0) if finds else 1 - Fraction(max(1, len(winning)), unseen))
    if left:
        by_thumb = (
            max(left, key=lambda move: move.amount),
            min(left, key=lambda move: move.amount),
            min(left, key=lambda move: sum(1 for _ in left[move].moves())),
        )
        wrong += [Fraction(move not in winning) for move in by_thumb]
    return wrong


def _primes_needed(n: int) -> int:
    """How many primes have to be tried until the rest is 1 or sure to be a prime."""
    for tried, prime in enumerate(islice(primes_up(n), _TRIED[-1]), 1):
        while n % prime == 0:
            n //= prime
        if n < (prime + 1) ** 2:
            return tried
    return _TRIED[-1] + 1


def _rating(board: Board, wrong: Sequence[Fraction]) -> int:
    """From 300, if all are right, to about 2000. Large numbers take more care."""
    size = sum(number.value for number in board.numbers).bit_length()
    return 300 + int(1500 * sum(wrong) / len(wrong)) + 10 * size


class TooDeep(Exception):
    """The question would take too long."""


def remoteness(board: Board, known: Known | None = None, limit: int = LIMIT) -> int:
    """The number of moves until the end, from the definition, by listing every position.

    The winner takes the shortest way to win, the loser the longest to lose
    (Conway, On Numbers and Games, ch. 14). Raises `TooDeep` beyond the limit.
    """
    known = {} if known is None else known
    after: dict[Board, list[Board]] = {}
    waiting, looked = [board], 0
    while waiting:
        current = waiting.pop()
        if current in after or current in known:
            continue
        after[current] = [current.play(move) for move in current.moves()]
        looked += len(after[current])
        if looked > limit:
            raise TooDeep
        waiting += after[current]
    for current in sorted(after, key=lambda b: sum(number.value for number in b.numbers)):
        known[current] = _settled(current.misere, [known[child] for child in after[current]])
    return known[board][1]


def _settled(misere: bool, children: list[tuple[bool, int]]) -> tuple[bool, int]:
    """Is a position with these children lost, and how far is its end?"""
    if not children:
        return not misere, 0
    wins = [depth for lost, depth in children if lost]
    return (False, 1 + min(wins)) if wins else (True, 1 + max(depth for _, depth in children))
