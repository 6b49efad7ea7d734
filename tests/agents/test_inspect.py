"""inspect-ai tasks, run offline: stand-in players, and models that answer from a script."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from numduel.games import keys

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.model import Model, ModelOutput

# inspect-ai's own: streams left to the collector, and an argument that tenacity renamed.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*MemoryObject(Send|Receive)Stream.*:pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]  # fmt: skip


@pytest.fixture(scope="module")
def tasks() -> ModuleType:
    """Imported by whoever runs these tests, and not by every process that collects them."""
    from numduel.adaptors import inspect

    return inspect


def scores(task: Task, folder: Path, model: str | Model = "mockllm/model") -> dict[str, float]:
    from inspect_ai import eval

    (log,) = eval(task, model=model, display="none", log_dir=str(folder), log_level="error")
    assert log.status == "success", log.error
    assert log.results is not None
    return {score.name: next(iter(score.metrics.values())).value for score in log.results.scores}


def saying(text: str) -> Model:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def answer(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=answer)


@pytest.mark.parametrize("key", keys())
def test_every_game_has_a_task(tasks: ModuleType, key: str, tmp_path: Path) -> None:
    task = getattr(tasks, key.replace("-", "_"))
    perfect = scores(task(player="perfect", opponent="random", matches=2), tmp_path)
    assert perfect["thrown_away"] == perfect["illegal"] == perfect["forfeited"] == 0


def test_optimal_counts_only_what_could_be_kept(tasks: ModuleType, tmp_path: Path) -> None:
    found = scores(tasks.make_task("divisor-duel", player="perfect", matches=2), tmp_path)
    assert (found["won"], found["optimal"]) == (0.5, 1.0)


def test_the_random_player_throws_wins_away(tasks: ModuleType, tmp_path: Path) -> None:
    found = scores(tasks.make_task("divisor-duel", player="random", matches=8), tmp_path)
    assert found["thrown_away"] > 0
    assert found["won"] < 0.5


def test_a_model_is_asked(tasks: ModuleType, tmp_path: Path) -> None:
    task = tasks.make_task("digit-subtraction-duel", board="digit-subtraction-duel:7", matches=1)
    assert scores(task, tmp_path, saying("I subtract 7."))["won"] == 1
    task = tasks.make_task("divisor-duel", matches=2, tries=2)
    found = scores(task, tmp_path, saying("Perhaps 7 or 8?"))
    assert (found["won"], found["forfeited"], found["unreadable"]) == (0, 1, 2)
    assert scores(task, tmp_path, saying("[7]"))["illegal"] == 2


def test_a_long_match_ends_and_the_verdict_decides(tasks: ModuleType, tmp_path: Path) -> None:
    task = tasks.make_task("subtract-a-prime", board="subtract-a-prime:1001", opponent="beginner",
                           matches=1, turns=3)  # fmt: skip
    found = scores(task, tmp_path, saying("[2]"))
    assert (found["forfeited"], found["illegal"], found["unreadable"]) == (0, 0, 0)
    assert found["won"] in (0, 1)


def test_a_forced_move_is_not_asked_for(tasks: ModuleType, tmp_path: Path) -> None:
    task = tasks.make_task("divisor-duel", board="divisor-duel:9", matches=1)
    assert scores(task, tmp_path, saying("no idea"))["unreadable"] == 0


def test_starts_are_drawn(tasks: ModuleType, tmp_path: Path) -> None:
    task = tasks.make_task("divisor-duel", digits=15, player="random", matches=3, seed=2)
    boards = [sample.metadata["board"] for sample in task.dataset if sample.metadata]
    assert len(set(boards)) == 3
    assert all(len(board.partition(":")[2]) == 15 for board in boards)
