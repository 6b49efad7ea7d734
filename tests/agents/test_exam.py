"""Exams: one question a position, scored exactly, kept so that anybody can score them again."""

import json
import re
from datetime import datetime
from functools import cache
from itertools import islice
from math import comb
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from agents.model_server import ANSWERS, BODIES, FakeServer, completion
from numduel import Board, NumduelError, __version__
from numduel.arena.exam import (
    BASELINES,
    TASK,
    Setting,
    compare,
    figures_of,
    fingerprint,
    hold_exam,
    question,
    right_answer,
    score,
)
from numduel.arena.exam.answers import Examinee
from numduel.arena.exam.task import FORMS
from numduel.players import language as reading
from numduel.study.positions import SKILLS, draw_positions
from terminal import piped, run

PINNED = {"numduel-2": "6f499d9367f6d20b"}
"""The hash of each task. If a test fails here, questions, answers or scores have changed: make
a new task and leave this line as it is."""


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def untimed(text: str) -> str:
    """Without seconds and dates, which differ from run to run."""
    return re.sub(r'"seconds": [0-9.]+|"at": "[^"]*"', "", text)


def test_the_task_is_what_it_was() -> None:
    assert PINNED[TASK] == fingerprint()


@cache
def drawn_once(seed: str, difficulty: Any = None) -> Any:
    return tuple(islice(draw_positions(seed, difficulty=difficulty), 1 if difficulty else 70))


@pytest.mark.parametrize(
    ("place", "changed"),
    [
        ("exam.task.question", lambda position: question(position).replace(".", "!")),
        ("exam.task.score", lambda board, said, finish=None: score(board, said)),
        ("exam.task.FORMS", FORMS[1:]),
        ("reading._LABELLED", re.compile(reading._LABELLED.pattern.replace("final answer|", ""))),
        ("reading._LABELLED", re.compile(reading._LABELLED.pattern.replace("|is", ""), re.I)),
        ("reading._THOUGHT", re.compile("</?think>")),
        ("reading._BRACKETS", re.compile(r"^\[([^\[\]]*)\]")),
        ("reading._LOOKS", str.maketrans("", "", "*`")),
        ("reading._FORMULA", re.compile("never")),
        ("reading._AROUND", " "),
        ("reading._BETWEEN", re.compile(r"[\s,]+")),
        ("reading._SPEAKS", re.compile("never")),
        ("reading._VALUE", re.compile(reading._VALUE.pattern.replace("minus|", ""), re.I)),
        ("study.positions.NONE_IN", 4),
        ("study.positions.LARGE", 14),
    ],
)
def test_whatever_scores_is_in_the_hash(
    place: str, changed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = {"exam": "arena.exam", "reading": "players.language", "study": "study"}
    first, _, rest = place.partition(".")
    if first != "study":  # the same positions, not drawn again each time
        monkeypatch.setattr(
            "numduel.arena.exam.task.draw_positions",
            lambda *asked, **hard: iter(drawn_once(*asked, **hard)),
        )
    assert fingerprint.__wrapped__() == PINNED[TASK]
    monkeypatch.setattr(f"numduel.{where[first]}.{rest}", changed)
    assert fingerprint.__wrapped__() != PINNED[TASK]


def test_answers_are_scored_by_the_rules() -> None:
    """Divisor Duel: 45 and 9 are odd, so lost, and 58 is won. The others by hand."""
    for board, answer, verdict in (
        ("divisor-duel:60", "[15]", "right"),
        ("divisor-duel:60", "<think>[2]</think> So\nAnswer: 15.", "right"),
        ("divisor-duel:60", "[2]", "wrong"),
        ("divisor-duel:60", "[none]", "wrong"),
        ("divisor-duel:60", "[7]", "illegal"),
        ("divisor-duel:60", "Answer: 15 or 5", "unreadable"),
        ("divisor-duel:60", "", "unreadable"),
        ("divisor-duel:60", None, "failed"),
        ("divisor-duel:9", "There is no way to win.\n\n**[None]**", "right"),
        ("divisor-duel:7", "**Answer:** none", "right"),
        ("divisor-duel:7", "[7]", "illegal"),
        ("power-play:6", "Answer: divide by 3", "wrong"),
        ("power-play:12", "Answer: divide by 3", "right"),
        ("subtract-2-4:6", "[2]", "wrong"),
        ("subtract-2-4:6~misere", "[4]", "right"),
        ("subtract-2-4:4+subtract-2-4:2", "[1:2]", "right"),
        ("subtract-2-4:4+subtract-2-4:2", "Answer: 2:2", "wrong"),
    ):
        assert score(Board.parse(board), answer).verdict == verdict, (board, answer)
    assert score(Board.parse("divisor-duel:60"), "[15]", "length").verdict == "truncated"


def test_the_oracle_is_right_in_every_form_the_prompt_allows() -> None:
    for at, position in enumerate(Setting("o", 3 * len(FORMS)).positions()):
        said = FORMS[at % len(FORMS)].format(right_answer(position))
        assert score(position.board, said).verdict == "right", (position.board, said)


def test_yardsticks_score_what_they_must() -> None:
    answers = hold_exam(Setting("y", 42), BASELINES)
    found = {f.player: f for f in figures_of(answers)}
    assert found["perfect"].all.rate == found["level:5"].all.rate == 1
    assert {share.rate for share in found["none"].by_skill.values()} == {1 / 3}
    assert found["finish"].by_skill["win-in-one"].rate == 1, "it is what that skill promises"
    assert found["finish"].all.rate < found["combined"].all.rate < 0.7
    assert found["random"].by_skill["legality"].rate == 1, "which is why it earns no points"
    assert found["random"].all.rate < found["level:2"].all.rate < found["level:4"].all.rate
    assert all(f.verdicts.keys() <= {"right", "wrong"} for f in found.values())
    theirs = [answer for answer in answers if answer.player == "level:2"]
    right = [answer for answer in theirs if answer.verdict == "right"]
    one = found["level:2"]
    points = [answer for answer in right if answer.position.skill != "legality"]
    assert (one.all.right, one.all.asked) == (len(points), 36)
    assert one.all.interval[0] <= one.all.rate <= one.all.interval[1]
    for skill in SKILLS:
        assert one.by_skill[skill].right == sum(a.position.skill == skill for a in right)
        assert one.by_skill[skill].asked == 6
    for parts in (one.by_game, one.by_rating, one.by_size):
        assert sum(share.right for share in parts.values()) == len(points)
        assert sum(share.asked for share in parts.values()) == 36
    (many,) = figures_of(theirs * 20)
    assert one.all.interval == many.all.interval, "repeating makes it no narrower"


def test_search_sees_as_far_as_it_looks() -> None:
    """Take 1, 2 or 3: multiples of 4 are traps, each 4 two moves further from the end."""
    for depth, number, seen in ((1, 3, True), (3, 7, True), (2, 7, False), (5, 11, True)):
        board = Board.parse(f"subtract-1-2-3:{number}")
        players = (Examinee(f"search:{depth}", Setting(str(seed))) for seed in range(30))
        assert ({player.find(0, board) for player in players} == {"[3]"}) == seen, (depth, number)
    assert Examinee("search:4", Setting()).find(0, Board.parse("subtract-1-2-3:4")) == "[none]"


def test_models_that_draw_are_asked_again_and_again() -> None:
    setting = Setting("r", 42, repeat=4)
    (found,) = figures_of(hold_exam(setting, ["random"]))
    assert found.all.asked == 4 * 36
    assert len(found.samples) == 4
    assert mean(found.samples) == pytest.approx(found.all.rate)
    assert 0 < found.spread == pytest.approx(stdev(found.samples))
    assert found.solved > max(found.samples), "pass@4"
    (same,) = figures_of(hold_exam(setting, ["largest"]))
    assert (same.spread, same.solved) == (0, same.all.rate)


def test_two_are_compared_on_the_same_questions() -> None:
    setting = Setting("c", 210)
    answers = hold_exam(setting, ["level:2", "level:4", "random", "level:5", "perfect"])
    pairs = {(pair.one, pair.other): pair for pair in compare(answers)}
    assert len(pairs) == 10
    pair = pairs["level:2", "level:4"]
    theirs = {p: [a.right for a in answers if a.player == p and a.position.skill != "legality"]
              for p in ("level:2", "level:4")}  # fmt: skip
    better, worse = (
        sum(x > y for x, y in zip(*both, strict=True))
        for both in (theirs.values(), [*theirs.values()][::-1])
    )
    assert pair.difference.value == pytest.approx((better - worse) / 180)
    tail = sum(comb(better + worse, k) for k in range(min(better, worse) + 1))
    assert pair.difference.p == pytest.approx(2 * tail / 2 ** (better + worse))
    assert pair.p >= pair.difference.p, "Holm"
    assert not pair.tied
    assert pairs["level:5", "perfect"].tied
    assert pairs["level:5", "perfect"].difference.value == 0
    assert pair.difference.needed > 180


def test_a_model_is_asked_and_all_of_it_is_kept(server: FakeServer, tmp_path: Path) -> None:
    word, path, told = server.model("whole"), tmp_path / "1", []
    options = ["--temperature", "0.5", "--max-tokens", "900", "--system", "Be brief."]
    options += ["--body", "reasoning_effort=high", "--body", "top_p=0.9"]
    for jobs in ("4", "1"):
        server.asked.clear()
        words = ["exam", word, "--count", "14", "--seed", "m", "--jobs", jobs, *options]
        out, err, code = piped([*words, "--results", str(tmp_path / jobs)])
        assert code == 0
        assert re.fullmatch(r"llm:\S+: about 14 requests and [\d,]+ prompt tokens\.\n", err)
        told.append(re.sub(r"[0-9.]+ seconds", "", out) + untimed((tmp_path / jobs).read_text()))
    assert told[0] == told[1]
    chosen = "seed m, 14 questions, system prompt 'Be brief.'"
    first = f"Task numduel-2, hash {fingerprint()}, numduel {__version__}, {chosen}"
    assert out.splitlines()[0] == first
    assert [line.split()[0] for line in out.splitlines()[3:17]] == list(BASELINES)
    assert "14 requests" in out.splitlines()[-1]
    head, *answers = lines(path)
    assert (head["numduel exam"], head["hash"]) == (TASK, fingerprint())
    body = '{"reasoning_effort": "high", "top_p": 0.9}'
    sampling = {"temperature": 0.5, "max_tokens": 900, "system": "Be brief.", "body": body}
    assert (head["sampling"], head["version"]) == (sampling, __version__)
    for line, (_, _, body) in zip(answers, server.asked, strict=True):
        assert (body["temperature"], body["max_tokens"]) == (0.5, 900)
        assert (body["reasoning_effort"], body["top_p"]) == ("high", 0.9)
        assert body["messages"][0] == {"role": "system", "content": "Be brief."}
        assert body["messages"][1]["content"] == line["prompt"]
        assert line["answer"] == ANSWERS["whole"](line["prompt"])
    out, _, _ = piped(["exam", "--from", str(path), "--from", str(tmp_path / "4"), "--json"])
    twice = [player["player"] for player in json.loads(out)["players"][:2]]
    assert twice == [f"{word} ({path})", f"{word} ({tmp_path / '4'})"]


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


def test_what_the_server_says_is_kept_and_truncated_is_not_unreadable(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "exam.jsonl"
    usage = {"prompt_tokens": 50, "completion_tokens": 9, "cost": 0.25,
             "completion_tokens_details": {"reasoning_tokens": 5}}  # fmt: skip
    for name, finish in (("cut", "length"), ("done", "stop")):
        body = completion("Answer: none", usage, finish, reasoning_content="It is odd.")
        monkeypatch.setitem(BODIES, name, (200, body))
    words = [server.model(name) for name in ("cut", "done", "html", "rubbish")]
    options = ["--count", "7", "--seed", "p", "--keep-reasoning", "--results", str(path)]
    out, _, code = piped(["exam", *words, *options])
    assert code == 0
    told = [line.split() for line in out.splitlines() if line.startswith("llm:")]
    assert [row[5:] for row in told if len(row) == 10] == [  # right of readable; illegal, ...
        ["none", "0", "0", "7", "0"], [told[3][2], "0", "0", "0", "0"],
        ["none", "0", "0", "0", "7"], ["none", "0", "7", "0", "0"],
    ]  # fmt: skip
    assert f"{words[2]}: 100.0% of the answers failed at the server" in out.splitlines()[1]
    assert f"{words[3]}: 100.0% of the answers cannot be read" in out.splitlines()[2]
    assert "7 failed: " in out
    assert "(35 of reasoning)" in out
    assert "cost 1.75" in out
    first = lines(path)[1]
    kept = {name: first[name] for name in ("model", "finish", "reasoning_tokens", "cost")}
    assert kept == {"model": "fake", "finish": "length", "reasoning_tokens": 5, "cost": 0.25}
    assert first["reasoning"] == "It is odd."
    assert datetime.fromisoformat(first["at"]).tzinfo


@pytest.mark.parametrize("wrong", [0, -3, 10**7, "x", 1.5, None])
@pytest.mark.parametrize("name", ["count", "repeat", "jobs"])
def test_numbers_that_make_no_exam(name: str, wrong: Any) -> None:
    setting = Setting(**{"count": 7, "repeat": 1, name: wrong} if name != "jobs" else {"count": 7})
    with pytest.raises(NumduelError, match=name):
        hold_exam(setting, ["random"], jobs=wrong if name == "jobs" else 1)


def test_words_that_make_no_exam() -> None:
    for words in ("exam", "exam person", "exam nobody", "exam llm:x",
                  "exam random --skill legality --difficulty hard",
                  "exam random --results a --from a"):  # fmt: skip
        assert "Error: " in run(*words.split(), code=2)
