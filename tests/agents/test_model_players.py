"""Language models as players, against a local server that also fails in every way."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from agents.model_server import FakeServer, serving
from numduel import Board, errors
from numduel.players import Limits, Sampling, View, make_player
from numduel.players.model import ModelPlayer
from numduel.running import ask
from patience import PATIENT
from terminal import piped

BOARD = Board.parse("divisor-duel:60")


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as made:
        yield made


def player(server: FakeServer, model: str, **limits: Any) -> ModelPlayer:
    made = make_player(f"llm:{model}@{server.address}", Random(), Limits(**limits))
    assert isinstance(made, ModelPlayer)
    return made


@pytest.mark.parametrize(
    "model", ["good", "chatty", "thinks apart", "calls a tool", "speaks in parts"]
)
def test_a_model_plays(server: FakeServer, model: str) -> None:
    assert player(server, model).answer(View.of(BOARD)).amount == 15
    path, headers, body = server.asked[0]
    assert path == "/v1/chat/completions"
    assert body["model"] == model
    assert "Divisor Duel" in body["messages"][0]["content"]
    assert "Authorization" not in headers


def test_the_key_comes_from_the_environment(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not shown where the server sends it back."""
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-only")
    player(server, "good").answer(View.of(BOARD))
    assert "Authorization" not in server.asked.pop()[1]
    monkeypatch.setenv("NUMDUEL_LLM_KEY", "sk-0123456789abcdef")
    made = player(server, "tells the key", tries=2)
    answer = ask(made, View.of(BOARD))
    assert server.asked[0][1]["Authorization"] == "Bearer sk-0123456789abcdef"
    assert "Bearer ***" in str(answer.problems[0])
    assert made.exchanges[-1].answer == "Bearer ***"


def test_a_model_is_told_what_was_wrong(server: FakeServer) -> None:
    answer = ask(player(server, "learns"), View.of(BOARD))
    assert answer.move is not None
    assert isinstance(answer.problems[0], errors.IllegalMove)
    assert "7 does not divide 60." in server.asked[1][2]["messages"][0]["content"]


def test_a_busy_server_is_asked_again(server: FakeServer) -> None:
    assert player(server, "busy").answer(View.of(BOARD)).amount == 15
    assert len(server.asked) == 2


def test_failures_are_faults(server: FakeServer) -> None:
    for model, problem in (
        ("missing", "status"),
        ("moved", "status"),
        ("html", "answer"),
        ("empty", "answer"),
        ("null", "answer"),
        ("nested", "answer"),
        ("floods", "flood"),
        ("drops", "connection"),
    ):
        answer = ask(player(server, model, seconds=PATIENT, tries=1), View.of(BOARD))
        assert answer.move is None
        assert [error.problem for error in answer.problems] == [problem], model


@pytest.mark.parametrize(
    "model", ["late", "drips", "drips headers", "drips its status", "continues"]
)
def test_nobody_waits_longer_for_a_server_that_drips(server: FakeServer, model: str) -> None:
    answer = ask(player(server, model, seconds=0.3, tries=1), View.of(BOARD))
    assert answer.move is None
    assert [error.problem for error in answer.problems] == ["time"]
    assert server.let_go.wait(PATIENT)
    assert not server.sent_all, "the connection is closed, too"


def test_rubbish_forfeits_after_some_tries(server: FakeServer) -> None:
    answer = ask(player(server, "rubbish", tries=2), View.of(BOARD))
    assert answer.move is None
    assert len(answer.problems) == len(server.asked) == 2
    answer = ask(player(server, "only thinks", tries=1), View.of(BOARD))
    assert isinstance(answer.problems[0], errors.InvalidNumber)


def test_sampling_is_passed_on(server: FakeServer) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=500, system="Be brief.")
    player(server, "good", sampling=sampling).answer(View.of(BOARD))
    body = server.asked[0][2]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 500)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    player(server, "good").answer(View.of(BOARD))
    assert server.asked[1][2].keys() == {"model", "messages"}


@pytest.mark.parametrize(
    ("model", "tokens"), [("counts tokens", (90, 7)), ("lies about tokens", (None, 1))]
)
def test_what_a_model_uses_is_counted(
    server: FakeServer, model: str, tokens: tuple[int | None, int]
) -> None:
    made = player(server, model)
    for _ in range(2):
        made.answer(View.of(BOARD))
    prompt = server.asked[0][2]["messages"][0]["content"]
    asked, answered = tokens
    assert made.spent.requests == 2
    assert made.spent.prompt_tokens == 2 * (asked or -(-len(prompt) // 4))
    assert made.spent.answer_tokens == 2 * answered
    assert made.spent.seconds > 0


def test_what_the_server_says_is_told(server: FakeServer) -> None:
    for model in ("refuses the key", "forbids"):
        server.asked.clear()
        answer = ask(player(server, model), View.of(BOARD))
        assert len(answer.problems) == len(server.asked) == 1, "it is not asked again"
        assert "Incorrect API key provided." in str(answer.problems[0])
        assert answer.problems[0].problem == "key"
    answer = ask(player(server, "has no such model", tries=1), View.of(BOARD))
    assert "404" in str(answer.problems[0])
    assert "The model does not exist." in str(answer.problems[0])


def test_words_that_name_no_model() -> None:
    for word in ("", "model", "@http://localhost", "m@ftp://localhost", "m@localhost:8000",
                 "m@http://", "m@http://user:word@localhost", "m@http://localhost:p"):  # fmt: skip
        with pytest.raises(errors.PlayerFailed):
            make_player(f"llm:{word}", Random(), Limits())


def test_a_match_against_a_model(server: FakeServer) -> None:
    word = f"llm:good@{server.address}"
    out, err, code = piped(
        ["play", "divisor-duel", "--p1", word, "--p2", "largest", "--tries", "1"]
    )
    assert (err, code) == ("", 0)
    assert "Subtracting 15 from 60. New N is 45." in out
    assert "wins!" in out
