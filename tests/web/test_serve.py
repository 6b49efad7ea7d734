"""`numduel serve`, as people run it: a process, its sentences, and how it ends."""

import gc
import json
import os
import re
import signal
import socket
import subprocess
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

import psutil
import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from numduel.rooms import steady_time
from numduel.web import serving as serving_of
from numduel.web.addresses import listen, own_address, shared_addresses
from numduel.web.pages.rendering import qr_svg, qr_text
from numduel.web.settings import Settings
from patience import PATIENT, until
from terminal import COMMAND, piped
from web.tiny_server import Answer, asked
from web.visitor import Visitor

ROOT = Path(__file__).parents[2]


class Serving:
    """The command in a process group of its own, with its first lines of output read."""

    def __init__(self, *arguments: str, command: list[str] = COMMAND, **environment: str) -> None:
        self.process = subprocess.Popen(
            [*command, "serve", *arguments],
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
        raise AssertionError(self.process.communicate(timeout=PATIENT)[1])

    @property
    def address(self) -> str:
        """By IPv4, also where it listens to both."""
        found = re.fullmatch(
            r"numduel is at http://(?:127\.0\.0\.1|\[::1\])(:[0-9]+/)", self.lines[0]
        )
        assert found, self.lines
        return f"http://127.0.0.1{found[1]}"

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rpartition(":")[2])

    def stop(self, how: signal.Signals, group: bool = False) -> tuple[int, float]:
        """The exit code, and the seconds that it took; nothing is left, and nothing was said."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        begun = time.monotonic()
        if group:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        out, err = self.process.communicate(timeout=PATIENT)
        taken = time.monotonic() - begun
        assert (out, err) == ("", "")
        assert not psutil.wait_procs(children, timeout=PATIENT)[1], "a process was left behind"
        return self.process.returncode, taken


@contextmanager
def serving(*arguments: str, command: list[str] = COMMAND, **environment: str) -> Iterator[Serving]:
    running = Serving(*arguments, command=command, **environment)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            os.killpg(running.process.pid, signal.SIGKILL)
        running.process.communicate()


def workers_of(parent: int) -> list[psutil.Process]:
    """The workers that are alive; any may end while it is looked at."""
    found = []
    for child in psutil.Process(parent).children():
        with suppress(psutil.NoSuchProcess):
            if child.status() != psutil.STATUS_ZOMBIE and "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


def room_opened(running: Serving, **headers: str) -> Answer:
    form = b"board=divisor-duel:60&opponent=friend"
    return asked(running.port, "POST", "/rooms", headers, form)


def test_a_server_and_its_connections_until_ctrl_c(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)
    kept = {"XDG_DATA_HOME": str(tmp_path)}
    with (
        serving("--port", "0", "--open", BROWSER=str(browser), **kept) as running,
        ExitStack() as stack,
    ):
        assert running.lines[1:] == ["Press Ctrl-C to stop."]
        assert asked(running.port, "GET", "/static/icon.svg").text.startswith("<svg ")
        assert (tmp_path / "numduel/rooms.sqlite3").exists()
        until(lambda: opened.exists() and opened.read_text() == running.address)
        _, said, code = piped(["serve", "--port", "0"], **kept)
        assert code == 1
        assert said.endswith(
            "another numduel serve is using it. Stop that one, or name another file.\n"
        )
        _, said, code = piped(
            ["serve", "--port", str(running.port)], XDG_DATA_HOME=str(tmp_path / "x")
        )
        used = f"Error: Another program is using port {running.port} of 127.0.0.1. This picks a"
        assert (said, code) == (f"{used} free one: numduel serve --port 0\n", 1)
        for host in ("localhost", "localhost:8000", "127.0.0.1", "[::1]:80"):
            assert room_opened(running, Host=host).status == 303, host
        for host in ("elsewhere.example", "127.0.0.1.elsewhere.example"):
            # A page elsewhere may give its name our address: its browser would then speak for us.
            refused = room_opened(running, Host=host, Origin=f"http://{host}")
            assert refused.status == 400, host
            assert "numduel serve --name NAME" in refused.text
        wanted = b'{"board": "divisor-duel:60", "players": ["person", "level:3"]}'
        sent = {"Content-Type": "application/json"}
        room = asked(running.port, "POST", "/api/rooms", sent, wanted).json["room"]
        live = connect(f"{running.address.replace('http', 'ws')}api/rooms/{room['code']}/live")
        watching = stack.enter_context(live)
        assert json.loads(watching.recv(PATIENT)) == {"version": room["version"]}
        place = ("127.0.0.1", running.port)
        silent, waiting = (stack.enter_context(socket.create_connection(place)) for _ in "ab")
        path = f"/api/rooms/{room['code']}?after={room['version']}"
        waiting.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert asked(running.port, "GET", "/rules").text, "what came before is taken up too"
        code, taken = running.stop(signal.SIGINT, group=True)
        assert code == 0
        assert taken < PATIENT / 4, "open connections do not keep it"
        with pytest.raises(ConnectionClosed):
            watching.recv(PATIENT)
        assert silent.recv(1) == b""
    kept_there = str(tmp_path / "numduel/rooms.sqlite3")
    with serving("--host", "::", "--port", "0", "--database", kept_there,
                 "--name", "Play.example.org") as running:  # fmt: skip
        found = asked(running.port, "GET", f"/api/rooms/{room['code']}").json
        assert found["board"] == "divisor-duel:60", "what was played is there again"
        https = {"X-Forwarded-Proto": "https", "Host": "play.example.org"}
        opened_there = room_opened(running, **https)
        assert opened_there.status == 303
        assert opened_there.headers["Set-Cookie"].endswith("; Secure"), "a proxy is heard"
        assert room_opened(running, Host="example.org").status == 400
        shown_the_way(running)
        assert running.stop(signal.SIGTERM)[0] == 0


def shown_the_way(running: Serving) -> None:
    with listen("::", 0) as listening:
        free, port = f":{listening.getsockname()[1]}/", f":{running.port}/"
        shared = [one.replace(free, port) for one in shared_addresses(listening)]
    if shared:
        assert running.lines[1] == (f"On other devices on this network: {' or '.join(shared)}")
        assert "\n".join(running.lines[2:-1]) == qr_text(shared[0])
    else:
        assert len(running.lines) == 2
    with Visitor(running.address) as host:  # who sits at this machine, by 127.0.0.1
        host.post("/rooms", board="divisor-duel:60", opponent="friend")
        base = shared[0] if shared else running.address
        assert host.value("link") == f"{base}{host.at.lstrip('/')}"
        assert host.has("only-here") is not bool(shared)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--port", "65536"], 2, "65536 is not in the range 0<=x<=65535"),
        (["--workers", "0"], 2, "0 is not in the range"),
        (["--workers", "2"], 2, "a PostgreSQL database between them. Name one with --database"),
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


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("::1", "[::1]"), ("::", "[::1]")],
)
def test_addresses(host: str, own: str) -> None:
    with listen(host, 0) as listening:
        assert own_address(listening) == f"http://{own}:{listening.getsockname()[1]}/"
        shared = shared_addresses(listening)
    assert not shared or host == "::"
    assert not any("127.0.0.1" in address for address in shared)


def test_a_port_that_nobody_serves_any_more_is_waited_for() -> None:
    """As after a kill of the parent: workers that are only starting hold it, and then end."""
    with socket.create_server(("127.0.0.1", 0)) as left, ThreadPoolExecutor(1) as dying:
        left.settimeout(PATIENT)
        asked_for = dying.submit(lambda: (left.accept()[0].close(), left.close()))
        with listen(*left.getsockname()):
            asked_for.result()


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


def test_a_worker_too_looks_through_all_its_objects_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {**asdict(Settings("unused")), "anchor": steady_time.anchor()}
    monkeypatch.setenv(serving_of.VARIABLE, json.dumps(settings))
    usual = gc.get_threshold()
    try:
        serving_of.app_of_worker()
        assert usual[2] < gc.get_threshold()[2] < 1_000, "seldom, and not never"
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)


@pytest.mark.parametrize("name", ["uvicorn", "websockets"])
def test_the_version_is_bounded_and_the_tested_one_is_the_newest_allowed(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [Requirement(one) for one in project["optional-dependencies"]["web"]]
    [allowed] = [one.specifier for one in wanted if one.name == name]
    assert f"{name}=={version(name)}" in (ROOT / "constraints.txt").read_text().split()
    ours = Version(version(name))
    assert allowed.contains(ours)
    assert not allowed.contains(str(ours.major + 1))
    assert ours.major or not allowed.contains(f"0.{ours.minor + 1}")
