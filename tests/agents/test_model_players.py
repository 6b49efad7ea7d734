"""Language models as players: asked as they should be, at a server that fails in every way."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from agents.model_server import FakeServer
from numduel import Board, errors
from numduel.players import Limits, Turn, View, make_player
from numduel.players.model import ModelPlayer
from numduel.running import ask
from patience import PATIENT
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
    for model in ("good", "chatty", "thinks apart", "calls a tool", "speaks in parts"):
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
    """And is not shown where the server sends it back."""
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
    """Where its server was busy, and where its answer was no move: then it is told why."""
    assert turn_of(server, "busy", tries=1).move == (0, 15)
    assert len(server.asked) == 2
    answer = turn_of(server, "learns")
    assert answer.move == (0, 15)
    assert isinstance(answer.problems[0], errors.IllegalMove)
    assert "7 does not divide 60." in server.asked[1][2]["messages"][0]["content"]
    answer = turn_of(server, "rubbish", tries=2)
    assert answer.move is None
    assert len(answer.problems) == len(server.asked) == 2
    answer = turn_of(server, "only thinks", tries=1)
    assert isinstance(answer.problems[0], errors.InvalidNumber)


def test_failures_are_faults_and_told(server: FakeServer) -> None:
    for model, problem, said in (
        ("has no such model", "status", 'HTTP status 404: "The model does not exist."'),
        ("moved", "status", "302"),
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
                 "m@http://", "m@http://user:word@localhost", "m@http://localhost:p"):  # fmt: skip
        with pytest.raises(errors.PlayerFailed):
            make_player(f"llm:{word}", Random(), Limits())
