"""Where the history is, and that no address of it shows a password."""

import sys
from pathlib import Path

import pytest

from numduel.errors import MissingExtra, StoreError
from numduel.store import open_store
from numduel.store.place import FILE_NAME, VARIABLE, history_place, is_postgres
from numduel.wording import problem
from store.test_faults import MATCH, problem_at


def test_where_the_history_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert history_place() == str(tmp_path / "numduel" / FILE_NAME)
    with open_store() as store:
        assert store.place == history_place()
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path}/other.sqlite3")
    with open_store() as store:
        assert store.place == f"{tmp_path}/other.sqlite3"
        store.add(MATCH)
    assert (tmp_path / "other.sqlite3").stat().st_size
    assert is_postgres("postgres://somebody@host/database")


SPELLINGS = """
postgresql://me:secret@/none?host=/nowhere
postgresql://me@/none?host=/nowhere&password=secret
postgresql:///none?host=/nowhere&user=me&sslpassword=secret
POSTGRESQL://me:secret@127.0.0.1:1/none
Postgres://me:secret@127.0.0.1:1/none
postgresql+psycopg://me:secret@127.0.0.1:1/none
postgresql+asyncpg://me:secret@127.0.0.1:1/none
postgresql://me:sec@secret@127.0.0.1:1/none
postgresql://me:x/secret@127.0.0.1:1/none
postgresql://me:secret
postgresql://127.0.0.1:1/none;password=secret
mysql+pymysql://me:secret@somewhere/else
sqlite://me:secret@somewhere/else
postgresql:/me:secret@somewhere/none
postgresql:me:secret@somewhere/none
POSTGRES:/me:secret@somewhere/none
host=127.0.0.1 port=1 dbname=none password=secret
 postgresql://me:secret@127.0.0.1:1/none
"""


def test_no_password_is_shown_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what only looks like an address is a file."""
    monkeypatch.chdir(tmp_path)
    assert problem_at("postgresql://host:port/x") == "address"
    assert problem_at("postgresql://nobody@/none?host=/nowhere") == "unreachable"
    for address in SPELLINGS.strip("\n").split("\n"):
        with pytest.raises(StoreError) as caught:
            open_store(address)
        assert caught.value.problem in ("address", "unreachable"), address
        assert "secret" not in problem(caught.value)
    assert list(tmp_path.iterdir()) == [], "no file or folder has that name"
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra) as missing:
        open_store("postgresql://somewhere/else")
    assert "pip install '.[postgres]'" in problem(missing.value)
    for name in ("a:b", "user-host=c", "C:history.sqlite3", "me@here", "sqlite:///d", "e f"):
        with open_store(name) as store:
            assert store.place == name.removeprefix("sqlite:///")
            assert Path(store.place).exists()
