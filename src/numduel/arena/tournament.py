"""Playing a plan, in this process or in several."""

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from multiprocessing.util import Finalize
from random import Random

from numduel.arena.match import Result, play_match
from numduel.arena.plan import Pairing, Plan
from numduel.arena.results_file import ResultsFile
from numduel.arena.standings import Standing, standings_of
from numduel.arguments import check_count, checked
from numduel.errors import InvalidSetup, PlayerFailed, TooLarge
from numduel.players import COMPUTERS, LADDER, Limits, Player, close_players, make_player
from numduel.solver import is_settled, solve

_CHUNK = 50  # matches that are played and written at a time; one where a player is waited for
_NOBODY: Mapping[str, Player] = {}

MOST_JOBS = 256  # matches, or questions of an exam, that can be had at a time
BASELINES = ("random", "largest", *LADDER, "perfect")


class Lineup:
    """The players of a plan, made once or given, who meet in match after match."""

    def __init__(
        self, plan: Plan, limits: Limits, given: Mapping[str, Player] = _NOBODY, told: bool = False
    ) -> None:
        self._seed, self._limits, self._told = plan.seed, limits, told
        self._random = Random()
        seats = dict(given)
        with ExitStack() as stack:
            for word in plan.players:
                if word not in given and (player := make_player(word, self._random, limits)):
                    stack.callback(close_players, player)
                    seats[word] = player
            self.close = stack.pop_all().close
        self._seats = [seats[word] for word in plan.players]

    def play(self, pairings: Iterable[Pairing]) -> list[Result]:
        """Play matches; what the players draw is seeded for each alone."""
        results = []
        for pairing in pairings:
            self._random.seed(f"{self._seed}/{pairing.number}")
            seats = self._seats[pairing.first], self._seats[pairing.second]
            results.append(play_match(pairing, seats, self._limits, self._told))
        return results


@checked
def check_players(plan: Plan, limits: Limits) -> None:
    """Make the players once. Raises `InvalidSetup` or `PlayerFailed` for what names none.

    Raises `TooLarge` for a board on which `perfect` could not play: it would only forfeit there.
    """
    Lineup(plan, limits).close()
    if "perfect" in plan.players:
        for board in {pairing.board for pairing in plan}:
            if not is_settled(board):
                solve(board)


@checked
def baselines_of(plan: Plan) -> list[Standing]:
    """The figures of each baseline that is not in the plan, against the plan's built-in players.

    Without `perfect` where it cannot play. Raises `InvalidSetup` without a built-in opponent.
    """
    opponents = tuple(word for word in plan.players if word in COMPUTERS)
    if not opponents:
        raise InvalidSetup(problem="baselines")
    found = []
    for word in (word for word in BASELINES if word not in plan.players):
        own = replace(plan, players=(word, *opponents))
        with suppress(TooLarge):
            check_players(own, Limits())
            results = Lineup(own, Limits()).play(each for each in own if 0 in each[2:])
            (standing,) = (s for s in standings_of(own, results).players if s.player == word)
            standing.rating = None
            found.append(standing)
    return found


@checked
def run(
    plan: Plan,
    limits: Limits | None = None,
    jobs: int = 1,
    file: ResultsFile | None = None,
    progress: Callable[[int, int], None] = lambda _before, _now: None,
    players: Mapping[str, Player] = _NOBODY,
    transcript: ResultsFile | None = None,
) -> list[Result]:
    """Play every match that the files do not have yet; all results, in the plan's order.

    `players` are objects of your own, by their names in the plan: whatever has a method
    `choose(board) -> Move`. They play in this process only. An illegal move forfeits the
    match; any other exception than a `NumduelError` comes out of here as it is.

    `progress` is told how many matches there were before, and how many are now. Stopped by Ctrl-C
    or an error, such as `PlayerFailed` for a key that is refused, what was played is in the files.
    """
    limits = limits or Limits()
    check_count("jobs", jobs, MOST_JOBS)
    for name, player in players.items():
        if name not in plan.players:
            raise InvalidSetup(problem="not in plan", name=name)
        if not callable(getattr(player, "choose", None)):
            raise InvalidSetup(problem="no choose", name=name)
    if players and jobs != 1:
        raise InvalidSetup(problem="own players")
    files = [each for each in (file, transcript) if each]
    found = [each.read() for each in files]
    known = {n: one for n, one in found[-1].items() if n in found[0]} if found else {}
    before = len(known)
    progress(before, before)
    waiting = (pairing for pairing in plan if pairing.number not in known)
    size = _CHUNK if {*COMPUTERS, *players} >= {*plan.players} else 1
    chunks = iter(lambda: list(islice(waiting, size)), [])
    lineup = partial(Lineup, plan, limits, players, transcript is not None)
    for batch in _played(lineup, chunks, jobs):
        for each in files:
            each.add(batch)
        known.update((result.number, result._replace(transcript=None)) for result in batch)
        progress(before, len(known))
    for each in files:
        each.finish()
    return [known[number] for number in sorted(known)]


def _played(
    lineup: Callable[[], Lineup], chunks: Iterator[list[Pairing]], jobs: int
) -> Iterator[list[Result]]:
    if jobs == 1:
        with closing(lineup()) as seated:
            yield from map(seated.play, chunks)
        return
    with ProcessPoolExecutor(jobs, initializer=_sit_down, initargs=(lineup,)) as pool:
        try:
            # A few chunks at a time: a plan may be long.
            while some := [pool.submit(_play, chunk) for chunk in islice(chunks, 4 * jobs)]:
                yield from (future.result() for future in as_completed(some))
        except BrokenProcessPool as error:
            detail = "a process of the arena ended"
            raise PlayerFailed(player="arena", problem="broken", detail=detail) from error
        finally:
            pool.shutdown(cancel_futures=True)


_seated: list[Lineup] = []


def _sit_down(lineup: Callable[[], Lineup]) -> None:
    # Ctrl-C reaches every process; the first one ends the others, after the match in play.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _seated.append(lineup())
    # A process of a pool leaves without the usual handlers at exit.
    Finalize(None, _seated[0].close, exitpriority=10)


def _play(pairings: list[Pairing]) -> list[Result]:
    return _seated[0].play(pairings)
