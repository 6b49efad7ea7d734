"""Language models as players and in the arena, at a server that fails in every way."""

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents.bots import bot
from agents.model_server import FakeServer
from numduel import Board, errors
from numduel.arena import End, Plan, ResultsFile, estimates, run
from numduel.players import Limits, Turn, View, make_player
from numduel.players.model import ModelPlayer
from numduel.running import ask
from numduel.solver.search import Search
from patience import PATIENT
from raised import raised
from terminal import piped

BOARD = Board.parse("divisor-duel:60")


def player(server: FakeServer, model: str, **limits: Any) -> ModelPlayer:
    made = make_player(server.model(model), Random(), Limits(**limits))
    assert isinstance(made, ModelPlayer)
    return made


def turn_of(server: FakeServer, model: str, **limits: Any) -> Turn:
    """The model's turn, until it has a move or no more tries."""
    server.asked.clear()
    return ask(player(server, model, **limits), View.of(BOARD))


def test_a_model_plays(server: FakeServer) -> None:
    for model in ("good", "chatty", "thinks apart", "speaks in parts"):
        assert turn_of(server, model).move == (0, 15)
        ((path, headers, body),) = server.asked
        assert path == "/v1/chat/completions"
        assert body.keys() == {"model", "messages"}
        assert body["model"] == model
        assert "Divisor Duel" in body["messages"][0]["content"]
        assert "Authorization" not in headers
    out, err, code = piped(
        ["play", "divisor-duel", "--p1", server.model("good"), "--p2", "largest", "--tries", "1"]
    )
    assert (err, code) == ("", 0)
    assert "Subtracting 15 from 60. New N is 45." in out
    assert "wins!" in out


def test_the_key_comes_from_the_environment(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-only")
    turn_of(server, "good")
    assert "Authorization" not in server.asked.pop()[1]
    monkeypatch.setenv("NUMDUEL_LLM_KEY", "sk-0123456789abcdef")
    made = player(server, "tells the key", tries=2)
    answer = ask(made, View.of(BOARD))
    assert server.asked[0][1]["Authorization"] == "Bearer sk-0123456789abcdef"
    assert "Bearer ***" in str(answer.problems[0])
    assert made.exchanges[-1].answer == "Bearer ***"


def test_a_model_is_asked_again(server: FakeServer) -> None:
    assert turn_of(server, "busy", tries=1).move == (0, 15)
    assert len(server.asked) == 2
    answer = turn_of(server, "learns")
    assert answer.move == (0, 15)
    assert isinstance(answer.problems[0], errors.IllegalMove)
    assert "7 does not divide 60." in server.asked[1][2]["messages"][0]["content"]
    answer = turn_of(server, "rubbish", tries=2)
    assert answer.move is None
    assert len(answer.problems) == len(server.asked) == 2
    for model in ("only thinks", "declines"):
        answer = turn_of(server, model, tries=1)
        assert isinstance(answer.problems[0], errors.InvalidNumber)


def test_a_server_that_asks_for_time_gets_it_and_it_is_not_thinking(server: FakeServer) -> None:
    made = player(server, "asks for time", seconds=PATIENT, tries=1)
    began = time.monotonic()
    assert ask(made, View.of(BOARD)).move == (0, 15)
    assert time.monotonic() - began >= 0.8
    assert made.spent.requests == 3
    assert made.spent.seconds <= time.monotonic() - began - 0.8


def test_failures_are_faults_and_told(server: FakeServer) -> None:
    for model, problem, said in (
        ("has no such model", "status", 'HTTP status 404: "The model does not exist."'),
        ("moved", "status", "302"),
        ("errs", "error", "Provider returned error."),
        ("html", "answer", ""),
        ("empty", "answer", ""),
        ("null", "answer", ""),
        ("nested", "answer", ""),
        ("floods", "flood", ""),
        ("drops", "connection", ""),
        ("refuses the key", "key", "Incorrect API key provided."),
        ("forbids", "key", "Incorrect API key provided."),
    ):
        tries = 3 if problem == "key" else 1  # who has no key is not asked again
        answer = turn_of(server, model, seconds=PATIENT, tries=tries)
        assert answer.move is None
        assert [error.problem for error in answer.problems] == [problem], model
        assert said in str(answer.problems[0])
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    "model", ["late", "drips", "drips headers", "drips its status", "continues"]
)
def test_nobody_waits_longer_for_a_server_that_drips(server: FakeServer, model: str) -> None:
    answer = turn_of(server, model, seconds=0.3)
    assert answer.move is None
    assert [error.problem for error in answer.problems] == ["time"], "it is not asked again"
    assert server.let_go.wait(PATIENT)
    assert not server.sent_all, "the connection is closed, too"


def test_what_a_model_uses_is_counted(server: FakeServer) -> None:
    """As its server counts; where that lies, a token has four characters."""
    for model, counted, answered in (("counts tokens", 90, 7), ("lies about tokens", None, 1)):
        made = player(server, model)
        for _ in range(2):
            made.answer(View.of(BOARD))
        prompt = server.asked[0][2]["messages"][0]["content"]
        assert made.spent.requests == 2
        assert made.spent.prompt_tokens == 2 * (counted or -(-len(prompt) // 4))
        assert made.spent.answer_tokens == 2 * answered
        assert made.spent.seconds > 0


def test_words_that_name_no_model() -> None:
    for word in ("", "model", "@http://localhost", "m@ftp://localhost", "m@localhost:8000",
                 "m@http://", "m@http://user:word@localhost", "m@http://localhost:p",
                 "m@http://key@localhost", "m@http://localhost?key=1"):  # fmt: skip
        raised(errors.PlayerFailed, make_player, f"llm:{word}", Random(), Limits())


LONG = Board.parse("subtract-a-prime:1001")
"""Two players who take as little as they can need hundreds of turns from here."""


def test_what_a_model_may_use_ends_a_match_and_the_verdict_decides(server: FakeServer) -> None:
    plan = Plan((server.model("smallest"), server.model("aloud")), (LONG,))
    for turns in (6, 7):
        server.asked.clear()
        for result in run(plan, Limits(turns=turns, list_moves=True)):
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
        results = run(plan, limits._replace(list_moves=True))
        assert [result.ending for result in results] == [End.BUDGET, End.BUDGET]
        assert [max(c.requests for c in result.conduct) for result in results] == [asked, asked]
        assert all(result.winner in (0, 1) for result in results)


def test_forced_moves_and_answers_that_are_no_moves(server: FakeServer) -> None:
    plan = Plan((server.model("smallest"), "largest"), (Board.parse("divisor-duel:9"),))
    results = run(plan, Limits(list_moves=True))
    spared = sum(conduct.unasked for result in results for conduct in result.conduct)
    asked = len(server.asked)
    assert results[0].conduct[0].unasked == spared == 1, "from 9 only 3 can be played"
    run(plan, Limits(ask_forced=True, list_moves=True))
    assert len(server.asked) - asked == asked + spared
    for model, counted in (("illegal", (3, 0)), ("rubbish", (0, 3))):
        plan = Plan((server.model(model), "largest"), (BOARD,))
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
    plan = Plan(players, (BOARD, Board.parse("subtract-a-prime:20~misere")), seed=3)
    limits = Limits(seconds=PATIENT, tries=2, turns=9, list_moves=True)
    path = tmp_path / "transcript.jsonl"
    played = run(plan, limits, transcript=ResultsFile(str(path), plan, limits, transcript=True))
    again = ResultsFile.open(str(path))
    assert (again.plan, again.limits) == (plan, limits)
    scored = [result for _, result in sorted(again.read().items())]
    assert scored == played
    text = path.read_text()
    turns = [turn for line in text.splitlines()[1:] for turn in json.loads(line)["turns"]]
    asked = [entry for turn in turns for entry in turn.get("asked", []) if "prompt" in entry]
    assert {entry["reading"] for entry in asked} == {"move", "unreadable"}
    assert all("Divisor Duel" in e["prompt"] or "Subtract a Prime" in e["prompt"] for e in asked)
    assert {turn["verdict"] for turn in turns} >= {"kept", "mistake", "lost"}
    # One that does not hold together is refused.
    for part, other in (
        ("**[2]**", "**[15]**"),
        ('"move": "2"', '"move": "7"'),
        ('"ending": "forfeited"', '"ending": "no-move"'),
    ):
        assert part in text.splitlines()[1]
        path.write_text(text.replace(part, other, 1))
        error = raised(errors.FileError, ResultsFile.open(str(path)).read, match="results file")
        assert "line 2" in error.problem


def test_an_estimate_comes_before_the_start(server: FakeServer) -> None:
    model = server.model("smallest")
    plan = Plan((model, "random", "largest"), (BOARD,), rounds=3)
    (about,) = estimates(plan, Limits(tries=2, turns=8))
    assert (about.player, about.matches, about.most_requests) == (model, 12, 12 * 4 * 2)
    assert 0 < about.requests <= about.most_requests
    assert about.prompt_tokens > 50 * about.requests
    (rest,) = estimates(plan, Limits(), known=range(12))
    assert rest.matches == 4
    assert estimates(Plan(("random", "largest"), (BOARD,)), Limits()) == []
    assert server.asked == []


def test_a_model_is_told_as_asked_and_compared_with_baselines(server: FakeServer) -> None:
    model = server.model("smallest")
    base = ["arena", "--player", model, "--baselines", "--list-moves", "--json", "--player"]
    asked = ["--temperature", "0", "--max-tokens", "300", "--system", "Play well."]
    draw = ["--draw", "divisor-duel:4", "--rounds", "2"]
    out, err, code = piped([*base, "largest", *draw, *asked])
    assert code == 0
    assert err.startswith(f"{model}: about ")
    found = json.loads(out)
    sampling = {"temperature": 0.0, "max_tokens": 300, "system": "Play well.", "body": None}
    assert found["limits"]["sampling"] == sampling
    body = server.asked[0][2]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 300)
    assert body["messages"][0] == {"role": "system", "content": "Play well."}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    own = next(p for p in found["players"] if p["player"] == model)
    baselines = {player["player"]: player for player in found["baselines"]}
    levels = {f"level:{n}" for n in range(1, 6)}
    assert baselines.keys() == {"random", "beginner", "perfect", *levels}
    counts = {(p["matches"], p["boards"]) for p in (own, *baselines.values())}
    assert len(counts) == 1
    assert baselines["perfect"]["optimal_rate"] == 1.0
    _, err, code = piped([*base, server.model("aloud"), "--board", "divisor-duel:60"])
    assert code == 2
    assert "Baselines need a built-in player" in err
