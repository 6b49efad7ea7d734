"""Choose the boards of the daily duel: `python tools/duels.py > src/numduel/study/duels.txt`.

The boards of 48 weeks with their ratings, from Monday to Sunday. Each is won in two to six turns,
whichever winning moves one plays, with a choice on most of them. The days of a week rise in
difficulty; a weekday's games come equally often, as far as they have boards.
`tests/study/test_daily.py` checks them.
"""

from hashlib import sha256
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from numduel.analysis import outcome
from numduel.board import Board
from numduel.solver import solve
from numduel.study.difficulty import Known, TooDeep, match_rating
from numduel.study.duels import perfect_reply

WEEKS = 48
TURNS = range(2, 7)
_DIGITS, _PRIMES, _OTHER_PRIMES, _DIVISORS = (
    "digit-subtraction-duel", "subtract-a-prime", "prime-subtractor", "divisor-duel")  # fmt: skip
_PAIRED = (_DIGITS, _PRIMES, _DIVISORS)


class Weekday(NamedTuple):
    games: tuple[str, ...]
    """Of one number the games; of two, those that are paired."""
    numbers: int
    values: range
    ratings: range


WEEK = (
    Weekday((_DIGITS, _PRIMES, _OTHER_PRIMES), 1, range(20, 100), range(1180)),
    Weekday((_DIGITS, _PRIMES, _OTHER_PRIMES), 1, range(25, 180), range(1150, 1300)),
    Weekday((_DIGITS, _PRIMES, _OTHER_PRIMES, _DIVISORS), 1, range(25, 180), range(1240, 1500)),
    Weekday(_PAIRED, 2, range(5, 20), range(1420, 1570)),
    Weekday(_PAIRED, 2, range(7, 24), range(1530, 1680)),
    Weekday(_PAIRED, 2, range(7, 26), range(1650, 1780)),
    Weekday(_PAIRED, 2, range(10, 31), range(1770, 2000)),
)
"""Monday first. Nobody's first day is one of three numbers: no day is."""


def rated(board: Board, known: Known) -> int | None:
    """How hard the duel is, along its first winning moves; None where the board makes none."""
    moves = list(board.moves())
    if len(moves) < 2 or outcome(board) != "win":
        return None
    if any(game.is_over(n) for game, n in board.numbers):
        return None
    fewest, most = _span(board, {})
    if fewest not in TURNS or most not in TURNS:
        return None
    line, here = [], board
    while not here.is_over:
        winning = list(solve(here).winning_moves)
        line.append((here, winning))
        left = here.play(winning[0])
        here = left if left.is_over else left.play(perfect_reply(left))
    chosen = sum(len(winning) < sum(1 for _ in here.moves()) for here, winning in line)
    try:
        return match_rating(line, known) if 2 * chosen > len(line) else None
    except TooDeep:
        return None


def _span(board: Board, spans: dict[Board, tuple[int, int]]) -> tuple[int, int]:
    """The fewest and the most turns in which winning moves come to the end."""
    if board not in spans:
        ends = []
        for move in solve(board).winning_moves:
            left = board.play(move)
            ends.append((0, 0) if left.is_over else _span(left.play(perfect_reply(left)), spans))
        spans[board] = 1 + min(few for few, _ in ends), 1 + max(many for _, many in ends)
    return spans[board]


def _shuffled(text: str) -> bytes:
    return sha256(text.encode()).digest()


def boards_of(weekday: int, taken: set[Board]) -> list[tuple[Board, int]]:
    """The boards of a weekday, as many as there are weeks, in an order that nobody can guess."""
    kind, known = WEEK[weekday], Known()
    rows = []
    for games in combinations_with_replacement(kind.games, kind.numbers):
        texts = [
            "+".join(f"{game}:{n}" for game, n in zip(games, values, strict=True))
            for values in product(kind.values, repeat=kind.numbers)
            if games[0] != games[-1] or values[0] <= values[-1]
        ]
        texts.sort(key=_shuffled)
        row: list[tuple[Board, int]] = []
        for board in map(Board.parse, texts):
            rating = rated(board, known)
            if rating in kind.ratings and board not in taken and len(row) < WEEKS:
                row.append((board, rating))
        rows.append(row)
    chosen = [row[at] for at in range(WEEKS) for row in rows if at < len(row)][:WEEKS]
    chosen.sort(key=lambda one: _shuffled(f"{weekday} {one[0]}"))
    taken.update(board for board, _ in chosen)
    return chosen


if __name__ == "__main__":
    chosen: set[Board] = set()
    for week in zip(*(boards_of(weekday, chosen) for weekday in range(7)), strict=True):
        for board, rating in week:
            print(board, rating)
