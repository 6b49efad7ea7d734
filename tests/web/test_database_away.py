"""The database is away, stopped or locked: the service waits for it, and always answers."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from numduel.store.database import Database
from patience import PATIENT, until
from postgres import Server as Postgres
from postgres import running_server
from terminal import COMMAND, piped
from web import server as web_server
from web.test_serve import Serving, serving, workers_of

ROOM = {"board": "divisor-duel:60", "players": ["person", "person"]}


@pytest.fixture(scope="module")
def own() -> Iterator[Postgres]:
    """A database server of these tests alone: it is stopped and started."""
    with running_server() as running:
        yield running


@pytest.fixture(scope="module")
def pair(own: Postgres) -> Iterator[Serving]:
    """A service of two workers, for tests that leave it as it was."""
    with serving(*two_workers(own.new_history()), **QUIET) as running:
        yield running
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(PATIENT) == 0


@pytest.fixture
def asking() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=PATIENT, verify=False) as client:
        yield client


def answered(running: Serving, asking: httpx.Client, status: int) -> bool:
    """Is a new room answered so? While workers are exchanged, connections may break."""
    assert running.process.poll() is None, "the service has ended"
    try:
        return asking.post(f"{running.address}api/rooms", json=ROOM).status_code == status
    except httpx.TransportError:
        return False


def two_workers(place: str) -> list[str]:
    return ["--port", "0", "--database", place, "--workers", "2"]


# The thinkers of a worker that is killed end without closing their files.
QUIET = {"PYTHONWARNINGS": "error,ignore::ResourceWarning"}


def test_workers_share_a_database_and_are_replaced(own: Postgres, asking: httpx.Client) -> None:
    with web_server.running(own.new_history(), workers=2, thinkers=1) as running:
        made = asking.post(f"{running.address}api/rooms", json=ROOM).json()

        first, second = workers_of(running.pid)
        first.kill()
        first.wait(PATIENT)
        found = asking.get(f"{running.address}api/rooms/{made['room']['code']}")
        assert found.status_code == 200, "the other goes on"
        until(lambda: len(workers_of(running.pid)) == 2)
        assert second in workers_of(running.pid)


@pytest.mark.soak("kills")
def test_workers_that_die_meanwhile_wait_for_the_database(
    own: Postgres, pair: Serving, asking: httpx.Client
) -> None:
    until(lambda: answered(pair, asking, 201))
    own.stop()
    try:
        for worker in workers_of(pair.process.pid):
            worker.kill()
            worker.wait(PATIENT)
        until(lambda: answered(pair, asking, 503))
    finally:
        own.start()
    until(lambda: answered(pair, asking, 201))


@pytest.mark.soak("kills")
def test_a_worker_killed_while_it_is_asked_how_it_is_is_missed_at_once(pair: Serving) -> None:
    """Its parent would otherwise wait a whole minute for an answer, and so would SIGTERM."""
    parent = psutil.Process(pair.process.pid)
    until(lambda: len(workers_of(pair.process.pid)) == 2)
    [first, *_] = workers_of(pair.process.pid)
    first.suspend()

    def waiting() -> bool:
        """The parent wakes twice a second, but where it waits for an answer."""
        woken = parent.num_ctx_switches().voluntary
        time.sleep(1.5)
        return parent.num_ctx_switches().voluntary == woken

    until(waiting)
    first.kill()
    first.wait(PATIENT / 4)


@pytest.mark.soak("kills")
def test_a_service_that_cannot_go_on_says_so_by_its_exit_code(
    own: Postgres, asking: httpx.Client
) -> None:
    place = own.new_history()
    with serving(*two_workers(place), **QUIET) as running:
        assert answered(running, asking, 201)
        schema = place.rpartition("%3D")[2]
        own.run(f"UPDATE {schema}.schema_version SET version = version + 1")
        workers_of(running.process.pid)[0].kill()
        assert running.process.wait(PATIENT) == 1
        assert "had to stop" in running.process.communicate()[1]


@contextmanager
def locked(own: Postgres, place: str) -> Iterator[None]:
    """Somebody else keeps all rooms locked while the block lasts."""
    with psycopg.connect(place) as other:
        other.execute("LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


@contextmanager
def stopped(own: Postgres, place: str) -> Iterator[None]:
    with own.paused():
        yield


IMPATIENT = [sys.executable, "-c", """
import sys
from numduel.rooms import desk
from numduel.store import engines
desk._DEADLINE = 1.0
engines.SET_UP += "; SET lock_timeout TO '300ms'; SET statement_timeout TO '600ms'"
from numduel.cli.app import run
sys.exit(run(sys.argv[1:]))
"""]  # fmt: skip


@pytest.mark.parametrize(
    ("hanging", "command"),
    [(locked, IMPATIENT), pytest.param(stopped, COMMAND, marks=pytest.mark.soak("kills"))],
)
def test_whoever_waits_for_the_database_is_answered(
    own: Postgres, asking: httpx.Client, hanging: Callable[..., Any], command: list[str]
) -> None:
    place = own.new_history()
    secret = place.replace("postgres@", "postgres:secret@")
    with serving("--port", "0", "--database", secret, command=command, **QUIET) as running:
        rooms = f"{running.address}api/rooms"
        made = asking.post(rooms, json=ROOM).json()
        code, owner = made["room"]["code"], {"Authorization": f"Bearer {made['token']}"}

        def look() -> int:
            return asking.get(f"{rooms}/{code}").status_code

        def play() -> int:
            move = {"move": "15", "version": 1}
            return asking.post(f"{rooms}/{code}/moves", json=move, headers=owner).status_code

        assert (look(), play()) == (200, 409), "the other seat is free"
        own.stop()
        try:
            for _ in range(5):
                page = asking.get(f"{running.address}room/{code}").status_code
                assert (look(), play(), page) == (503, 503, 503)
        finally:
            own.start()
        until(lambda: look() == 200)
        with ThreadPoolExecutor(4) as many:
            with hanging(own, place):
                asked = [many.submit(use) for use in (look, play, look, play)]
                assert [one.result() for one in asked] == [503] * 4
            until(lambda: look() == 200)
            with hanging(own, place):
                asked = [many.submit(use) for use in (look, play, look, play)]
                running.process.send_signal(signal.SIGTERM)
                assert running.process.wait(PATIENT) == 0, "the end comes all the same"
                wait(asked)
        _, said = running.process.communicate()
    first, *others = said.splitlines()
    assert first.startswith('numduel: The rooms cannot be kept in "postgresql://postgres:***@')
    assert first.endswith("the database cannot be reached, or refuses the login.")
    assert first not in others, "told in one line"
    assert "Traceback" not in said


def test_a_database_that_cannot_be_written_is_told_at_the_start(own: Postgres) -> None:
    place = own.new_history()
    Database(place).close()
    read_only = f"{place}%20-cdefault_transaction_read_only%3Don"
    out, said, code = piped(["serve", "--port", "0", "--database", read_only])
    assert (out, code, said.endswith(": it is read-only.\n")) == ("", 1, True), said
