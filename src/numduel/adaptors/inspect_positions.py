"""The inspect-ai task `numduel/positions`: the exam of `numduel exam`, asked by inspect.

    inspect eval numduel/positions --model openai-api/local/my-model -T count=210 -T seed=2026

Questions, scores and figures are those of the exam: `share` is the share of right answers without
legality, which the figures by skill tell. With `player=perfect`, or any other
built-in player, that player is asked instead, and no model is.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from numduel.extras import require

require("inspect", "inspect_ai")

from inspect_ai import Task, task  # noqa: E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.scorer import (  # noqa: E402
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    grouped,
    mean,
    metric,
    scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver  # noqa: E402

from numduel.arena.exam import TASK, Setting, fingerprint, question  # noqa: E402
from numduel.arena.exam import score as score_answer  # noqa: E402
from numduel.arena.exam.answers import Examinee  # noqa: E402
from numduel.arena.exam.figures import APART  # noqa: E402
from numduel.arena.exam.tricks import TRICKS  # noqa: E402
from numduel.arena.intervals import Count, interval  # noqa: E402
from numduel.board import Board  # noqa: E402
from numduel.players import make_computer  # noqa: E402
from numduel.players.reading import NONE  # noqa: E402
from numduel.study.positions import DIFFICULTIES, SKILLS, as_json  # noqa: E402

__all__ = ["positions"]


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
    setting = Setting(str(seed), count, skills, hard)
    samples = []
    for number, position in enumerate(setting.positions()):
        fields: dict[str, Any] = {**as_json(position)}
        target = fields["winning_moves"] or [NONE]
        samples.append(
            Sample(input=question(position), target=target, id=number + 1, metadata=fields)
        )
    return Task(
        dataset=samples,
        solver=generate() if player == "model" else stand_in(player, setting.seed),
        scorer=right(),
        name="positions",
        version=TASK,
        metadata={"task": TASK, "hash": fingerprint(), **setting.fields()},
    )


@solver
def stand_in(player: str, seed: str) -> Solver:
    """A built-in player answers in the model's place, as in `numduel exam`."""
    if player not in TRICKS:
        make_computer(player, Random())  # no other player is asked here
    examinee = Examinee(player, Setting(seed))

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        board = Board.parse(state.metadata["board"])
        state.output.completion = examinee.find(int(state.sample_id) - 1, board)
        state.completed = True
        return state

    return solve


def _metric(name: str, figure: Callable[[list[SampleScore]], float]) -> Metric:
    """As inspect knows a metric: by its name, and by what it is annotated to take."""

    def compute(scores: list[SampleScore]) -> float:
        counted = [s for s in scores if _told(s)["skill"] != APART] or scores
        return figure(counted) if counted else 0.0

    return metric(name=name)(lambda: compute)()


def _interval(scores: list[SampleScore]) -> tuple[float, float]:
    told = [(_told(s), s.score.as_float()) for s in scores]
    counts = [Count(t["board"], right, 1.0, (t["skill"], t["none"])) for t, right in told]
    return interval(counts) or (0.0, 1.0)


def _told(score: SampleScore) -> dict[str, Any]:
    return score.score.metadata or {}


def _share(scores: list[SampleScore], verdict: str) -> float:
    return sum(s.score.explanation == verdict for s in scores) / len(scores)


@scorer(
    metrics=[
        _metric("share", lambda scores: _share(scores, "right")),
        _metric("interval_low", lambda scores: _interval(scores)[0]),
        _metric("interval_high", lambda scores: _interval(scores)[1]),
        _metric("illegal", lambda scores: _share(scores, "illegal")),
        _metric("unreadable", lambda scores: _share(scores, "unreadable")),
        _metric("truncated", lambda scores: _share(scores, "truncated")),
        grouped(mean(), "skill", all=False),
    ]
)
def right() -> Scorer:
    """1 for a winning move, or "none" where there is none; 0 for anything else."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        told = {name: state.metadata[name] for name in ("board", "skill")}
        board, output = Board.parse(told["board"]), state.output
        finish = output.stop_reason if output.choices else None  # a stand-in has none
        reading, verdict = score_answer(board, output.completion, finish)
        return Score(
            value=int(verdict == "right"),
            answer=reading,
            explanation=verdict,
            metadata=told | {"none": not state.metadata["winning_moves"]},
        )

    return score
