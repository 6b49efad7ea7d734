"""Single verdicts against something outside the project: one `pow(3, n-1, n)` each.

    python bench/solver.py

Every ratio is taken number by number in one run: the time of the answer over
the time of the modular power on the same number; the median is printed.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from numduel import Board, Verdict, load, solve


def timed(action: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def ratio(key: str, digits: int, count: int, ask: Callable[[Verdict], object]) -> float:
    """The median cost of an answer, in units of one modular power on the same number."""
    game = load(key)
    random.seed(digits)
    ratios = []
    while len(ratios) < count:
        n = random.randrange(10 ** (digits - 1), 10**digits)
        board = Board.of(game, n)
        if solve(board).outcome == "loss":
            continue
        fresh = Board.of(game, n)
        forget()
        unit = min(timed(lambda n=n: pow(3, n - 1, n)) for _ in range(3))
        ratios.append(timed(lambda fresh=fresh: ask(solve(fresh))) / unit)
    return statistics.median(ratios)


def forget() -> None:
    """Drop what the solver remembers of earlier numbers."""
    from numduel.arithmetic.factors import factor
    from numduel.theory import find

    find.cache_clear()
    factor.cache_clear()


def perfect_move(verdict: Verdict) -> object:
    """The first winning move."""
    return next(iter(verdict.winning_moves))


def rate(key: str, count: int = 20_000) -> float:
    """Verdicts a second on random numbers of 18 digits."""
    game = load(key)
    boards = [Board.of(game, random.randrange(10**17, 10**18)) for _ in range(count)]
    return count / timed(lambda: [solve(board).outcome for board in boards])


def start_up() -> float:
    """Importing numduel and solving a small board, in units of `python -c pass`."""
    code = "import numduel; numduel.solve(numduel.Board.parse('subtract-a-prime:20')).outcome"

    def best(text: str) -> float:
        return min(timed(lambda: subprocess.run([sys.executable, "-c", text])) for _ in range(7))

    return best(code) / best("pass")


def main() -> None:
    """Print every ratio with what it should stay below."""
    solve(Board.parse("subtract-a-prime:1000000000000000000001"))
    prime, divisor, digit = "subtract-a-prime", "divisor-duel", "digit-subtraction-duel"
    rows = [
        ("perfect move, Subtract a Prime, 100 digits", ratio(prime, 100, 60, perfect_move), 25),
        ("perfect move, Subtract a Prime, 400 digits", ratio(prime, 400, 15, perfect_move), 150),
        ("Grundy value, Subtract a Prime, 100 digits", ratio(prime, 100, 40, _grundy), 100),
        ("perfect move, Divisor Duel, 400 digits", ratio(divisor, 400, 60, perfect_move), 1),
        (
            "perfect move, Digit Subtraction Duel, 400 digits",
            ratio(digit, 400, 60, perfect_move),
            1,
        ),
    ]
    for what, found, limit in rows:
        print(f"{what}: {found:.2f} powers (at most {limit})")
    for key in (divisor, digit):
        print(f"verdicts on 18 digits, {key}: {rate(key):,.0f} a second (at least 20,000)")
    print(
        f"import and solve subtract-a-prime:20: {start_up():.1f} times an empty python (at most 20)"
    )


def _grundy(verdict: Verdict) -> object:
    return verdict.grundy


if __name__ == "__main__":
    main()
