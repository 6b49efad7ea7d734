"""What goes wrong with disks and databases: a sentence, and nothing that was there is lost."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from match.test_record import played
from numduel.errors import StoreError
from numduel.match import Record
from numduel.store import is_whole, open_store
from numduel.store.database import Database
from numduel.store.engines import problem_of
from numduel.wording import problem
from patience import PATIENT
from postgres import Server
from rooms.lobbies import write
from rooms.opened import refused
from terminal import COMMAND, piped

MATCH = Record.of(played("divisor-duel:60", "15"))
NOBODY = 65534


def problem_at(place: object) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(str(place))
    assert problem(caught.value).startswith("The history ")
    return str(caught.value.problem)


def kept_file(tmp_path: Path, matches: int = 1) -> Path:
    file = tmp_path / "history.sqlite3"
    with open_store(str(file)) as store:
        for _ in range(matches):
            store.add(MATCH)
    return file


def test_nobody_else_can_read_a_new_history(tmp_path: Path) -> None:
    file = tmp_path / "numduel" / "history.sqlite3"
    before = os.umask(0)  # which would let everybody do everything
    try:
        with open_store(str(file)) as store:
            store.add(MATCH)
            modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
    finally:
        os.umask(before)
    names = [f"{file.name}{end}" for end in ("", "-wal", "-shm")]
    assert modes == dict.fromkeys(names, 0o600)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    for path, mode in ((file, 0o640), (file.parent, 0o755)):  # where others may, they still may
        path.chmod(mode)
        open_store(str(file)).close()
        assert path.stat().st_mode & 0o777 == mode


def test_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite3"
    for content in (b"a shopping list\n" * 100, b"x", b"numduel record 1\n"):
        file.write_bytes(content)
        assert problem_at(file) == "foreign"
        assert file.read_bytes() == content
    file.unlink()
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    assert problem_at(file) == "foreign"
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    assert problem_at(tmp_path) == "unopened", "a folder in its place"
    assert problem_at(file / "history.sqlite3") == "unopened"


def test_a_truncated_file_is_told_and_not_made_worse(tmp_path: Path) -> None:
    file = kept_file(tmp_path, 60)
    whole = file.read_bytes()
    for size in (len(whole) // 2, 5000, 4096, 50):
        file.write_bytes(whole[:size])
        assert problem_at(file) in ("damaged", "foreign")
        assert file.read_bytes() == whole[:size]


def test_a_turn_that_the_index_has_under_another_match(tmp_path: Path) -> None:
    """A match of which a turn is missing, and not a turn of a match that nobody asked for."""
    file = tmp_path / "history.sqlite3"
    with open_store(str(file)) as store:
        store.add(Record.of(played("divisor-duel:60", "15", "9")))
    entry = b"\x04\x09\x01\x01\x02\x02"  # of the index: match 1, turn 2, in the second row
    assert file.read_bytes().count(entry) == 1
    file.write_bytes(file.read_bytes().replace(entry, b"\x04\x08" + entry[2:]))
    with open_store(str(file)) as store:
        assert not any(map(is_whole, store.matches()))
        with refused("damaged match", StoreError):
            store.load(1)


def test_a_table_or_a_database_that_is_gone(server: Server) -> None:
    server.run("CREATE DATABASE passing")
    place = server.address("passing")
    with open_store(place) as store:
        store.add(MATCH)
        write(place, "DROP TABLE turns")
        for why in ("sql", "unreachable"):
            with refused(why, StoreError):
                store.add(MATCH)
            server.run("DROP DATABASE IF EXISTS passing WITH (FORCE)")


def test_another_program_keeps_it_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept_file(tmp_path)
    monkeypatch.setattr("numduel.store.engines.BUSY_SECONDS", 0.1)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with open_store(str(file)) as store:
        assert len(store.matches()) == 1, "reading needs no lock"
        with refused("busy", StoreError):
            store.add(MATCH)
        other.execute("ROLLBACK")
        store.add(MATCH)
    other.close()


def without_coverage(place: object) -> dict[str, str]:
    """An environment with this history, whose faults are not those of coverage or Python too."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    return {**kept, "NUMDUEL_DATABASE_URL": str(place), "PYTHONDONTWRITEBYTECODE": "1"}


def fill_the_disk() -> None:
    """No file may grow beyond 2,000 bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def test_play_goes_on_when_the_disk_is_full(tmp_path: Path) -> None:
    file = kept_file(tmp_path, 3)
    size = file.stat().st_size
    done = subprocess.run(
        [*COMMAND, "play", "divisor-duel"],
        input="15\nquit\n", capture_output=True, text=True, timeout=PATIENT, check=False,
        env=without_coverage(file), preexec_fn=fill_the_disk,
    )  # fmt: skip
    assert (done.stderr, done.returncode) == ("", 0), done
    assert done.stdout.count("This match is not being saved. The history ") == 1
    assert "cannot be used: the disk" in done.stdout
    assert "Subtracting 15 from 60. New N is 45." in done.stdout
    assert file.stat().st_size == size
    with open_store(str(file)) as store:
        assert len(store.matches()) == 3
        store.add(MATCH)


def test_play_goes_on_when_the_history_is_something_else(tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite3"
    file.write_text("a shopping list\n" * 40)
    there = {"NUMDUEL_DATABASE_URL": str(file)}
    seen, err, code = piped(["play", "divisor-duel"], "15\n15\nresign\n", **there)
    assert (err, code) == ("", 0)
    assert seen.count("This match is not being saved. ") == 1
    assert "it is not a numduel history." in seen
    assert seen.endswith("Player 1 resigns.\nPlayer 2 wins!\n")
    for arguments in (["history"], ["stats"], ["resume"], ["analyse"], ["share"], ["show", "1"]):
        _, err, code = piped(arguments, **there)
        assert code == 1
        assert err.startswith('numduel: The history "')
        assert "Traceback" not in err
    assert file.read_text() == "a shopping list\n" * 40


NOBODYS = f"""
import io, os, sys
import numduel.cli.app, numduel.cli.history, numduel.cli.play, numduel.wording.rulebooks
import numduel.store, sqlalchemy.dialects.sqlite
os.setgid({NOBODY}); os.setuid({NOBODY})
for arguments in ["history"], ["play", "divisor-duel"], ["play", "divisor-duel"]:
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"15\\nquit\\n"))
    numduel.cli.app.run(arguments)
    print("END", flush=True)
    if arguments[0] == "play":
        os.environ["NUMDUEL_DATABASE_URL"] = sys.argv[1]
"""
"""Whoever must not write there must not be able to run our Python either, where it is root's own;
so the process becomes somebody else only after it has started."""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_read_only_folder() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = kept_file(folder)
        for path, mode in ((folder, 0o755), (file, 0o644)):
            path.chmod(mode)
        done = subprocess.run(
            [sys.executable, "-c", NOBODYS, str(folder / "new.sqlite3")],
            capture_output=True, text=True, timeout=PATIENT, check=False,
            env=without_coverage(file),
        )  # fmt: skip
        assert done.stderr == (
            f'numduel: The history "{file}" cannot be used: it is read-only.\n'
        ), "SQLite needs a log beside it, even to read"
        _, old, new, _ = done.stdout.split("END\n")
        for seen, why in ((old, "it is read-only."), (new, "it cannot be opened.")):
            assert "This match is not being saved. " in seen
            assert why in seen
            assert "New N is 45." in seen
        with open_store(str(file)) as store:
            assert len(store.matches()) == 1


def said_with(**facts: str | None) -> Exception:
    error = Exception()
    vars(error).update(facts)
    return error


def test_what_servers_and_the_system_say_is_understood(tmp_path: Path) -> None:
    states = {"53100": "full", "57P01": "unreachable", "57014": "slow", "55P03": "busy"}
    others = {"25006": "read-only", "42P01": "sql", None: "unreachable"}
    for state, meaning in {**states, **others}.items():
        assert problem_of(said_with(sqlstate=state)) == meaning
    assert problem_of(said_with(sqlite_errorname="SQLITE_TOOBIG")) == "sql"
    database = Database(str(tmp_path / "history.sqlite3"))
    for error in (OSError("gone"), sqlite3.OperationalError("odd")):
        with pytest.raises(StoreError), database.reading():
            raise error
    database.close()


def test_a_file_that_is_taken_away_is_noticed(tmp_path: Path) -> None:
    file, away = kept_file(tmp_path), tmp_path / "away"
    with open_store(str(file)) as store:
        file.rename(away)
        for again in (False, True):
            if again:
                shutil.copy(away, file)
            with refused("gone", StoreError):
                store.add(MATCH)
            assert file.exists() == again, "no empty file takes its place"
        away.rename(file)
        store.add(MATCH)
    with open_store(str(file)) as store:
        assert len(store.matches()) >= 2
