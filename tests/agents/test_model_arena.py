"""Models in the arena: bounded, told in full, scored again, and never ranked without a key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.bots import bot
from agents.model_server import FakeServer, serving
from numduel import Board, errors
from numduel.arena import End, Plan, ResultsFile, estimates, run, standings_of
from numduel.players import Limits
from numduel.solver.search import Search
from patience import PATIENT
from terminal import piped

SIXTY = Board.parse("divisor-duel:60")
LONG = Board.parse("subtract-a-prime:1001")
"""Two players who take as little as they can need hundreds of turns from here."""


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as made:
        yield made


def word(server: FakeServer, model: str) -> str:
    return f"llm:{model}@{server.address}"


def test_a_long_match_ends_by_its_turns_and_the_verdict_decides(server: FakeServer) -> None:
    plan = Plan((word(server, "smallest"), word(server, "aloud")), (LONG,))
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


def test_what_a_model_may_use_ends_a_match(server: FakeServer) -> None:
    plan = Plan((word(server, "smallest"), "beginner"), (LONG,))
    for limits, asked in (
        (Limits(requests=3), 3), (Limits(tokens=1), 1), (Limits(match_seconds=0.000001), 1)
    ):  # fmt: skip
        results = run(plan, limits)
        assert [result.ending for result in results] == [End.BUDGET, End.BUDGET]
        assert [max(c.requests for c in result.conduct) for result in results] == [asked, asked]
        assert all(result.winner in (0, 1) for result in results)


def test_a_forced_move_is_not_asked_for(server: FakeServer) -> None:
    plan = Plan((word(server, "smallest"), "largest"), (Board.parse("divisor-duel:9"),))
    results = run(plan)
    spared = sum(conduct.unasked for result in results for conduct in result.conduct)
    asked = len(server.asked)
    assert results[0].conduct[0].unasked == spared == 1, "from 9 only 3 can be played"
    run(plan, Limits(ask_forced=True))
    assert len(server.asked) - asked == asked + spared


def test_illegal_and_unreadable_are_counted_apart(server: FakeServer) -> None:
    for model, counted in (("illegal", (3, 0)), ("rubbish", (0, 3))):
        plan = Plan((word(server, model), "largest"), (SIXTY,))
        first, _ = run(plan)
        assert (first.conduct[0].illegal, first.conduct[0].unreadable) == counted
        assert (first.ending, first.winner) == (End.FORFEITED, 1)


def test_a_refused_key_ends_the_run_and_ranks_nobody(server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    other = ["--player", "largest", "--board", "divisor-duel:60", "--tries", "1"]
    for jobs in ("1", "2"):
        out, err, code = piped(
            ["arena", "--player", word(server, "refuses the key"), *other,
             "--results", str(path), "--jobs", jobs]
        )  # fmt: skip
        assert (out, code) == ("", 1)
        assert "Incorrect API key provided." in err
        assert len(path.read_text().splitlines()) == 1
    out, _, code = piped(["arena", "--player", word(server, "has no such model"), *other])
    assert code == 0
    assert 'HTTP status 404: "The model does not exist."' in out


def test_transcripts_are_scored_again_to_the_same_figures(
    server: FakeServer, tmp_path: Path
) -> None:
    program = bot(tmp_path, "illegal")
    players = (word(server, "aloud"), word(server, "rubbish"), program, "level:2", "perfect")
    plan = Plan(players, (SIXTY, Board.parse("subtract-a-prime:20~misere")), seed=3)
    limits = Limits(seconds=PATIENT, tries=2, turns=9)
    path = tmp_path / "transcript.jsonl"
    played = run(plan, limits, transcript=ResultsFile(str(path), plan, limits, transcript=True))
    again = ResultsFile.open(str(path))
    assert (again.plan, again.limits) == (plan, limits)
    scored = [result for _, result in sorted(again.read().items())]
    assert [r._replace(transcript=None) for r in scored] == [
        r._replace(transcript=None) for r in played
    ]
    assert standings_of(plan, scored).fields() == standings_of(plan, played).fields()
    turns = [
        turn for line in path.read_text().splitlines()[1:] for turn in json.loads(line)["turns"]
    ]
    asked = [entry for turn in turns for entry in turn.get("asked", []) if "prompt" in entry]
    assert {entry["reading"] for entry in asked} == {"move", "unreadable"}
    assert all("Divisor Duel" in e["prompt"] or "Subtract a Prime" in e["prompt"] for e in asked)
    assert {turn["verdict"] for turn in turns} >= {"kept", "mistake", "lost"}


def test_a_transcript_that_does_not_hold_together_is_refused(
    server: FakeServer, tmp_path: Path
) -> None:
    plan = Plan((word(server, "smallest"), "largest"), (SIXTY,))
    path = tmp_path / "transcript.jsonl"
    run(plan, transcript=ResultsFile(str(path), plan, transcript=True))
    head, first, *rest = path.read_text().splitlines()
    for change in ("answer", "move", "ending"):
        fields = json.loads(first)
        turn = fields["turns"][0]
        if change == "answer":
            turn["asked"][0]["answer"] = "[15]"
        elif change == "move":
            turn["move"] = "7"
        else:
            fields["ending"] = "turn-limit"
        path.write_text("\n".join([head, json.dumps(fields), *rest]) + "\n")
        with pytest.raises(errors.FileError, match="results file") as caught:
            ResultsFile.open(str(path)).read()
        assert "line 2" in caught.value.problem


def written(tmp_path: Path, name: str, *options: str) -> list[bytes]:
    """Everything that an arena of built-in players writes and prints."""
    files = [tmp_path / f"{name}.{kind}" for kind in ("results", "transcript", "html")]
    arguments = ["arena", "--player", "random", "--player", "level:3", "--player", "perfect",
                 "--draw", "divisor-duel:5", "--board", "subtract-a-prime:30", "--seed", "8",
                 "--json"]  # fmt: skip
    for option, file in zip(("--results", "--transcript", "--report"), files, strict=True):
        arguments += [option, str(file)]
    out, err, code = piped([*arguments, *options])
    assert (err, code) == ("", 0)
    return [out.encode(), *(file.read_bytes() for file in files)]


def test_the_same_seed_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.arena.tournament._CHUNK", 2)  # done in any order
    one = written(tmp_path, "one", "--rounds", "3", "--jobs", "1")
    assert one == written(tmp_path, "four", "--rounds", "3", "--jobs", "4")
    assert written(tmp_path, "added", "--rounds", "1") != one
    assert written(tmp_path, "added", "--rounds", "3") == one, "more rounds are added"


def test_a_file_is_taken_up_with_the_same_settings_only(tmp_path: Path) -> None:
    path = str(tmp_path / "results.jsonl")
    plan = Plan(("random", "largest"), (SIXTY,), rounds=3)
    run(plan, file=ResultsFile(path, plan))
    for other, limits in (
        (Plan(("random", "largest"), (SIXTY,), rounds=2), Limits()),
        (Plan(("random", "largest"), (SIXTY,), rounds=3, seed=1), Limits()),
        (plan, Limits(turns=50)),
    ):
        with pytest.raises(errors.FileError, match="results file"):
            ResultsFile(path, other, limits).read()
    assert len(ResultsFile(path, plan).read()) == 6


def test_files_are_shown_and_compared(tmp_path: Path) -> None:
    base = ["arena", "--player", "perfect", "--player", "random", "--draw", "divisor-duel:4"]
    paths = [str(tmp_path / name) for name in ("one.jsonl", "two.jsonl")]
    shown = [
        piped([*base, "--seed", str(seed), "--rounds", "3", "--results", path])[0]
        for seed, path in enumerate(paths)
    ]
    out, err, code = piped(["arena", "--from", paths[0]])
    assert (out, err, code) == (shown[0], "", 0)
    page = tmp_path / "compared.html"
    out, _, code = piped(["arena", "--from", paths[0], "--from", paths[1], "--report", str(page)])
    assert code == 0
    assert out == f"{paths[0]}:\n{shown[0]}{paths[1]}:\n{shown[1]}Report: {page}\n"
    text = page.read_text()
    assert text.count("<td>perfect</td>") == text.count("<td>random</td>") == 2
    assert '<th scope="col">File</th>' in text
    _, err, code = piped(["arena", "--from", str(page)])
    assert code == 1
    assert "holds something other than results" in err


def test_an_estimate_comes_before_the_start(server: FakeServer) -> None:
    model = word(server, "smallest")
    plan = Plan((model, "random", "largest"), (SIXTY,), rounds=3)
    (about,) = estimates(plan, Limits(tries=2, turns=8))
    assert (about.player, about.matches, about.most_requests) == (model, 12, 12 * 4 * 2)
    assert 0 < about.requests <= about.most_requests
    assert about.prompt_tokens > 50 * about.requests
    (rest,) = estimates(plan, Limits(), known=range(12))
    assert rest.matches == 4
    assert estimates(Plan(("random", "largest"), (SIXTY,)), Limits()) == []
    assert server.asked == []
    out, err, code = piped(["arena", "--player", model, "--player", "largest",
                            "--board", "divisor-duel:60", "--temperature", "0", "--max-tokens",
                            "300", "--system", "Play well.", "--json"])  # fmt: skip
    assert code == 0
    assert err.startswith(f"{model}: about ")
    sampling = {"temperature": 0.0, "max_tokens": 300, "system": "Play well."}
    assert json.loads(out)["limits"]["sampling"] == sampling
    body: dict[str, Any] = server.asked[0][2]
    assert body["messages"][0] == {"role": "system", "content": "Play well."}


def test_baselines_meet_the_same_opponents_on_the_same_boards(server: FakeServer) -> None:
    out, _, code = piped(
        ["arena", "--player", word(server, "smallest"), "--player", "largest",
         "--draw", "divisor-duel:4", "--rounds", "2", "--baselines", "--json"]
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    model = next(p for p in found["players"] if p["player"].startswith("llm:"))
    baselines = {player["player"]: player for player in found["baselines"]}
    levels = {f"level:{n}" for n in range(1, 6)}
    assert baselines.keys() == {"random", "beginner", "perfect", *levels}
    assert {(p["matches"], p["boards"]) for p in baselines.values()} == {
        (model["matches"], model["boards"])
    }
    assert baselines["perfect"]["optimal_rate"] == 1.0
    models = ["--player", word(server, "smallest"), "--player", word(server, "aloud")]
    _, err, code = piped(["arena", *models, "--board", "divisor-duel:60", "--baselines"])
    assert code == 2
    assert "Baselines need a built-in player" in err


def test_figures_are_told_game_by_game(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    base = ["arena", "--player", "level:2", "--player", "perfect", "--rounds", "3", "--json"]
    one, other = ["--draw", "divisor-duel:3"], ["--board", "subtract-a-prime:30"]
    both = json.loads(piped([*base, *other, *one, "--report", str(page)])[0])
    for player in both["players"]:
        assert player["games"].keys() == {"Divisor Duel", "Subtract a Prime"}
    assert "<h2>Game by game</h2>" in page.read_text()
    alone = json.loads(piped([*base, *one, "--report", str(page)])[0])
    for player in alone["players"]:
        (figures,) = player["games"].values()
        assert figures == {name: player[name] for name in figures}
    assert "Game by game" not in page.read_text()


def test_repeated_matches_do_not_narrow_an_interval() -> None:
    """A hundred times the same match is one match: only boards count."""
    found = []
    for rounds in (1, 20):
        plan = Plan(("largest", "perfect"), (SIXTY, Board.parse("divisor-duel:84")), rounds=rounds)
        players = standings_of(plan, run(plan)).players
        found.append([(s.interval("win_rate"), s.interval("optimal_rate")) for s in players])
    assert found[0] == found[1]
