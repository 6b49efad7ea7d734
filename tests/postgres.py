"""A private PostgreSQL server in a temporary folder, for tests."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
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


class Server:
    """A server with room for many histories: a schema each, which is quicker than a database."""

    def __init__(self, folder: Path, control: Callable[..., None]) -> None:
        self.folder = folder
        self._control = control

    def start(self) -> None:
        """Start it again, after `stop`."""
        self._control("start")

    def stop(self) -> None:
        """End it, as a crash would."""
        self._control("stop", "-m", "immediate")

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

    def address(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def new_history(self) -> str:
        """The address of a place without tables."""
        name = f"history_{uuid4().hex}"
        self.run(f"CREATE SCHEMA {name}")
        return f"{self.address()}&options=-csearch_path%3D{name}"

    def run(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def running_server() -> Iterator[Server]:
    initdb, control = _program("initdb"), _program("pg_ctl")
    if not initdb or not control:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="numduel-pg-"))
    as_user: dict[str, str] = {}
    if os.geteuid() == 0:  # initdb refuses to run as root
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        as_user = {"user": user.pw_name}

    def run(*command: str) -> None:
        subprocess.run(
            command, check=True, cwd=folder, stdout=subprocess.DEVNULL, timeout=PATIENT, **as_user
        )  # type: ignore[call-overload]

    folder.chmod(0o755)
    data = str(folder / "data")
    run(initdb, "-D", data, "-U", "postgres", "--auth", "trust", "--no-sync")
    # Tests end processes, never the machine: what the server has, it keeps without fsync too.
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    log = str(folder / "log")

    def manage(*what: str) -> None:
        run(control, "-D", data, "-o", options, "-l", log, "-w", *what)

    server = Server(folder, manage)
    server.start()
    try:
        yield server
    finally:
        if (folder / "data/postmaster.pid").exists():
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
