"""Single verdicts against something outside the project: one `pow(3, n-1, n)` each.

Every ratio is taken number by number in one run: the time of the answer over
the time of the modular power on the same number; the median is printed.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.measure import Result, interleaved, seconds, sized
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
        # A perfect move is asked for only where there is one; a value, of every number.
        if ask is perfect_move and solve(board).outcome == "loss":
            continue
        fresh = Board.of(game, n)
        forget()
        unit = min(timed(lambda n=n: pow(3, n - 1, n)) for _ in range(3))
        ratios.append(timed(lambda fresh=fresh: ask(solve(fresh))) / unit)
    return statistics.median(ratios)


def forget() -> None:
    """Drop what the solver remembers of earlier numbers."""
    from numduel.arithmetic import factor
    from numduel.theory import _of_game

    _of_game.cache_clear()
    factor.cache_clear()


def perfect_move(verdict: Verdict) -> object:
    """The first winning move."""
    return next(iter(verdict.winning_moves))


def grundy(verdict: Verdict) -> object:
    """The Grundy value."""
    return verdict.grundy


def rate(key: str, ask: Callable[[Verdict], object], count: int) -> float:
    """Verdicts a second on random numbers of 18 digits, each asked for something."""
    game = load(key)
    boards = [Board.of(game, random.randrange(10**17, 10**18)) for _ in range(count)]
    return count / timed(lambda: [ask(solve(board)) for board in boards])


def outcome(verdict: Verdict) -> object:
    """What a verdict settles at once."""
    return verdict.outcome


def everything(verdict: Verdict) -> object:
    """The outcome, the value and the first winning move."""
    return verdict.outcome, verdict.grundy, next(iter(verdict.winning_moves), None)


def start_up() -> float:
    """Solving a small board from the shell, in units of `python -c pass`."""
    numduel = str(Path(sys.executable).with_name("numduel"))
    python, ours = interleaved(
        seconds([sys.executable, "-c", "pass"]), seconds([numduel, "solve", "subtract-a-prime:20"])
    )
    return ours / python


def run() -> Iterator[Result]:
    """Single verdicts, in powers; verdicts a second; start-up."""
    solve(Board.parse("subtract-a-prime:1000000000000000000001"))
    prime, divisor, digit = "subtract-a-prime", "divisor-duel", "digit-subtraction-duel"
    for key, digits, count, ask, limit in (
        (prime, 100, 60, perfect_move, 25),
        (prime, 400, 15, perfect_move, 150),
        (prime, 100, 40, grundy, 100),
        (divisor, 400, 60, perfect_move, 1),
        (digit, 400, 60, perfect_move, 1),
    ):
        name = f"{ask.__name__.replace('_', ' ')} of {key} at {digits} digits, in powers"
        yield Result(name, ratio(key, digits, sized(count, 1), ask), limit)
    for key in (divisor, digit):
        full = rate(key, everything, sized(2_000, 5))
        print(f"{key}, 18 digits, with value and first winning move: {full:,.0f} verdicts a second")
        yield Result(
            f"verdicts a second of {key}, 18 digits",
            rate(key, outcome, sized(20_000, 5)),
            20e3,
            True,
        )
    yield Result("numduel solve subtract-a-prime:20 / python -c pass", start_up(), 20)
