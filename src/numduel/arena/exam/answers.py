"""Asking players about positions: models by a question, the computer's players by their move."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from queue import SimpleQueue
from random import Random

from numduel.arena.exam.task import question
from numduel.arena.exam.transcript import Answer, ExamFile, Setting
from numduel.arena.tournament import BASELINES as BUILT_IN
from numduel.arena.tournament import MOST_JOBS
from numduel.arguments import checked
from numduel.board import Board
from numduel.errors import InvalidSetup, NumduelError, PlayerFailed
from numduel.players import COMPUTERS, Limits, Player, close_players, make_player
from numduel.players.levels import LevelPlayer
from numduel.players.model import ModelPlayer
from numduel.players.perfect import PerfectPlayer
from numduel.players.reading import NONE
from numduel.players.view import CHARACTERS, Spent
from numduel.study.positions import Position
from numduel.wording import problem

BASELINES = (NONE, *BUILT_IN)
"""Who is asked the same, to compare with: the first always says that no move wins."""

_UNREACHED = ("connection", "status")
"""What stops an exam where it befalls the very first question."""

MOST_POSITIONS = 1_000_000
_BATCH = 100
"""Answers of built-in players that are written at a time; all others are written at once."""

_Question = tuple[int, Position]
"""A position of an exam, and its number from 0."""


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

    def answer(self, number: int, position: Position) -> Answer:
        """The answer, or why there is none. Raises `PlayerFailed` for what stops an exam."""
        model = self._player if isinstance(self._player, ModelPlayer) else None
        before = model.spent if model else Spent()
        said = failure = None
        try:
            if model:
                said = model.complete(question(position))
            else:
                said = self.find(number, position.board)
        except NumduelError as error:
            stops = ("key", *_UNREACHED) if number == 0 else ("key",)
            if isinstance(error, PlayerFailed) and error.problem in stops:
                raise
            failure = problem(error)
        spent = model.spent.plus(before, -1) if model else Spent()
        return replace(Answer.of(self.word, number, position, said, spent), error=failure)

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


@checked
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
    for name, value, limit in (("jobs", jobs, MOST_JOBS), ("count", count, MOST_POSITIONS)):
        if not 1 <= value <= limit:
            raise InvalidSetup(problem="how many", name=name, value=value, limit=limit)
    known = file.read() if file else {}
    asked = list(enumerate(_drawn(setting, count)))
    waiting = {word: [q for q in asked if (word, q[0]) not in known] for word in players}
    before = now = len(players) * len(asked) - sum(map(len, waiting.values()))
    progress(before, now)
    for word, theirs in waiting.items():
        if word.startswith("llm:") and theirs:
            characters = sum(len(question(position)) for _, position in theirs)
            announce(word, len(theirs), characters // CHARACTERS)
        batch: list[Answer] = []
        size = _BATCH if word in COMPUTERS else 1
        answers = _ask(word, theirs, setting.seed, limits or Limits(), jobs)
        try:
            for answer in answers:
                now += 1
                known[word, answer.number] = answer
                batch.append(answer)
                if file and len(batch) >= size:
                    file.add(batch)
                    batch.clear()
                progress(before, now)
        finally:
            answers.close()
            if file and batch:
                file.add(batch)
    return [known[word, number] for word in players for number, _ in asked]


@lru_cache(maxsize=2)
def _drawn(setting: Setting, count: int) -> tuple[Position, ...]:
    """The positions: players and baselines are asked about the same."""
    return tuple(islice(setting.positions(), count))


def _ask(
    word: str, asked: list[_Question], seed: str, limits: Limits, jobs: int
) -> Generator[Answer, None, None]:
    """The answers in order; some questions ahead where several are asked at a time."""
    free: SimpleQueue[Examinee] = SimpleQueue()
    if word == NONE or word in COMPUTERS:
        jobs = 1  # they are not waited for

    def ask(each: _Question) -> Answer:
        examinee = free.get()
        try:
            return examinee.answer(*each)
        finally:
            free.put(examinee)

    with ExitStack() as stack:
        for _ in range(min(jobs, len(asked))):
            examinee = Examinee(word, seed, limits)
            stack.callback(examinee.close)
            free.put(examinee)
        if jobs == 1:
            yield from map(ask, asked)
        else:
            pool = ThreadPoolExecutor(jobs)
            stack.callback(pool.shutdown, cancel_futures=True)
            yield from pool.map(ask, asked)
