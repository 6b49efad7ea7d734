"""The inspect-ai tasks, run offline, by stand-ins and scripts; they score as arena and exam do."""

from __future__ import annotations

import gc
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agents.model_server import ANSWERS, FakeServer
from agents.test_arena import Own
from later import Later
from numduel import Board
from numduel.analysis import Judgement, analyse
from numduel.arena import Plan, run, standings_of
from numduel.arena.exam import TASK, Setting, figures_of, fingerprint, hold_exam
from numduel.games import keys
from numduel.match import Record, Referee, Setup
from numduel.players import make_computer
from numduel.study.positions import SKILLS
from numduel.study.statistics import add_up

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.model import Model, ModelOutput

tasks = Later("numduel.adaptors.inspect")
# inspect-ai's own: streams left to the collector, and an argument that tenacity renamed.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*MemoryObject(Send|Receive)Stream.*:pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]  # fmt: skip


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


def test_every_game_has_a_task(tmp_path: Path) -> None:
    made = {key: getattr(tasks, key.replace("-", "_")) for key in keys()}
    found = scores(made["divisor-duel"](player="perfect", matches=2), tmp_path)
    assert (found["won"], found["optimal"]) == (0.5, 1.0), "of what could be kept"
    assert found["thrown_away"] == found["illegal"] == found["forfeited"] == 0
    drawn = made["divisor-duel"](digits=15, matches=3, seed=2).dataset
    boards = {sample.metadata["board"] for sample in drawn if sample.metadata}
    assert [len(board.partition(":")[2]) for board in boards] == [15] * 3


def test_a_model_is_asked(tmp_path: Path) -> None:
    task = tasks.make_task("digit-subtraction-duel", board="digit-subtraction-duel:7", matches=1)
    assert scores(task, tmp_path, saying("Answer: 7"))["won"] == 1
    task = tasks.make_task("divisor-duel", matches=2, tries=2)
    found = scores(task, tmp_path, saying("Answer: 7 or 8"))
    assert (found["won"], found["forfeited"], found["unreadable"]) == (0, 1, 2)
    task = tasks.make_task("divisor-duel", board="divisor-duel:9", matches=1)
    assert scores(task, tmp_path, saying("no idea"))["unreadable"] == 0, "its move is forced"
    task = tasks.make_task("subtract-a-prime", board="subtract-a-prime:1001", opponent="beginner",
                           matches=1, turns=3)  # fmt: skip
    found = scores(task, tmp_path, saying("[2]"))  # the turns run out, and the verdict decides
    assert (found["forfeited"], found["illegal"], found["unreadable"]) == (0, 0, 0)
    assert found["won"] in (0, 1)


def test_positions_score_as_the_exam_does(tmp_path: Path) -> None:
    (figures,) = figures_of(hold_exam(Setting("i", 21), ["level:2"]))
    log = log_of(tasks.positions(count=21, seed="i", player="level:2"), tmp_path)
    found = metrics_of(log)
    assert found["share"] == pytest.approx(figures.all.rate)
    assert (found["interval_low"], found["interval_high"]) == pytest.approx(figures.all.interval)
    assert {skill: found[skill] for skill in SKILLS} == pytest.approx(
        {skill: share.rate for skill, share in figures.by_skill.items()}
    )
    oracle = log_of(tasks.positions(count=7, seed="i", player="perfect"), tmp_path)
    assert metrics_of(oracle)["share"] == 1
    assert log.eval.task_version == TASK
    assert log.eval.metadata["hash"] == fingerprint()


def test_a_model_is_asked_about_positions(tmp_path: Path) -> None:
    task = tasks.positions(count=6, seed=3, skill="misere", difficulty="medium")
    log = log_of(task, tmp_path, saying("Let me see. [3]? No.\n\n**Answer:** none"))
    assert [sample.scores["right"].answer for sample in log.samples] == ["none"] * 6
    assert metrics_of(log)["share"] == pytest.approx(1 / 3)
    assert {sample.metadata["difficulty"] for sample in log.samples} == {"medium"}
    found = metrics_of(log_of(task, tmp_path, saying("Hard to say.")))
    assert (found["share"], found["unreadable"]) == (0, 1)
    with pytest.raises(ValueError, match="skills are"):
        tasks.positions(skill="luck")


def test_a_model_at_an_address_is_asked_as_the_guide_says(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setitem(ANSWERS, "sure", lambda _: "I am sure: [none]")
    monkeypatch.setenv("LOCAL_API_KEY", "secret")
    monkeypatch.setenv("LOCAL_BASE_URL", server.address)
    named: Any = "numduel/positions"
    log = log_of(named, tmp_path, "openai-api/local/sure", task_args={"count": 6})
    assert len(server.asked) == 6
    assert [s.scores["right"].answer for s in log.samples or [] if s.scores] == ["none"] * 6


BOARD, MATCHES = Board.parse("digit-subtraction-duel:75"), 24


def play(number: int) -> Referee:
    """Random, as the person, against level:2, as the task plays them; they begin in turn."""
    random = Random(number)
    players = {"level:2": make_computer("level:2", random), "us": make_computer("random", random)}
    referee = Referee(Setup(BOARD, ("level:2", "us") if number % 2 else ("us", "level:2")))
    referee.begin()
    while not referee.over:
        referee.play(players[referee.setup.names[referee.player]].choose(referee.board))
    return referee


def test_arena_inspect_and_statistics_agree(tmp_path: Path) -> None:
    played = [play(number) for number in range(MATCHES)]
    seats = (("person", "level:2"), ("level:2", "person"))
    records = [Record.of(one, datetime.now(UTC), seats[at % 2]) for at, one in enumerate(played)]
    (tally,) = add_up(records).tallies
    wanted = tally.accuracy  # by what tests/study/test_analysis.py compares with plain search
    assert wanted
    assert 0.1 < wanted < 0.9
    judged = [judged.judgement for record in records for judged in analyse(record).moves]
    assert Judgement.WON in judged, "there are turns in which every move wins: they do not count"

    moves = [[turn.move for turn in one.turns if turn.move] for one in played]
    own = iter([move for at, taken in enumerate(moves) for move in taken[at % 2 :: 2]])
    other = iter([move for at, taken in enumerate(moves) for move in taken[1 - at % 2 :: 2]])
    plan = Plan(("ours", "other"), (BOARD,), rounds=MATCHES // 2)
    replaying = {"ours": Own(lambda _: next(own)), "other": Own(lambda _: next(other))}
    results = run(plan, players=replaying)
    found = {standing.player: standing for standing in standings_of(plan, results).players}
    assert found["ours"].rate("optimal_rate") == pytest.approx(wanted)

    how = {"player": "random", "opponent": "level:2", "matches": MATCHES}
    task = tasks.make_task("digit-subtraction-duel", board=str(BOARD), **how)
    assert scores(task, tmp_path)["optimal"] == pytest.approx(wanted)
    gc.collect()  # inspect-ai's streams, here and not in whichever test comes next
