"""Exams: one question a position, scored exactly, kept so that anybody can score them again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.model_server import ANSWERS, FakeServer, serving
from numduel import Board
from numduel.arena.exam import task
from numduel.arena.exam.answers import BASELINES, hold_exam
from numduel.arena.exam.figures import figures_of
from numduel.arena.exam.page import page
from numduel.arena.exam.task import TASK, fingerprint, question, score
from numduel.arena.exam.transcript import Answer, ExamFile, Setting, score_again
from numduel.errors import FileError
from numduel.study.positions import SKILLS
from terminal import piped

PINNED = {"numduel-1": "93eaaba209d225a2"}
"""The hash of each task. If a test fails here, questions, answers or scores have changed: make
a new task and leave this line as it is."""


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as made:
        yield made


def whole(prompt: str) -> str:
    """A model that reasons, and then takes the whole number, or says none where that is odd."""
    numbers = re.findall(r"is (\d+)\.", prompt)
    place = "1:" if len(numbers) > 1 else ""
    answer = "none" if int(numbers[0]) % 2 else f"{place}{numbers[0]}"
    return f"<think>Perhaps [3]?</think>Take all of {numbers[0]}: is it legal?\n\n**[{answer}]**"


@pytest.fixture(autouse=True)
def _models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWERS, "whole", whole)
    monkeypatch.setitem(ANSWERS, "rambles", lambda _: "It could be 3. Or 4. Hard to say!")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def untimed(path: Path) -> list[dict[str, Any]]:
    """The lines without the seconds, which differ from run to run."""
    found = lines(path)
    for line in found[1:]:
        line["spent"].pop("seconds")
    return found


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
    found = {f.player: f for f in figures_of(hold_exam(Setting("y"), 42, BASELINES))}
    assert found["perfect"].all.rate == found["level:5"].all.rate == 1
    assert {share.rate for share in found["none"].by_skill.values()} == {1 / 3}
    assert {f.by_skill["legality"].rate for f in found.values()} == {1, 1 / 3}
    assert found["random"].all.rate < found["level:2"].all.rate < found["level:4"].all.rate
    assert all(f.verdicts.keys() <= {"right", "wrong"} for f in found.values())


def test_figures_are_those_of_the_answers() -> None:
    answers = hold_exam(Setting("f"), 42, ["level:2"])
    (found,) = figures_of(answers)
    right = [answer for answer in answers if answer.verdict == "right"]
    assert (found.all.right, found.all.asked) == (len(right), 42)
    assert found.all.interval[0] <= found.all.rate <= found.all.interval[1]
    for skill in SKILLS:
        assert found.by_skill[skill].right == sum(a.skill == skill for a in right)
        assert found.by_skill[skill].asked == 6
    for parts in (found.by_skill, found.by_game, found.by_rating):
        assert sum(share.right for share in parts.values()) == len(right)
        assert sum(share.asked for share in parts.values()) == 42
    (many,) = figures_of(answers * 20)
    assert found.all.interval == many.all.interval, "repeating makes it no narrower"
    read = Answer.scored_again(json.loads(json.dumps(answers[0].fields())))
    assert read == answers[0]


def test_a_model_is_asked_and_all_of_it_is_kept(server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "whole.jsonl"
    word = f"llm:whole@{server.address}"
    options = ["--temperature", "0.5", "--max-tokens", "900", "--system", "Be brief."]
    out, err, code = piped(
        ["exam", word, "--count", "21", "--seed", "m", "--results", str(path), *options]
    )
    assert code == 0
    assert re.fullmatch(r"llm:\S+: about 21 requests and [\d,]+ prompt tokens\.\n", err)
    assert f"Task numduel-1, hash {fingerprint()}" in out
    assert [line.split()[0] for line in out.splitlines()[3:13]] == list(BASELINES)
    head, *answers = lines(path)
    assert (head["numduel exam"], head["hash"]) == (TASK, fingerprint())
    assert head["sampling"] == {"temperature": 0.5, "max_tokens": 900, "system": "Be brief."}
    bodies = [body for _, _, body in server.asked]
    assert len(bodies) == len(answers) == 21
    assert all((b["temperature"], b["max_tokens"]) == (0.5, 900) for b in bodies)
    for line, body in zip(answers, bodies, strict=True):
        assert body["messages"][0] == {"role": "system", "content": "Be brief."}
        assert body["messages"][1]["content"] == line["prompt"]
        assert line["answer"] == whole(line["prompt"])
    assert "21 requests" in out.splitlines()[-1]


def plain_verdict(line: dict[str, Any]) -> str:
    """How another program would score a line: nothing of numduel in it."""
    said = re.findall(r"\[([^]]*)\]", line["answer"])[-1]
    if said == "none":
        return "wrong" if line["winning_moves"] else "right"
    return "right" if said in line["winning_moves"] else "not right"


def test_another_program_scores_the_same(server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "whole.jsonl"
    setting = Setting("again")
    word = f"llm:whole@{server.address}"
    first = hold_exam(setting, 42, [word, "level:1"], file=ExamFile(str(path), setting))
    for line in lines(path)[1:]:
        assert (line["verdict"] == "right") == (plain_verdict(line) == "right")
    assert {"right", "wrong", "illegal"} <= {answer.verdict for answer in first}
    # What the file says of verdicts is not believed.
    path.write_text(path.read_text().replace('"verdict": "wrong"', '"verdict": "right"'))
    again, answers = score_again(str(path))
    assert again == setting
    assert figures_of(answers) == figures_of(first)


def test_the_same_bytes_with_1_and_4_jobs(server: FakeServer, tmp_path: Path) -> None:
    word = f"llm:whole@{server.address}"
    for jobs in ("1", "4"):
        words = ["exam", word, "level:2", "--count", "14", "--seed", "j", "--jobs", jobs]
        out, _, code = piped([*words, "--results", str(tmp_path / f"{jobs}.jsonl"), "--json"])
        assert code == 0
        fields = json.loads(out)
        for player in fields["players"]:
            player["spent"].pop("seconds")
        (tmp_path / f"{jobs}.json").write_text(json.dumps(fields))
    assert (tmp_path / "1.json").read_text() == (tmp_path / "4.json").read_text()
    assert untimed(tmp_path / "1.jsonl") == untimed(tmp_path / "4.jsonl")


def test_more_are_added_and_what_was_cut_off_is_asked_again(
    server: FakeServer, tmp_path: Path
) -> None:
    path, other = tmp_path / "some.jsonl", tmp_path / "all.jsonl"
    word, setting = f"llm:whole@{server.address}", Setting("more")
    hold_exam(setting, 14, [word], file=ExamFile(str(path), setting))
    path.write_text(path.read_text()[:-40])
    hold_exam(setting, 21, [word], file=ExamFile(str(path), setting))
    assert len(server.asked) == 14 + 1 + 7
    hold_exam(setting, 21, [word], file=ExamFile(str(other), setting))
    assert untimed(path) == untimed(other)


def test_failures_count_and_are_asked_again(server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "exam.jsonl"
    setting = Setting("fails")
    word = f"llm:html@{server.address}"
    (found,) = figures_of(hold_exam(setting, 7, [word], file=ExamFile(str(path), setting)))
    assert found.verdicts == Counter(failed=7)
    assert found.all.rate == 0
    assert all("chat completion" in line["error"] for line in lines(path)[1:])
    hold_exam(setting, 7, [word], file=ExamFile(str(path), setting))
    assert len(server.asked) == 14
    assert len(score_again(str(path))[1]) == 7


@pytest.mark.parametrize(
    ("model", "said", "jobs"),
    [("refuses the key", "Incorrect API key provided.", "4"), ("drops", "cannot be reached", "1")],
)
def test_who_cannot_be_asked_is_not_ranked(
    server: FakeServer, tmp_path: Path, model: str, said: str, jobs: str
) -> None:
    path = tmp_path / "exam.jsonl"
    words = ["exam", f"llm:{model}@{server.address}", "--jobs", jobs, "--results", str(path)]
    out, err, code = piped([*words, "--count", "7"])
    assert (out, code) == ("", 1)
    assert said in err.replace("\n", " ")
    assert len(lines(path)) == 1


def test_files_are_compared_on_one_page(server: FakeServer, tmp_path: Path) -> None:
    made = {}
    for model in ("whole", "rambles"):
        path = tmp_path / f"{model}.jsonl"
        word = f"llm:{model}@{server.address}"
        _, _, code = piped(["exam", word, "--count", "21", "--seed", "c", "--results", str(path)])
        assert code == 0
        made[word] = path
    report = tmp_path / "report.html"
    files = [word for path in made.values() for word in ("--from", str(path))]
    asked = len(server.asked)
    out, err, code = piped(["exam", *files, "--json", "--report", str(report)])
    assert (err, code, len(server.asked)) == ("", 0, asked)
    fields = json.loads(out)
    assert [player["player"] for player in fields["players"]] == [*made, *BASELINES]
    assert fields["players"][1]["verdicts"] == {"unreadable": 21}
    text = report.read_text()
    assert all(part in text for part in (*SKILLS, "hash", "By difficulty", "What it took"))
    assert all(word in text for word in made)
    assert "<script" not in text
    copy = tmp_path / "copy.jsonl"
    copy.write_text(path.read_text())
    out, err, code = piped(["exam", "--from", str(path), "--from", str(copy), "--json"])
    twice = [player["player"] for player in json.loads(out)["players"][:2]]
    assert twice == [f"{word} ({path})", f"{word} ({copy})"]
    ids = re.findall(' id="([^"]*)"', text)
    assert len(ids) == len({*ids})


def broken(text: str, **changes: object) -> str:
    head, first, *rest = text.splitlines()
    return "\n".join([head, json.dumps(json.loads(first) | changes), *rest]) + "\n"


SPOILT: list[Callable[[str], str]] = [
    lambda text: "",
    lambda text: "[1]\n",
    lambda text: text.replace(fingerprint(), "0" * 16),
    lambda text: text.replace('"numduel-1"', '"numduel-0"'),
    lambda text: text.replace('"skills": ["legality"', '"skills": ["luck"'),
    lambda text: text + "{}\n",
    lambda text: broken(text, board="nothing:3"),
    lambda text: broken(text, number="3"),
    lambda text: broken(text, answer=7),
    lambda text: broken(text, extra=1),
    lambda text: broken(text, spent=[]),
    lambda text: text + "[" * 100_000 + "\n",
]


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
    for spoil in SPOILT:
        kept.write_text(spoil(text))
        for read in (lambda: score_again(str(kept)), ExamFile(str(kept), Setting("s")).read):
            with pytest.raises(FileError, match="results file"):
                read()
    out, err, code = piped(["exam", "--from", str(kept)])
    assert (out, code) == ("", 1)
    assert "The results file" in err


JUNK: list[Any] = [None, True, -1, 10**400, float("nan"), "x", [[]], {"a": 1}]


def test_no_junk_in_a_file_breaks_anything(kept: Path) -> None:
    """Every field of the head and of a line, replaced by anything: refused, or read as it is."""
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
