"""A hostile client: it does all that held a server up once, again and again, from few addresses.

    python -m web.hostile PORT SECONDS CODE ADDRESSES         in the folder tests

It attacks a server on this machine, and the room of others that has this code, as so many strangers
from 127.0.0.10 and up. When it is done it prints how often it did what, as JSON.
"""

import json
import random
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from typing import Any
from urllib.parse import urlencode

from web.tiny_server import MALFORMED, PING, TEXT, UPGRADE, asked, frame, head

LONG_PRIME = str(2**11213 - 1)
HARD = "subtract-a-prime:1" + "0" * 3_000
RULE = "divide-by-3-5-7-or-subtract-1-2-4-or-subtract-digit-or-subtract-divisor-or-subtract-prime"
WIDE = "+".join(f"{RULE}:{number}" for number in range(88, 100)) + "~misere"
"""Twelve numbers under an own rule of many parts: much to show, and hard to play."""
LONG_MATCH = f"digit-subtraction-duel:999999/{'.'.join(['9'] * 3_900)}"
_HELD = 60
"""Connections that one attack holds at once, for as long as it may."""
_HOLD_SECONDS = 3.0


class Attacker:
    def __init__(self, number: int, port: int, code: str, hold: float) -> None:
        self.address, self.port, self.code = f"127.0.0.{number}", port, code
        self.hold = hold
        self.chance = random.Random(number)
        self.long_room: tuple[str, list[str], int] | None = None
        self.tokens: list[str] = []
        self.school_class = ""

    def connect(self, receive_buffer: int = 0) -> socket.socket:
        connection = socket.socket()
        connection.settimeout(2.0)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.bind((self.address, 0))
        connection.connect(("127.0.0.1", self.port))
        return connection

    def storm(self, *paths: str, **headers: str) -> None:
        """Ask for all at once, as often as there are connections, and read what comes."""
        lines = [f"{name}: {value}" for name, value in headers.items()]
        with self.held(*(head(self.port, f"GET {path}", *lines) for path in paths)) as connections:
            for connection in connections:
                with suppress(OSError):
                    connection.recv(1_000)

    @contextmanager
    def held(self, *sent: bytes, receive_buffer: int = 0) -> Iterator[list[socket.socket]]:
        """Connections that each send one of these, and stay; the last of them for a while."""
        connections: list[socket.socket] = []
        try:
            for number in range(_HELD):
                with suppress(OSError):
                    connection = self.connect(receive_buffer)
                    connections.append(connection)
                    connection.sendall(sent[number % len(sent)])
            yield connections
        finally:
            for connection in connections:
                connection.close()

    def upgrade(self, *lines: str) -> bytes:
        return head(self.port, f"GET /api/rooms/{self.code}/live", *UPGRADE, *lines)

    def ask(
        self, method: str, path: str, body: str = "", seconds: float = 10.0, **headers: str
    ) -> tuple[int, bytes]:
        """The status and the answer; 0 where none came."""
        lines = {"Origin": f"http://127.0.0.1:{self.port}", **headers}
        if path.startswith("/api/"):
            lines["Content-Type"] = "application/json"  # without it, no body is read
        with suppress(OSError, HTTPException):
            given = asked(self.port, method, path, lines, body.encode(), self.address, seconds)
            return given.status, given.body
        return 0, b""

    def connection_headers(self, method: str, path: str) -> dict[str, str]:
        lines = {"Origin": f"http://127.0.0.1:{self.port}"}
        with suppress(OSError, HTTPException):
            given = asked(self.port, method, path, lines, b"", self.address, 10.0)
            return {name.lower(): value for name, value in given.headers.items()}
        return {}


def plus_signs(one: Attacker) -> None:
    """What a pattern once took quadratic time for."""
    one.storm(f"/explore?board=divisor-duel:1{'+' * 15_850}!", f"/check?board={'0' * 15_000}")


def wide_boards(one: Attacker) -> None:
    one.storm(*(f"{page}?{urlencode({'board': WIDE})}" for page in ("/", "/explore", "/api/moves")))


def qr_codes(one: Attacker) -> None:
    one.storm(*(f"/qr.svg?to={one.chance.randbytes(450).hex()}" for _ in range(_HELD)))


def hard_rooms(one: Attacker) -> None:
    """Eight rooms in which the perfect player has to think for long."""
    told = {"board": WIDE, "players": ["person", "perfect"], "first": 2}
    for _ in range(8):
        one.ask("POST", "/api/rooms", json.dumps(told), seconds=2.0)


def long_analyses(one: Attacker) -> None:
    asked = urlencode({"match": LONG_MATCH})
    pages = [head(one.port, f"GET {page}?{asked}") for page in ("/analysis", "/api/analysis")]
    with one.held(*pages, receive_buffer=1_024):
        time.sleep(one.hold)


def class_pages(one: Attacker) -> None:
    """A class of one's own, all of whose pages are looked at by many, as a member and as none."""
    if not one.school_class:
        said = one.connection_headers("POST", "/class")
        one.school_class = said.get("location", "").rpartition("/class/")[2].partition("/")[0]
        one.tokens.append(said.get("set-cookie", "").partition("=")[2].partition(";")[0])
    at = f"/class/{one.school_class}"
    pages = [f"{at}/{page}" for page in ("wall", "map", "learned", "teacher", "learned.csv")]
    one.storm(*pages, Cookie=f"numduel={one.tokens[-1] if one.tokens else ''}")


def many_tokens(one: Attacker) -> None:
    """Tokens with a seat, and made-up ones: each asks for as much as it can."""
    with suppress(ValueError, KeyError):
        _, said = one.ask("POST", "/api/rooms", '{"board": "divisor-duel:60"}')
        one.tokens.append(json.loads(said)["token"])
    for token in [*one.tokens[-10:], one.chance.randbytes(11).hex()]:
        with suppress(OSError):
            one.storm(f"/?{urlencode({'board': WIDE})}", Authorization=f"Bearer {token}")


def malformed_upgrades(one: Attacker) -> None:
    with one.held(*map(one.upgrade, MALFORMED)):
        time.sleep(0.05)


def silence(one: Attacker) -> None:
    body = head(one.port, "POST /rooms", "Content-Length: 100") + b"board="
    with one.held(b"", head(one.port, "GET /")[:-2], body):
        time.sleep(one.hold)


def unread_answers(one: Attacker) -> None:
    with one.held(head(one.port, "GET /openapi.json") * 50, receive_buffer=1_024):
        time.sleep(one.hold)


def tiny_chunks(one: Attacker) -> None:
    """And heads of many lines: much to read, of little that was sent."""
    lines = head(one.port, "GET /rules", *["a:b"] * 3_000)
    chunks = head(one.port, "POST /rooms", "Transfer-Encoding: chunked") + b"1\r\na\r\n" * 40_000
    with one.held(chunks, lines):
        time.sleep(0.05)


def frames(one: Attacker) -> None:
    """Live connections that flood, say what is no text, or never listen."""
    flood, empty = frame(PING, b"x" * 100) * 300, frame(PING, b"") * 2_600
    with one.held(one.upgrade(), receive_buffer=1_024) as connections:
        for number, connection in enumerate(connections):
            with suppress(OSError):
                connection.sendall((flood, empty, frame(TEXT, b"\xff\xfe"), b"")[number % 4])
        time.sleep(one.hold)


def long_moves(one: Attacker) -> None:
    board = f"prime-subtractor:{'9' * 100}"
    form = {"board": board, "overshoot": "loses", "opponent": "random", "move": LONG_PRIME}
    one.ask("POST", "/rooms", urlencode(form))
    one.ask("GET", "/check?" + urlencode(form))


def hard_questions(one: Attacker) -> None:
    board = f"{HARD}+divisor-duel:{one.chance.randrange(10**9)}"
    path = one.chance.choice(("/api/verdict", "/explore", "/api/moves"))
    one.ask("GET", f"{path}?{urlencode({'board': board})}", seconds=3.0)


def many_rooms(one: Attacker) -> None:
    for _ in range(20):
        one.ask("POST", "/api/rooms", json.dumps({"board": "divisor-duel:60"}))


def long_match(one: Attacker) -> None:
    if one.long_room is None:
        with suppress(ValueError, KeyError):  # no more rooms just now
            _, said = one.ask("POST", "/api/rooms", '{"board": "subtract-a-prime:999999999"}')
            code, token = json.loads(said)["room"]["code"], json.loads(said)["token"]
            _, said = one.ask("POST", f"/api/rooms/{code}/seat")
            one.long_room = code, [token, json.loads(said)["token"]], 2
    if one.long_room is None:
        return
    code, tokens, version = one.long_room
    for _ in range(60):
        move = json.dumps({"version": version, "move": "2"})
        bearer = {"Authorization": f"Bearer {tokens[version % 2]}"}
        status, _ = one.ask("POST", f"/api/rooms/{code}/moves", move, **bearer)
        version += status == 200
    one.long_room = code, tokens, version
    for path in (f"/room/{code}", f"/room/{code}/table", f"/api/rooms/{code}") * 4:
        one.ask("GET", path)


def abandoned_waits(one: Attacker) -> None:
    _, said = one.ask("GET", f"/api/rooms/{one.code}/live")
    with suppress(ValueError, KeyError):
        version = json.loads(said)["version"]
        with one.held(head(one.port, f"GET /api/rooms/{one.code}?after={version}")):
            time.sleep(0.05)


def nonsense(one: Attacker) -> None:
    for body in ("{" * 8_000, '{"version":' + "9" * 16_000 + "}", '{"board": "' + "+" * 3_000):
        one.ask("POST", "/api/rooms", body)
        one.ask("POST", f"/api/rooms/{one.code}/moves", body)
    junk = one.chance.randbytes(2_000)
    with suppress(OSError), one.connect() as connection:
        connection.sendall(junk + b"\r\n\r\n")
        connection.recv(1_000)


ATTACKS: tuple[Callable[[Attacker], Any], ...] = (
    malformed_upgrades,
    silence,
    unread_answers,
    tiny_chunks,
    frames,
    long_moves,
    hard_questions,
    many_rooms,
    long_match,
    abandoned_waits,
    nonsense,
    plus_signs,
    wide_boards,
    qr_codes,
    hard_rooms,
    long_analyses,
    class_pages,
    many_tokens,
)


def attack(port: int, seconds: float, code: str, addresses: int) -> dict[str, int]:
    """All attacks at once for so long; how many rounds of each there were."""
    end, rounds = time.monotonic() + seconds, Counter[str]()

    def go_on(number: int, kind: Callable[[Attacker], Any]) -> None:
        one = Attacker(10 + number % addresses, port, code, min(_HOLD_SECONDS, seconds))
        while not rounds[kind.__name__] or time.monotonic() < end:
            with suppress(OSError):
                kind(one)
            rounds[kind.__name__] += 1

    threads = [threading.Thread(target=go_on, args=found) for found in enumerate(ATTACKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return dict(rounds)


if __name__ == "__main__":
    port, seconds, code, addresses = sys.argv[1:]
    sys.stdout.write(json.dumps(attack(int(port), float(seconds), code, int(addresses))))
