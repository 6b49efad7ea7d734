"""`numduel serve`, as people run it: a process, its sentences, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import psutil
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from numduel.web.addresses import listen, own_address, shared_addresses
from numduel.web.qr import qr_svg, qr_text
from patience import PATIENT, until
from postgres import Server as Postgres
from terminal import COMMAND, Terminal, piped
from web.visitor import Visitor

SECONDS = PATIENT


class Serving:
    """The command in a process group of its own, with its first lines of output read."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "serve", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONWARNINGS": "error", **environment},
        )
        assert self.process.stdout is not None
        self.lines: list[str] = []
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith("Press Ctrl-C"):
                return
        raise AssertionError(self.process.communicate(timeout=SECONDS)[1])

    @property
    def address(self) -> str:
        found = re.fullmatch(r"numduel is at (http://127\.0\.0\.1:[0-9]+/)", self.lines[0])
        assert found, self.lines
        return found[1]

    def stop(self, how: signal.Signals, group: bool = False) -> tuple[int, float]:
        """The exit code, and the seconds that it took; nothing is left, and nothing was said."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        begun = time.monotonic()
        if group:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        out, err = self.process.communicate(timeout=SECONDS)
        taken = time.monotonic() - begun
        assert (out, err) == ("", "")
        assert not psutil.wait_procs(children, timeout=SECONDS)[1], "a process was left behind"
        return self.process.returncode, taken


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[Serving]:
    running = Serving(*arguments, **environment)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            os.killpg(running.process.pid, signal.SIGKILL)
        running.process.communicate()


def workers_of(running: Serving) -> list[psutil.Process]:
    """The workers that are alive; any may end while it is looked at."""
    found = []
    for child in psutil.Process(running.process.pid).children():
        with suppress(psutil.NoSuchProcess):
            if child.status() != psutil.STATUS_ZOMBIE and "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


def fetched(address: str) -> bytes:
    with urlopen(address, timeout=SECONDS) as answer:
        body: bytes = answer.read()
    return body


def refused(*arguments: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [*COMMAND, "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, **environment},
    )
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


@pytest.fixture
def here(tmp_path: Path) -> list[str]:
    return ["--port", "0", "--database", str(tmp_path / "rooms.sqlite3")]


@pytest.mark.parametrize(("how", "group"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_it_serves_until_it_is_stopped(tmp_path: Path, how: signal.Signals, group: bool) -> None:
    with serving("--port", "0", XDG_DATA_HOME=str(tmp_path)) as running:
        assert running.lines[1:] == ["Press Ctrl-C to stop."]
        assert fetched(f"{running.address}static/icon.svg").startswith(b"<svg ")
        assert b"numduel" in fetched(f"{running.address}rules")
        assert (tmp_path / "numduel/rooms.sqlite3").exists()
        code, taken = running.stop(how, group)
    assert code == 0
    assert taken < SECONDS / 4


def test_ctrl_c_at_a_terminal_ends_it(here: list[str]) -> None:
    with Terminal("serve", *here, seconds=SECONDS) as terminal:
        terminal.press(b"\x03", after="Press Ctrl-C to stop.")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.screen


def test_open_connections_do_not_keep_it(here: list[str]) -> None:
    with serving(*here) as running, ExitStack() as stack:
        wanted = {"board": "divisor-duel:60", "players": ["person", "person"]}
        asked = Request(f"{running.address}api/rooms", json.dumps(wanted).encode(), method="POST")
        asked.add_header("Content-Type", "application/json")
        with urlopen(asked, timeout=SECONDS) as answer:
            room = json.load(answer)["room"]
        live = connect(f"{running.address.replace('http', 'ws')}api/rooms/{room['code']}/live")
        watching = stack.enter_context(live)
        assert json.loads(watching.recv(SECONDS)) == {"version": room["version"]}
        place = ("127.0.0.1", int(running.address.rstrip("/").rpartition(":")[2]))
        silent = stack.enter_context(socket.create_connection(place))
        waiting = stack.enter_context(socket.create_connection(place))
        path = f"/api/rooms/{room['code']}?after={room['version']}"
        waiting.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        time.sleep(0.3)
        code, taken = running.stop(signal.SIGINT)
        assert code == 0
        assert taken < SECONDS / 4
        with pytest.raises(ConnectionClosed):
            watching.recv(SECONDS)
        assert silent.recv(1) == b""


def test_what_was_played_is_there_again(here: list[str]) -> None:
    with serving(*here) as running:
        wanted = {"board": "divisor-duel:60", "players": ["person", "level:3"]}
        asked = Request(f"{running.address}api/rooms", json.dumps(wanted).encode(), method="POST")
        asked.add_header("Content-Type", "application/json")
        with urlopen(asked, timeout=SECONDS) as answer:
            code = json.load(answer)["room"]["code"]
        running.stop(signal.SIGTERM)
    with serving(*here) as running:
        assert json.loads(fetched(f"{running.address}api/rooms/{code}"))["board"] == (
            "divisor-duel:60"
        )


def test_a_taken_port_is_told(here: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = refused("--port", str(port), *here[2:])
    assert (code, said) == (
        1,
        f"Error: Another program is using port {port} of 127.0.0.1. This picks a free one:"
        " numduel serve --port 0\n",
    )


def test_a_second_server_on_the_same_file_is_refused(here: list[str]) -> None:
    with serving(*here) as running:
        code, said = refused(*here)
        assert code == 1
        assert said.endswith(
            "another numduel serve is using it. Stop that one, or name another file.\n"
        )
        assert fetched(f"{running.address}rules")
        running.process.kill()
        running.process.wait(SECONDS)
    with serving(*here) as running:
        assert fetched(f"{running.address}rules"), "a server that was killed bars nobody"


def test_a_browser_is_opened_where_there_is_one(here: list[str], tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)
    with serving(*here, "--open", BROWSER=str(browser)) as running:
        until(lambda: opened.exists() and opened.read_text() == running.address)


def test_several_workers_need_postgresql(here: list[str]) -> None:
    code, said = refused(*here, "--workers", "2")
    assert code == 2
    assert "Several workers need a PostgreSQL database between them." in said
    assert "postgresql://USER@HOST/DATABASE" in said


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--port", "65536"], 2, "65536 is not in the range 0<=x<=65535"),
        (["--workers", "0"], 2, "0 is not in the range"),
        (["--host", "192.0.2.99"], 2, '"192.0.2.99" is not an address of this machine.'),
        (["--host", "x" * 70], 2, "is not an address of this machine."),
        (["--database", "mysql://x/y"], 1, 'kept in "mysql://...": the address cannot be read.'),
        (["--database", "FILE"], 1, "it is not a numduel history."),
        (["--database", "FOLDER"], 1, "it cannot be opened."),
        (["--database", "postgresql://x@127.0.0.1:1/x"], 1, "cannot be reached"),
    ],
)
def test_what_cannot_be_used_is_told(
    tmp_path: Path, arguments: list[str], code: int, sentence: str
) -> None:
    (tmp_path / "file").write_text("no database\n" * 100)
    places = {"FILE": str(tmp_path / "file"), "FOLDER": str(tmp_path)}
    words = [places.get(word, word) for word in arguments]
    usual = ["--port", "0"] if "--port" not in words else []
    out, said, given = piped(["serve", *usual, *words], XDG_DATA_HOME=str(tmp_path))
    assert (out, given) == ("", code), said
    assert "Traceback" not in said
    assert sentence in " ".join(said.split())


def test_a_missing_extra_is_named() -> None:
    program = (
        "import sys; sys.modules['segno'] = None\n"
        "from numduel.cli.app import run; sys.exit(run(['serve', '--port', '0']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS
    )
    assert (done.returncode, done.stderr) == (
        1,
        "numduel: segno is not installed. In numduel's folder, run\n"
        "  python -m pip install '.[web]'\nThen try again.\n",
    )


def test_others_are_shown_the_way(here: list[str]) -> None:
    with serving("--host", "0.0.0.0", *here) as running:
        port = int(running.address.rstrip("/").rpartition(":")[2])
        with listen("0.0.0.0", 0) as listening:
            free = listening.getsockname()[1]
            shared = [
                address.replace(f":{free}/", f":{port}/") for address in shared_addresses(listening)
            ]
        if shared:
            assert running.lines[1] == (f"On other devices on this network: {' or '.join(shared)}")
            assert "\n".join(running.lines[2:-1]) == qr_text(shared[0])
        else:
            assert len(running.lines) == 2
        assert fetched(f"{running.address}static/icon.svg")
        with Visitor(running.address) as host:  # who sits at this machine, by 127.0.0.1
            host.post("/rooms", board="divisor-duel:60", opponent="friend")
            base = shared[0] if shared else running.address
            assert host.value("link") == f"{base}{host.at.lstrip('/')}"
            assert host.has("only-here") is not bool(shared)
        assert running.stop(signal.SIGINT)[0] == 0


def test_addresses() -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        assert own_address(listening) == f"http://127.0.0.1:{port}/"
        assert shared_addresses(listening) == []
    with listen("localhost", 0) as listening:
        assert own_address(listening).startswith("http://127.0.0.1:")
    with listen("::1", 0) as listening:
        assert own_address(listening).startswith("http://[::1]:")
        assert shared_addresses(listening) == []
    with listen("::", 0) as listening:
        assert own_address(listening).startswith("http://[::1]:")
        assert not any("127.0.0.1" in address for address in shared_addresses(listening))


def test_a_code_is_drawn_without_style() -> None:
    drawn = qr_svg("http://192.0.2.1:8000/room/abc?a=<b>&c")
    assert "style" not in drawn
    picture = ElementTree.fromstring(drawn)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture.get("viewBox", "").startswith("0 0 ")
    lines = qr_text("http://192.0.2.1:8000/").split("\n")
    assert len({len(line) for line in lines}) == 1
    assert set("".join(lines)) == set(" ▀▄█")
    assert len(lines[0]) in (len(lines) * 2, len(lines) * 2 - 1)


def test_workers_share_a_postgresql_database(postgresql: Postgres) -> None:
    arguments = ["--port", "0", "--database", postgresql.new_history(), "--workers", "2"]

    # The thinkers of a worker that is killed end without closing their files.
    with serving(*arguments, PYTHONWARNINGS="error,ignore::ResourceWarning") as running:
        assert b"numduel" in fetched(f"{running.address}rules")
        first, second = workers_of(running)
        first.kill()
        first.wait(SECONDS)
        assert fetched(f"{running.address}static/icon.svg"), "the other goes on"
        until(lambda: len(workers_of(running)) == 2)
        assert second in workers_of(running)
        assert running.stop(signal.SIGINT, group=True)[0] == 0


def answered(address: str, **headers: str) -> tuple[int, str, str]:
    """Status, body and cookie of the answer to a room that is opened with these headers."""
    port = int(address.rstrip("/").rpartition(":")[2])
    asking = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    with closing(asking):
        form = "board=divisor-duel:60&opponent=friend"
        asking.request("POST", "/rooms", form, {"Host": f"127.0.0.1:{port}", **headers})
        answer = asking.getresponse()
        return answer.status, answer.read().decode(), answer.headers.get("Set-Cookie", "")


def test_a_server_for_this_machine_answers_to_its_own_names(tmp_path: Path) -> None:
    """A page elsewhere may give its name our address: its browser would then speak for us."""
    place = str(tmp_path / "rooms.sqlite3")
    with serving("--port", "0", "--database", place, "--name", "Play.example.org") as running:
        for host in ("localhost", "localhost:8000", "127.0.0.1", "[::1]:80", "play.example.org"):
            assert answered(running.address, Host=host)[0] == 303, host
        for host in ("elsewhere.example", "127.0.0.1.elsewhere.example", "example.org"):
            status, said, _ = answered(running.address, Host=host, Origin=f"http://{host}")
            assert status == 400, host
            assert "numduel serve --name NAME" in said
        running.stop(signal.SIGTERM)


def test_a_proxy_is_heard_at_any_address(tmp_path: Path) -> None:
    place = str(tmp_path / "rooms.sqlite3")
    with serving("--host", "::", "--port", "0", "--database", place) as running:
        https = {"X-Forwarded-Proto": "https", "Host": "play.example.org"}
        address = running.lines[0].removeprefix("numduel is at ")
        status, _, cookie = answered(address, **https)
        assert (status, cookie.endswith("; Secure")) == (303, True), cookie
        running.stop(signal.SIGTERM)
