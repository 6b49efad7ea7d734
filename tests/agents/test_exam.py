"""Exams: one question a position, scored exactly, kept so that anybody can score them again."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agents.model_server import ANSWERS, FakeServer
from numduel import Board
from numduel.arena.exam import task
from numduel.arena.exam.answers import BASELINES, hold_exam
from numduel.arena.exam.figures import figures_of
from numduel.arena.exam.page import page
from numduel.arena.exam.task import TASK, fingerprint, question, score
from numduel.arena.exam.transcript import ExamFile, Setting, score_again
from numduel.errors import FileError
from numduel.study.positions import SKILLS
from terminal import piped

PINNED = {"numduel-1": "93eaaba209d225a2"}
"""The hash of each task. If a test fails here, questions, answers or scores have changed: make
a new task and leave this line as it is."""


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def untimed(text: str) -> str:
    """Without the seconds, which differ from run to run."""
    return re.sub(r'"seconds": [0-9.]+', "", text)


def test_the_task_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PINNED[TASK] == fingerprint()
    monkeypatch.setattr(task, "question", lambda position: question(position).replace(".", "!"))
    assert fingerprint.__wrapped__() != PINNED[TASK], "another question has another hash"


def test_answers_are_scored_by_the_rules() -> None:
    """Divisor Duel: 45 and 9 are odd, so lost, and 58 is won. The others by hand."""
    for board, answer, verdict in (
        ("divisor-duel:60", "[15]", "right"),
        ("divisor-duel:60", "<think>[2]</think> So \\boxed{15}.", "right"),
        ("divisor-duel:60", "[2]", "wrong"),
        ("divisor-duel:60", "[none]", "wrong"),
        ("divisor-duel:60", "[7]", "illegal"),
        ("divisor-duel:60", "[15] or [5]", "unreadable"),
        ("divisor-duel:60", "", "unreadable"),
        ("divisor-duel:60", None, "failed"),
        ("divisor-duel:9", "There is no way to win.\n\n**[None]**", "right"),
        ("divisor-duel:7", "[none]", "right"),
        ("divisor-duel:7", "[7]", "illegal"),
        ("subtract-2-4:6", "[2]", "wrong"),
        ("subtract-2-4:6~misere", "[4]", "right"),
        ("subtract-2-4:4+subtract-2-4:2", "[1:2]", "right"),
        ("subtract-2-4:4+subtract-2-4:2", "[2:2]", "wrong"),
    ):
        assert score(Board.parse(board), answer).verdict == verdict, (board, answer)


def test_yardsticks_score_what_they_must() -> None:
    answers = hold_exam(Setting("y"), 42, BASELINES)
    found = {f.player: f for f in figures_of(answers)}
    assert found["perfect"].all.rate == found["level:5"].all.rate == 1
    assert {share.rate for share in found["none"].by_skill.values()} == {1 / 3}
    assert {f.by_skill["legality"].rate for f in found.values()} == {1, 1 / 3}
    assert found["random"].all.rate < found["level:2"].all.rate < found["level:4"].all.rate
    assert all(f.verdicts.keys() <= {"right", "wrong"} for f in found.values())
    theirs = [answer for answer in answers if answer.player == "level:2"]
    right = [answer for answer in theirs if answer.verdict == "right"]
    one = found["level:2"]
    assert (one.all.right, one.all.asked) == (len(right), 42)
    assert one.all.interval[0] <= one.all.rate <= one.all.interval[1]
    for skill in SKILLS:
        assert one.by_skill[skill].right == sum(a.skill == skill for a in right)
        assert one.by_skill[skill].asked == 6
    for parts in (one.by_skill, one.by_game, one.by_rating):
        assert sum(share.right for share in parts.values()) == len(right)
        assert sum(share.asked for share in parts.values()) == 42
    (many,) = figures_of(theirs * 20)
    assert one.all.interval == many.all.interval, "repeating makes it no narrower"


def test_a_model_is_asked_and_all_of_it_is_kept(server: FakeServer, tmp_path: Path) -> None:
    word, path, told = server.model("whole"), tmp_path / "1", []
    options = ["--temperature", "0.5", "--max-tokens", "900", "--system", "Be brief."]
    for jobs in ("4", "1"):
        server.asked.clear()
        words = ["exam", word, "--count", "14", "--seed", "m", "--jobs", jobs, *options]
        out, err, code = piped([*words, "--results", str(tmp_path / jobs)])
        assert code == 0
        assert re.fullmatch(r"llm:\S+: about 14 requests and [\d,]+ prompt tokens\.\n", err)
        told.append(re.sub(r"[0-9.]+ seconds", "", out) + untimed((tmp_path / jobs).read_text()))
    assert told[0] == told[1]
    assert f"Task numduel-1, hash {fingerprint()}" in out
    assert [line.split()[0] for line in out.splitlines()[3:13]] == list(BASELINES)
    assert "14 requests" in out.splitlines()[-1]
    head, *answers = lines(path)
    assert (head["numduel exam"], head["hash"]) == (TASK, fingerprint())
    assert head["sampling"] == {"temperature": 0.5, "max_tokens": 900, "system": "Be brief."}
    for line, (_, _, body) in zip(answers, server.asked, strict=True):
        assert (body["temperature"], body["max_tokens"]) == (0.5, 900)
        assert body["messages"][0] == {"role": "system", "content": "Be brief."}
        assert body["messages"][1]["content"] == line["prompt"]
        assert line["answer"] == ANSWERS["whole"](line["prompt"])
    out, _, _ = piped(["exam", "--from", str(path), "--from", str(tmp_path / "4"), "--json"])
    twice = [player["player"] for player in json.loads(out)["players"][:2]]
    assert twice == [f"{word} ({path})", f"{word} ({tmp_path / '4'})"]


def test_a_file_is_gone_on_with_and_scored_by_anybody(server: FakeServer, tmp_path: Path) -> None:
    path, other = tmp_path / "some.jsonl", tmp_path / "all.jsonl"
    word, setting = server.model("whole"), Setting("again")
    hold_exam(setting, 14, [word], file=ExamFile(str(path), setting))
    path.write_text(path.read_text()[:-40])  # what was cut off is asked again
    first = hold_exam(setting, 42, [word, "level:1"], file=ExamFile(str(path), setting))
    assert len(server.asked) == 14 + 1 + 28
    again = hold_exam(setting, 42, [word, "level:1"], file=ExamFile(str(other), setting))
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
    setting = Setting("fails")
    for asked in (7, 14):
        file = ExamFile(str(path), setting)
        (found,) = figures_of(hold_exam(setting, 7, [server.model("html")], file=file))
        assert found.verdicts == Counter(failed=7)
        assert found.all.rate == 0
        assert len(server.asked) == asked
    assert all("chat completion" in line["error"] for line in lines(path)[1:])
    assert len(score_again(str(path))[1]) == 7


def test_who_cannot_be_asked_is_not_ranked(server: FakeServer, tmp_path: Path) -> None:
    for model, said, jobs in (
        ("refuses the key", "Incorrect API key provided.", "4"),
        ("drops", "cannot be reached", "1"),
    ):
        path = tmp_path / model
        words = ["exam", server.model(model), "--jobs", jobs, "--results", str(path)]
        out, err, code = piped([*words, "--count", "7"])
        assert (out, code) == ("", 1)
        assert said in err.replace("\n", " ")
        assert len(lines(path)) == 1


def test_files_are_compared_on_one_page(server: FakeServer, tmp_path: Path) -> None:
    made = {server.model(model): tmp_path / f"{model}.jsonl" for model in ("whole", "rubbish")}
    for word, path in made.items():
        hold_exam(Setting("c"), 14, [word], file=ExamFile(str(path), Setting("c")))
    report = tmp_path / "report.html"
    files = [word for path in made.values() for word in ("--from", str(path))]
    out, err, code = piped(["exam", *files, "--json", "--report", str(report)])
    assert (err, code, len(server.asked)) == ("", 0, 28)
    fields = json.loads(out)
    assert [player["player"] for player in fields["players"]] == [*made, *BASELINES]
    assert fields["players"][1]["verdicts"] == {"unreadable": 14}
    text = report.read_text()
    assert all(part in text for part in (*SKILLS, *made, "hash", "By difficulty", "What it took"))
    assert "<script" not in text
    ids = re.findall(' id="([^"]*)"', text)
    assert len(ids) == len({*ids})


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of a short exam."""
    path = tmp_path / "exam.jsonl"
    hold_exam(Setting("s"), 7, ["largest"], file=ExamFile(str(path), Setting("s")))
    return path


def test_other_files_are_refused(kept: Path) -> None:
    text = kept.read_text()
    with pytest.raises(FileError, match="results file"):
        ExamFile(str(kept), Setting("t")).read()
    assert kept.read_text() == text, "another exam is not mixed in"
    head, first, *_ = text.splitlines()
    changes: list[dict[str, Any]] = [
        {"board": "nothing:3"}, {"number": "3"}, {"answer": 7}, {"extra": 1}, {"spent": []}
    ]  # fmt: skip
    for spoilt in (
        "",
        "[1]\n",
        text.replace(fingerprint(), "0" * 16),
        text.replace('"numduel-1"', '"numduel-0"'),
        text.replace('"skills": ["legality"', '"skills": ["luck"'),
        text + "{}\n",
        text + "[" * 100_000 + "\n",
        *(f"{head}\n{json.dumps(json.loads(first) | change)}\n" for change in changes),
    ):
        kept.write_text(spoilt)
        for read in (lambda: score_again(str(kept)), ExamFile(str(kept), Setting("s")).read):
            with pytest.raises(FileError, match="results file"):
                read()
    out, err, code = piped(["exam", "--from", str(kept)])
    assert (out, code) == ("", 1)
    assert "The results file" in err


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
        assert "<h1>" in page([again], figures_of(answers), [])


def test_words_that_make_no_exam() -> None:
    for words in ("exam", "exam person", "exam nobody", "exam llm:x",
                  "exam random --skill legality --difficulty hard",
                  "exam random --results a --from a"):  # fmt: skip
        out, err, code = piped(words.split())
        assert (out, code) == ("", 2)
        assert "Error: " in err
