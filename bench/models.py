"""What a move costs that a model is asked for, against a bare HTTP call to the same server."""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from bench.measure import Result, interleaved, sized
from numduel import Board
from numduel.arena import Plan
from numduel.arena import run as run_arena
from numduel.players import Limits, View
from numduel.players.language import prompt

START = Board.parse("subtract-a-prime:1001")
CALLS = sized(200, 4)


def bare_calls(port: int) -> Callable[[], float]:
    """A measure of one call with such a prompt, by http.client alone."""
    message = {"role": "user", "content": prompt(View.of(START), legal=True)}
    body = json.dumps({"model": "first", "messages": [message]}).encode()

    def measure() -> float:
        start = time.perf_counter()
        for _ in range(CALLS):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/v1/chat/completions", body)
            json.loads(connection.getresponse().read())
            connection.close()
        return (time.perf_counter() - start) / CALLS

    return measure


def asked_moves(port: int) -> Callable[[], float]:
    """A measure of one move in an arena: asked, read, judged and counted."""
    models = (f"llm:first@http://127.0.0.1:{port}/v1", f"llm:second@http://127.0.0.1:{port}/v1")
    plan = Plan(models, (START,))

    def measure() -> float:
        start = time.perf_counter()
        results = run_arena(plan, Limits(turns=CALLS // 2, list_moves=True))
        asked = sum(conduct.requests for result in results for conduct in result.conduct)
        return (time.perf_counter() - start) / asked

    return measure


def run() -> Iterator[Result]:
    """The ratio of the two."""
    command = [sys.executable, "-m", "bench.servers.model"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            bare, asked = interleaved(bare_calls(port), asked_moves(port))
        finally:
            server.terminate()
    print(f"bare HTTP call {1e3 * bare:.2f} ms, asked move in an arena {1e3 * asked:.2f} ms")
    yield Result("asked move / bare HTTP call", asked / bare, 4)
