"""inspect-ai tasks: a language model plays matches, and is scored by exact regret.

    inspect eval numduel/divisor_duel --model openai/my-model -T opponent=random

`numduel/positions` asks about single positions. There is a task for each game, too. Each
of its samples is one match; the model begins in
every second one. With `player=perfect` or `player=random` that player takes the
model's seat, and no model is asked: a yardstick, and a test that runs offline.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from numduel.extras import require

require("inspect", "inspect_ai")

from inspect_ai import Task, task  # noqa: E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import ChatMessageUser  # noqa: E402
from inspect_ai.scorer import (  # noqa: E402
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver  # noqa: E402

from numduel.adaptors.inspect_positions import positions  # noqa: E402
from numduel.arena.match import only_move, winner_of  # noqa: E402
from numduel.arena.plan import DrawnStart  # noqa: E402
from numduel.arena.result import Conduct, End, Tally, count_move  # noqa: E402
from numduel.board import Board, Move  # noqa: E402
from numduel.games import all_games, load  # noqa: E402
from numduel.players import Turn, View, make_computer  # noqa: E402
from numduel.players.language import complaint, prompt, read_move  # noqa: E402
from numduel.players.reading import Kind, kind_of  # noqa: E402

__all__ = ["make_task", "positions"]

VERSION = 1
"""The version of the tasks that are matches: another one where prompts or scores change."""


def make_task(
    game: str,
    board: str | None = None,
    digits: int | None = None,
    opponent: str = "perfect",
    player: str = "model",
    matches: int = 10,
    tries: int = 3,
    legal: bool = True,
    seed: int = 0,
    turns: int = 100,
) -> Task:
    """Matches of one game: on one board, or with starts of so many digits, each drawn anew.

    `legal` says whether the prompt lists the legal moves; `tries` after how
    many answers that are no legal move a match is forfeited; after so many `turns`
    it ends, and the verdict on the board names the winner.
    """
    found = load(game)
    samples = []
    for number in range(matches):
        if digits is None:
            text = board or str(Board.of(found, found.default_start))
        else:
            text = str(DrawnStart(found, digits).board(Random(f"{seed}/{number}")))
        Board.parse(text)
        metadata = {"board": text, "begins": number % 2 == 0, "seed": seed + number}
        samples.append(Sample(input=text, target="won", id=number + 1, metadata=metadata))
    make_computer(opponent, Random())
    return Task(
        dataset=samples,
        solver=play_match(opponent, player, tries, legal, turns),
        scorer=conduct(),
        name=game.replace("-", "_"),
        version=VERSION,
    )


@solver
def play_match(
    opponent: str = "perfect",
    player: str = "model",
    tries: int = 3,
    legal: bool = True,
    turns: int = 100,
) -> Solver:
    """Play the sample's match to its end; what the model did is in the metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        random = Random(state.metadata["seed"])
        other = make_computer(opponent, random)
        stand_in = None if player == "model" else make_computer(player, random)
        match = _Match(Board.parse(state.metadata["board"]))
        ours = 0 if state.metadata["begins"] else 1
        state.messages = []
        ending = End.NO_MOVE
        while not match.board.is_over:
            if stand_in is None and len(match.moves) >= turns:
                ending = End.TURN_LIMIT
                break
            if len(match.moves) % 2 != ours:
                match.play(other.choose(match.board))
            elif stand_in is not None:
                match.play_ours(stand_in.choose(match.board))
            elif not await _ask(state, generate, match, tries, legal):
                ending = End.FORFEITED
                break
        won = winner_of(match.board, len(match.moves) % 2, ending) == ours
        found = Conduct(**match.tally)._asdict()
        forfeited = int(ending is End.FORFEITED)
        state.metadata["match"] = {**found, "won": int(won), "forfeited": forfeited}
        state.completed = True
        return state

    return solve


class _Match:
    """A match, and what is counted of our own moves."""

    def __init__(self, board: Board) -> None:
        self.start = self.board = board
        self.moves: list[Move | None] = []
        self.tally = Tally()

    def play(self, move: Move) -> None:
        self.board = self.board.play(move)
        self.moves.append(move)

    def play_ours(self, move: Move) -> None:
        before = self.board
        self.play(move)
        count_move(self.tally, before, self.board)


async def _ask(
    state: TaskState, generate: Generate, match: _Match, tries: int, legal: bool
) -> bool:
    """Ask the model for its move, as often as it may be; False when it forfeits.

    The one legal move is played without asking.
    """
    forced = only_move(match.board)
    if forced is not None:
        match.play_ours(forced)
        match.tally["unasked"] += 1
        return True
    turn = Turn(View(match.board, match.start, tuple(match.moves)), tries)
    for seen in turn:
        text = complaint(turn.problems[-1]) if turn.problems else prompt(seen, legal)
        state.messages.append(ChatMessageUser(content=text))
        state = await generate(state)
        turn.take(read_move, state.output.completion, match.board)
    for error in turn.problems:
        match.tally["unreadable" if kind_of(error) is Kind.UNREADABLE else "illegal"] += 1
    if turn.move is not None:
        match.play_ours(turn.move)
    return turn.move is not None


@metric
def pooled() -> Metric:
    """Wins kept over all matches, of the turns in which one could be kept or thrown away."""

    def compute(scores: list[SampleScore]) -> float:
        counts = [s.score.metadata or {} for s in scores]
        choices = sum(count.get("choices", 0) for count in counts)
        return sum(count.get("kept", 0) for count in counts) / choices if choices else 0.0

    return compute


@scorer(
    metrics={
        "won": [mean(), stderr()],
        "optimal": [pooled()],
        "thrown_away": [mean(), stderr()],
        "illegal": [mean(), stderr()],
        "unreadable": [mean(), stderr()],
        "forfeited": [mean(), stderr()],
    }
)
def conduct() -> Scorer:
    """Whether the match was won, and how it was played.

    `won`: 1 or 0, a forfeit is 0. `optimal`: wins kept, of the turns in which one
    could be kept or thrown away, over all matches; -1 in a match without such a turn.
    `thrown_away`: wins thrown away. `illegal`: answers with a move that cannot be
    played. `unreadable`: answers that name no move, or more than one.
    `forfeited`: 1 or 0.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        found = state.metadata["match"]
        value = {
            "won": found["won"],
            "optimal": found["kept"] / found["choices"] if found["choices"] else -1.0,
            "thrown_away": found["choices"] - found["kept"],
            "illegal": found["illegal"],
            "unreadable": found["unreadable"],
            "forfeited": found["forfeited"],
        }
        return Score(value=value, metadata={"kept": found["kept"], "choices": found["choices"]})

    return score


def _task_of(key: str) -> Callable[..., Task]:
    """The task of one game, with all that `make_task` takes besides."""
    made = partial(make_task, key)
    made.__module__ = __name__  # by which inspect knows whose task it is
    return task(name=key.replace("-", "_"))(made)


globals().update({game.key.replace("-", "_"): _task_of(game.key) for game in all_games()})
