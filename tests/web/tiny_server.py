"""A small application behind the guard, served in a process of its own, and raw requests to it."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from email.message import Message
from functools import partial
from http.client import HTTPResponse
from typing import Any

from patience import PATIENT
from web.server import Server

TEXT, PING = 0x1, 0x9
UPGRADE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
MALFORMED = (
    "Content-Length: 5",
    "Content-Length: 5\r\n\r\nhello",
    "Transfer-Encoding: chunked",
    f"X: {'x' * 9_000}",
    "\r\n".join(f"X-{number}: 1" for number in range(200)),
)

PROGRAM = """
import asyncio, gc, json, resource, sys, time
from contextlib import asynccontextmanager, suppress
from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import PlainTextResponse
from numduel.thinking.meter import VISIT, Meter
from numduel.thinking.turns import Rate
from numduel.web import serving, state
from numduel.web.addresses import BACKLOG, listen, own_address
from numduel.web.pages.errors import add_error_pages
from numduel.web.pages.rendering import static_file
from numduel.web.safety.guard import Guard
from numduel.web.safety.connections import Requests, Sockets
from numduel.web.serving import _OneProcess, config_of
from numduel.web.settings import Limits, Settings

told = json.loads(sys.argv[1])
limits = Limits(**told["limits"])
if told["files"]:
    resource.setrlimit(resource.RLIMIT_NOFILE, (told["files"], told["files"]))
for kind, values in ((Requests, told["requests"]), (Sockets, told["live"])):
    for name, value in values.items():
        setattr(kind, name, value)
serving._TIDY_EVERY = told["tidy"]
if told["arrivals"]:
    Requests.arrivals = Rate(*told["arrivals"])
meter = Meter(limits.work_per_minute / 60, at_once=limits.requests_at_once)

@asynccontextmanager
async def lifespan(app): yield {"meter": meter}

app = FastAPI(docs_url=None, redoc_url=None, lifespan=lifespan)
app.state.settings = Settings("nowhere", limits)
add_error_pages(app)
app.add_middleware(Guard, limits=limits, meter=meter)
app.get("/static/{name:path}")(static_file)

@app.get("/")
@app.get("/explore")
@app.get("/api/verdict")
async def look(): return {"looked": True}

@app.post("/rooms")
@app.post("/api/rooms")
@app.post("/echo")
@app.get("/echo")
@app.delete("/api/echo")
async def echo(request: Request): return {"length": len(await request.body())}

@app.get("/greedy")
async def greedy():
    "Far past its share from now on; the loop is held until a line says that others have sent."
    VISIT.get().pay(20)
    print("held", flush=True)
    sys.stdin.readline()

@app.get("/unreadable")
async def unreadable(): return len(heads)

heads, refuse = [], Requests.send_400_response
Requests.send_400_response = lambda self, said: (heads.append(said), refuse(self, said))

@app.post("/unread")
async def unread(): return {"length": None}

@app.post("/seat")
async def seat(request: Request):
    token = state.token_for(request)
    return state.with_cookie(PlainTextResponse(token), request, token)

@app.post("/class/{code}")
async def member(request: Request, code: str):
    token = state.token_for(request)
    VISIT.get().holds(token, code)
    return PlainTextResponse(token)

@app.get("/broken")
@app.get("/api/broken")
async def broken(): raise RuntimeError("the secret")

@app.get("/large")
async def large(): return PlainTextResponse("x" * 4_000_000)

@app.get("/huge")
async def huge(): return PlainTextResponse("x" * 12_000_000)

@app.get("/rush")
async def rush():
    app.state.kept = [[b"x" * 60_000] for _ in range(2_000)][::100]
    return {"looked": True}

@app.get("/tasks")
async def tasks():
    return {"tasks": len(asyncio.all_tasks()), "full": gc.get_stats()[2]["collections"],
            "often": gc.get_threshold()[2]}

@app.websocket("/api/live")
async def live(socket: WebSocket):
    await socket.accept()
    await socket.send_text("version 1")
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass

@app.websocket("/api/flood")
async def flood(socket: WebSocket):
    await socket.accept()
    with suppress(WebSocketDisconnect):
        while True:
            await socket.send_text("x" * 100_000)

@app.websocket("/api/last-word")
async def last_word(socket: WebSocket):
    await socket.accept()
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
    with suppress(WebSocketDisconnect):
        await socket.send_text("too late")

listening = listen("127.0.0.1", 0)
address = own_address(listening)

def ready():
    listening.listen(BACKLOG)
    print(address, flush=True)

_OneProcess(config_of(app, Settings("", limits)), ready).run([listening])
"""


class TinyServer:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        self.process = process
        self.port = int(address.rstrip("/").rpartition(":")[2])
        self.host = f"127.0.0.1:{self.port}"
        self.ask, self.head = partial(asked, self.port), partial(head, self.port)

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENT, (source, 0))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Whoever has asked for /greedy holds the loop in the block: what is sent waits unread."""
        assert self.process.stdout is not None
        assert self.process.stdin is not None
        assert self.process.stdout.readline() == "held\n"
        yield
        self.process.stdin.write("go on\n")
        self.process.stdin.flush()

    def serves(self, source: str = "127.0.0.1") -> bool:
        """Is a page answered, and nobody cut off?"""
        try:
            return self.ask("GET", "/", source=source).status == 200
        except OSError:
            return False


def head(port: int, line: str, *lines: str) -> bytes:
    """The head of a request: its method and path, and lines below its host."""
    rest = "".join(f"{one}\r\n" for one in lines)
    return f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{rest}\r\n".encode()


def asked(
    port: int,
    method: str,
    path: str,
    headers: dict[str, str] | None = None,
    body: bytes = b"",
    source: str = "127.0.0.1",
    seconds: float = PATIENT,
) -> "Answer":
    """The answer to one request, whose headers are sent as they are."""
    lines = {"Host": f"127.0.0.1:{port}", **(headers or {})}
    if body and "Transfer-Encoding" not in lines:
        lines.setdefault("Content-Length", str(len(body)))
    sent = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with socket.create_connection(("127.0.0.1", port), seconds, (source, 0)) as connection:
        connection.sendall(f"{method} {path} HTTP/1.1\r\n{sent}\r\n".encode("latin-1") + body)
        return answer(connection, method)


def ended(server: TinyServer) -> tuple[str, str]:
    """End it; what it has written to its output, and to its log."""
    server.process.terminate()
    return server.process.communicate(timeout=PATIENT)


class Answer:
    def __init__(self, status: int, headers: Message, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def answer(connection: socket.socket, method: str = "GET") -> Answer:
    read = HTTPResponse(connection, method=method)
    read.begin()
    return Answer(read.status, read.headers, read.read())


def is_closed(connection: socket.socket, seconds: float) -> bool:
    """Does the other side end the connection within so long, whatever it sends before?"""
    connection.settimeout(seconds)
    try:
        while connection.recv(1 << 20):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def is_cut_off(connection: socket.socket, pieces: Iterable[bytes]) -> bool:
    """Send the pieces, ten a second: does the other side end the connection meanwhile?"""
    try:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(0.1)
    except ConnectionError:
        return True
    return False


@contextmanager
def tiny_server(
    requests: dict[str, float] | None = None,
    live: dict[str, float] | None = None,
    files: int = 0,
    arrivals: tuple[float, float, float] | None = None,
    tidy: float = 10 * PATIENT,
    **limits: float,
) -> Iterator[TinyServer]:
    """`requests` and `live` limit connections, `files` open files; `arrivals` is a `Rate`; `tidy`
    is how often memory is given back, in seconds.
    """
    told = {"limits": limits, "requests": requests or {}, "live": live or {}, "tidy": tidy}
    told |= {"files": files, "arrivals": arrivals}
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM, json.dumps(told)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield TinyServer(process)
    finally:
        process.kill()
        process.communicate()


@contextmanager
def upgraded(
    server: Server, code: str, receive_buffer: int | None = None
) -> Iterator[socket.socket]:
    """A WebSocket to a room, up to the server's first word; with a small buffer, it soon waits."""
    with socket.socket() as connection:
        connection.settimeout(PATIENT)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(head(server.port, f"GET /api/rooms/{code}/live", *UPGRADE))
        said = b""
        while b'{"version"' not in said:
            more = connection.recv(4096)
            assert more, said
            said += more
        assert said.startswith(b"HTTP/1.1 101 ")
        yield connection


def frame(kind: int, content: bytes) -> bytes:
    """A whole frame of a client, of less than 126 bytes."""
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
    return bytes([0x80 | kind, 0x80 | len(content)]) + mask + masked
