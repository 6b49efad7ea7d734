"""inspect-ai tasks: a language model plays matches, or is asked about single positions.

    inspect eval numduel/divisor_duel --model openai/my-model -T opponent=random
    inspect eval numduel/positions --model openai-api/local/my-model -T count=210 -T seed=2026

Each game has a task, and each of its samples is one match, scored by exact regret; the model
begins in every second one. `numduel/positions` is the exam of `numduel exam`, with its questions,
scores and figures: `share` is the share of right answers without legality, which the figures by
skill tell. With `player=perfect`, or another built-in player, that player takes the model's seat,
and no model is asked: a yardstick, and a test that runs offline.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from numduel.extras import require

require("inspect", "inspect_ai")

from inspect_ai import Task, scorer, solver, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import SampleScore, Score, Target
from inspect_ai.solver import Generate, TaskState

from numduel.arena import exam
from numduel.arena.exam.answers import TRICKS, Examinee
from numduel.arena.exam.figures import APART
from numduel.arena.intervals import Count, interval
from numduel.arena.match import End, Scorecard, only_move
from numduel.arena.plan import DrawnStart
from numduel.board import Board, Move
from numduel.games import all_games, load
from numduel.players import Turn, View, make_computer
from numduel.players.language import NONE, complaint, kind_of, prompt, read_move
from numduel.study.positions import DIFFICULTIES, SKILLS, as_json

__all__ = ["make_task", "positions"]

VERSION = 2  # the version of the tasks that are matches: another one where prompts or scores change


def make_task(
    game: str,
    board: str | None = None,
    digits: int | None = None,
    opponent: str = "perfect",
    player: str = "model",
    matches: int = 10,
    tries: int = 3,
    legal: bool = False,
    seed: int = 0,
    turns: int = 100,
) -> Task:
    """Matches of one game: on one board, or with starts of this many digits, each drawn anew.

    `legal` lists the legal moves in the prompt; after `tries` answers that are no legal move a
    match is forfeited; after `turns` it ends, and the verdict on the board names the winner.
    """
    found, samples = load(game), []
    text = board or str(Board.of(found, found.default_start))
    Board.parse(text)
    for number in range(matches):
        if digits is not None:
            text = str(DrawnStart(found, digits).board(Random(f"{seed}/{number}")))
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


@solver.solver
def play_match(opponent: str, player: str, tries: int, legal: bool, turns: int) -> solver.Solver:
    """Play the sample's match to its end; what the model did is in the metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        random = Random(state.metadata["seed"])
        other = make_computer(opponent, random)
        stand_in = None if player == "model" else make_computer(player, random)
        match, ending = Scorecard(0, Board.parse(state.metadata["board"])), End.NO_MOVE
        ours = 1 - state.metadata["begins"]
        state.messages = []
        while not match.board.is_over and ending is End.NO_MOVE:
            mover = stand_in if match.seat == ours else other
            if stand_in is None and len(match.moves) >= turns:
                ending = End.TURN_LIMIT
            elif mover is not None:
                match.count(mover.choose(match.board), {})
            else:
                move, told = await _ask(state, generate, match, tries, legal)
                match.count(move, told)
                ending = End.FORFEITED if move is None else ending
        result = match.result(ending)
        ended = {"won": int(result.winner == ours), "forfeited": int(ending is End.FORFEITED)}
        state.metadata["match"] = result.conduct[ours]._asdict() | ended
        state.completed = True
        return state

    return solve


async def _ask(
    state: TaskState, generate: Generate, match: Scorecard, tries: int, legal: bool
) -> tuple[Move | None, dict[str, Any]]:
    """The model's move, None when it forfeits; the one legal move is played without asking."""
    if forced := only_move(match.board):
        return forced, {"unasked": True}
    turn = Turn(View(match.board, match.start, tuple(match.moves)), tries)
    for seen in turn:
        text = complaint(turn.problems[-1]) if turn.problems else prompt(seen, legal)
        state.messages.append(ChatMessageUser(content=text))
        state = await generate(state)
        turn.take(read_move, state.output.completion, match.board)
    return turn.move, {"asked": [{"reading": kind_of(error)} for error in turn.problems]}


@scorer.metric
def pooled() -> scorer.Metric:
    """Wins kept over all matches, of the turns in which one could be kept or thrown away."""

    def compute(scores: list[SampleScore]) -> float:
        kept, choices = (sum(_told(s)[name] for s in scores) for name in ("kept", "choices"))
        return float(kept / max(1, choices))

    return compute


_FIGURES = ("won", "optimal", "thrown_away", "illegal", "unreadable", "forfeited")


@scorer.scorer(
    metrics={
        f: [pooled()] if f == "optimal" else [scorer.mean(), scorer.stderr()] for f in _FIGURES
    }
)
def conduct() -> scorer.Scorer:
    """Whether the match was won, and how it was played: the figures of an arena.

    A forfeit is not won. `optimal` is -1 in a match without a win to keep or throw away.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        found = state.metadata["match"]
        kept, choices = found["kept"], found["choices"]
        judged = {"optimal": kept / choices if choices else -1.0, "thrown_away": choices - kept}
        value = {figure: (found | judged)[figure] for figure in _FIGURES}
        return Score(value=value, metadata={"kept": kept, "choices": choices})

    return score


@task
def positions(
    count: int = 210,
    seed: str | int = "0",
    skill: str | list[str] | None = None,
    difficulty: str | None = None,
    player: str = "model",
) -> Task:
    """Single positions: which move wins, or is there none? The same as `numduel exam`."""
    named = [skill] if isinstance(skill, str) else skill
    skills = tuple(each for each in SKILLS if named is None or each in named)
    hard = next((each for each in DIFFICULTIES if each == difficulty), None)
    if (named and len(skills) < len({*named})) or (difficulty and hard is None):
        raise ValueError(f"skills are {', '.join(SKILLS)}; difficulties {', '.join(DIFFICULTIES)}")
    setting = exam.Setting(str(seed), count, skills, hard)
    samples = []
    for number, position in enumerate(setting.positions()):
        fields: dict[str, Any] = {**as_json(position)}
        target = fields["winning_moves"] or [NONE]
        samples.append(
            Sample(input=exam.question(position), target=target, id=number + 1, metadata=fields)
        )
    return Task(
        dataset=samples,
        solver=solver.generate() if player == "model" else stand_in(player, setting.seed),
        scorer=right(),
        name="positions",
        version=exam.TASK,
        metadata={"task": exam.TASK, "hash": exam.fingerprint(), **setting.fields()},
    )


@solver.solver
def stand_in(player: str, seed: str) -> solver.Solver:
    """A built-in player answers in the model's place, as in `numduel exam`."""
    if player not in TRICKS:
        make_computer(player, Random())  # no other player is asked here
    examinee = Examinee(player, exam.Setting(seed))

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        board = Board.parse(state.metadata["board"])
        state.output.completion = examinee.find(int(state.sample_id) - 1, board)
        state.completed = True
        return state

    return solve


def _metric(name: str, figure: Callable[[list[SampleScore]], float]) -> scorer.Metric:
    """Inspect knows a metric by its name, and by what it is annotated to take."""

    def compute(scores: list[SampleScore]) -> float:
        counted = [s for s in scores if _told(s)["skill"] != APART] or scores
        return figure(counted) if counted else 0.0

    return scorer.metric(name=name)(lambda: compute)()


def _interval(scores: list[SampleScore], bound: int) -> float:
    told = [(_told(s), s.score.as_float()) for s in scores]
    counts = [Count(t["board"], right, 1.0, (t["skill"], t["none"])) for t, right in told]
    return (interval(counts) or (0.0, 1.0))[bound]


def _told(score: SampleScore) -> dict[str, Any]:
    return score.score.metadata or {}


def _share(scores: list[SampleScore], verdict: str) -> float:
    return sum(s.score.explanation == verdict for s in scores) / len(scores)


@scorer.scorer(
    metrics=[
        _metric("share", partial(_share, verdict="right")),
        _metric("interval_low", partial(_interval, bound=0)),
        _metric("interval_high", partial(_interval, bound=1)),
        *(_metric(v, partial(_share, verdict=v)) for v in ("illegal", "unreadable", "truncated")),
        scorer.grouped(scorer.mean(), "skill", all=False),
    ]
)
def right() -> scorer.Scorer:
    """1 for a winning move, or "none" where there is none; 0 for anything else."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        told = {name: state.metadata[name] for name in ("board", "skill")}
        board, output = Board.parse(told["board"]), state.output
        finish = output.stop_reason if output.choices else None  # a stand-in has none
        reading, verdict = exam.score(board, output.completion, finish)
        return Score(
            value=int(verdict == "right"),
            answer=reading,
            explanation=verdict,
            metadata=told | {"none": not state.metadata["winning_moves"]},
        )

    return score


def _task_of(key: str) -> Callable[..., Task]:
    made = partial(make_task, key)
    made.__module__ = __name__  # by which inspect knows whose task it is
    return task(name=key.replace("-", "_"))(made)


globals().update({game.key.replace("-", "_"): _task_of(game.key) for game in all_games()})
