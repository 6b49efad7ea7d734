"""docs/measure.md is followed literally, at a server that answers, reasons, cuts off and fails."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from agents.model_server import ANSWERS, BODIES, FakeServer, completion, whole
from numduel.arena.exam import score_again
from terminal import piped

PAGE = Path(__file__).parents[2] / "docs/measure.md"
COMMANDS = [line for block in re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
            for line in block.splitlines() if line.startswith("numduel ")]  # fmt: skip
USAGE = {"prompt_tokens": 50, "completion_tokens": 9,
         "completion_tokens_details": {"reasoning_tokens": 5}}  # fmt: skip
BY_TURNS = (
    completion("**Answer:** none", USAGE, reasoning_content="It is odd."),
    completion("Perhaps Answer: 1", USAGE, "length"),
    completion(None, refusal="I will not play."),
    b"<html>Something failed.</html>",
)


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
