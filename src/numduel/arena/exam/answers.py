"""Asking players about positions: models by a question, the computer's players by their move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import lru_cache
from itertools import islice
from queue import SimpleQueue
from random import Random
from typing import NamedTuple

from numduel.arena.exam.task import question
from numduel.arena.exam.transcript import Answer, ExamFile, Setting
from numduel.board import Board
from numduel.errors import InvalidSetup, NumduelError, PlayerFailed
from numduel.players import COMPUTERS, LADDER, Limits, Player, close_players, make_player
from numduel.players.levels import LevelPlayer
from numduel.players.model import ModelPlayer
from numduel.players.perfect import PerfectPlayer
from numduel.players.reading import NONE
from numduel.players.view import Spent
from numduel.study.positions import Position
from numduel.wording import problem

BASELINES = (NONE, "random", "largest", *LADDER, "perfect")
"""Who is asked the same, to compare with: the first always says that no move wins."""

_UNREACHED = ("connection", "status")
"""What stops an exam where it befalls the very first question."""

_CHARACTERS = 4
"""Of a token, about."""

_BATCH = 100
"""Answers of built-in players that are written at a time; all others are written at once."""


class Question(NamedTuple):
    """A position of an exam, by its number from 0."""

    number: int
    position: Position


class Examinee:
    """A player in an exam; as often as there are questions asked at a time."""

    def __init__(self, word: str, seed: str, limits: Limits) -> None:
        self.word = word
        self._seed = seed
        self._random = Random()
        self._player: Player | None = None
        if word != NONE:
            self._player = make_player(word, self._random, limits)
            if self._player is None:
                raise InvalidSetup(problem="exam of a person")

    def close(self) -> None:
        """End what was started for the player."""
        close_players(self._player)

    def answer(self, asked: Question) -> Answer | PlayerFailed:
        """The answer, or why there is none."""
        position, prompt = asked.position, question(asked.position)
        player = self._player
        before = player.spent if isinstance(player, ModelPlayer) else Spent()
        said, failure = None, None
        try:
            if isinstance(player, ModelPlayer):
                said = player.complete(prompt)
            else:
                said = self.find(asked.number, position.board)
        except PlayerFailed as error:
            if error.problem == "key" or (asked.number == 0 and error.problem in _UNREACHED):
                return error
            failure = problem(error)
        except NumduelError as error:
            failure = problem(error)
        spent = player.spent.plus(before, -1) if isinstance(player, ModelPlayer) else Spent()
        return Answer.of(self.word, asked.number, position, prompt, said, failure, spent)

    def find(self, number: int, board: Board) -> str:
        """What a player that is no model answers to the question of this number."""
        player = self._player
        if player is None or board.is_over:
            return f"[{NONE}]"
        self._random.seed(f"{self._seed}/{number}/{self.word}")
        if isinstance(player, PerfectPlayer | LevelPlayer):
            move = player.find_win(board)
        else:
            move = player.choose(board)
        return f"[{NONE if move is None else board.write_move(move)}]"


def hold_exam(
    setting: Setting,
    count: int,
    players: Sequence[str],
    limits: Limits | None = None,
    jobs: int = 1,
    file: ExamFile | None = None,
    progress: Callable[[int, int], None] = lambda _before, _now: None,
    announce: Callable[[str, int, int], None] = lambda _word, _requests, _tokens: None,
) -> list[Answer]:
    """Ask every player about the first `count` positions of the setting; all answers, in order.

    Answers that the file has are not asked for again, but for failures. `jobs` questions are
    asked at a time. Before a model is asked, `announce` is told about how many requests and
    tokens of prompts that will take. Raises `PlayerFailed` where a key is refused, or where a
    model cannot be reached at the first question; what was answered is in the file.
    """
    limits = limits or Limits()
    known = file.read() if file else {}
    asked = [Question(*each) for each in enumerate(_drawn(setting, count))]
    waiting = {word: [q for q in asked if (word, q.number) not in known] for word in players}
    before = now = len(players) * len(asked) - sum(map(len, waiting.values()))
    progress(before, now)
    for word, theirs in waiting.items():
        if word.startswith("llm:") and theirs:
            characters = sum(len(question(each.position)) for each in theirs)
            announce(word, len(theirs), characters // _CHARACTERS)
        with ExitStack() as stack:
            batch: list[Answer] = []
            stack.callback(_keep, file, batch)
            for answer in _ask(word, theirs, setting.seed, limits, jobs, stack):
                known[word, answer.number] = answer
                batch.append(answer)
                if len(batch) == _BATCH or word not in COMPUTERS:
                    _keep(file, batch)
                now += 1
                progress(before, now)
    return [known[word, each.number] for word in players for each in asked]


@lru_cache(maxsize=2)
def _drawn(setting: Setting, count: int) -> tuple[Position, ...]:
    """The positions: players and baselines are asked about the same."""
    return tuple(islice(setting.positions(), count))


def _keep(file: ExamFile | None, batch: list[Answer]) -> None:
    if file and batch:
        file.add(batch)
    batch.clear()


def _ask(
    word: str,
    asked: Sequence[Question],
    seed: str,
    limits: Limits,
    jobs: int,
    stack: ExitStack,
) -> Iterator[Answer]:
    """The answers in order, a few questions ahead where several are asked at a time."""
    free: SimpleQueue[Examinee] = SimpleQueue()
    if word == NONE or word in COMPUTERS:
        jobs = 1  # they are not waited for
    for _ in range(min(jobs, len(asked))):
        examinee = Examinee(word, seed, limits)
        stack.callback(examinee.close)
        free.put(examinee)

    def ask(each: Question) -> Answer | PlayerFailed:
        examinee = free.get()
        try:
            return examinee.answer(each)
        finally:
            free.put(examinee)

    found: Iterable[Answer | PlayerFailed]
    found = map(ask, asked) if jobs == 1 else _ahead(ask, asked, jobs, stack)
    for answer in found:
        if isinstance(answer, PlayerFailed):
            raise answer
        yield answer


def _ahead(
    ask: Callable[[Question], Answer | PlayerFailed],
    asked: Sequence[Question],
    jobs: int,
    stack: ExitStack,
) -> Iterator[Answer | PlayerFailed]:
    pool = ThreadPoolExecutor(jobs)
    stack.callback(pool.shutdown, cancel_futures=True)
    rest = iter(asked)
    waiting: list[Future[Answer | PlayerFailed]] = []
    while True:
        waiting += [pool.submit(ask, each) for each in islice(rest, 2 * jobs - len(waiting))]
        if not waiting:
            return
        yield waiting.pop(0).result()
