"""A server of chat completions whose models answer in every style, slowly, wrongly, or not."""

import json
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


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
        self.address = f"http://127.0.0.1:{self.server_address[1]}/v1"

    def model(self, name: str) -> str:
        return f"llm:{name}@{self.address}"


class Handler(BaseHTTPRequestHandler):
    server: FakeServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers), body))
        model, times = body["model"], len(self.server.asked)
        prompt = body["messages"][-1]["content"]
        match model:
            case str() if model in ANSWERS:
                self._answer(200, completion(ANSWERS[model](prompt)))
            case str() if model in BODIES:
                body = BODIES[model]
                self._answer(*(body(times) if callable(body) else body))
            case "tells the key":
                said = self.headers["Authorization"]
                self._answer(200 if times > 1 else 404, completion(said))
            case "learns":
                self._answer(200, completion("[7]" if times == 1 else "[15]"))
            case "late":
                self.rfile.read(1)  # until nobody waits any longer
            case str() if model in DRIPS:
                self._drip(*DRIPS[model])
            case "busy":
                self._answer(503 if times < 2 else 200, completion("[15]"), "0")
            case "asks for time":
                self._answer(429 if times < 3 else 200, completion("[15]"), "0.4")
            case "drops":
                self.connection.close()
            case "moved":
                self.send_response(302)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()

    def _drip(self, begin: bytes, part: bytes, end: bytes) -> None:
        """Send one part after the other for some seconds; then the rest, too late."""
        self.wfile.write(begin)
        for _ in range(400):
            self.wfile.write(part)
            time.sleep(0.01)
        self.wfile.write(end + completion("[15]"))
        self.server.sent_all = True

    def _answer(self, status: int, body: bytes, later: str = "") -> None:
        self.send_response(status)
        if later:
            self.send_header("Retry-After", later)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def handle(self) -> None:
        with suppress(OSError, ValueError):
            super().handle()
        self.server.let_go.set()


def completion(
    content: object, usage: object = None, finish: str = "stop", **message: object
) -> bytes:
    told = {"role": "assistant", "content": content, **message}
    head = {"id": "1", "object": "chat.completion", "created": 0, "model": "fake"}
    choice = {"index": 0, "finish_reason": finish, "message": told}
    fields = {**head, "choices": [choice], **({"usage": usage} if usage else {})}
    return json.dumps(fields).encode()


def legal_moves(prompt: str) -> list[str]:
    return prompt.partition("Legal moves: ")[2].partition(".\n")[0].split(", ")


def whole(prompt: str) -> str:
    """Reasons, and then takes the whole number, or says none where that is odd."""
    numbers = re.findall(r"is (\d+)\.", prompt)
    place = "1:" if len(numbers) > 1 else ""
    answer = "none" if int(numbers[0]) % 2 else f"{place}{numbers[0]}"
    return f"<think>Perhaps [3]?</think>Take all of {numbers[0]}: is it legal?\n\n**[{answer}]**"


ANSWERS: dict[str, Callable[[str], str]] = {
    "good": lambda _: "[15]",
    "chatty": lambda _: "It is odd then.\n\n**Answer:** subtract 15.",
    "illegal": lambda _: "[7]",
    "rubbish": lambda _: "7 or 8",
    "whole": whole,
    "smallest": lambda prompt: f"[{legal_moves(prompt)[0]}]",
    "aloud": lambda prompt: (
        f"The moves are {legal_moves(prompt)}. Say [{legal_moves(prompt)[-1]}]? No. "
        f"I take the smallest.\n\n**[{legal_moves(prompt)[0]}]**"
    ),
}
"""What a model answers to a prompt, by its name."""

REFUSED = b'{"error": {"message": "Incorrect API key provided."}}'
BODIES: dict[str, Any] = {
    "thinks apart": (200, completion("[15]", reasoning_content="Or [3]? Or 7?")),
    "only thinks": (200, completion(None, reasoning_content="I play [15].")),
    "declines": (200, completion(None, refusal="I will not play.")),
    "speaks in parts": (200, completion([{"type": "text", "text": t} for t in ("I play", "[15]")])),
    "lies about tokens": (200, completion("[15]", {"prompt_tokens": -5, "completion_tokens": "x"})),
    "counts tokens": (200, completion("[15]", {"prompt_tokens": 90, "completion_tokens": 7})),
    "refuses the key": (401, REFUSED),
    "forbids": (403, REFUSED),
    "has no such model": (404, b'{"error": {"message": "The model does not exist."}}'),
    "errs": (200, b'{"error": {"message": "Provider returned error.", "code": 502}}'),
    "html": (200, b"<html>hello</html>"),
    "empty": (200, b'{"choices": []}'),
    "null": (200, b'{"choices": [{"message": {"content": null}}]}'),
    "nested": (200, b"[" * 100_000),
    "floods": (200, b"x" * 1_200_000),
}
GOOD = b"HTTP/1.1 200 OK\r\n"
DRIPS = {
    "drips": (GOOD + b"\r\n", b" ", b""),
    "drips headers": (GOOD + b"X-Slow: ", b"x", b"\r\n\r\n"),
    "drips its status": (b"", b"H", GOOD[1:] + b"\r\n"),
    "continues": (b"", b"HTTP/1.1 100 Continue\r\n\r\n", GOOD + b"\r\n"),
}
"""What comes first, what comes again and again, and what comes too late."""
