"""Asking players about positions: models by a question, the computer's players by their move.

Players that know a trick and nothing else, and search that is cut short, stand beside a model: a
score that a trick reaches says little.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from itertools import count, islice
from queue import SimpleQueue
from random import Random

from numduel.arena.exam.task import MOST_QUESTIONS, Answer, ExamFile, Setting, question
from numduel.arena.tournament import BASELINES as BUILT_IN
from numduel.arena.tournament import MOST_JOBS
from numduel.arguments import check_count, checked
from numduel.board import Board, Move
from numduel.errors import InvalidSetup, NumduelError, PlayerFailed
from numduel.games import OwnRule
from numduel.players import COMPUTERS, Limits, Player, Spent, close_players, make_player
from numduel.players.language import NONE
from numduel.players.model import Completion, ModelPlayer
from numduel.players.player import CHARACTERS
from numduel.study.positions import Position
from numduel.study.puzzles import SEVERAL
from numduel.wording import problem

Trick = Callable[[Board], Move | None]  # None for no move

_LOOKED = 200  # legal moves that a trick looks at; for a search, positions for each move ahead
SEARCH = "search:"
_DEEPEST = 64


def _moves(board: Board) -> Iterator[Move]:
    return islice(board.moves(), _LOOKED)


def _finish(board: Board) -> Move | None:
    return next((move for move in _moves(board) if board.play(move).is_over), None)


def _parity(board: Board) -> Move | None:
    left = (move for move in _moves(board) if board.play(move).numbers[move.place].value % 2)
    return next(left, None)


def _last_digit(board: Board) -> Move | None:
    moves = (Move(place, value % 10) for place, (_, value) in enumerate(board.numbers))
    return next(filter(board.is_legal, moves), None)


def _combined(board: Board) -> Move | None:
    games = [number.game for number in board.numbers]
    one = "own-rule" if isinstance(games[0], OwnRule) else games[0].key
    shown = one if len(games) == 1 else SEVERAL
    return TRICKS[BEST.get((shown, board.misere), NONE)](board)


BEST: dict[tuple[str, bool], str] = {
    ("digit-subtraction-duel", False): "last-digit",
    ("divisor-duel", False): "parity",
    ("own-rule", False): "finish",
    ("prime-subtractor", False): "finish",
    ("prime-subtractor", True): "parity",
    ("subtract-a-prime", False): "finish",
}
"""The trick that was right most often, by game (or several) and misère, on 2,100 questions of the
seed "combined"; all that is not named here is `none`."""

TRICKS: dict[str, Trick] = {
    NONE: lambda _board: None, "finish": _finish, "parity": _parity, "last-digit": _last_digit,
    "combined": _combined,
}  # fmt: skip
"""End the match at once; leave an odd number; take the last digit; the best of these by what is
shown. Whoever cannot do that answers none."""


def make_trick(word: str, random: Random) -> Trick | None:
    """The trick of this word, or the search of `search:3`; None for other words."""
    depth = word.removeprefix(SEARCH)
    if word in TRICKS or depth == word:
        return TRICKS.get(word)
    if not (depth.isascii() and depth.isdigit() and 0 < int(depth) <= _DEEPEST):
        raise InvalidSetup(problem="unknown player", text=word, known=[*TRICKS, f"{SEARCH}3"])
    return lambda board: _look_ahead(board, int(depth), random)


def _look_ahead(board: Board, depth: int, random: Random) -> Move | None:
    """A move that is seen to win so far ahead; None where all are seen to lose; else a guess."""
    left = count(_LOOKED * depth, -1)
    seen = {move: _lost(board.play(move), depth - 1, left) for move in _moves(board)}
    wins = [move for move, lost in seen.items() if lost]
    unsure = [move for move, lost in seen.items() if lost is None]
    return wins[0] if wins else random.choice(unsure) if unsure else None


def _lost(board: Board, depth: int, left: Iterator[int]) -> bool | None:
    """Is the board lost for whoever moves there? None where that is not seen."""
    if board.is_over:
        return not board.misere
    if depth == 0 or next(left) < 0:
        return None
    replies = [_lost(board.play(move), depth - 1, left) for move in _moves(board)]
    if any(replies):
        return False
    return None if None in replies or len(replies) == _LOOKED else True


BASELINES = (*TRICKS, *BUILT_IN)  # asked the same, to compare with

_UNREACHED = ("connection", "status")  # what stops an exam where it befalls the very first question
_BATCH = 100  # answers of built-in players written at a time; all others are written at once
_Question = tuple[int, int, Position]  # its number, and how often it was asked before


def _is_built_in(word: str) -> bool:
    return word in TRICKS or word in COMPUTERS or word.startswith(SEARCH)


class Examinee:
    """A player in an exam; as often as there are questions asked at a time."""

    def __init__(self, word: str, setting: Setting, keep_reasoning: bool = False) -> None:
        self.word, self._seed, self._keep_reasoning = word, setting.seed, keep_reasoning
        self._random = Random()
        self._player: Player | None = None
        trick = make_trick(word, self._random)
        if trick is None:
            limits = Limits(setting.seconds, sampling=setting.sampling)
            self._player = make_player(word, self._random, limits)
            if self._player is None:
                raise InvalidSetup(problem="exam of a person")
            trick = getattr(self._player, "find_win", self._player.choose)
        self._find: Trick = trick

    def close(self) -> None:
        close_players(self._player)

    def answer(self, number: int, sample: int, position: Position) -> Answer:
        """The answer, or why there is none. Raises `PlayerFailed` for what stops an exam."""
        model = self._player if isinstance(self._player, ModelPlayer) else None
        before = model.spent if model else Spent()
        said = failure = None
        try:
            if model:
                said = model.complete(question(position))
                if not self._keep_reasoning:
                    said = said._replace(reasoning=None)
            else:
                said = Completion(self.find(number, position.board, sample))
        except NumduelError as error:
            stops = ("key", *_UNREACHED) if number == 0 else ("key",)
            if isinstance(error, PlayerFailed) and error.problem in stops:
                raise
            failure = problem(error)
        spent = model.spent.plus(before, -1) if model else Spent()
        spent = spent._replace(seconds=round(spent.seconds, 3))
        at = None if _is_built_in(self.word) else datetime.now(UTC).isoformat(timespec="seconds")
        return Answer(self.word, number, sample, position, said, failure, spent, at)

    def find(self, number: int, board: Board, sample: int = 0) -> str:
        """What a player that is no model answers to the question of this number."""
        self._random.seed(f"{self._seed}/{number}/{self.word}" + f"/{sample}" * bool(sample))
        move = None if board.is_over else self._find(board)
        return f"[{NONE if move is None else board.write_move(move)}]"


@checked
def hold_exam(
    setting: Setting,
    players: Sequence[str],
    jobs: int = 1,
    file: ExamFile | None = None,
    progress: Callable[[int, int], None] = lambda _before, _now: None,
    announce: Callable[[str, int, int], None] = lambda _word, _requests, _tokens: None,
    keep_reasoning: bool = False,
) -> list[Answer]:
    """Ask every player about the positions of the setting; all answers, in order.

    Answers that the file has are not asked for again, but for failures. `jobs` questions are
    asked at a time. Before a model is asked, `announce` is told about how many requests and
    tokens of prompts that will take. Raises `PlayerFailed` where a key is refused, or where a
    model cannot be reached at the first question; what was answered is in the file.
    """
    check_count("count", setting.count, MOST_QUESTIONS)
    check_count("repeat", setting.repeat, MOST_QUESTIONS)
    check_count("jobs", jobs, MOST_JOBS)
    read = _believed(file) if file else {}
    known = {key: answer for key, answer in read.items() if answer.verdict != "failed"}
    drawn = enumerate(setting.positions())
    asked = [(number, at, each) for number, each in drawn for at in range(setting.repeat)]
    waiting = {word: [q for q in asked if (word, *q[:2]) not in known] for word in players}
    before = done = len(players) * len(asked) - sum(map(len, waiting.values()))
    progress(before, done)
    for word, theirs in waiting.items():
        if word.startswith("llm:") and theirs:
            characters = sum(len(question(position)) for *_, position in theirs)
            announce(word, len(theirs), characters // CHARACTERS)
        size, at_a_time = (_BATCH, 1) if _is_built_in(word) else (1, jobs)
        seat = partial(Examinee, word, setting, keep_reasoning)
        with closing(_ask(seat, theirs, at_a_time)) as answers:
            while batch := list(islice(answers, size)):
                for answer in batch:
                    key = word, answer.number, answer.sample
                    known[key] = answer.after(read.get(key))
                if file:
                    file.add(batch)
                done += len(batch)
                progress(before, done)
    return [known[word, number, sample] for word in players for number, sample, _ in asked]


@checked
def score_again(path: str) -> tuple[Setting, list[Answer]]:
    """The setting and the answers of a file, every answer read and scored anew.

    Raises `FileError`, too, where a question was not asked or a built-in player differs.
    """
    file = ExamFile.open(path)
    found = _believed(file, mend=False)
    asked = file.setting.count * file.setting.repeat
    for player, answered in Counter(player for player, _, _ in found).items():
        if answered < asked:
            missing = f"{asked - answered:,} of {asked:,} answers of {player} are missing"
            raise file.unusable(f"{missing}; the command that made the file asks for the rest")
    if not found:
        raise file.unusable("there is no answer in it")
    return file.setting, list(found.values())


def _believed(file: ExamFile, mend: bool = True) -> dict[tuple[str, int, int], Answer]:
    """What the file holds. What it says of built-in players is compared with what they answer."""
    found = file.read(mend)
    words = filter(_is_built_in, {word for word, _, _ in found})
    try:
        seats = {word: Examinee(word, file.setting) for word in words}
    except InvalidSetup as error:
        raise file.unusable(problem(error)) from error
    for (word, number, sample), answer in found.items():
        if word in seats and seats[word].answer(number, sample, answer.position) != answer:
            raise file.unusable(f"{word} does not answer question {number} so")
    return found


def _ask(
    seat: Callable[[], Examinee], asked: list[_Question], jobs: int
) -> Generator[Answer, None, None]:
    """The answers in order; some questions ahead where several are asked at a time."""
    free: SimpleQueue[Examinee] = SimpleQueue()

    def ask(each: _Question) -> Answer:
        examinee = free.get()
        try:
            return examinee.answer(*each)
        finally:
            free.put(examinee)

    with ExitStack() as stack:
        for _ in range(min(jobs, len(asked))):
            examinee = seat()
            stack.callback(examinee.close)
            free.put(examinee)
        if jobs == 1:
            yield from map(ask, asked)
        else:
            pool = ThreadPoolExecutor(jobs)
            stack.callback(pool.shutdown, cancel_futures=True)
            yield from pool.map(ask, asked)
