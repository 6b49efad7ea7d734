"""A private PostgreSQL server in a temporary folder: one for a run, and for tests that stop it."""

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from patience import PATIENT


def _program(name: str) -> str | None:
    """A program of PostgreSQL; Debian keeps them out of the search path."""
    found = shutil.which(name)
    there = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return found or (str(there[-1]) if there else None)


ME = os.environ.get("PYTEST_XDIST_WORKER", "alone")
"""This process among those that share a server. Each has a database there: news stay in it."""


class Server:
    """A server with room for many histories: a schema each, which is quicker than a database."""

    def __init__(self, folder: Path) -> None:
        initdb, control = _program("initdb"), _program("pg_ctl")
        if not initdb or not control:
            pytest.skip("PostgreSQL is not installed")
        self.folder = folder
        self._data = str(folder / "data")
        self._initdb, self._pg_ctl = initdb, control

    def create(self) -> None:
        """Make its folder, which may be there already, and start it."""
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o755)
        if as_user := _as_user():
            shutil.chown(self.folder, **as_user)
        self._run(self._initdb, "-D", self._data, "-U", "postgres", "--auth", "trust", "--no-sync")
        self.start()
        self.run(f"CREATE DATABASE {ME}", "postgres")

    def start(self) -> None:
        """Start it again, after `stop`."""
        # Tests end processes, never the machine: what the server has, it keeps without fsync too.
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}'"
        options += " -c fsync=off -c max_connections=300"
        self._control("-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        """End it, as a crash would, if it runs."""
        if (self.folder / "data/postmaster.pid").exists():
            self._control("-m", "immediate", "stop")

    def _control(self, *what: str) -> None:
        self._run(self._pg_ctl, "-D", self._data, "-w", *what)

    def _run(self, *command: str) -> None:
        subprocess.run(
            command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, timeout=PATIENT,
            **_as_user(),
        )  # type: ignore[call-overload]  # fmt: skip

    def processes(self) -> list[psutil.Process]:
        """The server's own process, and those of its connections."""
        parent = psutil.Process(int((self.folder / "data/postmaster.pid").read_text().split()[0]))
        return [parent, *parent.children()]

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While the block lasts, it takes connections and answers nothing."""
        held = self.processes()
        for process in held:
            process.suspend()
        try:
            yield
        finally:
            for process in held:
                process.resume()

    def address(self, database: str = ME) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def new_history(self) -> str:
        """The address of a place without tables."""
        name = f"history_{uuid4().hex}"
        self.run(f"CREATE SCHEMA {name}")
        return f"{self.address()}&options=-csearch_path%3D{name}"

    def run(self, statement: str, database: str = ME) -> None:
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement)


def _as_user() -> dict[str, str]:
    """initdb refuses to run as root."""
    return {"user": pwd.getpwnam("postgres").pw_name} if os.geteuid() == 0 else {}


@contextmanager
def running_server() -> Iterator[Server]:
    """A server of somebody's own, who stops and pauses it."""
    folder = Path(tempfile.mkdtemp(prefix="numduel-pg-"))
    server = Server(folder)
    try:
        server.create()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def shared_server(run: Path) -> Server:
    """The server of all processes of a run, which have this folder: the first one starts it."""
    server = Server(run / "postgresql")
    with (run / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not server.folder.exists():
            server.create()
        else:
            server.run(f"CREATE DATABASE {ME}", "postgres")
    return server
