"""inspect-ai tasks, run offline: stand-in players, and models that answer from a script."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from agents.model_server import ANSWERS, serving
from numduel.arena.exam import TASK, Setting, figures_of, fingerprint, hold_exam
from numduel.games import keys
from numduel.study.positions import SKILLS

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


def log_of(task: Task, folder: Path, model: str | Model = "mockllm/model", **options: Any) -> Any:
    from inspect_ai import eval

    (log,) = eval(
        task, model=model, display="none", log_dir=str(folder), log_level="error", **options
    )
    assert log.status == "success", log.error
    return log


def metrics_of(log: Any) -> dict[str, float]:
    return {name: m.value for score in log.results.scores for name, m in score.metrics.items()}


def scores(task: Task, folder: Path, model: str | Model = "mockllm/model") -> dict[str, float]:
    """The first metric of each score: its mean, or what is pooled."""
    found = log_of(task, folder, model).results.scores
    return {score.name: next(iter(score.metrics.values())).value for score in found}


def saying(text: str) -> Model:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def answer(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=answer)


def test_every_game_has_a_task(tasks: ModuleType, tmp_path: Path) -> None:
    made = {key: getattr(tasks, key.replace("-", "_")) for key in keys()}
    found = scores(made["divisor-duel"](player="perfect", matches=2), tmp_path)
    assert (found["won"], found["optimal"]) == (0.5, 1.0), "of what could be kept"
    assert found["thrown_away"] == found["illegal"] == found["forfeited"] == 0
    drawn = made["divisor-duel"](digits=15, matches=3, seed=2).dataset
    boards = {sample.metadata["board"] for sample in drawn if sample.metadata}
    assert [len(board.partition(":")[2]) for board in boards] == [15] * 3


def test_a_model_is_asked(tasks: ModuleType, tmp_path: Path) -> None:
    task = tasks.make_task("digit-subtraction-duel", board="digit-subtraction-duel:7", matches=1)
    assert scores(task, tmp_path, saying("I subtract 7."))["won"] == 1
    task = tasks.make_task("divisor-duel", matches=2, tries=2)
    found = scores(task, tmp_path, saying("Perhaps 7 or 8?"))
    assert (found["won"], found["forfeited"], found["unreadable"]) == (0, 1, 2)
    task = tasks.make_task("divisor-duel", board="divisor-duel:9", matches=1)
    assert scores(task, tmp_path, saying("no idea"))["unreadable"] == 0, "its move is forced"
    task = tasks.make_task("subtract-a-prime", board="subtract-a-prime:1001", opponent="beginner",
                           matches=1, turns=3)  # fmt: skip
    found = scores(task, tmp_path, saying("[2]"))  # the turns run out, and the verdict decides
    assert (found["forfeited"], found["illegal"], found["unreadable"]) == (0, 0, 0)
    assert found["won"] in (0, 1)


def test_positions_score_as_the_exam_does(tasks: ModuleType, tmp_path: Path) -> None:
    (figures,) = figures_of(hold_exam(Setting("i"), 21, ["level:2"]))
    log = log_of(tasks.positions(count=21, seed="i", player="level:2"), tmp_path)
    found = metrics_of(log)
    assert found["mean"] == pytest.approx(figures.all.rate)
    assert (found["interval_low"], found["interval_high"]) == pytest.approx(figures.all.interval)
    assert {skill: found[skill] for skill in SKILLS} == pytest.approx(
        {skill: share.rate for skill, share in figures.by_skill.items()}
    )
    assert log.eval.task_version == TASK
    assert log.eval.metadata["hash"] == fingerprint()


def test_a_model_is_asked_about_positions(tasks: ModuleType, tmp_path: Path) -> None:
    task = tasks.positions(count=6, seed=3, skill="misere", difficulty="medium")
    log = log_of(task, tmp_path, saying("Let me see. [3]? No.\n\n\\boxed{none}"))
    assert [sample.scores["right"].answer for sample in log.samples] == ["none"] * 6
    assert metrics_of(log)["mean"] == pytest.approx(1 / 3)
    assert {sample.metadata["difficulty"] for sample in log.samples} == {"medium"}
    found = metrics_of(log_of(task, tmp_path, saying("Hard to say.")))
    assert (found["mean"], found["unreadable"]) == (0, 1)
    with pytest.raises(ValueError, match="skills are"):
        tasks.positions(skill="luck")


def test_a_model_at_an_address_is_asked_as_the_guide_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the name that the entry point gives it: inspect's client, a server of completions."""
    pytest.importorskip("openai")
    monkeypatch.setitem(ANSWERS, "sure", lambda _: "I am sure: [none]")
    monkeypatch.setenv("LOCAL_API_KEY", "secret")
    with serving() as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.address)
        named: Any = "numduel/positions"
        log = log_of(named, tmp_path, "openai-api/local/sure", task_args={"count": 6})
    assert len(server.asked) == 6
    assert [s.scores["right"].answer for s in log.samples or [] if s.scores] == ["none"] * 6
