"""Language models as players, against a local server that also fails in every way."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

import pytest

from numduel import Board, errors
from numduel.players import Limits, View, make_player
from numduel.players.model import ModelPlayer
from numduel.running import ask
from patience import PATIENT
from terminal import piped

BOARD = Board.parse("divisor-duel:60")


class FakeServer(ThreadingHTTPServer):
    """Answers by the model's name; keeps what it was asked."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.let_go = threading.Event()
        """Is a connection over?"""
        self.sent_all = False
        """Has a client taken everything that dripped in?"""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: FakeServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers), body))
        model, times = body["model"], len(self.server.asked)
        content = {"good": "[15]", "chatty": "I subtract 15.", "illegal": "7", "rubbish": "7 or 8"}
        match model:
            case "learns":
                self._answer(200, _completion("7" if times == 1 else "15"))
            case "late":
                time.sleep(2)
            case "drips":
                self.send_response(200)
                self.end_headers()
                self._drip(b" ", _completion("15"))
            case "drips headers":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                self._drip(b"x", b"\r\n\r\n" + _completion("15"))
            case "drips its status":
                self._drip(b"H", b"TTP/1.1 200 OK\r\n\r\n" + _completion("15"))
            case "continues":
                body = b"HTTP/1.1 200 OK\r\n\r\n" + _completion("15")
                self._drip(b"HTTP/1.1 100 Continue\r\n\r\n", body)
            case "busy":
                self._answer(503 if times < 2 else 200, _completion("15"))
            case "missing":
                self._answer(404, b"no")
            case "html":
                self._answer(200, b"<html>hello</html>")
            case "empty":
                self._answer(200, b'{"choices": []}')
            case "null":
                self._answer(200, b'{"choices": [{"message": {"content": null}}]}')
            case "nested":
                self._answer(200, b"[" * 100_000)
            case "floods":
                self._answer(200, b"x" * 1_200_000)
            case "drops":
                self.connection.close()
            case "moved":
                self.send_response(302)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()
            case _:
                self._answer(200, _completion(content[model]))

    def _drip(self, part: bytes, end: bytes) -> None:
        """Send one part after the other for some seconds; then the rest, too late."""
        for _ in range(400):
            self.wfile.write(part)
            time.sleep(0.01)
        self.wfile.write(end)
        self.server.sent_all = True

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def handle(self) -> None:
        with suppress(OSError, ValueError):
            super().handle()
        self.server.let_go.set()


def _completion(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def player(server: FakeServer, model: str, **limits: Any) -> ModelPlayer:
    made = make_player(f"llm:{model}@{server.address}", Random(), Limits(**limits))
    assert isinstance(made, ModelPlayer)
    return made


@pytest.mark.parametrize("model", ["good", "chatty"])
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
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-only")
    player(server, "good").answer(View.of(BOARD))
    assert "Authorization" not in server.asked[0][1]
    monkeypatch.setenv("NUMDUEL_LLM_KEY", "secret")
    player(server, "good").answer(View.of(BOARD))
    assert server.asked[1][1]["Authorization"] == "Bearer secret"


def test_a_model_is_told_what_was_wrong(server: FakeServer) -> None:
    answer = ask(player(server, "learns"), View.of(BOARD))
    assert answer.move is not None
    assert isinstance(answer.problems[0], errors.IllegalMove)
    assert "7 does not divide 60." in server.asked[1][2]["messages"][0]["content"]


def test_a_busy_server_is_asked_again(server: FakeServer) -> None:
    assert player(server, "busy").answer(View.of(BOARD)).amount == 15
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ("late", "time"),
        ("missing", "status"),
        ("moved", "status"),
        ("html", "answer"),
        ("empty", "answer"),
        ("null", "answer"),
        ("nested", "answer"),
        ("floods", "flood"),
        ("drops", "connection"),
    ],
)
def test_failures_are_faults(server: FakeServer, model: str, problem: str) -> None:
    seconds = 0.6 if problem == "time" else PATIENT
    answer = ask(player(server, model, seconds=seconds, tries=1), View.of(BOARD))
    assert answer.move is None
    assert [error.problem for error in answer.problems] == [problem]


@pytest.mark.parametrize("model", ["drips", "drips headers", "drips its status", "continues"])
def test_nobody_waits_longer_for_a_server_that_drips(server: FakeServer, model: str) -> None:
    answer = ask(player(server, model, seconds=0.3, tries=1), View.of(BOARD))
    assert answer.move is None
    assert [error.problem for error in answer.problems] == ["time"]
    assert server.let_go.wait(PATIENT)
    assert not server.sent_all, "the connection is closed, too"


@pytest.mark.parametrize("model", ["illegal", "rubbish"])
def test_rubbish_forfeits_after_some_tries(server: FakeServer, model: str) -> None:
    answer = ask(player(server, model, tries=2), View.of(BOARD))
    assert answer.move is None
    assert len(answer.problems) == len(server.asked) == 2


@pytest.mark.parametrize(
    "word",
    ["llm:", "llm:model", "llm:@http://localhost", "llm:m@ftp://localhost", "llm:m@localhost:8000",
     "llm:m@http://", "llm:m@http://user:password@localhost", "llm:m@http://localhost:port"],
)  # fmt: skip
def test_words_that_name_no_model(word: str) -> None:
    with pytest.raises(errors.PlayerFailed):
        make_player(word, Random(), Limits())


def test_a_match_against_a_model(server: FakeServer) -> None:
    word = f"llm:good@{server.address}"
    out, err, code = piped(
        ["play", "divisor-duel", "--p1", word, "--p2", "largest", "--tries", "1"]
    )
    assert (err, code) == ("", 0)
    assert "Subtracting 15 from 60. New N is 45." in out
    assert "wins!" in out
