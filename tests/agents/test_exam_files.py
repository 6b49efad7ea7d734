"""The files of exams: gone on with, scored again by anybody, and refused where they are forged.

And docs/measure.md, followed literally, at a server that answers, reasons, cuts off and fails.
"""

import json
import re
import shlex
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.model_server import ANSWERS, BODIES, FakeServer, completion, whole
from agents.test_exam import lines, untimed
from numduel.arena.exam import (
    BASELINES,
    ExamFile,
    Setting,
    compare,
    figures_of,
    fingerprint,
    hold_exam,
    question,
    score_again,
)
from numduel.arena.exam.page import page
from numduel.errors import FileError
from numduel.study.positions import SKILLS
from raised import raised
from terminal import piped, run


def test_a_file_is_gone_on_with_and_scored_by_anybody(server: FakeServer, tmp_path: Path) -> None:
    path, other = tmp_path / "some.jsonl", tmp_path / "all.jsonl"
    word, few, setting = server.model("whole"), Setting("again", 14), Setting("again", 42)
    hold_exam(few, [word], file=ExamFile(str(path), few))
    path.write_text(path.read_text()[:-40])  # what was cut off is asked again
    first = hold_exam(setting, [word, "level:1"], file=ExamFile(str(path), setting))
    assert len(server.asked) == 14 + 1 + 28
    raised(FileError, ExamFile(str(path), few).read, match="count")
    again = hold_exam(setting, [word, "level:1"], file=ExamFile(str(other), setting))
    assert len(first) == len(again) == 84
    assert untimed(path.read_text()) == untimed(other.read_text())
    for line in lines(path)[1:]:  # with nothing of numduel
        said = re.findall(r"\[([^]]*)\]", line["answer"])[-1]
        assert (line["verdict"] == "right") == (said in (line["winning_moves"] or ["none"]))
    assert {"right", "wrong", "illegal"} <= {answer.verdict for answer in first}
    # What the file says of verdicts is not believed.
    path.write_text(path.read_text().replace('"verdict": "wrong"', '"verdict": "right"'))
    assert score_again(str(path)) == (setting, first)


def test_failures_count_and_are_asked_again(server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "exam.jsonl"
    setting = Setting("fails", 7)
    for asked in (7, 14):
        file = ExamFile(str(path), setting)
        (found,) = figures_of(hold_exam(setting, [server.model("html")], file=file))
        assert found.verdicts == Counter(failed=7)
        assert list(found.failures.values()) == [7]
        assert found.all.rate == 0
        assert len(server.asked) == asked
        assert (found.asked_again, found.spent.requests) == (asked - 7, asked)
    assert all("chat completion" in line["error"] for line in lines(path)[1:])
    (again,) = figures_of(score_again(str(path))[1])
    assert (again.asked_again, again.spent) == (7, found.spent)
    assert "asked again after a failure: 7" in piped(["exam", "--from", str(path)])[0]


def test_files_are_compared_on_one_page(server: FakeServer, tmp_path: Path) -> None:
    made = {server.model(model): tmp_path / f"{model}.jsonl" for model in ("whole", "rubbish")}
    for word, path in made.items():
        hold_exam(Setting("c", 14), [word], file=ExamFile(str(path), Setting("c", 14)))
    report = tmp_path / "report.html"
    files = [word for path in made.values() for word in ("--from", str(path))]
    out, err, code = piped(["exam", *files, "--json", "--report", str(report)])
    assert (err, code, len(server.asked)) == ("", 0, 28)
    fields = json.loads(out)
    assert [player["player"] for player in fields["players"]] == [*made, *BASELINES]
    assert fields["players"][1]["verdicts"] == {"unreadable": 14}
    text = report.read_text()
    headings = ("hash", "By difficulty", "By size", "In pairs", "What it took")
    assert all(part in text for part in (*SKILLS, *made, *headings))
    assert "<script" not in text
    ids = re.findall(' id="([^"]*)"', text)
    assert len(ids) == len({*ids})


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of a short exam."""
    path = tmp_path / "exam.jsonl"
    hold_exam(Setting("s", 7), ["largest"], file=ExamFile(str(path), Setting("s", 7)))
    return path


def test_other_files_are_refused(kept: Path) -> None:
    text = kept.read_text()
    raised(FileError, ExamFile(str(kept), Setting("t", 7)).read, match="results file")
    assert kept.read_text() == text, "another exam is not mixed in"
    for spoilt in (
        "",
        "[1]\n",
        text.replace(fingerprint(), "0" * 16),
        text.replace('"numduel-2"', '"numduel-1"'),
        text.replace('"skills": ["legality"', '"skills": ["luck"'),
        text + "{}\n",
        text + "[" * 100_000 + "\n",
    ):
        kept.write_text(spoilt)
        for read in (lambda: score_again(str(kept)), ExamFile(str(kept), Setting("s", 7)).read):
            raised(FileError, read, match="results file")
    out, err, code = piped(["exam", "--from", str(kept)])
    assert (out, code) == ("", 1)
    assert "The results file" in err


def test_a_file_proves_its_questions(kept: Path) -> None:
    head, *answers = lines(kept)
    others = Setting("other", 7).positions()
    changes: list[dict[str, Any]] = [
        {"board": "nothing:3"}, {"number": "3"}, {"answer": 7}, {"extra": 1}, {"spent": []}
    ]  # fmt: skip

    def forged(place: int, /, **change: Any) -> list[dict[str, Any]]:
        return [each | change if at == place else each for at, each in enumerate(answers)]

    for said, forgery in (
        ("line 5", forged(3, board=str(others[3].board))),  # another board, with its own key
        ("line 5", forged(3, board=str(others[3].board), prompt=question(others[3]))),
        ("line 4", forged(2, winning_moves=[answers[2]["reading"]])),
        ("line 3", forged(1, prompt=answers[1]["prompt"] + " Say 2.")),
        ("line 2", forged(0, rating=2000)),
        *(("line 2", forged(0, **change)) for change in changes),
        ("line 2", forged(0, skill="misere")),
        ("twice", [*answers, answers[0]]),  # doubled
        ("twice", [*answers, answers[0] | {"answer": "[none]"}]),
        ("1 of 7 answers of largest are missing", answers[1:]),  # what was wrong is cut
        ("line 9", [*answers, answers[0] | {"number": 7}]),
        ("line 9", [*answers, answers[0] | {"sample": 1}]),
        ("largest does not answer question 2 so", forged(2, answer="Answer: none")),
        ("search:x", [each | {"player": "search:x"} for each in answers]),
        ("no answer", []),
    ):
        kept.write_text("".join(json.dumps(line) + "\n" for line in (head, *forgery)))
        assert said in str(raised(FileError, score_again, str(kept)).problem), said


@pytest.mark.parametrize("other", [{"seed": "t"}, {"count": 14}, {"version": "0.0.9"}])
def test_files_of_different_exams_are_not_mixed(
    kept: Path, tmp_path: Path, other: dict[str, Any]
) -> None:
    path = tmp_path / "other.jsonl"
    setting = replace(Setting("s", 7), **other)
    hold_exam(setting, ["random"], file=ExamFile(str(path), setting))
    assert "different exams" in run("exam", "--from", str(kept), "--from", str(path), code=2)


JUNK: list[Any] = [None, True, -1, 10**400, float("nan"), "x", [[]], {"a": 1}]


def test_no_junk_in_a_file_breaks_anything(kept: Path) -> None:
    head, first, *rest = lines(kept)
    cases = [({**head, name: junk}, first) for name in head for junk in JUNK]
    cases += [(head, {**first, name: junk}) for name in first for junk in JUNK]
    for part in first["spent"]:
        cases += [(head, {**first, "spent": {**first["spent"], part: junk}}) for junk in JUNK]
    for name in head["sampling"]:
        cases += [({**head, "sampling": {**head["sampling"], name: j}}, first) for j in JUNK]
    for changed in cases:
        kept.write_text("".join(json.dumps(line) + "\n" for line in (*changed, *rest)))
        try:
            again, answers = score_again(str(kept))
        except FileError:
            continue
        assert "<h1>" in page([again], figures_of(answers), compare(answers), [])


GUIDE = Path(__file__).parents[2] / "docs/measure.md"
COMMANDS = [line for block in re.findall(r"```text\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
            for line in block.splitlines() if line.startswith("numduel ")]  # fmt: skip
USAGE = {"prompt_tokens": 50, "completion_tokens": 9,
         "completion_tokens_details": {"reasoning_tokens": 5}}  # fmt: skip
BY_TURNS = (
    completion("**Answer:** none", USAGE, reasoning_content="It is odd."),
    completion("Perhaps Answer: 1", USAGE, "length"),
    completion(None, refusal="I will not play."),
    b"<html>Something failed.</html>",
)


def test_the_prompt_says_how_to_play_on_one_of_several_numbers() -> None:
    """The rest of the prompt is pinned by the page, which prints it."""
    [several] = Setting("q", 1, (SKILLS[3],)).positions()
    assert "2:15 plays 15 on the second number." in question(several)


def test_every_command_of_the_page_runs_in_order(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(ANSWERS, "my-model", whole)
    monkeypatch.setitem(BODIES, "other-model", lambda times: (200, BY_TURNS[times % len(BY_TURNS)]))
    assert len(COMMANDS) == 6
    told = {}
    for command in COMMANDS:
        words = shlex.split(command.replace("http://localhost:8000/v1", server.address))[1:]
        out, err, code = piped(["21" if word == "210" else word for word in words])
        assert code == 0, (command, err)
        told[command] = out
    out, _, code = piped(["exam", server.model("late"), "--count", "2", "--time", "0.3"])
    assert (code, "2 failed: " in out.splitlines()[-1]) == (0, True), "slow is not wrong"
    _, answers = score_again("other-model.jsonl")
    assert {answer.verdict for answer in answers} >= {"truncated", "unreadable", "failed"}
    compared = next(out for command, out in told.items() if "--from my-model" in command)
    assert "in pairs" in compared
    assert "of the answers failed at the server" in compared.splitlines()[1]
    assert all(path.stat().st_size for path in tmp_path.glob("*.html"))
    assert len([*tmp_path.glob("*.html")]) == 4
