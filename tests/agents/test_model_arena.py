"""Models in the arena: bounded, told in full, scored again, and never ranked without a key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.bots import bot
from agents.model_server import FakeServer
from numduel import Board, errors
from numduel.arena import End, Plan, ResultsFile, estimates, run
from numduel.players import Limits
from numduel.solver.search import Search
from patience import PATIENT
from terminal import piped

SIXTY = Board.parse("divisor-duel:60")
LONG = Board.parse("subtract-a-prime:1001")
"""Two players who take as little as they can need hundreds of turns from here."""


def test_what_a_model_may_use_ends_a_match_and_the_verdict_decides(server: FakeServer) -> None:
    plan = Plan((server.model("smallest"), server.model("aloud")), (LONG,))
    for turns in (6, 7):
        server.asked.clear()
        for result in run(plan, Limits(turns=turns)):
            assert result.ending is End.TURN_LIMIT
            assert sum(conduct.moves for conduct in result.conduct) == turns
            left = Board.of("subtract-a-prime", 1001 - 2 * turns)
            loser = turns % 2 if Search().lost(left) else 1 - turns % 2
            assert result.winner == 1 - loser
        assert len(server.asked) == 2 * turns
    plan = Plan(("random", "largest"), (LONG,))  # programs have no such end
    assert all(r.ending is End.NO_MOVE for r in run(plan, Limits(turns=1)))
    plan = Plan((server.model("smallest"), "beginner"), (LONG,))
    for limits, asked in (
        (Limits(requests=3), 3),
        (Limits(tokens=1), 1),
        (Limits(match_seconds=0.000001), 1),
    ):
        results = run(plan, limits)
        assert [result.ending for result in results] == [End.BUDGET, End.BUDGET]
        assert [max(c.requests for c in result.conduct) for result in results] == [asked, asked]
        assert all(result.winner in (0, 1) for result in results)


def test_forced_moves_and_answers_that_are_no_moves(server: FakeServer) -> None:
    plan = Plan((server.model("smallest"), "largest"), (Board.parse("divisor-duel:9"),))
    results = run(plan)
    spared = sum(conduct.unasked for result in results for conduct in result.conduct)
    asked = len(server.asked)
    assert results[0].conduct[0].unasked == spared == 1, "from 9 only 3 can be played"
    run(plan, Limits(ask_forced=True))
    assert len(server.asked) - asked == asked + spared
    for model, counted in (("illegal", (3, 0)), ("rubbish", (0, 3))):
        plan = Plan((server.model(model), "largest"), (SIXTY,))
        first, _ = run(plan)
        assert (first.conduct[0].illegal, first.conduct[0].unreadable) == counted
        assert (first.ending, first.winner) == (End.FORFEITED, 1)


def test_a_refused_key_ends_the_run_and_ranks_nobody(server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    other = ["--player", "largest", "--board", "divisor-duel:60", "--tries", "1"]
    refused = ["arena", "--player", server.model("refuses the key"), *other]
    for jobs in ("1", "2"):
        out, err, code = piped([*refused, "--results", str(path), "--jobs", jobs])
        assert (out, code) == ("", 1)
        assert "Incorrect API key provided." in err
        assert len(path.read_text().splitlines()) == 1
    out, _, code = piped(["arena", "--player", server.model("has no such model"), *other])
    assert code == 0
    assert 'HTTP status 404: "The model does not exist."' in out


def test_transcripts_are_scored_again_to_the_same_figures(
    server: FakeServer, tmp_path: Path
) -> None:
    program = bot(tmp_path, "illegal")
    players = (server.model("aloud"), server.model("rubbish"), program, "level:2", "perfect")
    plan = Plan(players, (SIXTY, Board.parse("subtract-a-prime:20~misere")), seed=3)
    limits = Limits(seconds=PATIENT, tries=2, turns=9)
    path = tmp_path / "transcript.jsonl"
    played = run(plan, limits, transcript=ResultsFile(str(path), plan, limits, transcript=True))
    again = ResultsFile.open(str(path))
    assert (again.plan, again.limits) == (plan, limits)
    scored = [result for _, result in sorted(again.read().items())]
    assert scored == played
    turns = [
        turn for line in path.read_text().splitlines()[1:] for turn in json.loads(line)["turns"]
    ]
    asked = [entry for turn in turns for entry in turn.get("asked", []) if "prompt" in entry]
    assert {entry["reading"] for entry in asked} == {"move", "unreadable"}
    assert all("Divisor Duel" in e["prompt"] or "Subtract a Prime" in e["prompt"] for e in asked)
    assert {turn["verdict"] for turn in turns} >= {"kept", "mistake", "lost"}
    # One that does not hold together is refused.
    text = path.read_text()
    for part, other in (
        ("**[2]**", "**[15]**"),
        ('"move": "2"', '"move": "7"'),
        ('"ending": "forfeited"', '"ending": "no-move"'),
    ):
        assert part in text.splitlines()[1]
        path.write_text(text.replace(part, other, 1))
        with pytest.raises(errors.FileError, match="results file") as caught:
            ResultsFile.open(str(path)).read()
        assert "line 2" in caught.value.problem


def test_an_estimate_comes_before_the_start(server: FakeServer) -> None:
    model = server.model("smallest")
    plan = Plan((model, "random", "largest"), (SIXTY,), rounds=3)
    (about,) = estimates(plan, Limits(tries=2, turns=8))
    assert (about.player, about.matches, about.most_requests) == (model, 12, 12 * 4 * 2)
    assert 0 < about.requests <= about.most_requests
    assert about.prompt_tokens > 50 * about.requests
    (rest,) = estimates(plan, Limits(), known=range(12))
    assert rest.matches == 4
    assert estimates(Plan(("random", "largest"), (SIXTY,)), Limits()) == []
    assert server.asked == []


def test_a_model_is_told_as_asked_and_compared_with_baselines(server: FakeServer) -> None:
    """Which meet the same opponents on the same boards."""
    model = server.model("smallest")
    base = ["arena", "--player", model, "--baselines", "--json", "--player"]
    asked = ["--temperature", "0", "--max-tokens", "300", "--system", "Play well."]
    draw = ["--draw", "divisor-duel:4", "--rounds", "2"]
    out, err, code = piped([*base, "largest", *draw, *asked])
    assert code == 0
    assert err.startswith(f"{model}: about ")
    found = json.loads(out)
    sampling = {"temperature": 0.0, "max_tokens": 300, "system": "Play well."}
    assert found["limits"]["sampling"] == sampling
    body = server.asked[0][2]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 300)
    assert body["messages"][0] == {"role": "system", "content": "Play well."}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    own = next(p for p in found["players"] if p["player"] == model)
    baselines = {player["player"]: player for player in found["baselines"]}
    levels = {f"level:{n}" for n in range(1, 6)}
    assert baselines.keys() == {"random", "beginner", "perfect", *levels}
    assert {(p["matches"], p["boards"]) for p in baselines.values()} == {
        (own["matches"], own["boards"])
    }
    assert baselines["perfect"]["optimal_rate"] == 1.0
    _, err, code = piped([*base, server.model("aloud"), "--board", "divisor-duel:60"])
    assert code == 2
    assert "Baselines need a built-in player" in err
